"""Milliseconds since the start, which never jump and never wrap; and the time that the clock sent."""

import time


class Timebase:
    """`now()` must be asked at least every six days, which each step does: the counter below it wraps after twelve."""

    def __init__(self, ticks=time.ticks_ms, diff=time.ticks_diff):
        self._ticks, self._diff = ticks, diff
        self._last = ticks()
        self._now = 0
        self._wall = None

    def now(self):
        """Returns the milliseconds since this object was made."""
        ticks = self._ticks()
        self._now += max(0, self._diff(ticks, self._last))
        self._last = ticks
        return self._now

    def set_wall(self, wall, quality):
        """Takes the clock's time (Unix, ms); quality 0 means that it is unknown."""
        if quality:
            self._wall = wall - self.now()

    def wall(self):
        """Returns Unix time in ms for a display, None before the clock has sent it."""
        return None if self._wall is None else self._wall + self.now()
