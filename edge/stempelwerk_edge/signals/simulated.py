"""Simulated light and sound: remembers the signals that were played, and rings the terminal's bell if asked to."""

import threading
from collections import deque
from typing import TextIO

from stempelwerk_edge.ports import Signal

_REMEMBERED = 256


class SimulatedSignals:
    """Signals for a clock without lights, for the demo and for tests. `bell` is a terminal, or None.

    `played` holds the newest 256 signals, oldest first.
    """

    def __init__(self, bell: TextIO | None = None) -> None:
        self._bell = bell
        self._lock = threading.Lock()
        self._played: deque[Signal] = deque(maxlen=_REMEMBERED)

    @property
    def played(self) -> list[Signal]:
        """Returns the signals that were played so far."""
        with self._lock:
            return list(self._played)

    def play(self, signal: Signal) -> None:
        """Remembers the signal; rings once, three times for what was not saved. Never raises."""
        with self._lock:
            self._played.append(signal)
        if self._bell is not None:
            try:
                self._bell.write("\a" * (3 if signal is Signal.NOT_SAVED else 1))
                self._bell.flush()
            except (OSError, ValueError):  # the terminal is gone; a bell is not worth a tap
                self._bell = None
