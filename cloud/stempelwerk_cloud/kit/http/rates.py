"""How often one may call: by the user of the session, and where there is none, by address.

Generous for pages, narrow for what is expensive or can be guessed at; the table of the narrow ones stands where the
application is put together. The counts are in this process's memory: several processes allow several times as much,
which a limit against floods can bear. Clocks never come here: they have budgets of their own (`device_api/budgets.py`).
"""

import math
import time
from collections.abc import Mapping

from fastapi import Request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from stempelwerk_cloud.kit.http.ip_prefix import network
from stempelwerk_cloud.kit.http.problems import too_many

PAGES = "3000/minute"
"""What a user may call in all, besides the narrow ones."""
STRANGERS = "1200/minute"
"""What an address may call without a session: a whole company may sit behind one."""


class Rates:
    """`narrow`: limits of single calls, by method and path (`POST /api/login`), in the words of `limits`."""

    def __init__(self, narrow: Mapping[str, str], *, pages: str = PAGES, strangers: str = STRANGERS) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._narrow = {call: parse(limit) for call, limit in narrow.items()}
        self._pages, self._strangers = parse(pages), parse(strangers)

    def spend(self, request: Request, user_id: str | None) -> None:
        """Counts a call of the user, or, if nobody is logged in, of the address. 429 if it is one too many."""
        call = f"{request.method} {request.scope['route'].path}"
        who = (f"user {user_id}",) if user_id is not None else (f"address {_address(request)}",)
        if call in self._narrow:
            self._count(self._narrow[call], *who, call)
        else:
            self._count(self._strangers if user_id is None else self._pages, *who)

    def _count(self, limit: RateLimitItem, *names: str) -> None:
        if not self._limiter.hit(limit, *names):
            again = self._limiter.get_window_stats(limit, *names).reset_time
            raise too_many(math.ceil(again - time.time()))


def _address(request: Request) -> str:
    return network(request.client.host) if request.client else ""
