"""Budgets of those whom nobody has vouched for: enrolments, and the requests of unassigned devices.

Buckets by address and one for all, in this process's memory: several processes allow several times as much, which a
limit against floods can bear. Assigned clocks never ask here.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

ADDRESSES_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a minute in the long run."""

    burst: int
    a_minute: int


@dataclass(slots=True)
class _Bucket:
    left: float
    at: datetime


class Budget:
    """What one kind of request may use, by address and in all."""

    def __init__(self, by_address: Rate, in_all: Rate) -> None:
        self._by_address = by_address
        self._in_all = in_all
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._all: _Bucket | None = None

    def take(self, address: str, now: datetime) -> int:
        """Takes one; 0, or after how many seconds there will be one again."""
        with self._lock:
            own = self._filled(self._buckets.pop(address, None), self._by_address, now)
            shared = self._all = self._filled(self._all, self._in_all, now)
            self._buckets[address] = own
            while len(self._buckets) > ADDRESSES_LIMIT:
                self._buckets.popitem(last=False)
            wait = max(_wait(own, self._by_address), _wait(shared, self._in_all))
            if not wait:
                own.left -= 1
                shared.left -= 1
            return wait

    @staticmethod
    def _filled(bucket: _Bucket | None, rate: Rate, now: datetime) -> _Bucket:
        if bucket is None:
            return _Bucket(rate.burst, now)
        passed = max((now - bucket.at).total_seconds(), 0)
        return _Bucket(min(bucket.left + passed * rate.a_minute / 60, rate.burst), now)


def _wait(bucket: _Bucket, rate: Rate) -> int:
    return 0 if bucket.left >= 1 else int((1 - bucket.left) * 60 / rate.a_minute) + 1


class Budgets:
    """The budgets of one application."""

    def __init__(self) -> None:
        self.enrolments = Budget(by_address=Rate(120, 60), in_all=Rate(1200, 600))
        self.unassigned = Budget(by_address=Rate(1200, 600), in_all=Rate(6000, 3000))
