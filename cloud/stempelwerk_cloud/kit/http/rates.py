"""How often one may call: by the user of the session, and where there is none, by address.

Generous for pages, narrow for what is expensive or can be guessed at: that stands on the guard of the call. The counts
are in this process's memory: several processes allow several times as much, which a limit against floods can bear.
Clocks never come here: they have budgets of their own (`device_api/signed/budgets.py`).
"""

import math
import time
from functools import lru_cache

from fastapi import Request
from limits import RateLimitItem, parse, parse_many
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from stempelwerk_cloud.kit.http.ip_prefix import network
from stempelwerk_cloud.kit.http.problems import too_many

PAGES = "3000/minute"
"""What a user may call in all, besides the narrow ones."""
STRANGERS = "1200/minute"
"""What an address may call without a session: a whole company may sit behind one."""


class Rates:
    """All limits are in the words of `limits` ("20/minute")."""

    def __init__(self, *, pages: str = PAGES, strangers: str = STRANGERS) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._pages, self._strangers = parse(pages), parse(strangers)

    def spend(self, request: Request, user_id: str | None, narrow: str | None = None) -> None:
        """Counts a call of the user, or, if nobody is logged in, of the address. 429 if it is one too many.

        `narrow`: this call has a limit of its own, or several ("10/minute; 100/day"), and is counted by itself.
        """
        who = (f"user {user_id}",) if user_id is not None else (f"address {_address(request)}",)
        if narrow is not None:
            for limit in _parsed(narrow):
                self._count(limit, *who, f"{request.method} {request.scope['route'].path}")
        else:
            self._count(self._strangers if user_id is None else self._pages, *who)

    def _count(self, limit: RateLimitItem, *names: str) -> None:
        if not self._limiter.hit(limit, *names):
            again = self._limiter.get_window_stats(limit, *names).reset_time
            raise too_many(math.ceil(again - time.time()))


@lru_cache
def _parsed(limits: str) -> list[RateLimitItem]:
    return parse_many(limits)


def _address(request: Request) -> str:
    return network(request.client.host) if request.client else ""
