"""Non-blocking name look-ups: a silent name server costs the clock its network and nothing more.

The system's resolver cannot be interrupted. asyncio runs it in a pool that other work needs too, and that a stop waits
for. Here each look-up has a daemon thread of its own, which is abandoned when its result is no longer needed.
"""

import asyncio
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

AT_ONCE = 8
_Result = TypeVar("_Result")


class ClockLoop(asyncio.SelectorEventLoop):
    """The event loop of the clock's program. While `AT_ONCE` look-ups are unanswered, the next one fails with
    EAI_AGAIN.
    """

    def __init__(self) -> None:
        super().__init__()
        self._free = threading.BoundedSemaphore(AT_ONCE)

    async def getaddrinfo(self, host: Any, port: Any, **hints: int) -> list[Any]:
        """Resolves a name as `socket.getaddrinfo` does; a cancelled call abandons the look-up."""
        if not self._free.acquire(blocking=False):
            raise socket.gaierror(socket.EAI_AGAIN, "the name server answers nothing that it was asked before")
        answer: Future[list[Any]] = Future()
        answer.set_running_or_notify_cancel()

        def look_up() -> None:
            try:
                addresses = socket.getaddrinfo(host, port, **hints)
            except Exception as fault:
                self._free.release()
                answer.set_exception(fault)
            else:
                self._free.release()
                answer.set_result(addresses)

        threading.Thread(target=look_up, name="name", daemon=True).start()
        return await asyncio.wrap_future(answer, loop=self)


def run(main: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs like `asyncio.run` on a ClockLoop: it ends although look-ups are unanswered."""
    with asyncio.Runner(loop_factory=ClockLoop) as runner:
        return runner.run(main)
