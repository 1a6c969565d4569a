"""An asyncio event loop whose time is a number: it jumps to the next timer as soon as no callback is ready.

Two runs of the same program on it do the same things in the same order. It has no sockets, no signals and no threads:
work for a thread runs at once, in line (`asyncio.to_thread`, and anyio's twin, which Starlette and FastAPI use). A
`Process` groups everything that one simulated program has started, so that it can be ended at any await, as a crash
does. It does not simulate a disk or a network; those are `network` and `world`.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from asyncio.base_events import BaseEventLoop
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

import anyio.to_thread

_current: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Deadlock(RuntimeError):
    """Every task waits for something that no timer and no other task will ever bring."""


class _TimeJumps:
    """Replaces the loop's selector: instead of waiting it advances the time."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None:
            raise Deadlock("nothing is left that could happen")
        self._loop.now += timeout
        return []


class SimulatedLoop(BaseEventLoop):
    """An event loop that makes a day pass as fast as its callbacks run. `now` is in seconds and begins at 0."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._selector = _TimeJumps(self)
        self._clock_resolution = 1e-6  # two timers closer than this fire in the same round

    def time(self) -> float:
        """The simulated time in seconds."""
        return self.now

    def _process_events(self, event_list: list[Any]) -> None:
        assert not event_list

    def _write_to_self(self) -> None:
        """Does nothing, because no other thread calls."""

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Runs `func` now; the returned future is already done."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # passed on to the caller that awaits it
            future.set_exception(error)
        return future


async def _run_sync(func: Callable[[Unpack[Ts]], T], *args: *Ts, **_: object) -> T:
    await asyncio.sleep(0)  # a real worker thread, too, lets other tasks go first
    result = func(*args)
    await asyncio.sleep(0)
    return result


@contextlib.contextmanager
def simulated_loop() -> Iterator[SimulatedLoop]:
    """Yields a loop for one run; meanwhile anyio's threads are plain calls."""
    loop = SimulatedLoop()
    threads = anyio.to_thread.run_sync
    anyio.to_thread.run_sync = _run_sync
    try:
        yield loop
    finally:
        anyio.to_thread.run_sync = threads
        loop.close()


def current_process() -> Process | None:
    """Returns the process whose code is running."""
    return _current.get()


class Process:
    """The tasks of one simulated program. `kill` ends it between two awaits; a killed process starts nothing.

    Its tasks are cancelled in the order of their start. The killer takes its disk and its network away first, so that
    no `finally` of the program can do what a dead program could not.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self.failures: list[BaseException] = []

    def start(self, work: Coroutine[Any, Any, T], name: str = "") -> asyncio.Task[T]:
        """Runs a coroutine as part of this process. Exceptions while the process lives are appended to `failures`."""
        context = contextvars.copy_context()
        context.run(_current.set, self)
        task = asyncio.get_running_loop().create_task(work, name=f"{self.name}/{name}", context=context)
        self._tasks[task] = None
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None and self.alive:
            self.failures.append(error)

    async def kill(self) -> None:
        """Ends everything; returns when the last task is gone."""
        self.alive = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await wait_for_all(*tasks)


async def wait_for_all(*work: Awaitable[Any]) -> None:
    """Waits until all of these have ended, and ignores their exceptions."""
    await asyncio.gather(*work, return_exceptions=True)
