"""Weekly targets: how many minutes of a week somebody is to work, from which day on."""

from dataclasses import dataclass
from datetime import date

MONDAY_TO_FRIDAY = frozenset(range(5))
"""The workdays of who has no others."""


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
