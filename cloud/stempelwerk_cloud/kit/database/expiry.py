"""Removing rows whose time is over, in nobody's way: a row that somebody is at is left for the next time.

So who removes never waits, and is no part of a circle in which somebody else's call might be the one that fails;
several processes may do it at once.
"""

from collections import Counter

from sqlalchemy import ColumnElement, Delete, delete, inspect, select, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import Base


def remove(session: Session, table: type[Base], over: ColumnElement[bool]) -> None:
    """Removes the rows that are `over` and that nobody has locked. SQLite has one writer."""
    session.execute(_removing(table, over), execution_options={"synchronize_session": False})


def remove_counted(session: Session, table: type[Base], over: ColumnElement[bool]) -> Counter[str]:
    """The same; how many rows of each company went."""
    statement = _removing(table, over).returning(inspect(table).columns["company_id"])
    return Counter(session.scalars(statement, execution_options={"synchronize_session": False}))


def _removing(table: type[Base], over: ColumnElement[bool]) -> Delete:
    key = inspect(table).primary_key
    free = select(*key).where(over).with_for_update(skip_locked=True)
    return delete(table).where(tuple_(*key).in_(free))
