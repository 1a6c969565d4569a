"""The settings of a company that affect time entries, each with its first day.

Only the settings that a derivation needs are here; the companies' room has the others. A change holds from the local
midnight of its day, in the time zone that the change itself sets.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import MINUTE, day_start
from stempelwerk_cloud.domain.working_time_act import ADULT, DatedLimits, Limits

BreakPolicy = Literal["statutory", "none"]

SHIFT_GAP_MINUTES = 5 * 60


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings for an entry that begins while they are in force. The names of the fields contain their units."""

    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("Europe/Berlin"))
    break_policy: BreakPolicy = "statutory"
    double_tap_s: int = 60
    max_shift_h: int = 16
    ask_after_h: int = 10
    limits: Limits = ADULT
    double_tap: timedelta = field(init=False)
    max_shift: timedelta = field(init=False)
    ask_after: timedelta = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double_tap", timedelta(seconds=self.double_tap_s))
        object.__setattr__(self, "max_shift", timedelta(hours=self.max_shift_h))
        object.__setattr__(self, "ask_after", timedelta(hours=self.ask_after_h))


class DatedRules:
    """All settings that a company ever had, as pairs (`valid_from`, `Rules`). `valid_from` None is the beginning of
    time.

    The first pair also holds before its day. If two pairs have the same day, the later one in the sequence holds.
    """

    __slots__ = ("_days", "_only", "_rules", "_starts", "idle_gap", "rest_gap", "shift_gap", "shortest_shift")

    idle_gap: timedelta
    """A pause between two events that is longer than this makes them independent of each other.

    It is longer than the greatest maximal shift, so no stamp closes an entry across it, and longer than any rest time.
    """

    shift_gap: timedelta
    """A pause that is longer than this, with no open entry before it, separates shifts. It does not separate rest
    times.
    """

    rest_gap: timedelta
    """A pause that is longer than this, with no open entry before it, separates shifts and rest times.

    It is used only where no decision is near, because decisions affect facts in both directions.
    """

    shortest_shift: timedelta
    """The least of all maximal shifts the company ever had. An open entry that began less than this ago is running,
    whatever settings were in force.
    """

    def __init__(self, dated: Iterable[tuple[date | None, Rules]]) -> None:
        pairs = sorted(dated, key=lambda pair: pair[0] or date.min)
        if not pairs:
            raise ValueError("a company has settings at every time")
        self._days = [day or date.min for day, _ in pairs]
        self._rules = [rules for _, rules in pairs]
        self._starts = [day_start(day or date.min, rules.zone) for day, rules in pairs]
        self._only = self._rules[0] if len(pairs) == 1 else None
        reaches = [
            (rules.max_shift, rules.double_tap, max(rules.limits.rest_minutes, SHIFT_GAP_MINUTES) * MINUTE)
            for rules in self._rules
        ]
        self.idle_gap = max(max(reach) for reach in reaches) + MINUTE
        self.shortest_shift = min(rules.max_shift for rules in self._rules)
        longest_rest = max(rules.limits.rest_minutes for rules in self._rules)
        self.shift_gap = (SHIFT_GAP_MINUTES + 1) * MINUTE
        self.rest_gap = max(longest_rest * MINUTE + MINUTE, self.shift_gap)

    def at(self, instant: datetime) -> Rules:
        """Returns the rules in force at an instant."""
        if self._only is not None:
            return self._only
        for index in range(len(self._starts) - 1, 0, -1):
            if self._starts[index] <= instant:
                return self._rules[index]
        return self._rules[0]

    def on(self, day: date) -> Rules:
        """Returns the rules in force on a local day."""
        return self._rules[max(bisect_right(self._days, day) - 1, 0)]

    def for_person(self, limits: DatedLimits) -> "DatedRules":
        """Returns the same settings with the limits of one person, such as a youth, each from its first day."""
        days = {*self._days, *(day for day, _ in limits.from_days)} - {date.min}
        return DatedRules(
            (None if day == date.min else day, replace(self.on(day), limits=limits.on(day)))
            for day in [date.min, *sorted(days)]
        )
