"""Employments: who may read and change them, and from when they hold."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.employment.values import Employment, employment_of

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.world import Firm, Somebody, World

PLAIN = {
    "personnelNumber": None,
    "department": None,
    "entryDate": None,
    "exitDate": None,
    "accountFrom": None,
    "workdays": [0, 1, 2, 3, 4],
    "limits": "adult",
    "payType": "hourly",
    "openingBalanceMinutes": 0,
    "openingVacationDays": 0,
}
FULL = {
    "personnelNumber": "0042",
    "department": "Montage",
    "entryDate": "2026-03-01",
    "exitDate": "2027-02-28",
    "accountFrom": "2026-03-02",
    "workdays": [0, 2, 5],
    "limits": "youth",
    "payType": "monthly",
    "openingBalanceMinutes": -90,
    "openingVacationDays": 12.5,
}
TODAY = "2026-11-20"


def _path(firm: Firm) -> str:
    return f"/api/users/{firm.anna.id}/employment"


def _get(firm: Firm, on: str | None = None) -> Any:
    answer = firm.boss.get(_path(firm) + (f"?on={on}" if on else ""))
    assert answer.status_code == 200, answer.text
    return answer.json()


def _put(firm: Firm, **changes: Any) -> Any:
    answer = firm.boss.put(_path(firm), json=changes)
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- who may read and change it


def test_who_was_deleted_is_404(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert firm.boss.get(_path(firm)).status_code == 404
    assert firm.boss.put(_path(firm), json={"department": "x"}).status_code == 404


# -- values


def test_of_whom_nothing_is_known_works_monday_to_friday_as_a_grown_up(firm: Firm) -> None:
    assert _get(firm) == PLAIN


def test_everything_can_be_said_at_once_and_taken_back(firm: Firm) -> None:
    assert _put(firm, **FULL) == FULL | {"validFrom": TODAY}
    assert _get(firm) == FULL
    assert _put(firm, **PLAIN) == PLAIN | {"validFrom": TODAY}
    assert _get(firm) == PLAIN


def test_what_is_left_out_stays(firm: Firm) -> None:
    _put(firm, **FULL)
    assert _put(firm, department="Büro") == FULL | {"department": "Büro", "validFrom": TODAY}
    assert _put(firm) == FULL | {"department": "Büro", "validFrom": TODAY}
    assert _put(firm, exitDate=None)["exitDate"] is None


def test_texts_are_trimmed_and_weekdays_sorted(firm: Firm) -> None:
    changed = _put(firm, department="  Büro ", workdays=[6, 0, 3])
    assert (changed["department"], changed["workdays"]) == ("Büro", [0, 3, 6])
    assert _put(firm, department="  ")["department"] is None


@ON_SQLITE
@pytest.mark.parametrize(
    "changes",
    [
        {"personnelNumber": ""},
        {"personnelNumber": "12a"},
        {"personnelNumber": "١٢"},
        {"personnelNumber": "12\n"},
        {"personnelNumber": "1" * 21},
        {"personnelNumber": 42},
        {"department": "x" * 101},
        {"department": "a\0b"},
        {"department": 7},
        {"entryDate": "2026-02-30"},
        {"entryDate": "0001-01-01"},
        {"entryDate": "01.03.2026"},
        {"exitDate": "9999-12-31"},
        {"workdays": []},
        {"workdays": None},
        {"workdays": [7]},
        {"workdays": [-1]},
        {"workdays": [1, 1]},
        {"workdays": ["1"]},
        {"workdays": [True]},
        {"workdays": [0.5]},
        {"workdays": "0"},
        {"limits": None},
        {"limits": "child"},
        {"openingBalanceMinutes": None},
        {"openingBalanceMinutes": 600_001},
        {"openingBalanceMinutes": -600_001},
        {"openingBalanceMinutes": 1.5},
        {"openingBalanceMinutes": "60"},
        {"openingVacationDays": None},
        {"openingVacationDays": 0.25},
        {"openingVacationDays": 400.5},
        {"openingVacationDays": -400.5},
        {"openingVacationDays": "1"},
        {"openingVacationDays": True},
        {"validFrom": "heute"},
        {"validFrom": 20261120},
        {"salary": 1},
        {"personnel_number": "1"},
        {"exitDate": "2026-01-01", "entryDate": "2026-01-02"},
    ],
)
def test_what_is_malformed_or_out_of_range_is_refused_whole(firm: Firm, changes: dict[str, Any]) -> None:
    answer = firm.boss.put(_path(firm), json={"department": "Büro"} | changes)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"]
    assert _get(firm) == PLAIN


@pytest.mark.parametrize(
    "changes",
    [
        {"personnelNumber": "00000000000000000001"},
        {"department": "ä" * 100},
        {"workdays": [0, 1, 2, 3, 4, 5, 6]},
        {"openingBalanceMinutes": -600_000},
        {"openingVacationDays": -400},
        {"openingVacationDays": 0.5},
        {"entryDate": "2026-01-02", "exitDate": "2026-01-02"},
    ],
)
def test_what_is_just_in_range_is_taken(firm: Firm, changes: dict[str, Any]) -> None:
    assert _put(firm, **changes) == PLAIN | changes | {"validFrom": TODAY}


def test_an_exit_before_the_entry_that_stands_is_refused(firm: Firm) -> None:
    _put(firm, entryDate="2026-03-01")
    answer = firm.boss.put(_path(firm), json={"exitDate": "2026-02-28", "department": "Büro"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "exitDate"
    assert _get(firm) == PLAIN | {"entryDate": "2026-03-01"}


# -- from when values hold


def test_the_first_workdays_hold_from_the_beginning_and_from_their_day_if_one_is_named(firm: Firm) -> None:
    _put(firm, workdays=[0, 1])
    assert _get(firm, "1999-01-01") == PLAIN | {"workdays": [0, 1]}
    assert _put(firm, workdays=[4], validFrom="2026-12-01")["validFrom"] == "2026-12-01"
    assert (_get(firm)["workdays"], _get(firm, "2026-12-01")["workdays"]) == ([0, 1], [4])


def test_named_from_a_day_on_the_first_workdays_change_nothing_before_it(firm: Firm) -> None:
    _put(firm, workdays=[0, 1], validFrom="2026-11-01")
    assert (_get(firm, "2026-10-31")["workdays"], _get(firm)["workdays"]) == ([0, 1, 2, 3, 4], [0, 1])


@pytest.mark.parametrize(("first_day", "valid_from"), [("2026-07-01", "2026-07-01"), ("2026-11-20", None)])
def test_limits_and_departments_hold_from_their_day_or_today_also_the_first(
    firm: Firm, first_day: str, valid_from: str | None
) -> None:
    _put(firm, limits="youth", department="Büro", validFrom=valid_from)
    day_before = date.fromisoformat(first_day) - timedelta(days=1)
    assert _get(firm, day_before.isoformat()) == PLAIN
    assert _get(firm, first_day) == PLAIN | {"limits": "youth", "department": "Büro"}


def test_a_later_value_holds_from_today_if_no_day_is_named(firm: Firm) -> None:
    _put(firm, workdays=[0, 1])
    _put(firm, workdays=[4])
    assert (_get(firm, "2026-11-19")["workdays"], _get(firm)["workdays"]) == ([0, 1], [4])


def test_entry_exit_numbers_and_what_was_brought_along_hold_from_ever(firm: Firm) -> None:
    values = {name: FULL[name] for name in ("personnelNumber", "entryDate", "openingBalanceMinutes")}
    _put(firm, personnelNumber="1", openingBalanceMinutes=5)
    _put(firm, **values, validFrom="2026-12-01")
    assert _get(firm, "1999-01-01") == PLAIN | values


def test_to_repeat_what_holds_does_not_end_what_is_changed_from_an_earlier_day(firm: Firm) -> None:
    _put(firm, workdays=[0])
    _put(firm, workdays=[0], validFrom="2026-12-01")
    _put(firm, workdays=[1], validFrom="2026-11-23")
    assert _get(firm, "2026-12-01")["workdays"] == [1]


# -- the log


def _logged(firm: Firm) -> list[Any]:
    return [
        (entry["subjectName"], entry["before"], entry["after"])
        for entry in firm.boss.get(f"/api/companies/{firm.id}/audit?action=employment.changed").json()
    ]


def test_a_change_is_logged_with_what_was_and_what_is(firm: Firm) -> None:
    _put(firm, workdays=[0], personnelNumber="7", openingVacationDays=2.5)
    _put(firm, workdays=[1, 6], limits="adult", personnelNumber="7", validFrom="2026-12-01")
    _put(firm, workdays=[1, 6], limits="adult", personnelNumber="7", validFrom="2026-12-01")
    assert _logged(firm) == [
        (
            "anna",
            {"workdays": ["Mo"], "validFrom": "2026-12-01"},
            {"workdays": ["Di", "So"], "validFrom": "2026-12-01"},
        ),
        (
            "anna",
            {"workdays": ["Mo", "Di", "Mi", "Do", "Fr"], "personnelNumber": None, "openingVacationDays": "0"},
            {"workdays": ["Mo"], "personnelNumber": "7", "openingVacationDays": "2.5"},
        ),
    ]


# -- what other rooms get


def test_other_rooms_get_everybody_they_ask_for(firm: Firm, platform: Platform) -> None:
    _put(firm, **FULL)
    with platform.database.read(SYSTEM) as tx:
        everybody = employment.people_of(tx, firm.id)
        employments = employment.people_of(tx, firm.id, [firm.ben.id])
    assert everybody.keys() == {person.id for person in (firm.boss, firm.anna, firm.ben)}
    assert employments == {firm.ben.id: Employment()}
    anna = everybody[firm.anna.id]
    assert (anna.opening_minutes, anna.opening_vacation_halves, anna.personnel_number) == (-90, 25, "0042")
    assert anna.entry_date is not None
    assert anna.exit_date is not None
    assert anna.workdays_on(anna.entry_date) == {0, 2, 5}
    assert anna.department_on(date(2026, 11, 20)) == "Montage"
    assert [anna.employed_on(day) for day in (anna.entry_date, anna.exit_date)] == [True, True]


def test_two_companies_know_nothing_of_each_other(firm: Firm, world: World, platform: Platform) -> None:
    other_firm = world.firm("Schreinerei Span")
    _put(firm, **FULL)
    with platform.database.read(SYSTEM) as tx:
        assert set(employment.people_of(tx, other_firm.id).values()) == {Employment()}
        assert employment.limits_of(tx, other_firm.id) == {}


def test_a_system_administrator_may_say_it_for_any_company(firm: Firm, world: World) -> None:
    admin: Somebody = world.admin()
    assert admin.put(_path(firm), json=FULL).status_code == 200
    assert _get(firm) == FULL


DAYS = st.dates()


@given(DAYS, DAYS, DAYS)
def test_nobody_is_employed_outside_of_entry_and_exit(entry: Any, leaving: Any, day: Any) -> None:
    person_employment = Employment(entry_date=entry, exit_date=leaving)
    assert person_employment.employed_on(day) == (entry <= day <= leaving)


@given(st.dictionaries(DAYS, st.sets(st.integers(0, 6), min_size=1)), DAYS)
def test_the_newest_value_of_before_holds(history: dict[Any, set[int]], day: Any) -> None:
    changes = [Change("workdays", start, str(sorted(days))) for start, days in sorted(history.items())]
    effective = [days for start, days in sorted(history.items()) if start <= day]
    assert employment_of(changes).workdays_on(day) == (effective[-1] if effective else set(range(5)))


# -- all people's numbers in one step


def _give(firm: Firm, **numbers: str | None) -> Any:
    ids = {"anna": firm.anna.id, "ben": firm.ben.id, "chefin": firm.boss.id}
    items = [{"userId": ids.get(name, name), "personnelNumber": number} for name, number in numbers.items()]
    return firm.boss.put(f"/api/companies/{firm.id}/personnel-numbers", json={"items": items})


def _numbers(firm: Firm) -> dict[str, str | None]:
    rows = firm.boss.get(f"/api/companies/{firm.id}/personnel-numbers").json()
    return {row["username"]: row["personnelNumber"] for row in rows}


def test_of_numbers_one_of_which_would_be_two_peoples_none_is_kept(firm: Firm) -> None:
    assert _give(firm, anna="7").status_code == 200
    refused = _give(firm, chefin="12", ben="007")
    assert (refused.status_code, refused.json()["code"]) == (409, "duplicate_personnel_number")
    assert refused.json()["userIds"] == [firm.ben.id]
    assert _give(firm, ben="8", chefin="8").json()["userIds"] == sorted([firm.ben.id, firm.boss.id])
    assert _numbers(firm) == {"anna": "7", "ben": None, "chefin": None}


def test_numbers_of_whom_the_company_does_not_have_are_404_and_none_is_kept(firm: Firm, world: World) -> None:
    other_firm = world.firm("Andere GmbH")
    assert _give(firm, anna="7", **{other_firm.anna.id: "8"}).status_code == 404
    assert _numbers(firm)["anna"] is None


@ON_BOTH
def test_who_was_deleted_is_given_a_number_for_their_last_wage_which_others_may_have_later(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    assert _give(firm, anna="7", ben="007").status_code == 409
    answer = _give(firm, anna="7", ben="8")
    assert [(row["username"], row["personnelNumber"], row["deleted"]) for row in answer.json()] == [
        ("anna", "7", False),
        ("chefin", None, False),
        ("ben", "8", True),
    ]
    log = firm.boss.get(f"/api/companies/{firm.id}/audit?action=employment.").json()
    assert {entry["subject"]: entry["after"]["personnelNumber"] for entry in log} == {
        firm.anna.id: "7",
        firm.ben.id: "8",
    }
    assert firm.boss.put(f"/api/users/{firm.ben.id}/employment", json={"personnelNumber": "9"}).status_code == 404
    assert _give(firm, chefin="8").status_code == 200


def test_numbers_are_given_changed_and_taken_in_one_step_and_two_may_swap_theirs(firm: Firm) -> None:
    assert _give(firm, anna="1", ben="2", chefin="3").status_code == 200
    assert _give(firm, anna="2", ben="1", chefin=None).status_code == 200
    assert _numbers(firm) == {"anna": "2", "ben": "1", "chefin": None}
