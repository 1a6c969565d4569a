"""Bulkheads: thread pools of a process, one for each kind of slow work. Their key is the kind of work.

The server's shared threads serve pages. Comparing a password takes 25 ms of CPU, and a mail server may take ten
seconds. Such work runs on threads of its own, so that a flood of logins delays only logins. Clocks have bulkheads too,
so that pages do not delay them. A full bulkhead answers 503 before anything was done or counted.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

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
