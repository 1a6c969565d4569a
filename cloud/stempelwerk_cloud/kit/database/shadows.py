"""Shadow tables: a dry run writes to temporary tables and locks nothing that another transaction waits for.

A dry run reads a snapshot. Before its first write to a table, a temporary table of the same name takes that company's
rows, with the keys, constraints and indexes of the model but no foreign keys. Both databases resolve a name to the
temporary table first, so the statements of a change stay as they are. The rollback drops it.

Row locks are removed from statements here, advisory locks are skipped by `locks.take_all`. On SQLite an authorizer
denies every write to the database's file. A table that belongs to no company is copied as a whole.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Table, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex, CreateTable

from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.row_security import company_column

SHADOWS = "shadows"
"""The name of the execution option that holds a connection's `Shadows` during a dry run."""

_WRITTEN = re.compile(r'\b(?:INSERT INTO|UPDATE|DELETE FROM|COPY) "?(\w+)')
_ROW_LOCK = re.compile(r"\s+FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: NOWAIT| SKIP LOCKED)?\b")
_WRITES = (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE)
_STEPS = 100_000
"""SQLite instructions between two checks of the deadline: some milliseconds."""


class TookTooLong(Exception):
    """The dry run has reached its deadline."""


class Shadows:
    """The shadow tables of one transaction, for the rows of one company."""

    def __init__(self, connection: Connection, company_id: str, seconds: float) -> None:
        self._connection = connection
        self._company_id = company_id
        self._deadline = time.monotonic() + seconds
        if connection.dialect.name == "sqlite":
            self._schema, self._find = "main", "SELECT 1 FROM sqlite_temp_master WHERE name = :name"
        else:
            self._schema = connection.execute(text("SELECT quote_ident(current_schema())")).scalar_one()
            self._find = "SELECT 1 WHERE to_regclass('pg_temp.' || :name) IS NOT NULL"

    def is_over(self) -> bool:
        """Returns whether the deadline has passed."""
        return time.monotonic() > self._deadline

    def prepare(self, statement: str) -> str:
        """Returns the statement without row locks, after shadowing the tables that it writes. Raises TookTooLong."""
        if self.is_over():
            raise TookTooLong
        for name in _WRITTEN.findall(statement):
            table = Base.metadata.tables.get(name)
            if table is not None and self._connection.execute(text(self._find), {"name": name}).first() is None:
                self._make(table)
        return _ROW_LOCK.sub("", statement)

    def _make(self, table: Table) -> None:
        self._connection.execute(_CreateShadow(table, include_foreign_key_constraints=()))
        columns = ", ".join(self._connection.dialect.identifier_preparer.format_column(each) for each in table.columns)
        rows = f"SELECT {columns} FROM {self._schema}.{table.name}"  # noqa: S608 -- names
        owner = company_column(table)
        fill = f"INSERT INTO {table.name} ({columns}) {rows}" + (f" WHERE {owner} = :company" if owner else "")
        self._connection.execute(text(fill), {"company": self._company_id} if owner else {})
        for index in table.indexes:
            self._connection.execute(CreateIndex(index))
        if self._schema != "main":
            self._connection.execute(text(f"ANALYZE pg_temp.{table.name}"))


class _CreateShadow(CreateTable):
    """A CREATE TEMPORARY TABLE statement for the model of the table that it shadows."""


@compiles(_CreateShadow)
def _create_shadow(element: _CreateShadow, compiler: Any, **options: Any) -> str:
    created: str = compiler.visit_create_table(element, **options)
    return created.replace("CREATE TABLE", "CREATE TEMPORARY TABLE", 1)


@contextmanager
def shadowed(connection: Connection, company_id: str, seconds: float) -> Iterator[None]:
    """Shadows all later writes of the connection's transaction, which the caller rolls back. Raises TookTooLong."""
    shadows = Shadows(connection, company_id, seconds)
    driver: Any = connection.connection.driver_connection
    connection.execution_options(**{SHADOWS: shadows})
    event.listen(connection, "before_cursor_execute", _before_execute, retval=True)
    if connection.dialect.name == "sqlite":
        driver.set_authorizer(_temporary_only)
        driver.set_progress_handler(shadows.is_over, _STEPS)
    else:
        connection.execute(text(f"SET LOCAL statement_timeout = {int(seconds * 1000)}"))
        # A statement that the driver prepared before the shadow existed still refers to the real table.
        threshold, driver.prepare_threshold = driver.prepare_threshold, None
    try:
        yield
    except OperationalError as error:
        if shadows.is_over():
            raise TookTooLong from error
        raise
    finally:
        if connection.dialect.name == "sqlite":
            driver.set_authorizer(None)
            driver.set_progress_handler(None, 0)
        else:
            driver.prepare_threshold = threshold


def _before_execute(
    connection: Connection, _cursor: object, statement: str, parameters: Any, *_: object
) -> tuple[str, Any]:
    shadows: Shadows = connection.get_execution_options()[SHADOWS]
    return shadows.prepare(statement), parameters


def _temporary_only(
    action: int, table: str | None, _column: str | None, schema: str | None, _trigger: str | None
) -> int:
    # A connection that uses `json_each` for the first time declares it, which counts as an insert into `sqlite_master`.
    is_denied = action in _WRITES and schema != "temp" and table != "sqlite_master"
    return sqlite3.SQLITE_DENY if is_denied else sqlite3.SQLITE_OK
