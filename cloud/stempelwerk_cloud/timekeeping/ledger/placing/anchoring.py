"""True time for whole batches: finds the anchors that a stamp needs, and the stamps that a new anchor can move. Pure.

The rule itself is in `domain/true_time.py`. This module only avoids evaluating it: a distant anchor cannot beat a near
one, and an anchor that agrees with all NTP wall times of its boot changes nothing.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import attrgetter

from stempelwerk_cloud.domain.true_time import Mark, TrueMs, true_ms

PER_MS = 20_000
"""The unit of errors is a 20000th of a millisecond. Half a round trip counts 10000 per ms, 50 ppm of the distance 1 per
ms.
"""
NTP_GRACE_MS = 2_000
GRAIN_MS = 256
"""Bounds of a boot's wall times are rounded to multiples of this many ms, so that they are not written with every
batch.
"""
_FEW = 4
_place = attrgetter("boottime_ms")


class Anchors:
    """The anchors of one boot, sorted by their boottime."""

    __slots__ = ("sorted",)

    def __init__(self, marks: Iterable[Mark]) -> None:
        self.sorted: Sequence[Mark] = sorted(set(marks))

    def true_time(self, wall_ms: int, boottime_ms: int, quality: str, received_ms: int) -> TrueMs:
        marks = self.sorted if len(self.sorted) <= _FEW else self._near(boottime_ms)
        return true_ms(wall_ms, boottime_ms, quality, marks, received_ms)

    def least_error(self, boottime_ms: int) -> float:
        """Returns the smallest `error` at a boottime (ms), of the nearest anchors on both sides; infinite without
        anchors.
        """
        index = bisect_left(self.sorted, boottime_ms, key=_place)
        beside = self.sorted[max(index - 1, 0) : index + 1]
        return min((error(mark, boottime_ms) for mark in beside), default=math.inf)

    def _near(self, boottime_ms: int) -> Sequence[Mark]:
        """Returns all anchors that can have the smallest error at a boottime.

        It omits anchors that are further away than the error of the nearest ones.
        """
        reach = self.least_error(boottime_ms)
        low = bisect_left(self.sorted, boottime_ms - reach, key=_place)
        return self.sorted[low : bisect_left(self.sorted, boottime_ms + reach + 1, key=_place)]


def error(mark: Mark, boottime_ms: int) -> int:
    """Returns the error of an anchor at a boottime, in 20000ths of a millisecond."""
    return mark.rtt_ms * (PER_MS // 2) + abs(boottime_ms - mark.boottime_ms)


def reach(new: Mark, other_marks: Sequence[Mark]) -> tuple[int | None, int | None]:
    """Returns the boottimes (ms, both included; None: no bound) between which `new` can be better than all
    `other_marks`.

    One of two anchors on the same side of a boottime is better everywhere or nowhere. So `new` is bounded on each side
    by the nearest anchor that it does not beat at that anchor's own boottime.
    """
    low: int | None = None
    high: int | None = None
    for mark in other_marks:
        if error(new, mark.boottime_ms) <= error(mark, mark.boottime_ms) or mark == new:
            continue
        if mark.boottime_ms <= new.boottime_ms:
            low = mark.boottime_ms if low is None else max(low, mark.boottime_ms)
        if mark.boottime_ms >= new.boottime_ms:
            high = mark.boottime_ms if high is None else min(high, mark.boottime_ms)
    return low, high


def agrees(new: Mark, low_ms: int, high_ms: int) -> bool:
    """Whether an anchor is consistent with NTP wall times that are `low_ms` to `high_ms` ahead of `boottimeMs`."""
    offset = new.server_ms - new.boottime_ms
    allowed = NTP_GRACE_MS + new.rtt_ms // 2
    return offset - allowed <= low_ms and high_ms <= offset + allowed


def widened(low_ms: int | None, high_ms: int | None, offsets: Iterable[int]) -> tuple[int | None, int | None]:
    """Returns the bounds extended to these offsets (ms), rounded outwards to multiples of `GRAIN_MS`."""
    for offset in offsets:
        if low_ms is None or offset < low_ms:
            low_ms = offset // GRAIN_MS * GRAIN_MS
        if high_ms is None or offset > high_ms:
            high_ms = -(-offset // GRAIN_MS) * GRAIN_MS
    return low_ms, high_ms
