"""A TCP proxy that breaks what passes through it, exchange by exchange.

It knows no HTTP and no TLS: an exchange is what the client sends until the upstream begins to answer. Each exchange
asks for its own `Plan`, so that a test controls each request. It never changes or invents a byte, and it keeps no order
between connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self

_CHUNK = 65_536


class Fault(Enum):
    """The fate of one exchange."""

    NONE = "none"
    BLACK_HOLE = "black hole"  # bytes are taken without any answer
    RESET = "reset"  # the connection ends before the upstream sees a byte
    CUT_REQUEST = "cut request"  # the upstream sees the first bytes only
    LOST_ANSWER = "lost answer"  # the upstream sees and does everything; the client hears nothing


@dataclass(frozen=True)
class Plan:
    """A fault and its parameters: `latency_s` before each piece, `cut_after` bytes of a request that is cut."""

    fault: Fault = Fault.NONE
    latency_s: float = 0.0
    cut_after: int = 200


class FaultyProxy:
    """Forwards 127.0.0.1:`port` to an upstream, with a `Plan` for every exchange.

    choose: called once an exchange, in the proxy's own thread or task; to change faults during a run, replace what
    `choose` reads. `counts` has how often each fault really struck.
    """

    def __init__(self, upstream_port: int, choose: Callable[[], Plan], *, upstream_host: str = "127.0.0.1") -> None:
        self._upstream = (upstream_host, upstream_port)
        self._choose = choose
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.counts: dict[Fault, int] = dict.fromkeys(Fault, 0)
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        try:
            await _Connection(self, reader, writer).run()
        except asyncio.CancelledError:
            pass  # the proxy closes; the connection is gone with its task, and no task awaits its result
        finally:
            self._connections.discard(task)

    def plan(self) -> Plan:
        """Returns the plan of the next exchange, and counts its fault."""
        plan = self._choose()
        self.counts[plan.fault] += 1
        return plan

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens a connection to the upstream; OSError if it does not listen."""
        return await asyncio.open_connection(*self._upstream)


class _Connection:
    """One client and its upstream. `_plan` is None between two exchanges."""

    def __init__(self, proxy: FaultyProxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._proxy = proxy
        self._client_reader, self._client = reader, writer
        self._upstream: asyncio.StreamWriter | None = None
        self._plan: Plan | None = None
        self._passed = 0

    async def run(self) -> None:
        """Runs until either side ends, or a fault ends both."""
        try:
            upstream_reader, self._upstream = await self._proxy.dial()
        except OSError:
            _abort(self._client)
            return
        ways = [asyncio.create_task(self._requests()), asyncio.create_task(self._answers(upstream_reader))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            _abort(self._client)  # before any await: the proxy may be closed just then
            _abort(self._upstream)
            await asyncio.gather(*ways, return_exceptions=True)

    async def _requests(self) -> None:
        assert self._upstream
        while data := await self._client_reader.read(_CHUNK):
            if self._plan is None:
                self._plan, self._passed = self._proxy.plan(), 0
            plan = self._plan
            await asyncio.sleep(plan.latency_s)
            if plan.fault is Fault.RESET:
                return
            if plan.fault is Fault.BLACK_HOLE:
                continue
            if plan.fault is Fault.CUT_REQUEST:
                data = data[: plan.cut_after - self._passed]
            self._passed += len(data)
            self._upstream.write(data)
            await self._upstream.drain()
            if plan.fault is Fault.CUT_REQUEST and self._passed >= plan.cut_after:
                return

    async def _answers(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(_CHUNK):
            plan, self._plan = self._plan or Plan(), None
            if plan.fault is Fault.LOST_ANSWER:
                return
            await asyncio.sleep(plan.latency_s)
            self._client.write(data)
            await self._client.drain()


def _abort(writer: asyncio.StreamWriter) -> None:
    """Ends a connection at once, by a reset where the system can."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        with contextlib.suppress(OSError):  # already gone, as intended
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@contextlib.contextmanager
def proxy_in_thread(
    upstream_port: int, choose: Callable[[], Plan], *, upstream_host: str = "127.0.0.1"
) -> Iterator[FaultyProxy]:
    """Runs a proxy in a thread next to blocking code; its `port` is known when the block begins."""
    proxy = FaultyProxy(upstream_port, choose, upstream_host=upstream_host)
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    ready = threading.Event()

    async def serve() -> None:
        async with proxy:
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="faulty-proxy")
    thread.start()
    try:
        ready.wait()
        yield proxy
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
