"""True time at the scale of batches: which anchors a stamp needs, and which stamps a new anchor can move. Pure.

The rule itself is `domain/true_time.py`. This module only avoids its evaluation: an anchor far away cannot beat a near
one, and while a boot's NTP walls agree with an anchor, that anchor changes nothing.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import attrgetter

from stempelwerk_cloud.domain.true_time import Mark, TrueMs, true_ms

PER_MS = 20_000
"""Errors in 20000ths of a millisecond: half a round trip is 10000 a millisecond, 50 ppm of the distance 1."""
NTP_GRACE_MS = 2_000
GRAIN_MS = 256
"""The grain to which the drift of a boot's walls is stored, so that it need not be written with every batch."""
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
        """Returns the least error at a boottime of the anchors next to it, measured by `error`; infinite without
        anchors.
        """
        index = bisect_left(self.sorted, boottime_ms, key=_place)
        beside = self.sorted[max(index - 1, 0) : index + 1]
        return min((error(mark, boottime_ms) for mark in beside), default=math.inf)

    def _near(self, boottime_ms: int) -> Sequence[Mark]:
        """Returns all anchors that can have the least error there; omits those whose mere distance exceeds a
        neighbour's error.
        """
        reach = self.least_error(boottime_ms)
        low = bisect_left(self.sorted, boottime_ms - reach, key=_place)
        return self.sorted[low : bisect_left(self.sorted, boottime_ms + reach + 1, key=_place)]


def error(mark: Mark, boottime_ms: int) -> int:
    """Returns the error of an anchor at a boottime, in 20000ths of a millisecond."""
    return mark.rtt_ms * (PER_MS // 2) + abs(boottime_ms - mark.boottime_ms)


def reach(new: Mark, other_marks: Sequence[Mark]) -> tuple[int | None, int | None]:
    """Returns the boottimes (both included; None: no bound) between which `new` can be better than all `other_marks`,
    sorted.

    Where both anchors are on the same side, one is better than the other everywhere or nowhere. So the nearest one on
    each side that `new` does not beat at its own boottime bounds it.
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
    """Whether `new` is consistent with every NTP wall time that is ahead of `boottimeMs` by `low_ms` to `high_ms`."""
    offset = new.server_ms - new.boottime_ms
    allowed = NTP_GRACE_MS + new.rtt_ms // 2
    return offset - allowed <= low_ms and high_ms <= offset + allowed


def widened(low_ms: int | None, high_ms: int | None, offsets: Iterable[int]) -> tuple[int | None, int | None]:
    """Returns bounds that include these offsets too, rounded outwards to a grain."""
    for offset in offsets:
        if low_ms is None or offset < low_ms:
            low_ms = offset // GRAIN_MS * GRAIN_MS
        if high_ms is None or offset > high_ms:
            high_ms = -(-offset // GRAIN_MS) * GRAIN_MS
    return low_ms, high_ms
