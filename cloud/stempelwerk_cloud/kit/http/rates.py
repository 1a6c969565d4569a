"""How often one may call: by the user of the session, and where there is none, by address.

Generous for pages, narrow for what is expensive or can be guessed at: that stands on the guard of the call. The counts
are in this process's memory: several processes allow several times as much, which a limit against floods can bear.
Clocks never come here: they have budgets of their own (`device_api/signed/budgets.py`).
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
"""What a user may call in all, besides the narrow ones."""
STRANGERS = "1200/minute"
"""What an address may call without a session: a whole company may sit behind one."""
_SECOND_NS = 1_000_000_000

Counted = tuple[RateLimitItem, tuple[str, ...]]
"""A limit, and what is counted against it."""


class _Windows:
    """The calls of two windows of one length: of the one that goes on, and of the one before, which fade as it does.

    In whole nanoseconds: who comes when they were told to finds a place, and who comes before that does not.
    """

    def __init__(self, seconds: int) -> None:
        self._length_ns = seconds * _SECOND_NS
        self._number = 0
        self._before: Counter[Counted] = Counter()
        self._calls: Counter[Counted] = Counter()

    def wait_ns(self, limit_key: Counted, now_ns: int) -> int:
        """After how long there is a place; not positive: there is one."""
        number, gone_ns = divmod(now_ns, self._length_ns)
        if number != self._number:
            self._before = self._calls if number == self._number + 1 else Counter()
            self._number, self._calls = number, Counter()
        free = limit_key[0].amount - self._calls[limit_key]
        return self._length_ns - gone_ns - free * self._length_ns // max(1, self._before[limit_key])

    def take(self, limit_key: Counted) -> None:
        """A place in the window of the last `wait_ns`."""
        self._calls[limit_key] += 1


class Rates:
    """All limits are in the words of `limits` ("20/minute")."""

    def __init__(self, *, pages: str = PAGES, strangers: str = STRANGERS) -> None:
        self._pages, self._strangers = pages, strangers
        self._lock = threading.Lock()
        self._windows = cache(_Windows)

    def spend(self, request: Request, user_id: str | None, narrow: str | None = None) -> None:
        """Counts a call of the user, or, if nobody is logged in, of the address. 429 if it is one too many.

        `narrow`: this call has a limit of its own, or several ("10/minute; 100/day"), and is counted by itself.
        """
        client_key = (f"user {user_id}",) if user_id is not None else (f"address {_address(request)}",)
        if narrow is not None:
            self._count(narrow, *client_key, f"{request.method} {request.scope['route'].path}")
        else:
            self._count(self._strangers if user_id is None else self._pages, *client_key)

    def spend_on(self, limits: str, *names: str) -> None:
        """Counts something that is not just a call, such as what somebody tells others. 429 if it is one too many."""
        self._count(limits, *names)

    def _count(self, limits: str, *names: str) -> None:
        """Against all of them, or, if there is no place in one, against none."""
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
