"""The policy of rate limits for devices that are not assigned: for enrolments, and for all other calls of theirs.

There are token buckets by device, by address (of IPv6: the /64 network), and for all together, in each process's
memory. Assigned clocks are not limited. The figures are in the contract (`docs/contract/v1/enroll.md`). A waiting clock
with a week of stamps must not notice the limits.
"""

import threading
from collections.abc import Sequence
from datetime import datetime
from math import ceil

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.http.addresses import network
from stempelwerk_cloud.kit.limits.rates import TokenBuckets

EVERYBODY = ""
"""The name of the one bucket that all devices share."""
_PARTS = 60_000
"""The parts of a token: the refill of a millisecond is a whole number of them."""

Wish = tuple[TokenBuckets, str, int]
"""An amount to take from a bucket: (buckets, name, tokens)."""


def _buckets(burst: int, a_minute: int) -> TokenBuckets:
    return TokenBuckets(burst * _PARTS, a_minute)


class Budgets:
    """The rate limits of one process. Each method returns 0, or the seconds to wait; in the latter case nothing is
    taken.

    Unassigned devices are limited both in requests, for the work, and in KiB of their bodies, for the storage.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._enrolments = _buckets(120, 60), _buckets(1200, 600)
        self._requests = _buckets(150, 30), _buckets(600, 120), _buckets(3000, 600)
        self._kib = _buckets(4096, 16), _buckets(16_384, 256), _buckets(65_536, 1024)

    def enrol(self, address: str, now: datetime) -> int:
        """Charges the enrolment of an unknown device. Returns 0 or the seconds to wait."""
        by_address, in_all = self._enrolments
        return self._take([(by_address, network(address), 1), (in_all, EVERYBODY, 1)], now)

    def unassigned(self, device: str, address: str, size: int, now: datetime) -> int:
        """Charges a request of an unassigned device with a body of `size` bytes. Returns 0 or the seconds to wait."""
        return self._take(self._of_unassigned(device, address, size), now)

    def unassigned_wait(self, device: str, address: str, size: int, now: datetime) -> int:
        """Returns what `unassigned` would return, without charging anything."""
        with self._lock:
            return _wait(self._of_unassigned(device, address, size), now)

    def _of_unassigned(self, device: str, address: str, size: int) -> list[Wish]:
        names = (device, network(address), EVERYBODY)
        wishes = [(bucket, name, 1) for bucket, name in zip(self._requests, names, strict=True)]
        return wishes + [(bucket, name, ceil(size / 1024)) for bucket, name in zip(self._kib, names, strict=True)]

    def _take(self, wishes: Sequence[Wish], now: datetime) -> int:
        with self._lock:
            wait = _wait(wishes, now)
            for bucket, name, tokens in wishes:
                bucket.spend(name, 0 if wait else _parts(bucket, tokens), ms_of(now))  # also remembers who is refused
            return wait


def _wait(wishes: Sequence[Wish], now: datetime) -> int:
    return ceil(max(bucket.wait(name, _parts(bucket, tokens), ms_of(now)) for bucket, name, tokens in wishes) / 1000)


def _parts(bucket: TokenBuckets, tokens: int) -> float:
    """Returns the parts of the tokens; an amount beyond a full bucket counts as a full one."""
    return min(tokens * _PARTS, bucket.burst)
