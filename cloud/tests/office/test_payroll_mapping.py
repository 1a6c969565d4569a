"""The company's payroll mapping: what is refused, and that a change names only what it changes."""

from typing import Any

import pytest
from stempelwerk_cloud.office.exports.tables import PayrollMapping

from cloud.tests.databases import ON_BOTH
from cloud.tests.office.exporting import MAPPING, WAGES, mapped
from cloud.tests.room import given, logged
from cloud.tests.world import Firm

ADVISER = "Die Beraternummer hat 4 bis 7 Ziffern und besteht nicht nur aus Nullen."
CLIENT = "Die Mandantennummer hat 1 bis 5 Ziffern und besteht nicht nur aus Nullen."
WAGE = "Eine Lohnart hat 1 bis 4 Ziffern und besteht nicht nur aus Nullen."
KEY = "Ein Ausfallschlüssel hat ein oder zwei Buchstaben oder Ziffern."
CENTRE = "Eine Kostenstelle hat höchstens acht Buchstaben oder Ziffern."
UNKNOWN = "Unbekanntes Feld."


def path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/payroll-mapping"


def changed(firm: Firm, change: dict[str, Any]) -> dict[str, Any]:
    """Changes the mapping, and returns it as it is read afterwards."""
    answer = firm.boss.put(path(firm), json=change)
    assert answer.status_code == 200, answer.text
    mapping: dict[str, Any] = firm.boss.get(path(firm)).json()
    assert answer.json() == mapping
    return mapping


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"adviserNumber": "123"}, "adviserNumber", ADVISER),
        ({"adviserNumber": "0000"}, "adviserNumber", ADVISER),
        ({"adviserNumber": "12345678"}, "adviserNumber", ADVISER),
        ({"clientNumber": "0"}, "clientNumber", CLIENT),
        ({"clientNumber": "00000"}, "clientNumber", CLIENT),
        ({"clientNumber": "A1"}, "clientNumber", CLIENT),
        ({"wageTypes": {"hours": "0"}}, "wageTypes.hours", WAGE),
        ({"wageTypes": {"night40": "000"}}, "wageTypes.night40", WAGE),
        ({"wageTypes": {"hours": "1,5"}}, "wageTypes.hours", WAGE),
        ({"wageTypes": {"hours": "101\n2"}}, "wageTypes.hours", WAGE),
        ({"absenceKeys": {"sick": "KRA"}}, "absenceKeys.sick", KEY),
        ({"absenceKeys": {"sick": ""}}, "absenceKeys.sick", KEY),
        ({"absenceKeys": {"sick": "K;"}}, "absenceKeys.sick", KEY),
        ({"costCentres": {"Büro": "123456789"}}, "costCentres.Büro", CENTRE),
        ({"costCentres": {"Büro": "A;B"}}, "costCentres.Büro", CENTRE),
        ({"adviserNo": "28547"}, "adviserNo", UNKNOWN),
        ({"adviser_number": "28547"}, "adviser_number", UNKNOWN),
        ({"wageTypes": {"holidays": "101"}}, "wageTypes.holidays", UNKNOWN),
        ({"wageTypes": {"public_holiday": "101"}}, "wageTypes.public_holiday", UNKNOWN),
        (
            {"absenceKeys": {f"Grund {number}": "X" for number in range(101)}},
            "absenceKeys",
            "Zu viele (höchstens 100).",
        ),
    ],
)
def test_a_mapping_that_no_program_takes_is_refused_and_nothing_of_it_is_stored(
    firm: Firm, change: dict[str, Any], field: str, sentence: str
) -> None:
    answer = firm.boss.put(path(firm), json={"clientNumber": "90909"} | change)
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": field, "message": sentence}]
    assert firm.boss.get(path(firm)).json()["clientNumber"] is None


def test_a_change_that_makes_a_map_too_large_is_refused(firm: Firm) -> None:
    changed(firm, {"absenceKeys": {f"Grund {number}": "X" for number in range(100)}})
    answer = firm.boss.put(path(firm), json={"absenceKeys": {"Umzug": "UM"}})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "absenceKeys")
    mapping = changed(firm, {"absenceKeys": {"Umzug": "UM", "Grund 0": None}})
    assert len(mapping["absenceKeys"]) == 100


@ON_BOTH
def test_what_a_change_does_not_name_stays_and_null_removes(firm: Firm) -> None:
    mapped(firm)
    mapping = changed(firm, {"clientNumber": "7"})
    assert {name: mapping[name] for name in MAPPING} == MAPPING | {"clientNumber": "7"}
    mapping = changed(firm, {"wageTypes": {"sick": "999", "night": None}})
    assert mapping["wageTypes"] == WAGES | {"sick": "999", "night": None}
    mapping = changed(firm, {"absenceKeys": {"sick": "KÜ", "hours": "1", "vacation": None}})
    assert mapping["absenceKeys"] == {"sick": "KÜ", "hours": "1", "Berufsschule": "BS"}
    mapping = changed(firm, {"costCentres": {"Montage": "Halle3", "Büro": None}})
    assert mapping["costCentres"] == {"Werkstatt": "10", "Montage": "Halle3"}
    mapping = changed(firm, {"adviserNumber": None, "costCentres": None, "wageTypes": None})
    assert (mapping["adviserNumber"], mapping["clientNumber"], mapping["costCentres"]) == (None, "7", {})
    assert set(mapping["wageTypes"].values()) == {None}
    assert mapping["absenceKeys"] == {"sick": "KÜ", "hours": "1", "Berufsschule": "BS"}


def test_a_change_that_changes_nothing_is_not_logged(firm: Firm) -> None:
    assert firm.boss.get(path(firm)).json()["adviserNumber"] is None
    for change in (MAPPING, MAPPING, {}, {"wageTypes": {"hours": "101"}}, {"absenceKeys": {"Umzug": None}}):
        mapping = changed(firm, change)
        assert {name: mapping[name] for name in MAPPING} == MAPPING
    assert logged(firm.world, firm.id, "payroll_mapping") == ["payroll_mapping.changed"]


def test_umlauts_are_one_character_however_they_are_typed(firm: Firm) -> None:
    mapping = changed(
        firm, {"absenceKeys": {"sick": "A\u0308U\u0308", "unpaid": " ß "}, "costCentres": {"Büro": "Köln\u00a0"}}
    )
    assert (mapping["absenceKeys"], mapping["costCentres"]) == ({"sick": "ÄÜ", "unpaid": "ß"}, {"Büro": "Köln"})


def test_what_was_accepted_before_and_is_refused_today_reads_as_none(firm: Firm) -> None:
    stored = (
        '{"adviserNumber":"0000","clientNumber":"90909","wageTypes":{"hours":"0","sick":"302"},'
        '"absenceKeys":{"sick":"KRAN","vacation":"U"," ":"X","Umzug":null},"costCentres":{"Büro":"20"}}'
    )
    given(firm.boss, PayrollMapping, id=firm.id, mapping=stored)
    mapping = firm.boss.get(path(firm)).json()
    assert (mapping["adviserNumber"], mapping["clientNumber"]) == (None, "90909")
    assert (mapping["wageTypes"]["hours"], mapping["wageTypes"]["sick"]) == (None, "302")
    assert mapping["costCentres"] == {"Büro": "20"}
    mapping = changed(firm, {"adviserNumber": "28547"})
    assert (mapping["adviserNumber"], mapping["absenceKeys"]) == ("28547", {"vacation": "U"})
