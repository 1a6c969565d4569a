"""Single reading statements of clocks' calls, by index (`postgres.BY_INDEX`): run from a thread, or from the event
loop.

Each is a transaction of its own and one message to PostgreSQL. Handing such a statement to a thread and its rows back
costs as much as the statement, so the event loop sends it itself, on a connection that it keeps. A thread runs it if no
kept connection is free: on SQLite, for the first statement, and while the connection is in use.
"""

import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from stempelwerk_cloud.kit.database.statements import Sql, Statement

AT_HAND = 1
"""The most connections that the event loop keeps; the pool does not have them meanwhile."""

Rows = list[tuple[Any, ...]]


class RunInThread(Protocol):
    """A function that runs a read on a thread, such as `Bulkhead.run`."""

    def __call__(
        self, read: Callable[[Statement, Mapping[str, Any]], Rows], /, *asked: *tuple[Statement, Mapping[str, Any]]
    ) -> Awaitable[Rows]: ...


class Looking:
    """A runner of statements on an engine's connections in autocommit, where each statement is a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._at_hand: deque[Connection] = deque()
        self._places = threading.Semaphore(AT_HAND if engine.dialect.name == "postgresql" else 0)

    def rows(self, statement: Statement, parameters: Mapping[str, Any]) -> Rows:
        """Returns the statement's rows."""
        with self._engine.connect() as connection:
            return Sql(connection).rows(statement, parameters)

    async def rows_soon(self, run: RunInThread, statement: Statement, parameters: Mapping[str, Any]) -> Rows:
        """Returns the statement's rows, by a kept connection if one is free, else by `run`. If that connection has died
        meanwhile, repeats the statement by `run`.
        """
        try:
            connection = self._at_hand.popleft()
        except IndexError:
            return await run(self._rows_and_keep, statement, parameters)
        try:
            return await Sql(connection).rows_soon(statement, parameters)
        except OperationalError:
            if not connection.invalidated:
                raise
        finally:
            self._put_back(connection)
        return await run(self._rows_and_keep, statement, parameters)

    def dispose(self) -> None:
        """Closes the kept connections."""
        while self._at_hand:
            connection = self._at_hand.popleft()
            connection.invalidate()
            self._put_back(connection)

    def _rows_and_keep(self, statement: Statement, parameters: Mapping[str, Any]) -> Rows:
        """Returns the rows, and keeps the connection for the event loop if it may keep another."""
        if not self._places.acquire(blocking=False):
            return self.rows(statement, parameters)
        connection = None
        try:
            connection = self._engine.connect()
            return Sql(connection).rows(statement, parameters)
        finally:
            if connection is None:
                self._places.release()
            else:
                self._put_back(connection)

    def _put_back(self, connection: Connection) -> None:
        """Keeps the connection for the next statement; a dead one is closed instead."""
        if connection.invalidated:
            connection.close()
            self._places.release()
        else:
            self._at_hand.append(connection)
