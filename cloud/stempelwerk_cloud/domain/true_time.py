"""When a tap really was: from the clock's anchors, its wall time and the receipt (contract, "True time").

It judges one stamp at a time and never changes what was reported; pairing and holding are decided elsewhere.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.instants import from_ms, ms_of

Quality = Literal["ntp", "rtc", "manual", "none"]

_PER_MS = 20_000  # errors are whole 20000ths of a millisecond: 50 ppm of a millisecond is one of them
_NTP_GRACE_MS = 2_000
_AHEAD_MS = 5 * 60 * 1000


class Anchor(NamedTuple):
    """A contact with the server: at `boottime_ms` of this boot the server's time was `server_time`, mid-flight."""

    boot: str
    boottime_ms: int
    server_time: datetime
    rtt_ms: int


class TrueTime(NamedTuple):
    """`certain` is False for `held_clock`; `at` is then the wall time. `error_ms` of the anchor used, rounded up."""

    at: datetime
    error_ms: int | None
    certain: bool
    by: Literal["anchor", "wall", "none"]


def true_time(
    wall: datetime,
    boot: str,
    boottime_ms: int,
    quality: str,
    anchors: Iterable[Anchor],
    received_at: datetime,
) -> TrueTime:
    """The instant of a tap with what was reported, its boot's anchors and the receipt; never an exception."""
    wall = wall.replace(microsecond=wall.microsecond // 1000 * 1000)
    best = _best(boot, boottime_ms, anchors)
    if best is None:
        error_ms, at_ms = None, ms_of(wall) if quality in {"ntp", "rtc"} else None
        by: Literal["anchor", "wall"] = "wall"
    else:
        error, anchor = best
        error_ms = -(-error // _PER_MS)
        at_ms, by = ms_of(anchor.server_time) + boottime_ms - anchor.boottime_ms, "anchor"
        apart = abs(ms_of(wall) - at_ms)
        if quality == "ntp" and apart * _PER_MS <= _NTP_GRACE_MS * _PER_MS + error:
            at_ms, by = ms_of(wall), "wall"
    if at_ms is None or at_ms > ms_of(received_at) + _AHEAD_MS:
        return TrueTime(wall, error_ms, False, "none")
    try:
        return TrueTime(wall if by == "wall" else from_ms(at_ms), error_ms, True, by)
    except OverflowError:
        return TrueTime(wall, error_ms, False, "none")


def _best(boot: str, boottime_ms: int, anchors: Iterable[Anchor]) -> tuple[int, Anchor] | None:
    """The anchor of this boot with the least error, and that error; ties by boottime, then by server time."""
    best: tuple[int, int, datetime] | None = None
    chosen: Anchor | None = None
    for anchor in anchors:
        if anchor.boot != boot:
            continue
        error = anchor.rtt_ms * (_PER_MS // 2) + abs(boottime_ms - anchor.boottime_ms)
        rank = (error, anchor.boottime_ms, anchor.server_time)
        if best is None or rank < best:
            best, chosen = rank, anchor
    return None if best is None or chosen is None else (best[0], chosen)
