"""Reads an event stream of the application inside a test's event loop, and leaves it whenever the test likes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from httpx2 import ASGITransport, AsyncClient
from starlette.types import ASGIApp, Message

PATIENCE_S = 60


@dataclass
class Told:
    """One server-sent event; `id` is None if it had no id."""

    id: str | None
    data: dict[str, Any]


@dataclass
class Listener:
    """A client of one stream. `status` is known after entering `listening`."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    _chunks: asyncio.Queue[Message] = field(default_factory=asyncio.Queue)
    _left: asyncio.Event = field(default_factory=asyncio.Event)

    async def next(self) -> Told:
        """The next event; comments are skipped. Raises EOFError at the stream's end."""
        while True:
            block = await self._block()
            if block is None:
                raise EOFError
            if block.startswith(":"):
                continue
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            return Told(lines.get("id"), json.loads(lines["data"]))

    async def some_comments(self, count: int) -> None:
        """Waits for that many comments; an event or the end is an error."""
        for _ in range(count):
            block = await self._block()
            assert block is not None
            assert block.startswith(":"), block

    async def end(self) -> None:
        """Waits until the server ends the stream; drops remaining events."""
        while await self._block() is not None:
            continue

    async def quiet(self) -> bool:
        """Whether nothing but comments has arrived by now."""
        for _ in range(20):
            await asyncio.sleep(0)
        while not self._chunks.empty():
            block = await self._block()
            if block is None or not block.startswith(":"):
                return False
        return True

    async def _block(self) -> str | None:
        async with asyncio.timeout(PATIENCE_S):
            message = await self._chunks.get()
        if not message.get("more_body", False):
            return None
        body: bytes = message["body"]
        return body.decode().rstrip("\n")

    async def body(self) -> bytes:
        """The whole body of an answer that is no stream."""
        parts = []
        while True:
            async with asyncio.timeout(PATIENCE_S):
                message = await self._chunks.get()
            parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                return b"".join(parts)

    async def receive(self) -> Message:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        await self._chunks.put(message)


@asynccontextmanager
async def listening(app: ASGIApp, path: str, headers: dict[str, str] | None = None) -> AsyncIterator[Listener]:
    """Opens the stream at `path` (with its query), and closes the connection at the end."""
    listener = Listener()
    bare, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": bare,
        "raw_path": bare.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }
    task = asyncio.ensure_future(app(scope, listener.receive, listener.send))
    try:
        async with asyncio.timeout(PATIENCE_S):
            await listener._chunks.get()
        yield listener
    finally:
        listener._left.set()
        async with asyncio.timeout(PATIENCE_S):
            await task


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[AsyncClient]:
    """The application with its lifespan, and a client, in the test's own event loop."""
    async with (
        app.router.lifespan_context(app),
        AsyncClient(
            transport=ASGITransport(app=app, raise_app_exceptions=False), base_url="http://testserver"
        ) as client,
    ):
        yield client
