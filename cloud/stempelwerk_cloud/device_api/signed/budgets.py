"""Rate limits for devices that are not assigned: for enrolments, and for all other calls of unassigned devices.

There are token buckets by device, by address, and for all together. They are in this process's memory: several
processes allow several times as much, which is acceptable for a limit against floods. Assigned clocks are not limited.

The figures are in the contract (`docs/contract/v1/enroll.md`). A waiting clock with a week of stamps must not notice
the limits.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from stempelwerk_cloud.domain.instants import ms_of

NAMES_LIMIT = 10_000
"""Maximum number of buckets by device or by address. When it is reached, the least recently used bucket is dropped."""

EVERYBODY = ""
"""The name of the one bucket that all devices share."""


@dataclass(slots=True)
class _Bucket:
    """The rest of a bucket at `at_ms`, in units of 1/60,000 token: so the inflow of a millisecond is a whole number."""

    remaining: int
    at_ms: int


_WHOLE = 60_000


class TokenBuckets:
    """Token buckets with the same limits, one for each name: `burst` tokens when full, and a refill of `a_minute` per
    minute.
    """

    def __init__(self, burst: int, a_minute: int) -> None:
        self._burst = burst
        self._a_minute = a_minute
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, name: str, amount: int, now: datetime) -> int:
        """Returns the seconds until the bucket has this amount; 0 if it has it now. An amount beyond a full bucket
        counts as a full one.
        """
        if name not in self._buckets:  # a full bucket
            return 0
        return max(-((self._remaining(name, ms_of(now)) - self._units(amount)) // (self._a_minute * 1000)), 0)

    def spend(self, name: str, amount: int, now: datetime) -> None:
        """Takes the amount from the bucket of this name."""
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
"""An amount to take from a bucket: (buckets, name, amount)."""


class Budgets:
    """The rate limits of one process. Each method returns 0, or the seconds to wait; in the latter case nothing is
    taken.

    Unassigned devices are limited both in requests, for the work, and in KiB of their bodies, for the storage.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._enrolments = TokenBuckets(120, 60), TokenBuckets(1200, 600)
        self._requests = TokenBuckets(150, 30), TokenBuckets(600, 120), TokenBuckets(3000, 600)
        self._kib = TokenBuckets(4096, 16), TokenBuckets(16_384, 256), TokenBuckets(65_536, 1024)

    def enrol(self, address: str, now: datetime) -> int:
        """Charges the enrolment of an unknown device. Returns 0 or the seconds to wait."""
        by_address, in_all = self._enrolments
        return self._take([(by_address, address, 1), (in_all, EVERYBODY, 1)], now)

    def unassigned(self, device: str, address: str, size: int, now: datetime) -> int:
        """Charges a request of an unassigned device with a body of `size` bytes. Returns 0 or the seconds to wait."""
        return self._take(self._of_unassigned(device, address, size), now)

    def unassigned_wait(self, device: str, address: str, size: int, now: datetime) -> int:
        """Returns what `unassigned` would return, without charging anything."""
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
