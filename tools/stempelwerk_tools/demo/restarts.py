"""Back-off for restarting a program of the demo that died: at once, then after longer and longer waits.

Pure: the caller passes the seconds of a steady clock and does the restart.
"""

_WAITS_S = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)
_HEALTHY_S = 60.0


class RestartBackoff:
    """One program's restarts. A minute of running resets the back-off."""

    def __init__(self) -> None:
        self._deaths, self._started_at = 0, 0.0
        self._due_at: float | None = None

    def died(self, now: float) -> float:
        """Records that the program has ended on its own; returns the seconds until the restart is due."""
        if now - self._started_at >= _HEALTHY_S:
            self._deaths = 0
        wait_s = _WAITS_S[min(self._deaths, len(_WAITS_S) - 1)]
        self._deaths += 1
        self._due_at = now + wait_s
        return wait_s

    def due(self, now: float) -> bool:
        """Returns whether a restart is due."""
        return self._due_at is not None and now >= self._due_at

    def started(self, now: float) -> None:
        """Records the restart."""
        self._due_at, self._started_at = None, now

    def leave(self) -> None:
        """Cancels a due restart, because the program is started or stopped by hand."""
        self._due_at, self._deaths = None, 0
