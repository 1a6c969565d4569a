"""Helpers for a room's tests: existing rows, a person's messages, and the log.

The `matrix` proves claims about every room from the `…_calls.py`.
"""

import json
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Date, inspect, select
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.messages.tables import Message

from cloud.tests.world import Somebody, World


class Told(NamedTuple):
    """A message."""

    type: str
    title: str
    body: str
    payload: dict[str, Any]


def given(whose: Somebody, table: type[Base], **values: Any) -> str:
    """Creates a row of the table for that person's company and about the person; returns its id.

    Days may be text. A missing required value is a new id, or the clock's now.
    """
    platform = whose.world.platform
    row = {"company_id": whose.company_id, "user_id": whose.id} | values
    columns = inspect(table).columns
    for column in columns:
        name = str(column.key)
        if isinstance(column.type, Date) and isinstance(row.get(name), str):
            row[name] = date.fromisoformat(row[name])
        elif name not in row and not column.nullable and column.default is None:
            if isinstance(column.type, Id):
                row[name] = platform.ids.new()
            elif isinstance(column.type, Instant):
                row[name] = platform.clock.now()
    with platform.database.write(SYSTEM) as tx:
        tx.add(table(**{name: value for name, value in row.items() if name in columns}))
    return str(row["id"])


def inbox(somebody: Somebody, *types: str) -> list[Told]:
    """Returns all messages of a person, read or unread, oldest first; optionally of these types."""
    found = select(Message).where(Message.company_id == somebody.company_id, Message.user_id == somebody.id)
    with somebody.world.platform.database.read(SYSTEM) as tx:
        rows = tx.scalars(found.order_by(Message.id)).all()
        told = [Told(one.type, one.title, one.body, json.loads(one.payload)) for one in rows]
    return [one for one in told if not types or one.type in types]


def logged(world: World, company_id: str, about: str = "") -> list[str]:
    """The actions in the company's log that begin so, oldest first."""
    found = select(AuditEntry.action).where(AuditEntry.company_id == company_id).order_by(AuditEntry.no)
    with world.platform.database.read(SYSTEM) as tx:
        return [action for action in tx.scalars(found) if action.startswith(about)]
