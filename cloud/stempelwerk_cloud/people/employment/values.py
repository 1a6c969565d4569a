"""The values of a person's employment, and those in force on a day. It uses no database: callers pass the stored
values.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import itemgetter
from typing import Any, Literal, TypeVar
from zoneinfo import ZoneInfo

from msgspec.json import decode

from stempelwerk_cloud.domain.instants import day_end
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY
from stempelwerk_cloud.domain.working_time_act import ADULT, EXPECTING, UNDER_18, DatedLimits, Limits
from stempelwerk_cloud.kit.dated import Change

LimitsWord = Literal["adult", "youth", "maternity"]
PayType = Literal["hourly", "monthly"]

PERSONNEL_NUMBER = "personnel_number"
DEPARTMENT = "department"
ENTRY_DATE = "entry_date"
EXIT_DATE = "exit_date"
WORKDAYS = "workdays"
LIMITS = "limits"
PAY_TYPE = "pay_type"
ACCOUNT_FROM = "account_from"
OPENING_MINUTES = "opening_balance_minutes"
OPENING_VACATION = "opening_vacation_days"

DATED = (DEPARTMENT, WORKDAYS, LIMITS, PAY_TYPE)
"""The names of dated values, which hold from a day on; the others hold from the beginning."""
NAMES = (PERSONNEL_NUMBER, ENTRY_DATE, EXIT_DATE, ACCOUNT_FROM, OPENING_MINUTES, OPENING_VACATION, *DATED)
"""The names of this room's values in `directory.person_values`, which are also their API names. Vacation is stored in
half days.
"""

_LIMITS: dict[str, Limits] = {"adult": ADULT, "youth": UNDER_18, "maternity": EXPECTING}
_first = itemgetter(0)
Value = TypeVar("Value")
History = tuple[tuple[date, Value], ...]
"""A dated value's history: (first day, value), oldest first."""


@dataclass(frozen=True, slots=True)
class Employment:
    """One person's employment. The default is an adult who works Monday to Friday, from the beginning.

    `opening_minutes` and `opening_vacation_halves` (half days) apply where the account begins: on `account_from`, or at
    the entry.
    """

    personnel_number: str | None = None
    entry_date: date | None = None
    exit_date: date | None = None
    opening_minutes: int = 0
    opening_vacation_halves: int = 0
    departments: History[str | None] = ()
    workdays: History[frozenset[int]] = ()
    limits: History[LimitsWord] = ()
    account_from: date | None = None
    pay_types: History[PayType] = ()

    @property
    def account_begins(self) -> date | None:
        """The first day of the time account, if it is set; None: the month of the first entry decides."""
        return self.account_from or self.entry_date

    def workdays_on(self, day: date) -> frozenset[int]:
        """Returns the weekdays on which the person works (0 = Monday), never empty."""
        return _value_on(self.workdays, day, MONDAY_TO_FRIDAY)

    def department_on(self, day: date) -> str | None:
        return _value_on(self.departments, day, None)

    def limits_on(self, day: date) -> LimitsWord:
        """Returns the name of the limits of working time that apply to the person."""
        return _value_on(self.limits, day, "adult")

    def pay_type_on(self, day: date) -> PayType:
        """Returns whether the person is paid by the hour or by the month."""
        return _value_on(self.pay_types, day, "hourly")

    @property
    def dated_limits(self) -> DatedLimits:
        """The limits of working time, with the days that they hold from."""
        return DatedLimits(tuple((start, _LIMITS[word]) for start, word in self.limits))

    def employed_on(self, day: date) -> bool:
        """Returns whether the day lies between entry and exit, both included; an unknown day is no bound."""
        return (self.entry_date is None or self.entry_date <= day) and (self.exit_date is None or day <= self.exit_date)

    def effective_since(self, day: date) -> date | None:
        """Returns the first day of the newest dated value in force on `day`; None if all hold from the beginning."""
        begun = [
            start
            for history in (self.departments, self.workdays, self.limits, self.pay_types)
            for start, _ in history[: bisect_right(history, day, key=_first)]
        ]
        newest = max(begun, default=date.min)
        return None if newest == date.min else newest


def leaves_at(employment: Employment, zone_on: Callable[[date], ZoneInfo]) -> datetime | None:
    """Returns the instant when the day of exit ends in the company's zone; None without an exit."""
    last = employment.exit_date
    return None if last is None else day_end(last, zone_on(last))


def employment_of(changes: Iterable[Change]) -> Employment:
    """Builds the employment from these values, oldest first; ignores those of other rooms."""
    histories: dict[str, list[tuple[date, Any]]] = {name: [] for name in NAMES}
    for change in changes:
        if change.setting in histories:
            histories[change.setting].append((change.valid_from, decode(change.value)))

    def last(name: str, default: Any) -> Any:
        return histories[name][-1][1] if histories[name] else default

    return Employment(
        last(PERSONNEL_NUMBER, None),
        _day(last(ENTRY_DATE, None)),
        _day(last(EXIT_DATE, None)),
        last(OPENING_MINUTES, 0),
        last(OPENING_VACATION, 0),
        tuple(histories[DEPARTMENT]),
        tuple((start, frozenset(days)) for start, days in histories[WORKDAYS]),
        tuple(histories[LIMITS]),
        _day(last(ACCOUNT_FROM, None)),
        tuple(histories[PAY_TYPE]),
    )


def dated_limits(changes: Iterable[Change]) -> DatedLimits:
    """Builds the limits of working time from these values, oldest first."""
    return DatedLimits(tuple((change.valid_from, _LIMITS[decode(change.value)]) for change in changes))


def _value_on(history: Sequence[tuple[date, Value]], day: date, default: Value) -> Value:
    index = bisect_right(history, day, key=_first)
    return history[index - 1][1] if index else default


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
