"""Rows that a transaction has read once and uses again: a request reads a company's settings and people only once.

The memory belongs to the session. It ends with each lock, because a decision reads the facts under its locks, with each
write to the table, with a rolled back savepoint, and with the transaction. Rows that other transactions commit in
between are not seen, as if the query had come earlier.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session

from stempelwerk_cloud.kit.slots import Slot

Value = TypeVar("Value")

_MEMORY: Slot[Session, dict[type[Any], dict[Hashable, Any]]] = Slot(lambda _: {})
"""The values that were read, by table and key."""


def remembered(session: Session, table: type[Any], key: Hashable, read: Callable[[], Value]) -> Value:
    """Returns what `read` returned for this table and key, or reads it. The caller must not change the value."""
    session.flush()  # as a query would; a write ends the memory of its table
    values: dict[Hashable, Value] = _MEMORY.of(session).setdefault(table, {})
    if key not in values:
        values[key] = read()
    return values[key]


def forget(session: Session) -> None:
    """Ends the memory of all tables."""
    _MEMORY.pop(session)


@event.listens_for(Session, "after_flush")
def _forget_flushed(session: Session, _: object) -> None:
    memory = _MEMORY.get(session)
    if memory:
        for table in {type(row) for row in (*session.new, *session.dirty, *session.deleted)}:
            memory.pop(table, None)


@event.listens_for(Session, "do_orm_execute")
def _forget_executed(state: ORMExecuteState) -> None:
    memory = None if state.is_select else _MEMORY.get(state.session)
    if memory is None:
        return
    if state.bind_mapper is None:
        forget(state.session)
    else:
        memory.pop(state.bind_mapper.class_, None)


@event.listens_for(Session, "after_soft_rollback")
def _forget_rolled_back(session: Session, _: object) -> None:
    forget(session)


@event.listens_for(Session, "after_commit")
def _forget_committed(session: Session) -> None:
    forget(session)
