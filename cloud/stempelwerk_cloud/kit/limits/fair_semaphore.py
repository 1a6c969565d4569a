"""A fair semaphore: requests at once on an event loop of a process, by person, company or address.

It keeps the heavy or many requests of one caller from delaying others.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

from stempelwerk_cloud.kit.limits.rates import TokenBuckets


class Share(NamedTuple):
    """A person's, company's or address's share of a `FairLimiter`: at most `limit` requests at once under `name`.

    `rests`: after much work a slot of the share is given back only after a pause.
    """

    name: str
    limit: int = 1
    rests: bool = False


WORK_S = 1.0
"""Seconds of CPU time that a share with `rests` may use before its slots pause."""
WORK_PER_S = 0.25
"""Seconds of CPU time that a share with `rests` regains in a second."""
ACTIVE_S = 5.0
"""Seconds: slots pause only if another share with `rests` made a request within this time."""
PAUSE_MOST_S = 2.0


class _Workload:
    """The CPU time used by each share with `rests`, in token buckets that work empties and time fills.

    A request's work is its equal part of the CPU time that the process used while it was served. So a request that
    waits for a lock costs nothing while no other request computes, and other processes on the machine cost nothing.
    """

    def __init__(self, processor: Callable[[], float]) -> None:
        self._processor = processor
        self._used, self._each, self._served = processor(), 0.0, 0
        self._buckets = TokenBuckets(WORK_S, WORK_PER_S)

    def begin(self) -> float:
        """Counts a request that begins. Returns the value to pass to `end`."""
        self._share_out()
        self._served += 1
        return self._each

    def end(self, begun: float) -> float:
        """Counts a request that ends; returns its work in seconds of CPU time. `begun` is what `begin` returned."""
        self._share_out()
        self._served -= 1
        return self._each - begun

    def _share_out(self) -> None:
        used = self._processor()
        if self._served:
            self._each += (used - self._used) / self._served
        self._used = used

    def pause_s(self, name: str, now: float, worked_s: float) -> float:
        """Takes work from a share's bucket; returns for how many seconds the slot pauses. `now` is the event loop's
        time.
        """
        self._buckets.spend(name, worked_s, now)
        is_contended = self._buckets.others_since(name, now - ACTIVE_S)
        return min(PAUSE_MOST_S, self._buckets.wait(name, 0, now)) if is_contended else 0.0


class FairLimiter:
    """A fair concurrency limit: at most `count` requests at once on an event loop, and at most `limit` of each share.

    A thread that computes makes all others wait for Python's next turn after each database query, so a caller with
    eight requests at once must not occupy eight threads. A waiting request holds neither a thread nor a connection. It
    queues in its own shares first, so a busy caller delays others by its share at most.
    """

    def __init__(self, count: int, processor: Callable[[], float] = time.process_time) -> None:
        """`processor` returns the seconds of CPU time that this process has used."""
        self._count, self._processor = count, processor
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Places] = WeakKeyDictionary()

    @asynccontextmanager
    async def slot(self, *shares: Share) -> AsyncIterator[None]:
        """Waits for a place in each share, the narrowest first, and for one of all `count`. Holds them for the block.

        A share with `rests` that has worked much gets its place back after a pause, which the caller does not wait for.
        """
        places = self._places()
        async with places.hold(shares, places.all):
            yield

    @asynccontextmanager
    async def shares_only(self, *shares: Share) -> AsyncIterator[None]:
        """Waits for the shares as `slot` does, without one of the `count` places: for work that has a bulkhead of its
        own.
        """
        async with self._places().hold(shares, nullcontext()):
            yield

    def _places(self) -> "_Places":
        loop = asyncio.get_running_loop()
        places = self._loops.get(loop)
        if places is None:
            places = self._loops[loop] = _Places(self._count, self._processor)
        return places


@dataclass
class _Work:
    """The CPU time of a request in seconds; 0 until it ends."""

    seconds: float = 0.0


class _Places:
    """The semaphores of a limiter for one event loop: one for all requests, and one for each share in use."""

    def __init__(self, count: int, processor: Callable[[], float]) -> None:
        self.all = asyncio.Semaphore(count)
        self._known: WeakValueDictionary[Share, asyncio.Semaphore] = WeakValueDictionary()
        self._workload = _Workload(processor)

    @asynccontextmanager
    async def hold(self, shares: Sequence[Share], overall: AbstractAsyncContextManager[object]) -> AsyncIterator[None]:
        """Holds a place of each share, then `overall`. Only then the request counts as served, and its work is
        measured.
        """
        work = _Work()
        async with AsyncExitStack() as stack:
            for share in shares:
                semaphore = self._semaphore(share)
                await semaphore.acquire()
                stack.callback(self._release, share, semaphore, work)
            await stack.enter_async_context(overall)
            begun = self._workload.begin()
            try:
                yield
            finally:
                work.seconds = self._workload.end(begun)

    def _semaphore(self, share: Share) -> asyncio.Semaphore:
        semaphore = self._known.get(share)
        if semaphore is None:
            semaphore = self._known[share] = asyncio.Semaphore(share.limit)
        return semaphore

    def _release(self, share: Share, semaphore: asyncio.Semaphore, work: _Work) -> None:
        loop = asyncio.get_running_loop()
        pause_s = self._workload.pause_s(share.name, loop.time(), work.seconds) if share.rests else 0.0
        if pause_s > 0:
            loop.call_later(pause_s, semaphore.release)
        else:
            semaphore.release()


OF_PERSON = 2
"""The most requests of one person that are served at once; a page makes eight at once."""
OF_COMPANY = 2
"""The most requests of all people of a company at once: two threads that compute leave another company's request a
third of Python's time.
"""


def page_limiter(connections: int) -> FairLimiter:
    """Creates the limiter of requests that need a shared thread and a connection of the pool.

    A request may hold a connection while it waits for a thread, and others may hold threads while they wait for a
    connection. With fewer requests than connections there is always one left, which rules out a deadlock.
    """
    return FairLimiter(max(1, connections - max(1, connections // 4)))


def page_shares(company_id: str, user_id: str) -> tuple[Share, Share]:
    """Returns the `page_limiter` shares of a person and of their company."""
    return Share(f"person {user_id}", OF_PERSON), Share(f"company {company_id}", OF_COMPANY, rests=True)
