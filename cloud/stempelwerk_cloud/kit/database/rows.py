"""Statements that both databases have: an INSERT for existing rows, lists of parameters, the removal of expired rows.

A removal skips locked rows until the next run. It never waits for a lock, so it cannot be part of a deadlock in which
another transaction fails. Several processes may remove at once.
"""

from collections import Counter
from collections.abc import Collection
from typing import TypeVar

from sqlalchemy import ColumnElement, Delete, delete, inspect, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import Base

Value = TypeVar("Value")


def padded(values: Collection[Value]) -> list[Value]:
    """Returns the values for an `IN`, with the last one repeated up to a power of two."""
    value_list = list(values)
    missing = (1 << max(len(value_list) - 1, 0).bit_length()) - len(value_list)
    return value_list + value_list[-1:] * missing


def upsert(session: Session, table: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Returns the INSERT, for `on_conflict_do_nothing` or `on_conflict_do_update`, which both dialects have."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def remove_expired(session: Session, table: type[Base], over: ColumnElement[bool]) -> None:
    """Removes the rows that are `over` and not locked. SQLite has one writer."""
    session.execute(_removing(table, over), execution_options={"synchronize_session": False})


def remove_counted(session: Session, table: type[Base], over: ColumnElement[bool]) -> Counter[str]:
    """Removes the same rows; returns the number of them by company."""
    statement = _removing(table, over).returning(inspect(table).columns["company_id"])
    return Counter(session.scalars(statement, execution_options={"synchronize_session": False}))


def _removing(table: type[Base], over: ColumnElement[bool]) -> Delete:
    key = inspect(table).primary_key
    free = select(*key).where(over).with_for_update(skip_locked=True)
    return delete(table).where(tuple_(*key).in_(free))
