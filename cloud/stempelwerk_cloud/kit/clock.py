"""Time and randomness as ports, so that tests and the simulation can control both.

Everything that is decided, stored or answered by the time, and every id, token and code, comes from here. The system
clock is used only for durations, for the windows of `rates`, and for a backup's date; system randomness only for the
vault's key and the salts of passwords.
"""

import secrets
import threading
import time
import uuid
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Returns the current instant, aware UTC, cut to milliseconds."""
        ...


class Ids(Protocol):
    def new(self) -> str:
        """Returns a fresh UUIDv7, lower case with dashes; later ones sort after earlier ones."""
        ...

    def token(self, nbytes: int) -> str:
        """Returns `nbytes` of unguessable randomness, as base64url without padding."""
        ...

    def below(self, limit: int) -> int:
        """Returns an unguessable number from 0 to `limit` - 1, uniformly distributed."""
        ...


class SystemClock:
    def now(self) -> datetime:
        instant = datetime.now(UTC)
        return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


class SystemIds:
    """UUIDv7 by RFC 9562 with sub-millisecond order: strictly rising within a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> str:
        nanoseconds = time.time_ns()
        ticks = (nanoseconds // 1_000_000 << 12) | (nanoseconds % 1_000_000 * 4096 // 1_000_000)
        with self._lock:
            ticks = max(ticks, self._last + 1)
            self._last = ticks
        return uuid7(ticks, secrets.randbits(62))

    def token(self, nbytes: int) -> str:
        return secrets.token_urlsafe(nbytes)

    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)


def uuid7(ticks: int, random: int) -> str:
    """Returns a UUIDv7 of `ticks` (milliseconds since 1970 in the upper 48 bits, 4096ths of one below) and 62 random
    bits.
    """
    return str(uuid.UUID(int=(ticks >> 12) << 80 | 7 << 76 | (ticks & 0xFFF) << 64 | 2 << 62 | random))
