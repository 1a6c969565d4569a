"""Rate limits of calls: by the session's user, otherwise by the client's address.

They are generous for pages, and narrow for calls that are expensive or allow guessing, whose guards declare them. The
counts are in this process's memory: several processes allow several times as much, which is acceptable against floods.
Clocks have budgets of their own (`device_api/signed/budgets.py`).
"""

import threading
import time
from collections import Counter
from functools import cache, lru_cache

from fastapi import Request
from limits import RateLimitItem, parse_many

from stempelwerk_cloud.kit.http.ip_prefix import network
from stempelwerk_cloud.kit.http.problems import too_many

PAGES = "3000/minute"
"""The limit of all calls of a user together, except those with a narrow limit of their own."""
STRANGERS = "1200/minute"
"""The limit of all calls without a session from an address, which a whole company may share."""
_SECOND_NS = 1_000_000_000

Counted = tuple[RateLimitItem, tuple[str, ...]]
"""A limit, and the key of what is counted against it."""


class _Windows:
    """A sliding window, approximated by two fixed ones: the calls of the previous window count less as the current one
    goes on.

    It computes in whole nanoseconds: a client that waits exactly as long as its 429 asked is admitted, and one that
    comes earlier is not.
    """

    def __init__(self, seconds: int) -> None:
        self._length_ns = seconds * _SECOND_NS
        self._number = 0
        self._before: Counter[Counted] = Counter()
        self._calls: Counter[Counted] = Counter()

    def wait_ns(self, limit_key: Counted, now_ns: int) -> int:
        """Returns the nanoseconds until the next call is allowed; not positive if it is allowed now."""
        number, gone_ns = divmod(now_ns, self._length_ns)
        if number != self._number:
            self._before = self._calls if number == self._number + 1 else Counter()
            self._number, self._calls = number, Counter()
        free = limit_key[0].amount - self._calls[limit_key]
        return self._length_ns - gone_ns - free * self._length_ns // max(1, self._before[limit_key])

    def take(self, limit_key: Counted) -> None:
        """Counts a call in the window of the last `wait_ns`."""
        self._calls[limit_key] += 1


class Rates:
    """The rate limits of a process. A limit is a text of the library `limits` ("20/minute")."""

    def __init__(self, *, pages: str = PAGES, strangers: str = STRANGERS) -> None:
        self._pages, self._strangers = pages, strangers
        self._lock = threading.Lock()
        self._windows = cache(_Windows)

    def spend(self, request: Request, user_id: str | None, narrow: str | None = None) -> None:
        """Counts a call of the user, or of the address without a session. Raises 429 beyond the limit.

        `narrow`: this call has its own limit, or several ("10/minute; 100/day"), and is counted separately.
        """
        client_key = (f"user {user_id}",) if user_id is not None else (f"address {_address(request)}",)
        if narrow is not None:
            self._count(narrow, *client_key, f"{request.method} {request.scope['route'].path}")
        else:
            self._count(self._strangers if user_id is None else self._pages, *client_key)

    def spend_on(self, limits: str, *names: str) -> None:
        """Counts an action that is not just a call, such as messages to others. Raises 429 beyond the limit."""
        self._count(limits, *names)

    def _count(self, limits: str, *names: str) -> None:
        """Counts against all limits; if one is exhausted, counts nothing and raises 429."""
        with self._lock:
            now_ns = time.time_ns()
            limit_keys = [(self._windows(limit.get_expiry()), (limit, names)) for limit in _parsed(limits)]
            wait_ns = max(windows.wait_ns(limit_key, now_ns) for windows, limit_key in limit_keys)
            if wait_ns <= 0:
                for windows, limit_key in limit_keys:
                    windows.take(limit_key)
                return
        raise too_many(-(-wait_ns // _SECOND_NS))


@lru_cache
def _parsed(limits: str) -> list[RateLimitItem]:
    return parse_many(limits)


def _address(request: Request) -> str:
    return network(request.client.host) if request.client else ""
