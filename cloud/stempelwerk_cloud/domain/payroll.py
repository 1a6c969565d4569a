"""Payroll of a month: hours in hundredths, the pay of a day off that was worked, and differences of two snapshots.

Figures are whole minutes by person, day and kind.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Final, Literal, NamedTuple, get_args

from stempelwerk_cloud.domain.account import exact, holiday_credit, nearest

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

Key = tuple[str, date, Kind]
Figures = Mapping[Key, int]


class Differing(NamedTuple):
    """Minutes before and after; None: there was nothing of the kind."""

    user_id: str
    date: date
    kind: Kind
    before: int | None
    after: int | None


def differences(before: Figures, after: Figures) -> list[Differing]:
    """By person, day and kind."""
    keys = sorted(before.keys() | after.keys(), key=lambda key: (key[0], key[1], KINDS.index(key[2])))
    return [Differing(*key, before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)]


def holiday_pay(credited: int, target: int, halves: int, net: int) -> int:
    """Returns the minutes that a holiday by law pays an hourly person who worked on it.

    `target` is exact (`account`); `credited` and `net` are minutes. The pay is never more than what is credited.
    """
    return min(credited, nearest(holiday_credit(target, halves, exact(net)))) if net else credited


def vacation_pay(credited: int, target: int, holiday: int, net: int) -> int:
    """Returns the minutes that a day of vacation pays: what work and the holiday's part leave of the target."""
    return max(0, min(credited, nearest(target) - holiday - net)) if net else credited


def hundredths(minutes: int) -> int:
    """Hundredths of an hour, to the nearest; a half goes up."""
    return (10 * minutes + 3) // 6


def spread(days: Iterable[int]) -> list[int]:
    """The hundredths of each of some minutes, so that they sum up to those of all."""
    found, so_far = [], 0
    for minutes in days:
        found.append(hundredths(so_far + minutes) - hundredths(so_far))
        so_far += minutes
    return found


def decimal(in_hundredths: int) -> str:
    """`130,00`."""
    sign, whole = "-" if in_hundredths < 0 else "", abs(in_hundredths)
    return f"{sign}{whole // 100},{whole % 100:02d}"
