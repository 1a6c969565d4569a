"""A pipeline that sends several prepared statements of a transaction to PostgreSQL in one message (libpq's pipeline
mode).

Each message is a round trip, and for a clock's single tap the round trips cost more than the statements. Several
statements in one message give the same results as one after the other: each sees what others have committed before it
begins, and after a failed statement the rest is not executed.

A transaction begins with its first message, and can be committed by its last one. A single statement in a begun
transaction, or on a connection in autocommit, is sent without pipeline mode. The driver always knows whether it is in a
transaction, so other work on the connection (SQLAlchemy, COPY) joins it. See PostgreSQL's documentation of libpq,
"Pipeline Mode" and "Asynchronous Command Processing".
"""

import asyncio
import re
import select
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

Rows = list[tuple[Any, ...]]

PIPELINE = "pipeline"
"""The member of a connection's `info` that is its `Pipeline`, if it has one."""
PREPARED_LIMIT = 200
"""The most prepared statements of a connection. A further statement replaces the least recently used one."""

_NAMED = re.compile(r"%\((\w+)\)s")
_WELL = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK, ExecStatus.PIPELINE_SYNC)


class _Prepared(NamedTuple):
    """A prepared statement: its name on the server, and its parameters in the order of their numbers."""

    name: bytes
    parameters: tuple[str, ...]


class Pipeline:
    """A driver's connection that sends prepared statements, several in one message. Only one thread may use it at a
    time.
    """

    def __init__(self, driver: psycopg.Connection[Any]) -> None:
        self._driver = driver
        driver.prepare_threshold = None  # else the driver drops all prepared statements at each rollback
        self._reader = Transformer.from_context(driver)
        self._prepared: OrderedDict[str, _Prepared] = OrderedDict()
        self._made = 0
        self._readable, self._either = select.poll(), select.poll()
        self._readable.register(driver.fileno(), select.POLLIN)
        self._either.register(driver.fileno(), select.POLLIN | select.POLLOUT)

    def send(self, statements: Sequence[tuple[str, Mapping[str, Any]]], *, commit: bool = False) -> list[Rows]:
        """Executes the statements; returns the rows of each. They are written with `%(name)s`, and parameters are text,
        whole numbers, booleans or None.

        `commit`: the message ends the transaction. Raises ValueError for a parameter of another type, and psycopg.Error
        for the statement that failed, after which the transaction is in the state that the server left it in. If the
        call is interrupted while an answer is pending, the connection is closed.
        """
        pgconn: Any = self._driver.pgconn  # its type hints do not allow null parameters
        messages = []
        for text, parameters in statements:
            statement = self._prepared_statement(text)
            messages.append((statement.name, [_encode_parameter(parameters[name]) for name in statement.parameters]))
        begin = not self._driver.autocommit and pgconn.transaction_status == TransactionStatus.IDLE
        if len(messages) == 1 and not begin and not commit:
            [(name, values)] = messages
            result = pgconn.exec_prepared(name, values)
            self._judge(result)
            return [self._read(result)]
        try:
            pgconn.enter_pipeline_mode()
            if begin:
                pgconn.send_query_params(b"BEGIN", None)
            for name, values in messages:
                pgconn.send_query_prepared(name, values)
            if commit:
                pgconn.send_query_params(b"COMMIT", None)
            pgconn.pipeline_sync()
            results = self._receive(begin + len(messages) + commit + 1)
            pgconn.exit_pipeline_mode()
        except BaseException:
            self._driver.close()
            raise
        for result in results:
            self._judge(result)
        return [self._read(result) for result in results[begin : begin + len(messages)]]

    async def send_soon(self, text: str, parameters: Mapping[str, Any]) -> Rows:
        """Executes one statement as a transaction of its own, without blocking the event loop; returns its rows.

        It does block the loop when this connection prepares the statement for the first time. Raises as `send` does.
        Closes the connection if the caller is cancelled before the answer has come.
        """
        statement, pgconn = self._prepared_statement(text), self._driver.pgconn
        values = [_encode_parameter(parameters[name]) for name in statement.parameters]
        pgconn.send_query_prepared(statement.name, values)
        try:
            result = await self._receive_soon()
        except BaseException:
            self._driver.close()
            raise
        self._judge(result)
        return self._read(result)

    async def _receive_soon(self) -> PGresult:
        loop, line, pgconn = asyncio.get_running_loop(), self._driver.fileno(), self._driver.pgconn
        whole: asyncio.Future[PGresult] = loop.create_future()
        results: list[PGresult] = []

        def go_on() -> None:
            try:
                pgconn.consume_input()
                if not pgconn.flush():
                    loop.remove_writer(line)
                while not whole.done() and not pgconn.is_busy():
                    if (result := pgconn.get_result()) is None:
                        whole.set_result(results[-1])
                    else:
                        results.append(result)
            except Exception as error:
                if not whole.done():
                    whole.set_exception(error)

        loop.add_reader(line, go_on)
        if pgconn.flush():
            loop.add_writer(line, go_on)
        try:
            return await whole
        finally:
            loop.remove_reader(line)
            loop.remove_writer(line)

    def _receive(self, count: int) -> list[PGresult]:
        """Receives `count` results, and sends the rest of the message meanwhile: a client that only sends and a server
        that only answers would block each other.
        """
        pgconn, results = self._driver.pgconn, list[PGresult]()
        unsent = pgconn.flush()
        while len(results) < count:
            if unsent:
                self._either.poll()
                pgconn.consume_input()
                unsent = pgconn.flush()
            elif pgconn.is_busy():
                self._readable.poll()
                pgconn.consume_input()
            elif (result := pgconn.get_result()) is not None:  # None separates two statements
                results.append(result)
        return results

    def _read(self, result: PGresult) -> Rows:
        self._reader.set_pgresult(result)
        return self._reader.load_rows(0, result.ntuples, tuple)

    def _prepared_statement(self, text: str) -> _Prepared:
        """Returns the prepared statement; prepares it on the server if it is new."""
        existing = self._prepared.get(text)
        if existing is not None:
            self._prepared.move_to_end(text)
            return existing
        pgconn = self._driver.pgconn
        if len(self._prepared) >= PREPARED_LIMIT:
            _, old = self._prepared.popitem(last=False)
            self._judge(pgconn.exec_(b"DEALLOCATE " + old.name))
        names = tuple(dict.fromkeys(_NAMED.findall(text)))
        words = _NAMED.sub(lambda match: f"${names.index(match[1]) + 1}", text).replace("%%", "%")
        self._made += 1
        prepared = _Prepared(f"stempelwerk_{self._made}".encode(), names)
        self._judge(pgconn.prepare(prepared.name, words.encode()))
        self._prepared[text] = prepared
        return prepared

    def _judge(self, result: PGresult) -> None:
        if result.status in _WELL:
            return
        error = psycopg.errors.error_from_result(result)
        if isinstance(error, psycopg.errors.InvalidSqlStatementName):  # the server has dropped all prepared statements
            self._prepared.clear()
        raise psycopg.OperationalError(str(error)) if self._driver.closed else error


def _encode_parameter(value: object) -> bytes | None:
    """Encodes a parameter in PostgreSQL's text format."""
    if value is None:
        return None
    if not isinstance(value, str | int) or "\0" in (text := str(value)):  # libpq would end the text there
        raise ValueError(f"no parameter: {value!r}")
    return text.encode()
