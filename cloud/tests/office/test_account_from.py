"""Where an account begins: what is refused, and that everything which reads a balance follows."""

from datetime import date
from typing import Any

import pytest
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.office.time_account import service
from stempelwerk_cloud.timekeeping.times.reading.worked import worked_days

from cloud.tests.office.people import booked, set_weekly, worked
from cloud.tests.planning.leaving import allow, approved, employ, vacation_of
from cloud.tests.world import Firm


def account(firm: Firm, **query: str) -> dict[str, Any]:
    body: dict[str, Any] = firm.anna.get(f"/api/users/{firm.anna.id}/account", params=query).json()
    return body


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ({"entryDate": "2015-03-01"}, {"accountFrom": "2015-02-28"}),
        ({"accountFrom": "2026-11-01"}, {"entryDate": "2026-11-02"}),
        ({}, {"entryDate": "2026-11-02", "accountFrom": "2026-11-01"}),
    ],
)
def test_no_account_begins_before_the_entry(firm: Firm, stands: dict[str, str], said: dict[str, str]) -> None:
    employ(firm.anna, **stands)
    refused = firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=said)
    errors = [{"field": "accountFrom", "message": "Das Zeitkonto kann nicht vor dem Eintritt beginnen."}]
    assert (refused.status_code, refused.json()["errors"]) == (422, errors)


def test_nothing_is_booked_before_it(firm: Firm) -> None:
    employ(firm.anna, entryDate="2015-03-01", accountFrom="2026-11-10")
    for day, status in (("2026-11-09", 422), ("2026-11-10", 201)):
        body = {"date": day, "minutes": 5, "reason": "Ausgleich"}
        assert firm.boss.post(f"/api/users/{firm.anna.id}/bookings", json=body).status_code == status


def test_without_a_word_nothing_is_booked_before_the_month_of_the_first_entry(firm: Firm) -> None:
    worked(firm.anna, "2026-10-20", "08:00", "12:00")
    for day, status in (("2026-09-30", 422), ("2026-10-01", 201)):
        body = {"date": day, "minutes": 5, "reason": "Ausgleich"}
        assert firm.boss.post(f"/api/users/{firm.anna.id}/bookings", json=body).status_code == status


def test_ten_years_of_employment_before_it_weigh_nothing(firm: Firm) -> None:
    """Today is Friday, 20 November 2026; the account began on Thursday, with an hour and twelve days of vacation."""
    set_weekly(firm, 2400)
    allow(firm, 30)
    employ(firm.anna, entryDate="2015-03-01")
    worked(firm.anna, "2026-11-18", "08:00", "13:00")
    worked(firm.anna, "2026-11-19", "08:00", "13:00")
    approved(firm, firm.anna, "2026-11-16", "2026-11-17")
    booked(firm.anna, "2026-11-18", minutes=1000)
    employ(firm.anna, accountFrom="2026-11-19", openingBalanceMinutes=60, openingVacationDays=-18)
    now, october = account(firm), account(firm, month="2026-10")
    assert (october["targetMinutes"], october["balanceMinutes"], october["carriedMinutes"]) == (0, 0, 0)
    assert (now["carriedMinutes"], now["actualMinutes"], now["bookingMinutes"]) == (60, 300, 0)
    assert (now["targetToDateMinutes"], now["balanceToDateMinutes"]) == (960, 60 + 300 - 960)
    assert sum(day["actualMinutes"] for day in now["days"]) == 300
    assert account(firm, month="2026-12")["carriedMinutes"] == now["carriedMinutes"] + now["balanceMinutes"]
    vacation = now["vacation"]
    assert (vacation["allowance"], vacation["carried"], vacation["used"], vacation["remaining"]) == (30, -18, 0, 12)
    assert vacation["lapsed"] == 0
    assert vacation_of(firm.anna)["remainingDays"] == 12
    employ(firm.anna, accountFrom=None, openingBalanceMinutes=0, openingVacationDays=0)
    assert account(firm)["carriedMinutes"] < -100 * 2400


def test_the_clock_shows_the_balance_since_then(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entryDate="2015-03-01", accountFrom="2026-11-19", openingBalanceMinutes=60)
    worked(firm.anna, "2026-11-18", "08:00", "13:00")
    worked(firm.anna, "2026-11-19", "08:00", "13:00")
    platform = firm.anna.world.platform
    with platform.database.read(SYSTEM) as session:
        balances = service.balances_to_date(session, firm.id, [firm.anna.id, firm.ben.id], platform.clock.now().date())
        by_day = service.day_by_day(session, firm.id, firm.anna.id, date(2026, 11, 1), {})
    assert balances[firm.anna.id] == (480, 60 + 300 - 960)
    assert by_day.carried == 60


def test_a_statement_tells_what_was_worked_before_and_comes_to_the_same_balance(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entryDate="2015-03-01", accountFrom="2026-11-19", openingBalanceMinutes=60)
    worked(firm.anna, "2026-11-18", "08:00", "13:00")
    worked(firm.anna, "2026-11-19", "08:00", "13:00")
    booked(firm.anna, "2026-11-18", minutes=1000)
    first, last = date(2026, 11, 1), date(2026, 11, 30)
    with firm.anna.world.platform.database.read(SYSTEM) as session:
        done = worked_days(session, firm.id, firm.anna.id, first, last)
        by_day = service.day_by_day(session, firm.id, firm.anna.id, first, done)
    days = [day for day, _ in by_day.days]
    assert [day.actual for day in days if day.actual] == [300, 300]
    assert (by_day.carried, list(by_day.bookings)) == (60 - 300, [])
    body = account(firm)
    balance = sum(day.actual - day.target for day in days)
    assert by_day.carried + balance == body["carriedMinutes"] + body["balanceMinutes"]
