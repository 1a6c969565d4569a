"""The costs of work: the rates in force, the minimum wage, and one person's cost for a month. Money is in whole cents.

The company's mode selects the hourly rate: the company's, the department's or the person's own. If that one is missing
or 0, the company's rate applies. If that is missing too, the cost is 0 and marked as `missing`.

A monthly wage covers the whole month; it is the wage in force on the month's last day. In the mode of monthly wages no
hourly rate replaces a missing wage, because rates that were set for another mode would apply unnoticed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, NamedTuple

MINIMUM_WAGES: Final = (
    (date(2022, 10, 1), 1200),
    (date(2024, 1, 1), 1241),
    (date(2025, 1, 1), 1282),
    (date(2026, 1, 1), 1390),
    (date(2027, 1, 1), 1460),
)
"""The minimum wage in cents, with the first day of each rate (MiLoG and its ordinances)."""


def minimum_wage_on(day: date) -> int:
    """Returns the minimum wage in gross cents an hour; 0 before the first rate, so that nothing is below it."""
    index = bisect_right(MINIMUM_WAGES, day, key=lambda dated_wage: dated_wage[0])
    return MINIMUM_WAGES[index - 1][1] if index else 0


Mode = Literal["uniform", "department", "perUserHourly", "perUserMonthly"]
Name = Literal["mode", "default", "department", "hourly", "monthly"]
Key = tuple[Name, str]
"""The name of a value, and its subject: a department, the id of a person, or "" for the company."""
MODE: Final[Key] = ("mode", "")
DEFAULT: Final[Key] = ("default", "")
HOUR: Final = 60


class Said(NamedTuple):
    """A value with its first day. `date.min`: from the beginning. None: there is no value from that day on."""

    name: Name
    subject: str
    valid_from: date
    value: Any


class Rates(dict[Key, Any]):
    """The values in force on a day: the mode, and every value that is not None."""

    @property
    def mode(self) -> Mode:
        mode: Mode = self[MODE]
        return mode

    def cents_by_subject(self, name: Name) -> dict[str, int]:
        """Returns the cents by subject (department or person id) of the value with this name."""
        return {subject: cents for (entry_name, subject), cents in self.items() if entry_name == name}

    def hourly(self, user_id: str, department: str | None) -> int:
        """Returns the person's rate in cents an hour; 0 if no rate is set."""
        keys: Mapping[Mode, Key] = {
            "department": ("department", department or ""),
            "perUserHourly": ("hourly", user_id),
        }
        return self.get(keys.get(self.mode, DEFAULT)) or self.get(DEFAULT) or 0

    def monthly(self, user_id: str) -> int:
        """Returns the person's monthly wage in cents if the mode uses it; else 0."""
        return self.get(("monthly", user_id), 0) if self.mode == "perUserMonthly" else 0


class Compensation:
    """The history of all rates, wages and modes of a company."""

    def __init__(self, rate_entries: Iterable[Said]) -> None:
        self._said = sorted(rate_entries, key=lambda entry: entry.valid_from)
        self.days: Final = sorted({entry.valid_from for entry in self._said})
        self._rates: dict[int, Rates] = {}

    def on(self, day: date) -> Rates:
        index = bisect_right(self.days, day)
        if index not in self._rates:
            values: dict[Key, Any] = {MODE: "uniform"}
            values |= {(entry.name, entry.subject): entry.value for entry in self._said if entry.valid_from <= day}
            self._rates[index] = Rates((key, value) for key, value in values.items() if value is not None)
        return self._rates[index]


class RatePeriod(NamedTuple):
    """Days of a month when one person's rate, department and minimum wage do not change: from `first` to the next
    period.

    The minutes are those worked on these days: `raw_minutes` include breaks, `break_minutes` are the breaks.
    """

    first: date
    department: str | None
    raw_minutes: int
    break_minutes: int

    @property
    def minutes(self) -> int:
        return self.raw_minutes - self.break_minutes


class Cost(NamedTuple):
    """The cost of a month in cents. `rate`: cents an hour, or with `monthly` cents a month, in force at the month's
    end.

    `missing`: no rate is set at the month's end, or a rate was missing for some of the work. `under_minimum`: the pay
    of an hour is below the minimum wage.
    """

    monthly: bool
    rate: int
    cents: int
    missing: bool
    under_minimum: bool


def cost_of(compensation: Compensation, user_id: str, periods: Sequence[RatePeriod], *, waged: bool = True) -> Cost:
    """Returns the cost of a month from its periods, which are oldest first; the last one lasts until the month's end.
    `waged`: a monthly wage is due for this month.
    """
    last, minutes = periods[-1], sum(period.minutes for period in periods)
    wage = compensation.on(last.first).monthly(user_id) if waged else 0
    if waged and not wage and compensation.on(last.first).mode == "perUserMonthly":
        return Cost(False, 0, 0, True, False)
    if wage:
        return Cost(True, wage, wage, False, wage * HOUR < minimum_wage_on(last.first) * minutes)
    paid = [
        (compensation.on(period.first).hourly(user_id, period.department), period)
        for period in periods
        if period.minutes or period is last
    ]
    cents = (sum(rate * period.minutes for rate, period in paid) + HOUR // 2) // HOUR
    under = any(0 < rate < minimum_wage_on(period.first) for rate, period in paid)
    return Cost(False, paid[-1][0], cents, any(not rate for rate, _ in paid), under)
