"""Differences are of all that a month pays: surcharges, overtime and holiday pay follow an export like hours do."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.office.exports.month import content
from stempelwerk_cloud.office.exports.month.months import ALL_ENTRIES, packed, state_of
from stempelwerk_cloud.office.exports.tables import Export, MonthLock

from cloud.tests.correcting import at, stamped
from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import iso
from cloud.tests.office.exporting import (
    MAY,
    OCTOBER,
    WAGES,
    difference,
    exports,
    file,
    hung_in_october,
    lock,
    mapped,
    mapped_anew,
    prepared,
    table,
)
from cloud.tests.office.people import employ, on_leave, set_company, set_weekly, worked
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, Site
from cloud.tests.world import Firm, Somebody

BOTH_CLOSINGS = pytest.mark.parametrize("closing", ["exported", "locked"])
Row = tuple[Any, ...]


@pytest.fixture
def company(firm: Firm) -> Firm:
    """Anna worked 8:00 to 16:30 on 4 May."""
    worked(prepared(firm).anna, "2026-05-04", "08:00", "16:30")
    return firm


@pytest.fixture
def october(site: Site) -> Site:
    """A clock has been on the wall since October."""
    return hung_in_october(site)


def close_month(boss: Somebody, closing: str, month: str = MAY, form: str = "csv") -> str:
    """Exports the month, after a lock or without one; the id of the export."""
    if closing == "locked":
        assert lock(boss, month).status_code == 200
    file(boss, form, month)
    (row,) = boss.get(f"/api/companies/{boss.company_id}/exports").json()
    export_id: str = row["id"]
    return export_id


def rows(firm: Firm, export_id: str) -> list[Row]:
    answer = difference(firm, export_id)
    assert answer.status_code == 200, answer.text
    return [(row["username"], row["date"], row["kind"], row["before"], row["after"]) for row in answer.json()]


def reasons(firm: Firm, export_id: str) -> dict[str, str]:
    return {row["kind"]: row["reason"] for row in difference(firm, export_id).json()}


def changed_flags(firm: Firm) -> list[bool]:
    return [row["changed"] for row in exports(firm)]


def into_the_night(firm: Firm) -> None:
    """Moves Anna's day to 16:00 to 0:30: four hours into the night, with the same net."""
    wish = {"userId": firm.anna.id, "date": "2026-05-04", "newStart": "16:00", "newEnd": "00:30", "reason": "Spät"}
    assert firm.boss.post("/api/time-corrections", json=wish).status_code == 201


def settings(firm: Firm, *, dry_run: bool = False, **values: Any) -> Any:
    answer = firm.boss.put(f"/api/companies/{firm.id}/settings?dryRun={str(dry_run).lower()}", json=values)
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- each cause, of exported and of locked months


@ON_BOTH
@BOTH_CLOSINGS
def test_a_correction_into_the_night_with_the_same_net_is_a_difference(
    company: Firm, clock: SettableClock, closing: str
) -> None:
    export_id = close_month(company.boss, closing)
    assert (changed_flags(company), rows(company, export_id)) == ([False], [])
    clock.advance(minutes=5)
    into_the_night(company)
    assert changed_flags(company) == [True]
    assert rows(company, export_id) == [("anna", "2026-05-04", "night", None, 240)]
    assert reasons(company, export_id) == {"night": "correction"}


@BOTH_CLOSINGS
def test_the_next_difference_counts_from_the_exported_one(company: Firm, closing: str) -> None:
    export_id = close_month(company.boss, closing, form="lodas")
    into_the_night(company)
    first = difference(company, export_id, "csv")
    (line,) = table(first.content)[1:]
    assert line[:7] == ["26", "anna", "04.05.2026", "Nachtzuschlag", "", "4,00", "4,00"]
    assert difference(company, export_id, "csv").content == first.content
    assert [(row["format"], row["changed"]) for row in exports(company)] == [("difference", False), ("lodas", False)]
    wish = {"userId": company.anna.id, "date": "2026-05-04", "newStart": "15:00", "newEnd": "23:30", "reason": "Spät"}
    assert company.boss.post("/api/time-corrections", json=wish).status_code == 201
    assert changed_flags(company) == [True, True]
    assert rows(company, export_id) == [("anna", "2026-05-04", "night", 240, 180)]


@BOTH_CLOSINGS
def test_a_night_that_arrives_late_is_a_difference_of_hours_and_surcharges(
    october: Site, clock: SettableClock, closing: str
) -> None:
    firm = october.firm
    stamped(october, "2026-10-05 08:00", "2026-10-05 12:00")
    export_id = close_month(firm.boss, closing, OCTOBER)
    clock.advance(days=1)
    firm.boss = october.boss
    stamped(october, "2026-10-06 22:00", "2026-10-07 06:00")
    assert changed_flags(firm) == [True]
    assert rows(firm, export_id) == [
        ("anna", "2026-10-06", "work", None, 450),
        ("anna", "2026-10-06", "night", None, 210),
        ("anna", "2026-10-06", "night40", None, 240),
    ]
    assert set(reasons(firm, export_id).values()) == {"late_stamp"}


@BOTH_CLOSINGS
def test_a_land_with_a_back_date_changes_holiday_pay(company: Firm, closing: str) -> None:
    """The surcharge of a holiday that all Länder have was paid before."""
    worked(company.anna, "2026-05-14", "08:00", "12:00")
    export_id = close_month(company.boss, closing)
    region = {"holidayRegion": "DE-NI", "validFrom": "2026-05-02"}
    altered = settings(company, dry_run=True, **region)["months"]
    assert {"month": MAY, "exported": True, "locked": closing == "locked"} in altered
    settings(company, **region)
    assert changed_flags(company) == [True]
    assert [row for row in rows(company, export_id) if row[0] == "anna"] == [
        ("anna", "2026-05-14", "holiday", None, 240),
        ("anna", "2026-05-25", "holiday", None, 480),
    ]
    assert settings(company, dry_run=True, **region) == {"months": []}


@BOTH_CLOSINGS
def test_a_land_with_a_back_date_changes_surcharges_of_its_own_holidays(company: Firm, closing: str) -> None:
    """Reformation Day, a Saturday without a target."""
    worked(company.anna, "2026-10-31", "08:00", "12:00")
    export_id = close_month(company.boss, closing, OCTOBER)
    settings(company, holidayRegion="DE-NI", validFrom="2026-10-02")
    assert changed_flags(company) == [True]
    assert [row for row in rows(company, export_id) if row[0] == "anna"] == [
        ("anna", "2026-10-31", "holiday125", None, 240)
    ]


@BOTH_CLOSINGS
def test_a_free_day_that_becomes_a_holiday_by_law_changes_surcharges(company: Firm, closing: str) -> None:
    """A Saturday without a target, so that the account does not change."""
    path, day = f"/api/companies/{company.id}/free-days", {"date": "2026-05-16", "name": "Stadtfeiertag"}
    assert company.boss.put(path, json={"year": 2026, "days": [day]}).status_code == 200
    worked(company.anna, "2026-05-16", "08:00", "12:00")
    export_id = close_month(company.boss, closing)
    body = {"year": 2026, "days": [day | {"legal": True}]}
    looked = company.boss.put(f"{path}?dryRun=true", json=body).json()["months"]
    assert looked == [{"month": MAY, "exported": True, "locked": closing == "locked"}]
    assert company.boss.put(path, json=body).status_code == 200
    assert rows(company, export_id) == [("anna", "2026-05-16", "holiday125", None, 240)]


@BOTH_CLOSINGS
def test_an_uncertain_entry_that_is_confirmed_brings_its_hours_surcharges_and_overtime(
    october: Site, clock: SettableClock, closing: str
) -> None:
    firm, device = october.firm, october.device
    employ(firm.anna, workdays=[0])
    set_company(firm, "hours_uniform_minutes", "60")
    times = [at("2026-10-05 22:00"), at("2026-10-06 06:00")]
    device.deliver(*(device.tap(ANNA, time, quality="none", wall=iso(time)) for time in times))
    export_id = close_month(firm.boss, closing, OCTOBER)
    (entry,) = october.times(first="2026-10-01", last="2026-10-31")
    assert entry["flags"] == ["uncertain_time"]
    clock.advance(minutes=5)
    path = f"/api/companies/{firm.id}/review/{entry['id']}/confirm"
    firm.boss = october.boss
    assert firm.boss.post(path, json={"flags": ["uncertain_time"]}).status_code == 200
    assert changed_flags(firm) == [True]
    assert rows(firm, export_id) == [
        ("anna", "2026-10-05", "work", None, 450),
        ("anna", "2026-10-05", "night", None, 210),
        ("anna", "2026-10-05", "night40", None, 240),
        ("anna", "2026-10-31", "overtime", None, 210),
    ]


def test_overtime_has_the_reason_of_the_days_that_made_it(company: Firm, clock: SettableClock) -> None:
    set_company(company, "hours_uniform_minutes", "0")
    set_weekly(company, 60, date(2026, 5, 1))
    export_id = close_month(company.boss, "exported")
    clock.advance(minutes=5)
    wish = {
        "userId": company.anna.id,
        "date": "2026-05-05",
        "newStart": "00:00",
        "newEnd": "12:00",
        "reason": "Inventur",
    }
    assert company.boss.post("/api/time-corrections", json=wish).status_code == 201
    assert ("anna", "2026-05-31", "overtime", 228, 903) in rows(company, export_id)
    assert reasons(company, export_id)["overtime"] == "correction"


# -- which kinds a mapping pays


@BOTH_CLOSINGS
def test_a_kind_without_a_wage_type_in_the_exported_mapping_has_no_row(company: Firm, closing: str) -> None:
    wages = {kind: number for kind, number in WAGES.items() if kind not in ("night", "night40", "overtime")}
    mapped_anew(company, wageTypes=wages)
    export_id = close_month(company.boss, closing)
    mapped(company)
    into_the_night(company)
    assert (changed_flags(company), rows(company, export_id)) == ([False], [])
    assert len(exports(company)) == 1


def test_a_wage_type_that_is_taken_back_after_the_export_keeps_its_rows(company: Firm) -> None:
    export_id = close_month(company.boss, "locked", form="lodas")
    mapped_anew(company, wageTypes={"hours": "101"})
    into_the_night(company)
    assert changed_flags(company) == [True]
    assert [row[2:] for row in rows(company, export_id)] == [("night", None, 240)]
    assert difference(company, export_id, "csv").is_success
    assert (changed_flags(company), rows(company, export_id)) == ([False, False], [])


def test_kinds_that_are_paid_as_another_are_one_sum_of_that(company: Firm) -> None:
    wages = {kind: number for kind, number in WAGES.items() if kind not in ("night40", "holiday150")}
    mapped_anew(company, wageTypes=wages)
    export_id = close_month(company.boss, "exported")
    worked(company.anna, "2026-05-05", "22:00", "06:00")
    worked(company.anna, "2026-05-01", "08:00", "12:00")
    assert [row[1:] for row in rows(company, export_id)] == [
        ("2026-05-01", "work", None, 240),
        ("2026-05-01", "holiday125", None, 240),
        ("2026-05-05", "work", None, 450),
        ("2026-05-05", "night", None, 450),
    ]


def test_holiday_pay_has_rows_unless_the_mapping_leaves_it_out(company: Firm) -> None:
    mapped_anew(company, wageTypes={"hours": "101", "vacation": "301", "sick": "302"}, absenceKeys={})
    without = close_month(company.boss, "exported")
    mapped(company)
    settings(company, holidayRegion="DE-NI", validFrom="2026-05-02")
    assert rows(company, without) == []
    file(company.boss, "csv")
    newest = exports(company)[0]["id"]
    settings(company, holidayRegion=None, validFrom="2026-05-02")
    assert {row[2] for row in rows(company, newest)} == {"holiday"}


def test_a_company_without_a_mapping_sees_hours_and_days_off_alone(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2025-01-01")
    export_id = close_month(firm.boss, "exported")
    worked(firm.anna, "2026-05-05", "22:00", "06:00")
    on_leave(firm.anna, "2026-05-06", "2026-05-06")
    set_company(firm, "holiday_region", '"DE-NI"')
    assert {row[2] for row in rows(firm, export_id)} == {"work", "vacation", "holiday"}


def test_an_export_of_an_older_release_goes_by_the_current_mapping(company: Firm) -> None:
    export_id = close_month(company.boss, "exported")
    with company.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(Export).values(mapping=None))
    into_the_night(company)
    assert [row[2] for row in rows(company, export_id)] == ["night"]
    mapped_anew(company, wageTypes={"hours": "101"})
    assert (changed_flags(company), rows(company, export_id)) == ([False], [])


def test_a_month_locked_before_its_first_export_goes_by_the_current_mapping(company: Firm) -> None:
    worked(company.anna, "2026-05-14", "08:00", "16:30")
    assert lock(company.boss).status_code == 200
    # A zone that moves the day into the night changes no hours.
    zone = {"timeZone": "Asia/Tokyo", "validFrom": "2026-05-02"}

    def locked_months() -> list[str]:
        return [row["month"] for row in settings(company, dry_run=True, **zone)["months"] if row["locked"]]

    assert locked_months() == [MAY]
    mapped_anew(company, wageTypes={"hours": "101"})
    assert locked_months() == []


def test_a_month_with_many_exports_is_read_by_as_many_statements_as_with_one(company: Firm, asked: list[str]) -> None:
    def statements() -> int:
        asked.clear()
        exports(company)
        return len(asked)

    close_month(company.boss, "exported")
    initial = statements()
    mapped_anew(company, wageTypes={"hours": "101"})
    for form in ("xlsx", "lodas", "lug"):
        file(company.boss, form)
    into_the_night(company)
    assert difference(company, exports(company)[-1]["id"], "csv").is_success
    assert (len(exports(company)), statements()) == (5, initial)


# -- a month that was locked by an older release


@pytest.mark.parametrize("region", ['"DE-NI"', "null"])
def test_a_month_that_was_locked_under_the_old_rule_has_no_rows_of_the_new_one(company: Firm, region: str) -> None:
    """Ascension Day and Whit Sunday were worked: without a Bundesland they earned no surcharge of holidays."""
    set_company(company, "holiday_region", region)
    worked(company.anna, "2026-05-14", "08:00", "12:00")
    worked(company.anna, "2026-05-24", "08:00", "12:00")
    on_leave(company.anna, "2026-05-20", "2026-05-20")
    worked(company.anna, "2026-05-20", "08:00", "12:00")
    assert lock(company.boss).status_code == 200
    platform = company.world.platform
    with platform.database.write(SYSTEM) as tx:
        month = content.of_month(tx, company.id, date(2026, 5, 1), platform.clock.now(), rule=ALL_ENTRIES)
        tx.execute(update(MonthLock).values(told=packed(month), state=state_of(month)))
    file(company.boss, "csv")
    export_id = exports(company)[0]["id"]
    assert (changed_flags(company), rows(company, export_id)) == ([False], [])
    into_the_night(company)
    assert rows(company, export_id) == [("anna", "2026-05-04", "night", None, 240)]
    assert difference(company, export_id, "csv").is_success
    assert (changed_flags(company), rows(company, export_id)) == ([False, False], [])
