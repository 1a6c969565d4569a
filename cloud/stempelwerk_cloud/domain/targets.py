"""Weekly targets: the minutes a week that a person must work, each from a day on."""

from dataclasses import dataclass
from datetime import date

MONDAY_TO_FRIDAY = frozenset(range(5))
"""The default workdays."""


@dataclass(frozen=True, slots=True)
class WeeklyTargets:
    """One person's weekly targets in minutes, with their first days (None: from the beginning). Before the first day
    the target is 0.
    """

    from_days: tuple[tuple[date | None, int], ...]

    def on(self, day: date) -> int:
        """Returns the weekly target in force on a day, in minutes a week. If two have the same day, the later one in
        the tuple holds.
        """
        weekly_minutes, held_from = 0, date.min
        for valid_from, minutes in self.from_days:
            target_from = valid_from or date.min
            if held_from <= target_from <= day:
                weekly_minutes, held_from = minutes, target_from
        return weekly_minutes
