"""Set-based SQL on the driver's own cursor, in the session's transaction, for paths where every statement's cost
counts.

A `Statement` is written once, in PostgreSQL's dialect, with five shorthands:

- `:name` is a parameter;
- `@rows(name: id uuid, at int8)` is a relation `name` made of one JSON parameter, a list of objects with those members;
- `@lookup(s: table WHERE s.key = name.at)` joins the rows of a table to each row of what precedes it. Both databases
  look them up one by one, in this order, by the whole condition;
- `@list(a, b)` aggregates rows to the text of one JSON list of lists `[[a, b], …]`, null without rows; `read_list`
  reads it;
- `@plain(a, 'b', "c")` is `@list` of whole numbers; in quotes, of UUIDs, days and words without special characters; in
  double quotes, of any text. It is faster: PostgreSQL's JSON functions look up the type of each value of each row,
  which took half of the time to read a thousand rows.

Where SQLite needs different SQL, `sqlite` gives the second text. Deliberately absent: mapping of rows to objects, and
anything that the ORM or Core does well enough.
"""

import itertools
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import psycopg
from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pipeline import PIPELINE, Pipeline
from stempelwerk_cloud.kit.database.shadows import SHADOWS, Shadows

_ROWS = re.compile(r"@rows\((\w+): ([^)]*)\)")
_LIST = re.compile(r"@list\(((?:[^()]|\([^()]*\))*)\)")
_PLAIN = re.compile(r"@plain\(((?:[^()]|\([^()]*\))*)\)")
_LOOKUP = re.compile(r"@lookup\((\w+): (\w+) WHERE ((?:[^()]|\([^()]*\))*)\)")
_ESCAPES = {"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"}
_UNQUOTED = str.maketrans("", "", "'\"")
_SPECIAL = re.compile(r"[\\\t\n\r]")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]\w*)")

STREAMED_AT_ONCE = 2000
"""Rows that a stream fetches at a time."""
COPIED_FROM = 20
"""Number of rows from which copying is worth its round trips: it needs less log and less work."""

encode_rows = msgspec.json.Encoder().encode
_streams = itertools.count()  # two may be open at once


class Statement:
    """One statement in the dialects of both databases.

    `copy` is an equivalent `COPY … FROM STDIN` of PostgreSQL for many rows, which takes the rows' values in order. A
    table with row level security cannot be copied into.
    """

    __slots__ = ("copy", "postgresql", "sqlite")

    def __init__(self, text: str, *, sqlite: str | None = None, copy: str | None = None) -> None:
        self.postgresql = _PARAMETER.sub(r"%(\1)s", _for_postgresql(text))
        self.sqlite = _for_sqlite(text if sqlite is None else sqlite)
        self.copy = copy


Asked = tuple[Statement, Mapping[str, Any]]
"""A statement and its parameters."""


class Sql:
    """A runner of statements: in a session's transaction, or on a connection as it is."""

    __slots__ = ("_connection", "_driver", "_pipeline", "_shadows", "postgresql")

    def __init__(self, where: Session | Connection) -> None:
        self._connection = _connection_of(where) if isinstance(where, Session) else where
        self.postgresql = self._connection.dialect.name == "postgresql"
        self._driver: Any = self._connection.connection.driver_connection
        self._pipeline: Pipeline | None = self._connection.info.get(PIPELINE)
        self._shadows: Shadows | None = self._connection.get_execution_options().get(SHADOWS)

    def rows(self, statement: Statement, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Returns the statement's rows, as tuples; UUIDs must be selected as text."""
        return self.several([(statement, parameters)])[0]

    def several(self, statements: Sequence[Asked], *, commit: bool = False) -> list[list[tuple[Any, ...]]]:
        """Executes statements one after the other; returns the rows of each. A connection with a pipeline sends them in
        one message.

        `commit`: no statement follows, so the message may end the transaction.
        """
        if self._pipeline is None:
            return [_fetched(self._execute(statement, parameters)) for statement, parameters in statements]
        with self._faults("; ".join(statement.postgresql for statement, _ in statements)):
            return self._pipeline.send(
                [(statement.postgresql, parameters) for statement, parameters in statements], commit=commit
            )

    async def rows_soon(self, statement: Statement, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Does what `rows` does, on the event loop. The connection needs a pipeline, and each statement is a
        transaction.
        """
        assert self._pipeline is not None
        with self._faults(statement.postgresql):
            return await self._pipeline.send_soon(statement.postgresql, parameters)

    def stream(self, statement: Statement, parameters: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        """Yields the statement's rows one after the other; at most a few thousand are in memory at once."""
        if not self.postgresql:
            yield from self._execute(statement, parameters)
            return
        with self._faults(statement.postgresql), self._driver.cursor(name=f"stream_{next(_streams)}") as cursor:
            cursor.itersize = STREAMED_AT_ONCE
            cursor.execute(self._prepared(statement.postgresql), parameters)
            yield from cursor

    def do(self, statement: Statement, parameters: Mapping[str, Any]) -> None:
        """Runs a statement that returns no rows."""
        self.several([(statement, parameters)])

    def copy(self, statement: str, rows: Iterable[Struct]) -> None:
        """Runs a COPY statement with these rows. PostgreSQL only."""
        prepared = self._prepared(statement)
        with self._faults(statement), self._driver.cursor() as cursor, cursor.copy(prepared) as copying:
            copying.write("".join(["\t".join(map(_word, astuple(row))) + "\n" for row in rows]))

    def _execute(self, statement: Statement, parameters: Mapping[str, Any]) -> Any:
        text = self._prepared(statement.postgresql if self.postgresql else statement.sqlite)
        with self._faults(text):
            return self._driver.execute(text, parameters)

    def _prepared(self, text: str) -> str:
        """Returns the statement; in a dry run, the one on the shadow tables that replaces it."""
        return text if self._shadows is None else self._shadows.prepare(text)

    @contextmanager
    def _faults(self, text: str) -> Iterator[None]:
        """Converts the driver's exceptions to SQLAlchemy's, and invalidates a connection that the driver has closed."""
        try:
            yield
        except (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction, sqlite3.OperationalError) as error:
            raise OperationalError(text, None, error) from error
        except (psycopg.IntegrityError, sqlite3.IntegrityError) as error:
            raise IntegrityError(text, None, error) from error
        finally:
            if self.postgresql and self._driver.closed and not self._connection.invalidated:
                self._connection.invalidate()


class RowBuffer:
    """A buffer of rows to write, by statement. `flush` writes them: on PostgreSQL in one message, or by COPY.

    They must not touch the same row twice, and must not depend on each other's writes.
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[tuple[Statement, str | None], list[Any]] = {}

    def add(self, statement: Statement, rows: Iterable[Any], company: str | None = None) -> None:
        """Adds rows for `statement`: mappings or msgspec structs, which become its `@rows(r: …)`. `company` is its
        `:company`.
        """
        waiting = self._parts.setdefault((statement, company), [])
        waiting.extend(rows)

    def flush(self, sql: Sql, *, commit: bool = False) -> None:
        """Writes all rows and empties the buffer. `commit`: no statement follows in the transaction (`Sql.several`)."""
        parts = [(key, rows) for key, rows in self._parts.items() if rows]
        self._parts = {}
        if sql.postgresql:
            parts = [part for part in parts if not self._copied(sql, *part)]
        statements = [(statement, {"r": as_rows(rows), "company": company}) for (statement, company), rows in parts]
        sql.several(statements, commit=commit)

    def _copied(self, sql: Sql, key: tuple[Statement, str | None], rows: list[Any]) -> bool:
        if key[0].copy is None or len(rows) < COPIED_FROM:
            return False
        sql.copy(key[0].copy, rows)
        return True


def _connection_of(session: Session) -> Connection:
    """Returns the session's connection: one that it was given, or one that it takes now."""
    return session.bind if isinstance(session.bind, Connection) else session.connection()


def _fetched(cursor: Any) -> list[tuple[Any, ...]]:
    """Returns the rows of the executed statement; empty if it returns no rows. It avoids psycopg's `description`, which
    makes an object of each column.
    """
    result = getattr(cursor, "pgresult", None)
    rows: list[tuple[Any, ...]] = cursor.fetchall() if (result.nfields if result else cursor.description) else []
    return rows


def _word(value: object) -> str:
    """Encodes a value in COPY's text format."""
    if value is None:
        return r"\N"
    text = str(value)
    return _SPECIAL.sub(_escaped, text) if _SPECIAL.search(text) else text


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES[match.group()]


def as_rows(rows: Sequence[Any]) -> str:
    """Encodes rows (mappings or msgspec structs) as the JSON parameter of an `@rows` relation."""
    return encode_rows(rows).decode()


def read_list(text: str | None) -> list[list[Any]]:
    """Parses the text that `@list` or `@plain` produced; returns one list of values per row."""
    decoded: list[list[Any]] = [] if text is None else msgspec.json.decode(text)
    return decoded


def _for_postgresql(text: str) -> str:
    # OFFSET keeps the planner from changing the order. It would where a table is tiny, and then keep scanning all
    # of an index for each batch while the table grows.
    text = _LOOKUP.sub(r"CROSS JOIN LATERAL (SELECT * FROM \2 \1 WHERE \3 OFFSET 0) AS \1", text)
    text = _ROWS.sub(r"json_to_recordset(:\1::json) AS \1(\2)", text)
    text = _PLAIN.sub(_joined, text)
    return _LIST.sub(r"json_agg(json_build_array(\1))::text", text)


def _joined(match: re.Match[str]) -> str:
    columns = match[1].split(", ")
    if any(column.count("(") != column.count(")") for column in columns):
        raise ValueError(f"a function's own commas cannot be told from those between columns: {match[0]}")
    return f"'[[' || string_agg(concat_ws(',', {', '.join(map(_as_json, columns))}), '],[') || ']]'"


def _as_json(column: str) -> str:
    if column.startswith("'"):
        return f"coalesce('\"' || {column[1:-1]}::text || '\"', 'null')"
    if column.startswith('"'):
        return f"coalesce(to_json({column[1:-1]}::text)::text, 'null')"
    return f"coalesce(({column})::text, 'null')"


def _for_sqlite(text: str) -> str:
    text = _LOOKUP.sub(r"CROSS JOIN \2 \1 ON \3", text)
    text = _ROWS.sub(_each, text)
    text = _PLAIN.sub(lambda plain: plain[0].replace("@plain", "@list").translate(_UNQUOTED), text)
    text = _LIST.sub(r"nullif(json_group_array(json_array(\1)), '[]')", text)
    # A cast gives PostgreSQL a parameter's type; SQLite takes values as they come.
    return re.sub(r"::\w+(\[\])?", "", text)


def _each(match: re.Match[str]) -> str:
    name, columns = match.groups()
    members = ", ".join(f"value ->> '{column.split()[0]}' AS {column.split()[0]}" for column in columns.split(", "))
    return f"(SELECT {members} FROM json_each(:{name})) AS {name}"  # noqa: S608 -- names, no values
