"""The true time: the contract's rule, and the clock's best knowledge of it.

`estimate` is the pure rule. `TrustedTime` keeps this boot's anchors and the highest time seen; it persists nothing
itself, and it never changes a raw reading except for the floor: the wall time that goes into a stamp never lies below
the highest time this clock has seen, unless a time service or the cloud has shown that highest time to be wrong.

A wall time without a witness that lies years beyond the last trusted time (2038, 2165) raises no floor and has no
quality; it goes into stamps as it was read.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from stempelwerk_edge.machine.clock import EARLIEST_PLAUSIBLE, Clock, Quality, milliseconds

_UNITS = 20_000  # 50 ppm is one part in 20,000
_NTP_TOLERANCE_MS = 2000
_STEP = timedelta(seconds=2)  # smaller steps back are a time service's steering, not a wrong clock
_REFUTED = timedelta(minutes=5)
_PLAUSIBLE_GAP = timedelta(days=5 * 365)  # no clock is in stock, or without a contact, for longer
_TLS_TOLERANCE = timedelta(hours=1)
_MAX_ANCHORS = 16
_LINE_MS = 500  # from a scanner's tick to this program: the wire, the kernel, a disk that keeps the thread waiting


@dataclass(frozen=True, slots=True)
class Anchor:
    """One contact: at `boottime_ms` of `boot` the server's clock read `server_time`; `rtt_ms` is how long it took."""

    boot: str
    boottime_ms: int
    server_time: datetime
    rtt_ms: int


@dataclass(frozen=True, slots=True)
class Contact:
    """One moment in the times of a scanner and this clock: `tick_ms` of the scanner's start `boot` arrived at
    `clock_ms` of the clock's start `clock_boot`.
    """

    boot: str
    tick_ms: int
    clock_boot: str
    clock_ms: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The machine's clocks at one moment; a stamp keeps this."""

    wall: datetime
    boot: str
    boottime_ms: int
    quality: Quality


@dataclass(frozen=True, slots=True)
class Estimate:
    """The best time for a reading, what it rests on, whether it is certain as the contract means it.

    `error_ms` is rounded up, and None where nothing bounds the error.
    """

    time: datetime
    basis: Literal["anchor", "wall", "none"]
    certain: bool
    error_ms: int | None


def _error(anchor: Anchor, boottime_ms: int) -> int:
    """Returns half the round trip and 50 ppm of the distance, in `_UNITS` of a millisecond, without rounding."""
    return anchor.rtt_ms * (_UNITS // 2) + abs(boottime_ms - anchor.boottime_ms)


def best_anchor(boot: str, boottime_ms: int, anchors: Iterable[Anchor]) -> Anchor | None:
    """Returns the anchor of the same boot with the least error there; of equal ones the earlier."""
    same_boot = [anchor for anchor in anchors if anchor.boot == boot]
    return min(same_boot, key=lambda a: (_error(a, boottime_ms), a.boottime_ms, a.server_time), default=None)


def through(contact: Contact, anchors: Iterable[Anchor]) -> Anchor | None:
    """Returns the anchor that a contact gives for the scanner's start, by way of the clock's best anchor; None without
    one.

    Its error is that of the clock's anchor, and half of the longest time that the way over the line may take.
    """
    anchor = best_anchor(contact.clock_boot, contact.clock_ms, anchors)
    if anchor is None:
        return None
    server_time = anchor.server_time + timedelta(milliseconds=contact.clock_ms - anchor.boottime_ms)
    rtt_ms = -(-2 * _error(anchor, contact.clock_ms) // _UNITS) + _LINE_MS
    return Anchor(contact.boot, contact.tick_ms, server_time, rtt_ms)


def estimate(reading: Reading, anchors: Iterable[Anchor]) -> Estimate:
    """Returns the true time of a reading by the contract's rule, except for its last clause, which needs the server's
    time of receipt.
    """
    anchor = best_anchor(reading.boot, reading.boottime_ms, anchors)
    if anchor is None:
        certain = reading.quality in (Quality.NTP, Quality.RTC)
        return Estimate(reading.wall, "wall" if certain else "none", certain, None)
    error = _error(anchor, reading.boottime_ms)
    error_ms = -(-error // _UNITS)
    anchored = anchor.server_time + timedelta(milliseconds=reading.boottime_ms - anchor.boottime_ms)
    distance_ms = abs(reading.wall - anchored) // timedelta(milliseconds=1)
    if reading.quality is Quality.NTP and distance_ms * _UNITS <= _NTP_TOLERANCE_MS * _UNITS + error:
        return Estimate(reading.wall, "wall", certain=True, error_ms=error_ms)
    return Estimate(anchored, "anchor", certain=True, error_ms=error_ms)


def latest_plausible(trusted: datetime | None) -> datetime:
    """Returns the highest wall time that may be believed without a witness; `trusted` is the last one that had a
    witness.
    """
    return max(EARLIEST_PLAUSIBLE, trusted or EARLIEST_PLAUSIBLE) + _PLAUSIBLE_GAP


def sufficient(readings: Sequence[Reading], anchors: Sequence[Anchor]) -> list[Anchor]:
    """Returns the fewest anchors that give each reading its best one, and the newest of each boot; in order of time."""
    boots = {reading.boot for reading in readings}
    newest = {
        boot: max((a for a in anchors if a.boot == boot), key=lambda a: a.boottime_ms, default=None) for boot in boots
    }
    needed = {anchor for anchor in newest.values() if anchor is not None}
    for reading in readings:
        anchor = best_anchor(reading.boot, reading.boottime_ms, anchors)
        if anchor is not None:
            needed.add(anchor)
    return sorted(needed, key=lambda anchor: (anchor.server_time, anchor.boot, anchor.boottime_ms))


class TrustedTime:
    """The clock's idea of the time. Thread-safe."""

    def __init__(self, clock: Clock, anchors: Iterable[Anchor] = (), highest: datetime | None = None) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._anchors = tuple(anchor for anchor in anchors if anchor.boot == clock.boot_id)
        self._floor = highest
        self._floor_boottime_ms = clock.boottime_ms()
        self._trusted: datetime | None = None
        self._is_lowered = False

    def recall(self, anchors: Iterable[Anchor], highest: datetime | None, trusted: datetime | None = None) -> None:
        """Takes up what was kept over a restart: this boot's anchors, the highest time, and the last trusted one."""
        with self._lock:
            self._trusted = trusted if self._trusted is None else self._trusted
            own_anchors = (anchor for anchor in anchors if anchor.boot == self._clock.boot_id)
            self._anchors = _thinned((*self._anchors, *own_anchors), self._clock.boottime_ms())
            if highest is not None and (self._floor is None or highest > self._floor):
                self._floor, self._floor_boottime_ms = highest, self._clock.boottime_ms()

    def reading(self, ago_ms: int = 0) -> Reading:
        """Returns the machine's clocks `ago_ms` ago; the current wall time is never below the highest seen."""
        with self._lock:
            boottime_ms = self._clock.boottime_ms()
            reading = Reading(milliseconds(self._clock.wall()), self._clock.boot_id, boottime_ms, self._clock.quality())
            reading = self._checked_reading(reading)
        ago = timedelta(milliseconds=ago_ms)
        return replace(reading, wall=reading.wall - ago, boottime_ms=boottime_ms - ago_ms)

    def _checked_reading(self, reading: Reading) -> Reading:
        """Returns the reading above the floor, and raises the floor if the reading is plausible. A reading that the
        vouched time refutes raises the floor to the vouched time only.
        """
        vouched, floor = self._vouched(reading), self._floor
        if vouched is None and reading.wall > latest_plausible(self._trusted):
            return replace(reading, quality=Quality.NONE)
        self._trusted = vouched or self._trusted
        reading = self._above_floor(reading, vouched)
        highest = reading.wall
        if vouched is not None and highest - vouched > _REFUTED:
            highest = vouched if floor is None or floor - vouched > _REFUTED else max(floor, vouched)
        self._is_lowered |= floor is not None and floor - highest > _REFUTED
        self._floor, self._floor_boottime_ms = highest, reading.boottime_ms
        return reading

    def _above_floor(self, reading: Reading, vouched: datetime | None) -> Reading:
        """Returns the reading, lifted to the floor if it lies below, or to what is vouched for if that refutes the
        floor.
        """
        floor, wall = self._floor, reading.wall
        if floor is None or wall >= floor:
            return reading
        if vouched is not None:
            lifted = vouched if floor - vouched > _REFUTED else max(floor, vouched)
        elif floor - wall <= _STEP:
            lifted = floor
        else:
            lifted = floor + timedelta(milliseconds=reading.boottime_ms - self._floor_boottime_ms)
        return replace(reading, wall=lifted, quality=reading.quality if lifted - wall <= _STEP else Quality.NONE)

    def _vouched(self, reading: Reading) -> datetime | None:
        """Returns the time that a time service or a contact of this boot vouches for; None without either."""
        if reading.quality is Quality.NTP:
            return reading.wall
        best = estimate(reading, self._anchors)
        return best.time if best.basis == "anchor" else None

    @property
    def boot_id(self) -> str:
        """This start of the system."""
        return self._clock.boot_id

    def boottime_ms(self) -> int:
        """Returns milliseconds since this start of the system."""
        return self._clock.boottime_ms()

    @property
    def anchored(self) -> bool:
        """Whether there was a contact since this start of the system."""
        return bool(self._anchors)

    def now(self) -> datetime:
        """Returns the best estimate of the time."""
        return self.estimate_for(self.reading()).time

    def estimate_for(self, reading: Reading) -> Estimate:
        """Returns the best estimate for a reading of this boot (or of another, which has only its wall time here)."""
        return estimate(reading, self._anchors)

    @property
    def trusted(self) -> bool:
        """Whether the time may be shown and used without a warning."""
        return self.estimate_for(self.reading()).certain

    @property
    def highest(self) -> datetime | None:
        """The highest time seen, to be kept over a restart."""
        return self._floor

    def store_lowered(self, keep: Callable[[datetime], object]) -> None:
        """Passes the highest time to `keep` if an earlier one was wrong and has been lowered. Only once, but again if
        that raises.
        """
        with self._lock:
            lowered = self._floor if self._is_lowered else None
        if lowered is not None:
            keep(lowered)
            self._is_lowered = False

    def may_check_dates(self) -> bool:
        """Returns whether the *system's* wall time is fit for judging a certificate's validity dates.

        A battery-backed clock is not enough: it may be in 2040. A contact of this boot must agree, or a time service.
        """
        wall, boottime_ms = self._clock.wall(), self._clock.boottime_ms()
        anchor = best_anchor(self._clock.boot_id, boottime_ms, self._anchors)
        if anchor is None:
            return self._clock.quality() is Quality.NTP
        anchored = anchor.server_time + timedelta(milliseconds=boottime_ms - anchor.boottime_ms)
        return abs(wall - anchored) <= _TLS_TOLERANCE

    def contact(self, server_time: datetime, sent_ms: int, received_ms: int) -> Anchor:
        """Takes the server's time as that of the middle between two boot times, sent and received; returns the anchor,
        for storage.
        """
        anchor = Anchor(
            self._clock.boot_id, (sent_ms + received_ms) // 2, milliseconds(server_time), max(0, received_ms - sent_ms)
        )
        with self._lock:
            self._anchors = _thinned((*self._anchors, anchor), received_ms)
            self._judge_floor(received_ms)
        return anchor

    def _judge_floor(self, boottime_ms: int) -> None:
        """Raises the floor to the server's time, and lowers one that lies beyond it: that time was wrong."""
        anchor = best_anchor(self._clock.boot_id, boottime_ms, self._anchors)
        assert anchor is not None
        server_now = anchor.server_time + timedelta(milliseconds=boottime_ms - anchor.boottime_ms)
        self._trusted = server_now
        if self._floor is not None and self._floor - server_now > _REFUTED:
            self._is_lowered = True
        if self._floor is None or server_now > self._floor or self._floor - server_now > _REFUTED:
            self._floor, self._floor_boottime_ms = server_now, boottime_ms


def _thinned(anchors: tuple[Anchor, ...], boottime_ms: int) -> tuple[Anchor, ...]:
    """Returns the anchors, oldest first; of more than 16 only the eight with the least error at this boot time."""
    if len(anchors) <= _MAX_ANCHORS:
        return anchors
    keep = sorted(anchors, key=lambda anchor: _error(anchor, boottime_ms))[: _MAX_ANCHORS // 2]
    return tuple(sorted(keep, key=lambda anchor: anchor.boottime_ms))
