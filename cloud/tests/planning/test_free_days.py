"""Free days of a company: who sets them, what is refused, and what follows for accounts and leave."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.domain.days import Off
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.planning.facts.holidays import Holidays

from cloud.tests.databases import ON_BOTH
from cloud.tests.meeting import all_at_once
from cloud.tests.office.people import employ, set_weekly
from cloud.tests.planning.leaving import allow, approved, asks, keep_holidays, vacation_of
from cloud.tests.world import Firm

EVE = {"date": "2026-12-24", "name": "Heiligabend", "half": True, "legal": False}
NEW_YEARS_EVE = {"date": "2026-12-31", "name": "Silvester", "half": False, "legal": False}


def path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/free-days"


def give(firm: Firm, *days: dict[str, Any], year: int = 2026) -> Any:
    answer = firm.boss.put(path(firm), json={"year": year, "days": list(days)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def december(firm: Firm) -> dict[str, Any]:
    month: dict[str, Any] = firm.anna.get(f"/api/users/{firm.anna.id}/account?month=2026-12").json()
    return month


def look(firm: Firm, start: str, end: str, **fields: Any) -> dict[str, Any]:
    params = {"kind": "vacation", "startDate": start, "endDate": end} | fields
    preview: dict[str, Any] = firm.anna.get("/api/vacation-requests/preview", params=params).json()
    return preview


# -- who, and what is refused


@pytest.mark.parametrize(
    ("days", "field"),
    [
        ([EVE, EVE | {"half": False}], "days.1.date"),
        ([EVE | {"date": "2027-12-24"}], "days.0.date"),
        ([EVE | {"name": "  "}], "days.0.name"),
        ([EVE | {"name": "x" * 101}], "days.0.name"),
        ([EVE | {"half": 1}], "days.0.half"),
        ([EVE | {"date": "2026-02-30"}], "days.0.date"),
    ],
)
def test_what_makes_no_free_days_is_refused_whole(firm: Firm, days: list[Any], field: str) -> None:
    give(firm, NEW_YEARS_EVE)
    refused = firm.boss.put(path(firm), json={"year": 2026, "days": days})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    assert firm.boss.get(path(firm)).json() == [NEW_YEARS_EVE]


@ON_BOTH
def test_a_year_s_are_set_as_a_whole_and_other_years_stay(firm: Firm) -> None:
    later = EVE | {"date": "2027-12-24", "half": False}
    assert give(firm, later, year=2027) == [later]
    assert give(firm, NEW_YEARS_EVE, EVE) == [EVE, NEW_YEARS_EVE]
    assert give(firm, EVE | {"name": "Heiliger Abend"}) == [EVE | {"name": "Heiliger Abend"}]
    assert give(firm) == []
    assert firm.boss.get(path(firm), params={"year": 2027}).json() == [later]


def test_the_log_says_what_was_free_and_what_is(firm: Firm) -> None:
    give(firm, EVE)
    give(firm, EVE)
    give(firm, NEW_YEARS_EVE)
    rows = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "free_days."}).json()
    logged_rows = [row for row in rows if row["action"] == "free_days.changed"]
    assert len(logged_rows) == 2
    assert logged_rows[0]["before"] == {"year": 2026, "freeDays": ["2026-12-24 Heiligabend (halber Tag)"]}
    assert logged_rows[0]["after"] == {"year": 2026, "freeDays": ["2026-12-31 Silvester"]}


# -- what follows


@pytest.mark.parametrize("region", [None, "DE-BY"])
def test_they_are_credited_beside_public_holidays_and_without(firm: Firm, region: str | None) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    public_minutes = 0 if region is None else 480  # Christmas Day; Boxing Day is a Saturday
    if region is not None:
        keep_holidays(firm, region)
    give(firm, EVE, NEW_YEARS_EVE, EVE | {"date": "2026-12-25"})
    extra_minutes = 240 if region is None else 0  # half of the 25th, where it is no holiday anyway
    month = december(firm)
    assert month["credits"] == [{"kind": "holiday", "minutes": public_minutes + extra_minutes + 240 + 480}]
    assert {"date": "2026-12-24", "name": "Heiligabend"} in month["holidays"]


def test_leave_costs_and_credits_the_other_half_of_a_half_free_day_and_none_of_a_whole_one(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    allow(firm, 30)
    give(firm, EVE, NEW_YEARS_EVE)
    assert look(firm, "2026-12-23", "2026-12-24")["days"] == 1.5
    assert look(firm, "2026-12-24", "2026-12-24", startHalf=True)["days"] == 0.5
    two_days = look(firm, "2026-12-30", "2026-12-31", endHalf=True)
    assert (two_days["days"], two_days["holidays"]) == (1, [{"date": "2026-12-31", "name": "Silvester"}])
    assert asks(firm.anna, "2026-12-31").status_code == 422
    assert asks(firm.anna, "2026-12-24", startHalf=True, endHalf=True).status_code == 422
    approved(firm, firm.anna, "2026-12-24")
    assert vacation_of(firm.anna)["used"] == 0.5
    assert december(firm)["credits"] == [{"kind": "holiday", "minutes": 720}, {"kind": "vacation", "minutes": 240}]
    give(firm)
    assert vacation_of(firm.anna)["used"] == 1


def test_a_holiday_by_law_of_the_place_is_in_the_log(firm: Firm) -> None:
    give(firm, {"date": "2026-08-08", "name": "Friedensfest", "half": False, "legal": True})
    (row, *_) = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "free_days."}).json()
    assert row["after"]["freeDays"] == ["2026-08-08 Friedensfest (gesetzlicher Feiertag)"]


@pytest.mark.parametrize(
    ("region", "days"),
    [
        (None, {"2026-04-05", "2026-04-06", "2026-05-24", "2026-05-25", "2026-08-08"}),
        ("DE-BY", {"2026-04-05", "2026-04-06", "2026-05-24", "2026-05-25", "2026-06-04", "2026-08-08"}),
    ],
)
def test_surcharges_are_paid_on_holidays_of_the_place_and_on_two_sundays(region: str | None, days: set[str]) -> None:
    changes = () if region is None else (Change("holiday_region", date.min, f'"{region}"'),)
    free = {date(2026, 8, 8): Off("Friedensfest", 2, legal=True), date(2026, 8, 10): Off("Betriebsfest", 2)}
    spans = ((date(2026, 4, 4), date(2026, 4, 30)), (date(2026, 5, 15), date(2026, 8, 10)))
    paid_days = {day.isoformat() for first, last in spans for day in Holidays(changes, free).paid_between(first, last)}
    assert paid_days == days


def test_they_are_no_public_holidays_to_the_working_time_act() -> None:
    day = date(2026, 12, 31)
    holidays = Holidays((), {day: Off("Silvester", 2)})
    assert holidays.on(day) == Off("Silvester", 2)
    assert holidays.names(day, day) == {day: "Silvester"}
    assert holidays.public_between(day, day) == {}


# -- two at once


@ON_BOTH
def test_of_two_settings_of_a_year_one_stands_whole(firm: Firm, platform: Platform) -> None:
    christmas, turn = [EVE, {**NEW_YEARS_EVE, "date": "2026-12-28"}], [{**EVE, "half": False}, NEW_YEARS_EVE]
    put = [lambda days=days: firm.boss.put(path(firm), json={"year": 2026, "days": days}) for days in (christmas, turn)]
    answers = all_at_once(platform, *put)
    assert [answer.status_code for answer in answers] == [200, 200]
    stands = firm.boss.get(path(firm), params={"year": 2026}).json()
    assert stands in (christmas, turn)
    assert stands in [answer.json() for answer in answers]
    with platform.database.read(SYSTEM) as session:
        rows = list(session.scalars(select(AuditEntry).where(AuditEntry.action == "free_days.changed")))
    assert len(rows) == 2
    assert [row.before for row in rows].count('{"freeDays":[],"year":2026}') == 1  # the other saw what this one set
