"""A simulated clock's hardware: its oscillator, its wall time with all possible faults, its card.

Time is the loop's: `TrueTime` turns it into instants, and the service uses that directly. A machine counts since its
boot with an oscillator that is off by up to 40 ppm. Its wall time comes from the last source that set it: a time
service, a battery-backed clock, nothing (1970), or a person who typed 2040.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from stempelwerk_edge.machine.clock import Quality, milliseconds

NOTHING = datetime(1970, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2040, 6, 1, tzinfo=UTC)
_DRIFT_PPM = 40


@dataclass(frozen=True)
class TrueTime:
    """The world's time: `began` is the instant when the loop's time is 0."""

    began: datetime
    loop: asyncio.AbstractEventLoop

    def now(self) -> datetime:
        """Returns the true instant, in whole milliseconds."""
        return milliseconds(self.began + timedelta(seconds=self.loop.time()))


def uuid7(moment: datetime, rng: random.Random) -> str:
    """Returns a UUIDv7 of an instant (1970 at the earliest), random otherwise."""
    stamp = max(0, int(moment.timestamp() * 1000)) & 0xFFFF_FFFF_FFFF
    return str(UUID(int=stamp << 80 | 7 << 76 | rng.getrandbits(12) << 64 | 2 << 62 | rng.getrandbits(62)))


class MachineClock:
    """The machine's time; the edge's clock port. One object a boot."""

    def __init__(self, true_time: TrueTime, rng: random.Random, wall: datetime, quality: Quality) -> None:
        self._true_time = true_time
        self._rate = 1 + rng.uniform(-_DRIFT_PPM, _DRIFT_PPM) / 1_000_000
        self._booted_s = true_time.loop.time()
        self._boot_id = str(UUID(int=rng.getrandbits(128)))
        self._uptime_s = rng.uniform(8, 40)  # since the kernel's start
        self.set(wall, quality)

    def set(self, wall: datetime, quality: Quality) -> None:
        """Sets the wall time, as a time service, a person or a fault does."""
        self._wall, self._set_s, self._quality = wall, self._elapsed(), quality

    def follow(self, offset: timedelta = timedelta(0)) -> None:
        """Sets the wall time like a time service, which is right but for `offset`."""
        self.set(self._true_time.now() + offset, Quality.NTP)

    def _elapsed(self) -> float:
        return (self._true_time.loop.time() - self._booted_s) * self._rate + self._uptime_s

    @property
    def boot_id(self) -> str:
        """The id of this boot."""
        return self._boot_id

    def wall(self) -> datetime:
        """Returns the system's wall time."""
        return milliseconds(self._wall + timedelta(seconds=self._elapsed() - self._set_s))

    def boottime_ms(self) -> int:
        """Returns the milliseconds since boot, by the machine's own oscillator."""
        return int(self._elapsed() * 1000)

    def quality(self) -> Quality:
        """Returns the source of the wall time."""
        return self._quality


class MachineIds:
    """The edge's ids, drawn from the world's one source of chance."""

    def __init__(self, clock: MachineClock, rng: random.Random) -> None:
        self._clock, self._rng = clock, rng

    def new(self) -> str:
        """Returns a UUIDv7 by the machine's wall time, however wrong."""
        return uuid7(self._clock.wall(), self._rng)

    def nonce(self) -> str:
        """Returns 128 bits, base 16."""
        return self._rng.randbytes(16).hex()


class ServiceIds:
    """The service's ids: strictly rising within a run."""

    def __init__(self, true_time: TrueTime, rng: random.Random) -> None:
        self._true_time, self._rng = true_time, rng
        self._last = ""

    def new(self) -> str:
        """Returns a UUIDv7 that sorts after every earlier one."""
        new_id = uuid7(self._true_time.now(), self._rng)
        while new_id <= self._last:
            new_id = str(UUID(int=UUID(self._last).int + 1))
        self._last = new_id
        return new_id

    def token(self, nbytes: int) -> str:
        """Returns random text of `nbytes`, base 16."""
        return self._rng.randbytes(nbytes).hex()

    def below(self, limit: int) -> int:
        """Returns a random number below `limit`."""
        return self._rng.randrange(limit)


@dataclass
class Card:
    """A memory card: the folder of an agent's data."""

    folder: Path
