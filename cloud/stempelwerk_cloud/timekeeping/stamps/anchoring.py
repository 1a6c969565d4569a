"""True time at the scale of batches: which anchors a stamp needs, and which stamps a new anchor can move. Pure.

The rule itself is `domain/true_time.py`. Here is only what spares asking it again: an anchor far away cannot beat a
near one, and while a boot's NTP walls agree with an anchor, that anchor changes nothing.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.domain.true_time import Anchor as DomainAnchor
from stempelwerk_cloud.domain.true_time import TrueTime, true_time
from stempelwerk_cloud.timekeeping.stamps.taps import Anchor

PER_MS = 20_000
"""Errors in 20000ths of a millisecond: half a round trip is 10000 a millisecond, 50 ppm of the distance 1."""
NTP_GRACE_MS = 2_000
GRAIN_MS = 256
"""How coarsely the drift of a boot's walls is noted, so that it need not be written with every batch."""


class Anchors:
    """The anchors of one boot, sorted by their boottime."""

    __slots__ = ("_boot", "_domain", "sorted")

    def __init__(self, boot: str, anchors: Iterable[Anchor]) -> None:
        self._boot = boot
        self.sorted: Sequence[Anchor] = sorted(set(anchors), key=lambda anchor: anchor[1:])
        self._domain: list[DomainAnchor] | None = None

    def true_time(self, wall_ms: int, boottime_ms: int, quality: str, received_ms: int) -> TrueTime:
        if self._domain is None:
            self._domain = [
                DomainAnchor(one.boot, one.boottime_ms, from_ms(one.server_ms), one.rtt_ms) for one in self.sorted
            ]
        near = self._domain if len(self._domain) <= 4 else self._near(boottime_ms)
        return true_time(from_ms(wall_ms), self._boot, boottime_ms, quality, near, from_ms(received_ms))

    def _near(self, boottime_ms: int) -> list[DomainAnchor]:
        """All that can have the least error there: not those whose distance alone exceeds a neighbour's error."""
        assert self._domain is not None
        index = bisect_left(self.sorted, boottime_ms, key=lambda anchor: anchor.boottime_ms)
        reach = min(error(anchor, boottime_ms) for anchor in self.sorted[max(index - 1, 0) : index + 1])
        low = bisect_left(self.sorted, boottime_ms - reach, key=lambda anchor: anchor.boottime_ms)
        high = bisect_left(self.sorted, boottime_ms + reach + 1, key=lambda anchor: anchor.boottime_ms)
        return self._domain[low:high]


def error(anchor: Anchor, boottime_ms: int) -> int:
    """The error of an anchor at a boottime, in 20000ths of a millisecond."""
    return anchor.rtt_ms * (PER_MS // 2) + abs(boottime_ms - anchor.boottime_ms)


def reach(new: Anchor, others: Sequence[Anchor]) -> tuple[int | None, int | None]:
    """Between which boottimes (both included; None: no bound) `new` can be better than all `others`, sorted.

    Where both lie on one side, an anchor is better than another everywhere or nowhere: so the nearest one on each
    side that `new` does not beat at its own place bounds it.
    """
    low: int | None = None
    high: int | None = None
    for other in others:
        if error(new, other.boottime_ms) <= error(other, other.boottime_ms) or other == new:
            continue
        if other.boottime_ms <= new.boottime_ms:
            low = other.boottime_ms if low is None else max(low, other.boottime_ms)
        if other.boottime_ms >= new.boottime_ms:
            high = other.boottime_ms if high is None else min(high, other.boottime_ms)
    return low, high


def agrees(new: Anchor, low_ms: int, high_ms: int) -> bool:
    """Whether every NTP wall that is ahead of `boottimeMs` by `low_ms` to `high_ms` stands beside `new`."""
    offset = new.server_ms - new.boottime_ms
    allowed = NTP_GRACE_MS + new.rtt_ms // 2
    return offset - allowed <= low_ms and high_ms <= offset + allowed


def widened(low_ms: int | None, high_ms: int | None, offsets: Iterable[int]) -> tuple[int | None, int | None]:
    """Bounds that include these offsets too, rounded outwards to a grain."""
    for offset in offsets:
        if low_ms is None or offset < low_ms:
            low_ms = offset // GRAIN_MS * GRAIN_MS
        if high_ms is None or offset > high_ms:
            high_ms = -(-offset // GRAIN_MS) * GRAIN_MS
    return low_ms, high_ms
