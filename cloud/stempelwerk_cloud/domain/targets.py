"""The time account: target, credits, balance.

A day's target is the weekly one divided by the number of the person's workdays (Monday to Friday, if nothing else is
said), on each of those between entry and exit. Days are exact; what is shown is rounded once, so that a month is the
sum of its days to the nearest minute (a half goes up). Holidays stay target days; if the company has chosen a
Bundesland they are a credit of their own, as are approved vacation and excused absence. It does not know where absences
and vacations come from.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import floor
from typing import NamedTuple

from stempelwerk_cloud.domain import calendar
from stempelwerk_cloud.domain.calendar import month_bounds

HOLIDAY = "holiday"
MONDAY_TO_FRIDAY = frozenset(range(5))
HALF = Fraction(1, 2)

WorkdaysOn = Callable[[date], frozenset[int]]
"""The weekdays on which a person works, as of a day (0 = Monday); never none."""


@dataclass(frozen=True, slots=True)
class WeeklyTargets:
    """One person's weekly targets in minutes, with the days from which they hold (None: from ever). Before any: 0."""

    from_days: tuple[tuple[date | None, int], ...]

    def on(self, day: date) -> int:
        """The weekly target in force on a day, in minutes a week. Of two with one day the later in the tuple holds."""
        held, since = 0, date.min
        for valid_from, minutes in self.from_days:
            begins = valid_from or date.min
            if since <= begins <= day:
                held, since = minutes, begins
        return held


class Credit(NamedTuple):
    kind: str
    minutes: int


class Account(NamedTuple):
    """A stretch of days in minutes: `balance` = `actual` + credits − `target`."""

    target: int
    actual: int
    credits: tuple[Credit, ...]
    balance: int


def always(_day: date) -> bool:
    """Employed on every day: neither entry nor exit is known."""
    return True


def monday_to_friday(_day: date) -> frozenset[int]:
    """The workdays of who has no others."""
    return MONDAY_TO_FRIDAY


def day_targets(
    targets: WeeklyTargets, workdays_on: WorkdaysOn, employed: Callable[[date], bool], first: date, last: date
) -> list[tuple[date, Fraction]]:
    """Each day from `first` to `last`, both included, with its exact target in minutes; 0 on free days."""
    return [
        (day, _day_target(targets, workdays_on(day), day, employed=employed(day))) for day in calendar.days(first, last)
    ]


def rounded(days: Iterable[tuple[date, Fraction]]) -> list[int]:
    """The days' minutes as whole ones, which sum up to the rounded whole (a half goes up): their sums are rounded.

    None is further than a minute from its exact value.
    """
    found: list[int] = []
    exact, told = Fraction(0), 0
    for _, minutes in days:
        exact += minutes
        now = _nearest(exact)
        found.append(now - told)
        told = now
    return found


def total(days: Iterable[tuple[date, Fraction]]) -> int:
    """The days' minutes together, rounded once (a half goes up)."""
    return _nearest(sum((minutes for _, minutes in days), Fraction(0)))


def target_minutes(
    targets: WeeklyTargets,
    first: date,
    last: date,
    workdays_on: WorkdaysOn = monday_to_friday,
    employed: Callable[[date], bool] = always,
) -> int:
    """The target of all days from `first` to `last`, both included."""
    return total(day_targets(targets, workdays_on, employed, first, last))


def credits_of(
    targets: WeeklyTargets,
    first: date,
    last: date,
    holidays: Collection[date] | None,
    absences: Mapping[str, Iterable[date]],
    workdays_on: WorkdaysOn = monday_to_friday,
    employed: Callable[[date], bool] = always,
) -> tuple[Credit, ...]:
    """What free days are worth, by kind: holidays first, then the kinds of `absences` in their order.

    A day is credited once, to the first kind that has it, and only where it is a target day. Kinds without a minute
    are left out.
    """
    rest = day_targets(targets, workdays_on, employed, first, last)
    found: list[Credit] = []
    for kind, off in ((HOLIDAY, holidays or ()), *absences.items()):
        free = set(off)
        minutes = total(day for day in rest if day[0] in free)
        rest = [day for day in rest if day[0] not in free]
        if minutes:
            found.append(Credit(kind, minutes))
    return tuple(found)


def account(target: int, actual: int, credited: Sequence[Credit]) -> Account:
    """The account of a stretch from its target, the net minutes worked and the credits."""
    return Account(target, actual, tuple(credited), actual + sum(one.minutes for one in credited) - target)


def month_target(targets: WeeklyTargets, month: str) -> int:
    """The target of the month `YYYY-MM`, Monday to Friday."""
    return target_minutes(targets, *month_bounds(month))


def _day_target(targets: WeeklyTargets, workdays: frozenset[int], day: date, *, employed: bool) -> Fraction:
    if not employed or day.weekday() not in workdays:
        return Fraction(0)
    return Fraction(targets.on(day), len(workdays))


def _nearest(minutes: Fraction) -> int:
    return floor(minutes + HALF)
