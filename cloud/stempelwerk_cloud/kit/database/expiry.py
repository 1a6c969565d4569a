"""Deletes expired rows without blocking. Locked rows are skipped until the next run.

A deletion never waits for a lock, so it cannot be part of a deadlock in which another transaction fails. Several
processes may delete at once.
"""

from collections import Counter

from sqlalchemy import ColumnElement, Delete, delete, inspect, select, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import Base


def remove(session: Session, table: type[Base], over: ColumnElement[bool]) -> None:
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
