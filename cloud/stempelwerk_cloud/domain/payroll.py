"""Payroll of a month: hours in hundredths, the pay for a day off with work, differences between two snapshots, and long
illness. Figures are whole minutes by person, day and kind.
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
"""Kinds of pay. `work` is net, `holiday` is the pay for a holiday, `holiday125` and `holiday150` are surcharges for
work on one. `absence`: other than vacation and illness. `overtime` is dated on the month's last day.
"""
DAYS_OFF: Final[Collection[Kind]] = ("vacation", "sick", "holiday", "absence")

PAID_ILLNESS: Final = timedelta(days=42)
"""The employer continues to pay one illness for this long (§ 3 EFZG)."""
MOST_OF_A_LINE: Final = 2_400
"""The most that one line of a payroll file can contain, in hundredths of an hour."""

Key = tuple[str, date, Kind]
Figures = Mapping[Key, int]


class Differing(NamedTuple):
    """Minutes in the earlier and in the later snapshot; None: the snapshot has nothing of this kind."""

    user_id: str
    date: date
    kind: Kind
    before: int | None
    after: int | None


def differences(earlier: Figures, later: Figures) -> list[Differing]:
    """Returns the differences between two snapshots, by person, day and kind."""
    keys = sorted(earlier.keys() | later.keys(), key=lambda key: (key[0], key[1], KINDS.index(key[2])))
    return [Differing(*key, earlier.get(key), later.get(key)) for key in keys if earlier.get(key) != later.get(key)]


def holiday_pay(target: int, halves: int, net: int) -> int:
    """Returns the holiday pay by law of an hourly person who worked `net` minutes on the holiday. `target` and the
    result are in parts of a minute (`account.exact`).
    """
    return holiday_credit(target, halves, exact(net))


def vacation_pay(target: int, halves: int, holiday: int, net: int) -> int:
    """Returns the vacation pay of an hourly person: what holiday pay and net minutes leave of the target. `target`,
    `holiday` and the result are in parts of a minute (`account.exact`).
    """
    return max(0, min(target * halves // 2, target - holiday - exact(net)))


def hundredths(minutes: int) -> int:
    """Converts minutes into hundredths of an hour, to the nearest; a half goes up."""
    return (10 * minutes + 3) // 6


def spread(days: Iterable[int]) -> list[int]:
    """Returns the minutes of each day in hundredths of an hour, rounded so that they add up to the rounded sum."""
    shares, so_far = [], 0
    for minutes in days:
        shares.append(hundredths(so_far + minutes) - hundredths(so_far))
        so_far += minutes
    return shares


def decimal(in_hundredths: int) -> str:
    """Returns hundredths as a German decimal number, for example `130,00`."""
    sign, magnitude = "-" if in_hundredths < 0 else "", abs(in_hundredths)
    return f"{sign}{magnitude // 100},{magnitude % 100:02d}"


def day_lines(daily: Mapping[date, int], month_sum: int, days: Sequence[date]) -> list[tuple[date, int]]:
    """Returns lines of a payroll file (day and hundredths of an hour), each with at most `MOST_OF_A_LINE`.

    The hours of a day are on that day, in several lines if necessary. The month's sum fills the line of the last day,
    then the lines of the days before it. A sum that is larger than the lines of all days continues on the last day in
    further lines.
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
    """Returns the first day from `first` to `last` when an illness has lasted for more than `PAID_ILLNESS`; else None.

    Reports belong to one illness if no work is due on any day between them; those days count as well. `sick` must reach
    back further than `PAID_ILLNESS` before `first`, so that the beginning of the illness is known.
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
