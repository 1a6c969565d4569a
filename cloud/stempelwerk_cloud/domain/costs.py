"""What people's work costs a company: rates in force, and a month's cost of one person. Money is in whole cents.

An hour costs what the mode says: the company's rate, that of the person's department, or their own; where there is
none, or 0, the company's; where there is none either, nothing, and that is said. A monthly wage stands for the whole
month: that which holds on its last day. Where the mode says monthly wages, no hourly rate takes the place of a missing
one: rates that were set for another mode would price it unnoticed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, NamedTuple

from stempelwerk_cloud.domain import minimum_wage

Mode = Literal["uniform", "department", "perUserHourly", "perUserMonthly"]
Name = Literal["mode", "default", "department", "hourly", "monthly"]
Key = tuple[Name, str]
"""What is said, and of what: a department, the id of a person, or the company ("")."""
MODE: Final[Key] = ("mode", "")
DEFAULT: Final[Key] = ("default", "")
HOUR: Final = 60


class Said(NamedTuple):
    """A value that holds from a day on; `date.min`: from ever; null: none."""

    name: Name
    subject: str
    valid_from: date
    value: Any


class Rates(dict[Key, Any]):
    """What holds on a day: a mode in any case, and what is not null."""

    @property
    def mode(self) -> Mode:
        mode: Mode = self[MODE]
        return mode

    def of(self, name: Name) -> dict[str, int]:
        """By department or person."""
        return {subject: cents for (one, subject), cents in self.items() if one == name}

    def hourly(self, user_id: str, department: str | None) -> int:
        """Cents an hour; 0: nobody has said."""
        keys: Mapping[Mode, Key] = {
            "department": ("department", department or ""),
            "perUserHourly": ("hourly", user_id),
        }
        return self.get(keys.get(self.mode, DEFAULT)) or self.get(DEFAULT) or 0

    def monthly(self, user_id: str) -> int:
        """The monthly wage, where that is what counts; else 0."""
        return self.get(("monthly", user_id), 0) if self.mode == "perUserMonthly" else 0


class Compensation:
    """All that was ever said."""

    def __init__(self, said: Iterable[Said]) -> None:
        self._said = sorted(said, key=lambda one: one.valid_from)
        self.days: Final = sorted({one.valid_from for one in self._said})
        self._rates: dict[int, Rates] = {}

    def on(self, day: date) -> Rates:
        index = bisect_right(self.days, day)
        if index not in self._rates:
            held: dict[Key, Any] = {MODE: "uniform"}
            held |= {(one.name, one.subject): one.value for one in self._said if one.valid_from <= day}
            self._rates[index] = Rates((key, value) for key, value in held.items() if value is not None)
        return self._rates[index]


class Part(NamedTuple):
    """Days of a month, from `first` on, during which nobody's rate changes; minutes are what was worked on them."""

    first: date
    department: str | None
    raw_minutes: int
    break_minutes: int

    @property
    def minutes(self) -> int:
        return self.raw_minutes - self.break_minutes


class Cost(NamedTuple):
    """`rate`: cents an hour or, `monthly`, a month, at its end. `missing`: there is none at its end, or was none for
    something that was worked. `under_minimum`: what an hour is paid lies below the minimum wage.
    """

    monthly: bool
    rate: int
    cents: int
    missing: bool
    under_minimum: bool


def cost_of(compensation: Compensation, user_id: str, parts: Sequence[Part], *, waged: bool = True) -> Cost:
    """Of a month in its parts, oldest first, of which the last reaches to the end. `waged`: a monthly wage is due."""
    last, minutes = parts[-1], sum(part.minutes for part in parts)
    wage = compensation.on(last.first).monthly(user_id) if waged else 0
    if waged and not wage and compensation.on(last.first).mode == "perUserMonthly":
        return Cost(False, 0, 0, True, False)
    if wage:
        return Cost(True, wage, wage, False, wage * HOUR < minimum_wage.cents_on(last.first) * minutes)
    paid = [
        (compensation.on(part.first).hourly(user_id, part.department), part)
        for part in parts
        if part.minutes or part is last
    ]
    cents = (sum(rate * part.minutes for rate, part in paid) + HOUR // 2) // HOUR
    under = any(0 < rate < minimum_wage.cents_on(part.first) for rate, part in paid)
    return Cost(False, paid[-1][0], cents, any(not rate for rate, _ in paid), under)
