"""Rate limits for devices that are not assigned: enrolments, and what unassigned devices send.

Token buckets by device, by address and for all together, in this process's memory: several processes allow several
times as much, which is acceptable for a limit against floods. Assigned clocks are not limited. The contract has the
figures (`docs/contract/v1/enroll.md`): a waiting clock with a week of stamps must not notice them.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from stempelwerk_cloud.domain.instants import ms_of

NAMES_LIMIT = 10_000
"""The number of remembered devices or addresses; beyond that the least recently used one is dropped."""

EVERYBODY = ""
"""The name of the bucket that all share."""


@dataclass(slots=True)
class _Bucket:
    """Counts the rest in 60 000ths, so that the inflow of a millisecond is a whole number."""

    remaining: int
    at_ms: int


_WHOLE = 60_000


class TokenBuckets:
    """Token buckets of one rate, one for each name: a burst, and a rate per minute in the long run."""

    def __init__(self, burst: int, a_minute: int) -> None:
        self._burst = burst
        self._a_minute = a_minute
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, name: str, amount: int, now: datetime) -> int:
        """Returns the seconds until the bucket has this amount; 0: it has. At most a full bucket is required."""
        if name not in self._buckets:  # a full bucket
            return 0
        return max(-((self._remaining(name, ms_of(now)) - self._units(amount)) // (self._a_minute * 1000)), 0)

    def spend(self, name: str, amount: int, now: datetime) -> None:
        """Takes the amount out of the bucket."""
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
"""An amount out of the bucket of a name."""


class Budgets:
    """The rate limits of one application. Each method returns 0, or the seconds to wait; then nothing is taken.

    For unassigned devices both requests and KiB of their bodies are counted: one is the work, the other the storage.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._enrolments = TokenBuckets(120, 60), TokenBuckets(1200, 600)
        self._requests = TokenBuckets(150, 30), TokenBuckets(600, 120), TokenBuckets(3000, 600)
        self._kib = TokenBuckets(4096, 16), TokenBuckets(16_384, 256), TokenBuckets(65_536, 1024)

    def enrol(self, address: str, now: datetime) -> int:
        """Takes for the enrolment of an unknown device."""
        by_address, in_all = self._enrolments
        return self._take([(by_address, address, 1), (in_all, EVERYBODY, 1)], now)

    def unassigned(self, device: str, address: str, size: int, now: datetime) -> int:
        """Takes for a request of an unassigned device, with a body of `size` bytes."""
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
                bucket.spend(name, 0 if wait else amount, now)  # a refused caller is remembered too
            return wait

    def _wait(self, wishes: Sequence[Wish], now: datetime) -> int:
        return max(bucket.wait(name, amount, now) for bucket, name, amount in wishes)
