"""The events of a run, in order: a growing hash, and the last lines for debugging.

Two runs of one seed must have the same hash; that is the whole proof that a seed is a replay.
"""

from __future__ import annotations

import hashlib
from collections import deque


class Trace:
    """Takes every event of a run. `keep` lines stay readable; all of them are in the hash."""

    def __init__(self, keep: int = 0) -> None:
        self._hash = hashlib.sha256()
        self.lines: deque[str] = deque(maxlen=keep)
        self.count = 0

    def add(self, at_s: float, event: str, content: bytes = b"") -> None:
        """Adds an event at a simulated time; `content` goes into the hash only."""
        line = f"{at_s:.6f} {event}"
        self._hash.update(line.encode())
        self._hash.update(content)
        self.lines.append(line)
        self.count += 1

    @property
    def digest(self) -> str:
        """The hash so far."""
        return self._hash.hexdigest()
