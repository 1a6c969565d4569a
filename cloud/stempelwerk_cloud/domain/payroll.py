"""Payroll of a month: hours in hundredths, the pay of a day off that was worked, differences of two snapshots, and long
illness.

Figures are whole minutes by person, day and kind.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple, get_args

from stempelwerk_cloud.domain.account import exact, holiday_credit

Kind = Literal[
    "work",
    "vacation",
    "sick",
    "holiday",
    "absence",
    "night",
    "night40",
    "sunday",
    "holiday125",
    "holiday150",
    "overtime",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""`work` is net, `holiday` the pay of a holiday, `holiday125` and `holiday150` are surcharges of work on one.

`absence`: an absence other than vacation and illness. `overtime` is dated the month's last day.
"""
DAYS_OFF: Final[Collection[Kind]] = ("vacation", "sick", "holiday", "absence")

PAID_ILLNESS: Final = timedelta(days=42)
"""The employer continues to pay one illness for this long (§ 3 EFZG)."""
MOST_OF_A_LINE: Final = 2_400
"""Hundredths of an hour that one line of a payroll file holds at most."""

Key = tuple[str, date, Kind]
Figures = Mapping[Key, int]


class Differing(NamedTuple):
    """Minutes before and after; None: there was nothing of the kind."""

    user_id: str
    date: date
    kind: Kind
    before: int | None
    after: int | None


def differences(earlier: Figures, later: Figures) -> list[Differing]:
    """Returns the differences by person, day and kind."""
    keys = sorted(earlier.keys() | later.keys(), key=lambda key: (key[0], key[1], KINDS.index(key[2])))
    return [Differing(*key, earlier.get(key), later.get(key)) for key in keys if earlier.get(key) != later.get(key)]


def holiday_pay(target: int, halves: int, net: int) -> int:
    """Returns the holiday pay by law of an hourly person, after these net minutes of work on the holiday.

    `target` and the pay are exact (`account`).
    """
    return holiday_credit(target, halves, exact(net))


def vacation_pay(target: int, halves: int, holiday: int, net: int) -> int:
    """Returns the vacation pay of an hourly person: the part of the target that holiday and net minutes leave.

    `target`, `holiday` and the pay are exact (`account`).
    """
    return max(0, min(target * halves // 2, target - holiday - exact(net)))


def hundredths(minutes: int) -> int:
    """Hundredths of an hour, to the nearest; a half goes up."""
    return (10 * minutes + 3) // 6


def spread(days: Iterable[int]) -> list[int]:
    """The hundredths of each of some minutes, so that they sum up to those of all."""
    shares, so_far = [], 0
    for minutes in days:
        shares.append(hundredths(so_far + minutes) - hundredths(so_far))
        so_far += minutes
    return shares


def decimal(in_hundredths: int) -> str:
    """`130,00`."""
    sign, magnitude = "-" if in_hundredths < 0 else "", abs(in_hundredths)
    return f"{sign}{magnitude // 100},{magnitude % 100:02d}"


def day_lines(daily: Mapping[date, int], month_sum: int, days: Sequence[date]) -> list[tuple[date, int]]:
    """Returns lines of at most `MOST_OF_A_LINE` hundredths each, by day.

    The hours of a day are on that day, in several lines if need be. The month's sum fills the line of the last day,
    then those of the days before it. A sum that is larger than all days begins at the last day again, in further lines.
    """
    lines: list[tuple[date, int]] = []
    filled: dict[date, int] = {}
    for day in days:
        hours = daily.get(day, 0)
        full = max(hours - 1, 0) // MOST_OF_A_LINE
        filled[day] = hours - full * MOST_OF_A_LINE
        lines += [(day, MOST_OF_A_LINE)] * full
    while month_sum:
        for day in reversed(days):
            part = min(month_sum, MOST_OF_A_LINE - filled[day])
            filled[day] += part
            month_sum -= part
        if month_sum:
            lines += filled.items()
            filled = dict.fromkeys(days, 0)
    return sorted(lines + [(day, hours) for day, hours in filled.items() if hours])


def long_illness(sick: Collection[date], owes_work: Callable[[date], bool], first: date, last: date) -> date | None:
    """Returns the first day from `first` to `last` after an illness has lasted for `PAID_ILLNESS`.

    Reports are one illness if every day between them owes no work; the days between count. `sick` reaches back further
    than `PAID_ILLNESS` before `first`, so that its beginning is known.
    """
    begin = end = date.min
    for day in sorted(sick):
        if day > last:
            break
        days_between = (end + timedelta(days=number) for number in range(1, (day - end).days))
        if begin == date.min or any(map(owes_work, days_between)):
            begin = day
        end = day
        beyond = max(begin + PAID_ILLNESS, first)
        if beyond <= day:
            return beyond
    return None
