"""Bulkheads: threads of their own for work that strangers can ask for and that takes long, so that nobody else waits.

The server's shared threads serve pages. Comparing a password costs a processor for 25 ms, a mail server may take ten
seconds, and a flood of logins may want more of both than there is: here it queues with its like. Clocks have bulkheads
too, so that no crowd of pages is in their way. Whoever finds a bulkhead full is told to come again (503) before
anything was done or counted.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from stempelwerk_cloud.kit.http.problems import unavailable

P = ParamSpec("P")
T = TypeVar("T")


class Bulkhead:
    """At most `threads` at once, and at most `permits` that wait or work."""

    def __init__(self, name: str, *, threads: int, permits: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._permits = permits
        self._taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def permit(self) -> Iterator[None]:
        """A permit for as long as it is needed. 503 if there is none."""
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
        """Does the work on a thread of the bulkhead. Whoever calls it has a permit, here or in another bulkhead."""
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(context.run, work, *args, **kwargs))


class Turns:
    """Whoever asks takes turns: at most `each` at once under one name, and at most `count` of all, on an event loop.

    A thread that computes makes everybody else wait for Python's next turn after each question to the database, so one
    who asks for eight things at once must not keep eight at work. Who waits holds neither a thread nor a connection,
    and waits for their own first: what one asks for delays another by `each` at most, however much it is.
    """

    def __init__(self, count: int, each: int = 1) -> None:
        self._count, self._each = count, each
        self._turns: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[asyncio.Semaphore, WeakValueDictionary[str, asyncio.Semaphore]]
        ] = WeakKeyDictionary()

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """A turn under that name, for as long as the block lasts."""
        loop = asyncio.get_running_loop()
        if loop not in self._turns:
            self._turns[loop] = asyncio.Semaphore(self._count), WeakValueDictionary()
        places, names = self._turns[loop]
        own = names.get(name)
        if own is None:
            own = names[name] = asyncio.Semaphore(self._each)
        async with own, places:
            yield


def turns_of_pages(connections: int) -> Turns:
    """For as long as connections and shared threads are needed.

    Between two of its steps a request holds a connection and waits for a thread, while others hold threads and wait for
    a connection. With fewer requests than connections there is always one left, and nobody waits in a circle.
    """
    count = max(1, connections - max(1, connections // 4))
    return Turns(count, each=max(1, count // 4))


def _hashing() -> Bulkhead:
    # Half of the processors stay free for everybody else.
    return Bulkhead("hashing", threads=max(1, min(4, (os.cpu_count() or 1) // 2)), permits=100)


@dataclass(frozen=True)
class Bulkheads:
    """`steps` are the login's short transactions: few at once, so that they leave others their connections.

    `names` asks where hosts are that people name: a resolver takes its time, and a page that waits for it has a slot.
    `merging`, `beats` and `clocks` are the clocks' own: a page may hold every shared thread, and a batch is merged all
    the same. `beats` answers heartbeats: they wait for no logs or lists, and of 5,000 clocks each may wait there. The
    connections of all three are kept for clocks. `files` waits for the process that looks
    into an upload; who works there has a place (`files/places.py`), of which there are no more. `exports` makes files
    of whole months: a company has one turn there.
    """

    hashing: Bulkhead = field(default_factory=_hashing)
    steps: Bulkhead = field(default_factory=lambda: Bulkhead("steps", threads=4, permits=200))
    merging: Bulkhead = field(default_factory=lambda: Bulkhead("merging", threads=2, permits=1000))
    beats: Bulkhead = field(default_factory=lambda: Bulkhead("beats", threads=2, permits=5000))
    clocks: Bulkhead = field(default_factory=lambda: Bulkhead("clocks", threads=3, permits=1000))
    files: Bulkhead = field(default_factory=lambda: Bulkhead("files", threads=3, permits=3))
    exports: Bulkhead = field(default_factory=lambda: Bulkhead("exports", threads=2, permits=20))
    names: Bulkhead = field(default_factory=lambda: Bulkhead("names", threads=4, permits=4))
    mail: Bulkhead = field(default_factory=lambda: Bulkhead("mail", threads=4, permits=20))
