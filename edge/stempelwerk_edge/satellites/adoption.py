"""Permission to adopt new scanners: for five minutes after an authorised person has given it.

`stempelwerk-edge adopt` gives it on the clock's own machine, by a file in the clock's private folder; no other user can
write there. On the touchscreen an administrator gives it, until the program ends or they close the page.
"""

import os
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Screen

FILE_NAME = "adopting"
LASTS_S = 300


class Adoption:
    """The permission that a file in the clock's folder gives."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / FILE_NAME

    def allow(self) -> None:
        """Allows the adoption of scanners for five minutes. Raises OSError."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file.touch(0o600)
        os.utime(self._file)  # also where there was one

    def is_allowed(self) -> bool:
        """Returns whether `allow` was called less than five minutes ago."""
        try:
            modified_at = self._file.stat().st_mtime
        except OSError:
            return False
        return 0 <= time.time() - modified_at < LASTS_S


class AtScreen:
    """The permission that the touchscreen's page of scanners gives, and what that page shows. Thread-safe.

    `forget` releases a scanner.
    """

    def __init__(self, time: TrustedTime, screen: Screen, forget: Callable[[str], bool]) -> None:
        self._time, self._screen, self._forget = time, screen, forget
        self._scanners: tuple[dict[str, Any], ...] = ()
        self._lock = threading.Lock()
        self._until_ms: int | None = None
        self._adopted: tuple[str, ...] = ()

    def open(self) -> None:
        """Allows the adoption of scanners for five minutes from now."""
        with self._lock:
            self._until_ms, self._adopted = self._time.boottime_ms() + LASTS_S * 1000, ()
            ends_at = self._time.now() + timedelta(seconds=LASTS_S)
            self._screen.set_status(adopting_until=ends_at, adopted=(), scanners=self._scanners)

    def close(self) -> None:
        """Ends the adoption."""
        with self._lock:
            self._until_ms = None
            self._screen.set_status(adopting_until=None)

    def is_open(self) -> bool:
        """Returns whether `open` was called less than five minutes ago, without `close` since."""
        until_ms = self._until_ms
        return until_ms is not None and self._time.boottime_ms() < until_ms

    def forget(self, serial: str) -> bool:
        """Releases this scanner; False if it is not this clock's, the page is not open, or the disk refuses."""
        try:
            return self.is_open() and self._forget(serial)
        except JournalError:
            return False

    def look(self, scanners: tuple[dict[str, Any], ...]) -> None:
        """Takes the present state of all scanners, which the screen shows while the page is open."""
        with self._lock:
            self._scanners = scanners
            if self.is_open():
                self._screen.set_status(scanners=scanners)

    def adopted(self, serial: str) -> None:
        """Takes the serial of a scanner that this clock has just adopted."""
        with self._lock:
            self._adopted = (*(adopted_serial for adopted_serial in self._adopted if adopted_serial != serial), serial)
            self._screen.set_status(adopted=self._adopted)
