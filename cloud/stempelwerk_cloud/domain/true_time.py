"""The true time of a tap, computed from the clock's anchors, its wall time and the receipt (contract, "True time").

Each stamp is judged on its own, and reported values are never changed. Pairing, and stamps that wait for a decision,
are handled elsewhere.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.instants import from_ms, ms_of

Quality = Literal["ntp", "rtc", "manual", "none"]

_PER_MS = 20_000  # errors are whole 20000ths of a millisecond: 50 ppm of a millisecond is one of them
_NTP_GRACE_MS = 2_000
_AHEAD_MS = 5 * 60 * 1000
_FIRST_MS = ms_of(datetime.min.replace(tzinfo=UTC))

By = Literal["anchor", "wall", "none"]
"""The source of a true time: an anchor, the clock's wall time, or neither: the time is then uncertain."""


class Anchor(NamedTuple):
    """A contact with the server: at `boottime_ms` of this boot the server's time was `server_time`, estimated for the
    middle of the round trip.
    """

    boot: str
    boottime_ms: int
    server_time: datetime
    rtt_ms: int


class Mark(NamedTuple):
    """An anchor of the stamp's own boot as three numbers in milliseconds. Their order decides between equally good
    anchors.
    """

    boottime_ms: int
    server_ms: int
    rtt_ms: int


class TrueTime(NamedTuple):
    """The true time of a tap. `certain` False: the stamp gets the flag `held_clock`, and `at` is the wall time.
    `error_ms`: that of the anchor used, rounded up.
    """

    at: datetime
    error_ms: int | None
    certain: bool
    by: By


class TrueMs(NamedTuple):
    """The true time of a tap, with the time as milliseconds since 1970."""

    at_ms: int
    error_ms: int | None
    certain: bool
    by: By


def true_time(
    wall: datetime,
    boot: str,
    boottime_ms: int,
    quality: str,
    anchors: Iterable[Anchor],
    received_at: datetime,
) -> TrueTime:
    """Returns the true time of a tap from the reported values, the anchors of all boots and the receipt. It never
    raises.
    """
    wall = wall.replace(microsecond=wall.microsecond // 1000 * 1000)
    marks = [
        Mark(anchor.boottime_ms, ms_of(anchor.server_time), anchor.rtt_ms) for anchor in anchors if anchor.boot == boot
    ]
    true_mark = true_ms(ms_of(wall), boottime_ms, quality, marks, ms_of(received_at))
    return TrueTime(wall if true_mark.by != "anchor" else from_ms(true_mark.at_ms), *true_mark[1:])


def true_ms(wall_ms: int, boottime_ms: int, quality: str, marks: Iterable[Mark], received_ms: int) -> TrueMs:
    """Returns the true time of a tap in milliseconds. `marks` are the anchors of the stamp's boot, in any order."""
    best: tuple[int, Mark] | None = None
    for mark in marks:
        rank = (mark.rtt_ms * (_PER_MS // 2) + abs(boottime_ms - mark.boottime_ms), mark)
        if best is None or rank < best:
            best = rank
    basis: By = "wall"
    if best is None:
        error_ms = None
        at_ms = wall_ms if quality in {"ntp", "rtc"} else None
    else:
        error, mark = best
        error_ms = -(-error // _PER_MS)
        at_ms = mark.server_ms + boottime_ms - mark.boottime_ms
        if quality == "ntp" and (abs(wall_ms - at_ms) - _NTP_GRACE_MS) * _PER_MS <= error:
            at_ms = wall_ms
        else:
            basis = "anchor"
    if at_ms is None or not _FIRST_MS <= at_ms <= received_ms + _AHEAD_MS:
        return TrueMs(wall_ms, error_ms, False, "none")
    return TrueMs(at_ms, error_ms, True, basis)
