"""The PostgreSQL database that the tests of a process share: emptied and filled between tests.

Creating a database, and the first statements on a new connection, cost more than most tests. So database and
connections remain, unless a test changed more than rows; it is recreated now and then, so that deleted rows never
matter. A test that needs an unused database requests `unused_database`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Engine
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer, database_name

from cloud.tests.beginnings import Kind

NAME = "under_test"
MOST_TESTS = 40
MOST_ROWS = 2_000
ENDING_S = 1
"""For how long closed connections may remain; a new database costs as much as some tests."""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
_SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'"
_SET = "SELECT setval(%(name)s, coalesce(%(last)s::bigint, 1), %(last)s::bigint IS NOT NULL)"
_SCHEMA = "SELECT " + ", ".join(
    f"(SELECT concat_ws(' ', count(*), max({changed})) FROM {catalog})"
    for catalog, changed in {
        "pg_class": "oid",  # its rows change when a table is analysed
        "pg_attribute": "xmin::text::int8",
        "pg_constraint": "xmin::text::int8",
        "pg_policy": "xmin::text::int8",
        "pg_trigger": "xmin::text::int8",
        "pg_proc": "xmin::text::int8",
        "pg_db_role_setting": "xmin::text::int8",
    }.items()
)
"""Objects of a database other than rows that a test can change: their number and the newest of each."""
_CONNECTIONS = """
SELECT count(*), count(*) FILTER (WHERE state = 'idle') FROM pg_stat_activity
WHERE datname = %s AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


class Staying(Database):
    """A database whose connections outlive the applications that dispose of it."""

    def dispose(self) -> None:
        """Does nothing; `close` does."""

    def close(self) -> None:
        super().dispose()


@dataclass(frozen=True)
class _Content:
    """The contents of all non-empty tables, and the state of each sequence."""

    tables: dict[str, bytes]
    sequences: dict[str, int | None]


class SharedDatabase:
    """A database at one address that holds an initial content at a test's start. `begun` returns where the contents
    are.
    """

    def __init__(self, server: PostgresServer, begun: Callable[[Kind], str], name: str = NAME) -> None:
        self.url = server.url(name)
        self._name = name
        self._server = server
        self._begun = begun
        self._contents: dict[Kind, _Content] = {}
        self._opened: dict[str, Staying] = {}
        self._own: psycopg.Connection[Any] | None = None
        self._emptying = ""
        self._schema: tuple[str, ...] = ()
        self._tests = 0

    def filled(self, kind: Kind) -> str:
        """Its URL, when it holds that beginning and nothing else."""
        if kind not in self._contents:
            self._contents[kind] = self._read(self._begun(kind))
        if self._own is None or not self._is_as_it_was(self._own):
            self._own = self._make()
        self._tests += 1
        self._fill(self._own, self._contents[kind])
        return self.url

    def opened(self, purpose: str, **how: Any) -> Database:
        """The one `Database` of it for a purpose."""
        if purpose not in self._opened:
            self._opened[purpose] = Staying(self.url, **how)
        return self._opened[purpose]

    def close(self) -> None:
        for database in self._opened.values():
            database.close()
        if self._own is not None:
            self._own.close()
            self._own = None

    def _is_as_it_was(self, own: psycopg.Connection[Any]) -> bool:
        """Whether tests have left nothing but rows, and not too many; all connections are known, idle and alive."""
        if self._tests >= MOST_TESTS:
            return False
        engines = [engine for database in self._opened.values() for engine in database.engines]
        idle, in_use = sum(map(_idle, engines)), sum(map(_in_use, engines))
        try:
            return in_use == 0 and self._has_only(own, idle) and self._schema == _schema(own)
        except psycopg.OperationalError:  # the test has ended all connections
            return False

    def _has_only(self, own: psycopg.Connection[Any], idle: int) -> bool:
        """Whether the server knows these connections and no others, once it has ended those that the test closed."""
        end = time.monotonic() + ENDING_S
        while own.execute(_CONNECTIONS, [self._name]).fetchone() != (idle, idle):
            if time.monotonic() > end:
                return False
            time.sleep(0.002)
        return True

    def _make(self) -> psycopg.Connection[Any]:
        self.close()
        self._server.drop_database(self.url)
        self._server.new_database(self._begun("schema"), name=self._name)
        own = psycopg.connect(self._server.dsn(self._name), autocommit=True)
        own.execute("SET session_replication_role = replica")  # no triggers: some rows may only be added
        self._emptying = "; ".join(f'DELETE FROM "{name}"' for (name,) in own.execute(_TABLES))
        self._schema = _schema(own)
        self._tests = 0
        return own

    def _fill(self, own: psycopg.Connection[Any], content: _Content) -> None:
        with own.transaction(), own.cursor() as cursor:
            cursor.execute(self._emptying.encode())
            if sum(cursor.rowcount for _ in cursor.results()) > MOST_ROWS:
                self._tests = MOST_TESTS
            for table, rows in content.tables.items():
                with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copying:
                    copying.write(rows)
            for name, last in content.sequences.items():
                cursor.execute(_SET, {"name": name, "last": last})

    def _read(self, url: str) -> _Content:
        with psycopg.connect(self._server.dsn(database_name(url))) as there:
            tables = {name: _copied(there, name) for (name,) in there.execute(_TABLES).fetchall()}
            sequences = dict(there.execute(_SEQUENCES).fetchall())
        return _Content({name: rows for name, rows in tables.items() if rows}, sequences)


def _copied(there: psycopg.Connection[Any], table: str) -> bytes:
    with there.cursor().copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copying:
        return b"".join(copying)


def _schema(own: psycopg.Connection[Any]) -> tuple[str, ...]:
    found = own.execute(_SCHEMA).fetchone()
    assert found is not None
    return found


def _idle(engine: Engine) -> int:
    return int(engine.pool.checkedin())  # type: ignore[attr-defined]


def _in_use(engine: Engine) -> int:
    return int(engine.pool.checkedout())  # type: ignore[attr-defined]
