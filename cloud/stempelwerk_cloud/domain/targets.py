"""The time account: target, credits, balance.

Month target = weekly target / 5 × Monday-to-Friday days, to the nearest minute (a half goes up). Holidays stay target
days; if the company has chosen a Bundesland they are a credit of their own, as are approved vacation and excused
absence. It does not know where absences and vacations come from.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from stempelwerk_cloud.domain.calendar import month_bounds, working_days

HOLIDAY = "holiday"


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


def target_minutes(targets: WeeklyTargets, first: date, last: date) -> int:
    """The target of all days from `first` to `last`, both included."""
    return _fifths(targets, working_days(first, last))


def credits_of(
    targets: WeeklyTargets,
    first: date,
    last: date,
    holidays: Collection[date] | None,
    absences: Mapping[str, Iterable[date]],
) -> tuple[Credit, ...]:
    """What free days are worth, by kind: holidays first, then the kinds of `absences` in their order.

    A day is credited once, to the first kind that has it, and only where it is a target day. Kinds without a minute
    are left out.
    """
    rest = working_days(first, last)
    found: list[Credit] = []
    for kind, off in ((HOLIDAY, holidays or ()), *absences.items()):
        free = set(off)
        minutes = _fifths(targets, [day for day in rest if day in free])
        rest = [day for day in rest if day not in free]
        if minutes:
            found.append(Credit(kind, minutes))
    return tuple(found)


def account(target: int, actual: int, credited: Sequence[Credit]) -> Account:
    """The account of a stretch from its target, the net minutes worked and the credits."""
    return Account(target, actual, tuple(credited), actual + sum(one.minutes for one in credited) - target)


def month_target(targets: WeeklyTargets, month: str) -> int:
    """The target of the month `YYYY-MM`."""
    return target_minutes(targets, *month_bounds(month))


def _fifths(targets: WeeklyTargets, counted: Iterable[date]) -> int:
    """A fifth of the weekly target for each day, summed exactly and rounded once, a half upwards."""
    total = sum(targets.on(day) for day in counted)
    return (2 * total + 5) // 10
