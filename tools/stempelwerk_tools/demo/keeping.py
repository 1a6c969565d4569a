"""When a program of the demo that died is started again: at once, then after longer and longer waits.

Pure: it is told the seconds of any steady clock, and starts nothing itself.
"""

_WAITS_S = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)
_HEALTHY_S = 60.0


class Keeping:
    """One program's restarts. One that has run for a minute has a clean slate."""

    def __init__(self) -> None:
        self._deaths, self._started_at = 0, 0.0
        self._due_at: float | None = None

    def died(self, now: float) -> float:
        """It has ended by itself: how many seconds until it is due again."""
        if now - self._started_at >= _HEALTHY_S:
            self._deaths = 0
        wait_s = _WAITS_S[min(self._deaths, len(_WAITS_S) - 1)]
        self._deaths += 1
        self._due_at = now + wait_s
        return wait_s

    def due(self, now: float) -> bool:
        """Whether it is to be started now."""
        return self._due_at is not None and now >= self._due_at

    def started(self, now: float) -> None:
        """It has been started again."""
        self._due_at, self._started_at = None, now

    def leave(self) -> None:
        """Somebody stops or starts it by hand: nothing is due any more."""
        self._due_at, self._deaths = None, 0
