"""JSON of time accounts. Minutes are whole ones; vacation is in days, which may be halves."""

from typing import Annotated, Literal

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import DayField, Wire

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
