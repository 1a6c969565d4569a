"""The real service as a simulated program: an ASGI application on a database file, killed, restarted and set back.

Requests are handled one at a time, as by one worker thread. A kill takes the database away first (open transactions are
rolled back, as the file system would find them) and then ends every task; waiting callers get `ServiceDown`. It has no
sockets, and it runs nothing that the service's own lifespan does not run.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.clock import Clock, Ids

from stempelwerk_tools.simulation.machines.loop import Process
from stempelwerk_tools.simulation.machines.network import Message, Reply, ServiceDown

CreateApp = Callable[..., Any]


class SimulatedService:
    """One installation: its database file and, while it runs, its application (`app`)."""

    def __init__(self, folder: Path, clock: Clock, ids: Ids, create_app: CreateApp) -> None:
        self.database = folder / "cloud.db"
        self._settings = Settings(database_url=f"sqlite:///{self.database}", data_dir=folder / "cloud")
        self._clock, self._ids, self._create_app = clock, ids, create_app
        self._process: Process | None = None
        self._connections: list[DBAPIConnection] = []
        self._waiting: set[asyncio.Future[Reply]] = set()
        self.app: Any = None
        self.failures: list[BaseException] = []

    @property
    def running(self) -> bool:
        """Whether it takes requests."""
        return self._process is not None

    async def start(self) -> None:
        """Starts the application on the database file as it is."""
        assert self._process is None
        self.app = self._create_app(self._settings, clock=self._clock, ids=self._ids)
        for engine in self.app.state.platform.database.engines:
            event.listen(engine, "connect", lambda connection, _: self._connections.append(connection))
        self._turn = asyncio.Lock()
        process = Process("service")
        started = asyncio.Event()
        process.start(self._live(started), "lifespan")
        await started.wait()
        self._process = process

    async def _live(self, started: asyncio.Event) -> None:
        async with self.app.router.lifespan_context(self.app):
            started.set()
            await asyncio.Event().wait()

    async def kill(self) -> None:
        """Ends it between two awaits; only committed data remain."""
        process, self._process = self._process, None
        if process is None:
            return
        for connection in self._connections:
            connection.close()  # SQLite rolls back what was open
        self._connections.clear()
        for future in list(self._waiting):
            if not future.done():
                future.set_exception(ServiceDown())
        self.failures += process.failures
        await process.kill()
        self.app = None

    def backup(self, target: Path) -> None:
        """Copies the present database; the service may run."""
        with (
            contextlib.closing(sqlite3.connect(self.database)) as source,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)

    def set_back(self, source: Path) -> None:
        """Replaces the database by an older one. The service must not run."""
        assert self._process is None
        for path in self.database.parent.glob(f"{self.database.name}*"):
            path.unlink()
        shutil.copyfile(source, self.database)

    def query(self, sql: str, *arguments: object) -> list[tuple[Any, ...]]:
        """Queries the database from outside the program."""
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(sql, arguments).fetchall()

    def execute(self, sql: str, *arguments: object) -> None:
        """Changes the database from outside the program, which must not run."""
        assert self._process is None
        with contextlib.closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(sql, arguments)

    async def call(self, message: Message) -> Reply:
        """Handles one request. Raises ServiceDown if the service is not running or dies over it."""
        if self._process is None:
            raise ServiceDown
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.add(answer)
        self._process.start(self._handle(message, answer), message.url.path)
        try:
            return await asyncio.shield(answer)
        finally:
            self._waiting.discard(answer)

    async def _handle(self, message: Message, answer: asyncio.Future[Reply]) -> None:
        async with self._turn:
            sent: dict[str, Any] = {"body": b""}
            is_requested = False

            async def receive() -> dict[str, Any]:
                nonlocal is_requested
                if is_requested:
                    await asyncio.Event().wait()  # this client stays connected while it is served
                is_requested = True
                return {"type": "http.request", "body": message.body, "more_body": False}

            async def send(part: dict[str, Any]) -> None:
                if part["type"] == "http.response.start":
                    sent.update(status=part["status"], headers=list(part.get("headers", ())))
                elif part["type"] == "http.response.body":
                    sent["body"] += part.get("body", b"")
                    if not part.get("more_body") and not answer.done():
                        answer.set_result(Reply(sent["status"], sent["headers"], sent["body"]))

            try:
                await self.app(_scope(message), receive, send)
            except Exception as error:  # a real server would answer 500 and log it
                self.failures.append(error)
                if not answer.done():
                    answer.set_result(Reply(500, [(b"content-type", b"text/plain")], b"Internal Server Error"))


def _scope(message: Message) -> dict[str, Any]:
    url = message.url
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": message.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.split(b"?")[0],
        "query_string": url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in message.headers],
        "client": ("10.0.0.2", 40000),
        "server": (url.host, url.port or 443),
        "state": {},
    }
