"""Bulkheads and fair limits: they keep slow or heavy requests from delaying others.

The server's shared threads serve pages. Comparing a password takes 25 ms of CPU, and a mail server may take ten
seconds. Such work runs on threads of its own (a bulkhead), so that a flood of logins delays only logins. Clocks have
bulkheads too, so that pages do not delay them. A full bulkhead answers 503 before anything was done or counted.
"""

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from stempelwerk_cloud.kit.http.problems import unavailable

P = ParamSpec("P")
T = TypeVar("T")


class Bulkhead:
    """A thread pool: at most `threads` run at once, and at most `permits` wait or run."""

    def __init__(self, name: str, *, threads: int, permits: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._permits = permits
        self._taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def permit(self) -> Iterator[None]:
        """Holds a permit for as long as the block lasts. Raises 503 if all are taken."""
        with self._lock:
            if self._taken >= self._permits:
                raise unavailable()
            self._taken += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs the work on a thread of the bulkhead. The caller must hold a permit, here or of another bulkhead."""
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(context.run, work, *args, **kwargs))


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
    """The CPU time used by each share with `rests`, as a leaky bucket (ITU-T I.371): it fills with work and drains with
    time.

    A request's work is its equal part of the CPU time that the process used while it was served. So a request that
    waits for a lock costs nothing while no other request computes, and other processes on the machine cost nothing.
    """

    def __init__(self, processor: Callable[[], float]) -> None:
        self._processor = processor
        self._used, self._each, self._served = processor(), 0.0, 0
        self._filled: dict[str, tuple[float, float]] = {}
        """Maps a share's name to the seconds of work in its bucket, and the time when that was measured."""

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
        """Adds work to a share's bucket; returns for how many seconds the slot pauses. `now` is the event loop's
        time.
        """
        level = self._level(name, now) + worked_s
        self._filled[name] = level, now
        active_names = [
            active_name
            for active_name, (_, filled_at) in self._filled.items()
            if active_name != name and now - filled_at <= ACTIVE_S
        ]
        if len(self._filled) > _FORGET_FROM:
            self._forget(now)
        return min(PAUSE_MOST_S, max(0.0, level - WORK_S) / WORK_PER_S) if active_names else 0.0

    def _level(self, name: str, now: float) -> float:
        level, filled_at = self._filled.get(name, (0.0, now))
        return max(0.0, level - (now - filled_at) * WORK_PER_S)

    def _forget(self, now: float) -> None:
        self._filled = {
            name: (level, filled_at)
            for name, (level, filled_at) in self._filled.items()
            if now - filled_at <= ACTIVE_S or level > (now - filled_at) * WORK_PER_S
        }


_FORGET_FROM = 1000
"""Number of shares above which idle ones are forgotten."""


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


def _hashing() -> Bulkhead:
    # Half of the processors stay free for other work.
    return Bulkhead("hashing", threads=max(1, min(4, (os.cpu_count() or 1) // 2)), permits=100)


@dataclass(frozen=True)
class Bulkheads:
    """The bulkheads of a process.

    - `hashing`: hashes and compares passwords. `mail`: sends the login's mails.
    - `steps`: the login's short transactions; few at once, so that they leave connections for others.
    - `names`: resolves host names that users enter. A resolver may be slow, and a page that waits for it holds a slot.
    - `merging`, `beats`, `clocks`: for clocks only. Pages may hold every shared thread, and batches are still merged.
      `beats` answers heartbeats: they wait for no logs or lists, and each of 5,000 clocks may wait there. All three
      have connections reserved for clocks.
    - `files`: waits for the process that inspects an upload. Each caller holds a place (`files/places.py`), and there
      are no more of those.
    - `exports`: makes files of whole months; one at a time for a company.
    - `papers`: waits for the process that renders a PDF for a person, who holds a place
      (`kit/subprocesses/subprocess_render.py`).
    """

    hashing: Bulkhead = field(default_factory=_hashing)
    steps: Bulkhead = field(default_factory=lambda: Bulkhead("steps", threads=4, permits=200))
    merging: Bulkhead = field(default_factory=lambda: Bulkhead("merging", threads=2, permits=1000))
    beats: Bulkhead = field(default_factory=lambda: Bulkhead("beats", threads=2, permits=5000))
    clocks: Bulkhead = field(default_factory=lambda: Bulkhead("clocks", threads=3, permits=1000))
    files: Bulkhead = field(default_factory=lambda: Bulkhead("files", threads=3, permits=3))
    exports: Bulkhead = field(default_factory=lambda: Bulkhead("exports", threads=2, permits=20))
    papers: Bulkhead = field(default_factory=lambda: Bulkhead("papers", threads=3, permits=3))
    names: Bulkhead = field(default_factory=lambda: Bulkhead("names", threads=4, permits=4))
    mail: Bulkhead = field(default_factory=lambda: Bulkhead("mail", threads=4, permits=20))
