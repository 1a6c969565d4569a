"""Budgets of those whom nobody has vouched for: enrolments, and what unassigned devices send.

Token buckets by device, by address and for all together, in this process's memory: several processes allow several
times as much, which a limit against floods can bear. Assigned clocks never ask here. The figures stand in the contract
(`docs/contract/v1/enroll.md`): a waiting clock with a week of stamps must not notice them.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from stempelwerk_cloud.domain.instants import ms_of

NAMES_LIMIT = 10_000
"""How many devices, or addresses, are remembered; beyond that the one that was quiet longest is forgotten."""

EVERYBODY = ""
"""The name of the bucket for all together."""


@dataclass(slots=True)
class _Bucket:
    """What is left is counted in 60 000ths, so that what flows in within a millisecond is a whole number."""

    remaining: int
    at_ms: int


_WHOLE = 60_000


class TokenBuckets:
    """Buckets of one rate, one for each name: so much at once, and so much a minute in the long run."""

    def __init__(self, burst: int, a_minute: int) -> None:
        self._burst = burst
        self._a_minute = a_minute
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, name: str, amount: int, now: datetime) -> int:
        """After how many seconds there is this much in the bucket; 0: there is. More than a full one is not asked."""
        if name not in self._buckets:  # full
            return 0
        return max(-((self._remaining(name, ms_of(now)) - self._units(amount)) // (self._a_minute * 1000)), 0)

    def spend(self, name: str, amount: int, now: datetime) -> None:
        """Takes it out of the bucket."""
        now_ms = ms_of(now)
        remaining = self._remaining(name, now_ms) - self._units(amount)
        self._buckets.pop(name, None)
        self._buckets[name] = _Bucket(remaining, now_ms)
        while len(self._buckets) > NAMES_LIMIT:
            self._buckets.popitem(last=False)

    def _remaining(self, name: str, now_ms: int) -> int:
        full, bucket = self._burst * _WHOLE, self._buckets.get(name)
        return full if bucket is None else min(bucket.remaining + max(now_ms - bucket.at_ms, 0) * self._a_minute, full)

    def _units(self, amount: int) -> int:
        return min(amount, self._burst) * _WHOLE


Wish = tuple[TokenBuckets, str, int]
"""So much out of the bucket of a name."""


class Budgets:
    """The budgets of one application. Each answers 0, or after how many seconds to come again; then nothing is taken.

    Of unassigned devices both requests and KiB of what they send are counted: one is the work, the other the storage.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._enrolments = TokenBuckets(120, 60), TokenBuckets(1200, 600)
        self._requests = TokenBuckets(150, 30), TokenBuckets(600, 120), TokenBuckets(3000, 600)
        self._kib = TokenBuckets(4096, 16), TokenBuckets(16_384, 256), TokenBuckets(65_536, 1024)

    def enrol(self, address: str, now: datetime) -> int:
        """The enrolment of a device that is not known."""
        by_address, in_all = self._enrolments
        return self._take([(by_address, address, 1), (in_all, EVERYBODY, 1)], now)

    def unassigned(self, device: str, address: str, size: int, now: datetime) -> int:
        """A request of an unassigned device, with a body of `size` bytes."""
        return self._take(self._of_unassigned(device, address, size), now)

    def unassigned_wait(self, device: str, address: str, size: int, now: datetime) -> int:
        """Predicts the answer of `unassigned`, without taking from the budget."""
        with self._lock:
            return self._wait(self._of_unassigned(device, address, size), now)

    def _of_unassigned(self, device: str, address: str, size: int) -> list[Wish]:
        names = (device, address, EVERYBODY)
        wishes = [(bucket, name, 1) for bucket, name in zip(self._requests, names, strict=True)]
        return wishes + [(bucket, name, ceil(size / 1024)) for bucket, name in zip(self._kib, names, strict=True)]

    def _take(self, wishes: Sequence[Wish], now: datetime) -> int:
        with self._lock:
            wait = self._wait(wishes, now)
            for bucket, name, amount in wishes:
                bucket.spend(name, 0 if wait else amount, now)  # who is refused is remembered too
            return wait

    def _wait(self, wishes: Sequence[Wish], now: datetime) -> int:
        return max(bucket.wait(name, amount, now) for bucket, name, amount in wishes)
