"""Rate limit for repeated lines: a line passes at once, then ever more rarely, with the number of those left out.

A loose cable, a line that opens and closes, or a client that sends garbage repeats the same line several times a second
for weeks. All of it is pure but `RepeatFilter`, which applies the rule to the system's log.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

_MOST_KEYS = 500

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class _Line:
    """The state of one line: when it last passed, when it last came, the pause until it passes again, and the number of
    omissions.
    """

    passed_at: float
    came_at: float
    pause: float
    left_out: int = 0


class Repeats(Generic[Key]):
    """The rule. `first` is the pause after which a repeated line passes again; it doubles up to `longest`.

    A line that has not come for its whole pause counts as new. One that was left out and does not come again is
    `overdue` once its pause is over, so the last one of a series always passes. Times are numbers of one unit, of a
    clock that never jumps.
    """

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self._lines: dict[Key, _Line] = {}

    def count(self, key: Key, now: float) -> int | None:
        """Returns how often the line was left out since it last passed, or None if it is left out now, too."""
        line = self._lines.get(key)
        if line is not None and now - line.passed_at < line.pause:
            line.left_out += 1
            line.came_at = now
            return None
        left_out, pause = 0, self._first
        if line is not None:
            left_out = line.left_out
            if now - line.came_at < line.pause:
                pause = min(2 * line.pause, self._longest)
        self._lines.pop(key, None)
        self._lines[key] = _Line(now, now, pause)
        if len(self._lines) > _MOST_KEYS:
            del self._lines[next(iter(self._lines))]
        return left_out

    def let_pass(self, key: Key, now: float) -> int:
        """Returns how often the line was left out since it last passed; it passes now, whatever its pause."""
        line = self._lines.get(key)
        if line is not None:
            line.passed_at = -math.inf
        return self.count(key, now) or 0

    def overdue(self, now: float) -> list[tuple[Key, int, float]]:
        """Returns lines whose pause has ended: key, number of omissions, time of the last one.

        They are sorted by that time, and count as passed.
        """
        overdue_lines = []
        for key, line in self._lines.items():
            if line.left_out and now - line.passed_at >= line.pause:
                overdue_lines.append((key, line.left_out, line.came_at))
                line.passed_at, line.pause, line.left_out = now, min(2 * line.pause, self._longest), 0
        return sorted(overdue_lines, key=lambda line: line[2])


class RepeatFilter(logging.Filter):
    """Lets a line of the system's log through after a minute, two, four, up to an hour of the same. Thread-safe."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._repeats: Repeats[tuple[str, int, str]] = Repeats(60.0, 3600.0)

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether the record is written; adds the number of those left out to its message."""
        text = record.getMessage()
        with self._lock:
            left_out = self._repeats.count((record.name, record.levelno, text), self._monotonic())
        if left_out:
            record.msg, record.args = f"{text} (again, {left_out} times left out)", ()
        return left_out is not None

    def overdue(self) -> list[logging.LogRecord]:
        """Returns records of the lines whose pause has ended since they were left out."""
        now, records = self._monotonic(), []
        with self._lock:
            lines = self._repeats.overdue(now)
        for (name, level, text), left_out, came_at in lines:
            message = f"{text} (again, {left_out} times left out, the last {round(now - came_at)} s ago)"
            records.append(logging.LogRecord(name, level, "", 0, message, (), None))
        return records
