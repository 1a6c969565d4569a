"""Endpoints of time accounts: of one person, and of all people. Minutes are whole ones; vacation is in days, which may
be halves.
"""

from dataclasses import replace
from datetime import date
from typing import Annotated, Literal

from fastapi import Depends, Path, Query
from pydantic import Field

from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.account import Month
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire
from stempelwerk_cloud.office.time_account import all_people, service, words
from stempelwerk_cloud.office.time_account.service import Accounts
from stempelwerk_cloud.people.access.guards import of_company_with, self_or_council
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import Reading
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available

MonthName = Annotated[str, Field(examples=["2026-11"])]


class CreditRow(Wire):
    kind: Literal["holiday", "vacation", "absence"]
    minutes: int


class BookingRow(Wire):
    """Minutes that an administrator has booked; vacation days that were booked are part of `vacation`."""

    id: str
    date: DayField
    minutes: int
    reason: str


class VacationRow(Wire):
    """The vacation days of a calendar year: `remaining` = `allowance` + `carried` + `booked` − `used` − `lapsed`.
    `reserved` are pending requests and not part of it. `lapsed`: carried days that expired after a timely notice.
    """

    allowance: int | float
    carried: int | float
    booked: int | float
    used: int | float
    reserved: int | float
    remaining: int | float
    lapsed: int | float


class DayRow(Wire):
    date: DayField
    target_minutes: int
    actual_minutes: int
    credits: list[CreditRow]
    entry_ids: list[str]


class HolidayRow(Wire):
    date: DayField
    name: str


class MonthRow(Wire):
    """A month's account: `balanceMinutes` is only this month's, `carriedMinutes` the balance at its begin.

    `…ToDateMinutes` include today and no later day; the balance to date includes the carried balance.
    """

    month: MonthName
    target_minutes: int
    actual_minutes: int
    balance_minutes: int
    credits: list[CreditRow]
    booking_minutes: int
    bookings: list[BookingRow]
    carried_minutes: int
    target_to_date_minutes: int
    balance_to_date_minutes: int
    vacation: VacationRow
    holidays: list[HolidayRow]


class MonthAccount(MonthRow):
    """A month with all its days, whose figures sum up to the month's."""

    days: list[DayRow]


class PersonsMonthRow(Wire):
    """A person's month; `balanceToDateMinutes` includes today and the carry; `flags` of the month's entries."""

    user_id: str
    username: str
    target_minutes: int
    actual_minutes: int
    credit_minutes: int
    balance_minutes: int
    balance_to_date_minutes: int
    vacation_remaining: int | float
    flags: list[str]


class YearAccount(Wire):
    """`carriedMinutes` is the balance at the begin of January."""

    year: int
    months: list[MonthRow]
    carried_minutes: int
    vacation: VacationRow


router = room_router("time account")

UserId = Annotated[IdField, Path(alias="userId")]


@router.get("/api/users/{userId}/account")
def time_account(
    caller: Annotated[Caller, Depends(self_or_council.showing("account"))],
    work: Reading,
    user_id: UserId,
    month: Annotated[str | None, Query(examples=["2026-11"])] = None,
    year: Annotated[str | None, Query(examples=["2026"])] = None,
) -> MonthAccount | YearAccount:
    """A month's account with its days, or the accounts of a year's months without days; by default the current
    month.
    """
    company_id = caller.subject_company_id
    today = today_of(work.session, company_id, work.now())
    if month is not None and year is not None:
        raise words.month_or_year()
    if year is None:
        first, last = month_of(today) if month is None else service.read_month(month, today)
        accounts = _hide_bookings(
            service.of_months(work.session, company_id, user_id, first, last, today), caller, user_id
        )
        return _month_account(accounts, first, last)
    first, last = service.read_year(year, today)
    accounts = _hide_bookings(service.of_months(work.session, company_id, user_id, first, last, today), caller, user_id)
    return YearAccount(
        year=first.year,
        months=[_month(accounts, account_month) for account_month in accounts.months],
        carried_minutes=accounts.months[0].carried,
        vacation=VacationRow.model_validate(accounts.vacation),
    )


@router.get("/api/companies/{id}/accounts")
def accounts_of_everybody(
    caller: Annotated[Caller, Depends(of_company_with().showing("account").in_turn())],
    work: Reading,
    month: Annotated[str | None, Query(examples=["2026-11"])] = None,
) -> list[PersonsMonthRow]:
    """The month accounts of all people in one list, by username; by default of the current month.

    409 if the times of the month have been purged.
    """
    company_id, now = caller.subject_company_id, work.now()
    today = today_of(work.session, company_id, now)
    first, last = month_of(today) if month is None else service.read_month(month, today)
    ensure_available(work.session, company_id, first)
    person_months = all_people.of_month(work.session, company_id, first, last, today, now)
    return [PersonsMonthRow.model_validate(person_month) for person_month in person_months]


def _hide_bookings(accounts: Accounts, caller: Caller, user_id: str) -> Accounts:
    """Hides the bookings from the works council, because they have reasons. The balance contains their sum."""
    return (
        accounts._replace(gathered=replace(accounts.gathered, bookings=()))
        if caller.is_council_about(user_id)
        else accounts
    )


def _month_account(accounts: Accounts, first: date, last: date) -> MonthAccount:
    worked = accounts.gathered.worked
    days = [
        DayRow(
            date=day.date,
            target_minutes=day.target,
            actual_minutes=day.actual,
            credits=[CreditRow.model_validate(credit) for credit in day.credits],
            entry_ids=list(worked[day.date].entry_ids) if day.date in worked else [],
        )
        for day in account.days(accounts.gathered.facts, first, last)
    ]
    return MonthAccount(**dict(_month(accounts, accounts.months[0])), days=days)


def _month(accounts: Accounts, month: Month) -> MonthRow:
    last = month_of(month.first)[1]
    return MonthRow(
        month=month.name,
        target_minutes=month.target,
        actual_minutes=month.actual,
        balance_minutes=month.balance,
        credits=[CreditRow.model_validate(credit) for credit in month.credits],
        booking_minutes=month.bookings,
        bookings=[
            BookingRow.model_validate(booking)
            for booking in accounts.gathered.bookings
            if month.first <= booking.date <= last
        ],
        carried_minutes=month.carried,
        target_to_date_minutes=month.target_to_date,
        balance_to_date_minutes=month.balance_to_date,
        vacation=VacationRow.model_validate(accounts.vacation),
        holidays=[
            HolidayRow(date=day, name=name)
            for day, name in accounts.gathered.holidays.items()
            if month.first <= day <= last
        ],
    )
