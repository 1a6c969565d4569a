"""A row of every table that belongs to a company, for as many companies as are asked for.

The rows make no sense; they satisfy types, keys and foreign keys, whatever tables there are.
"""

import uuid
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Boolean, Column, Date, ForeignKeyConstraint, Integer, LargeBinary, String, Table, insert, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database.columns import Id, Instant
from stempelwerk_cloud.kit.database.row_security import company_column

TENANT_TABLES = [table for table in metadata().sorted_tables if company_column(table) is not None]


def fill(session: Session, company_ids: Sequence[str]) -> None:
    """One row a company in each of them, and one of what they refer to besides."""
    shared: dict[str, dict[str, Any]] = {}
    wanted = {key.column.table.name for table in TENANT_TABLES for key in table.foreign_keys}
    for table in metadata().sorted_tables:
        if company_column(table) is None and table.name in wanted:
            shared[table.name] = _put(session, table, 1, None, {})
    for number, company_id in enumerate(company_ids, 2):
        own = dict(shared)
        for table in TENANT_TABLES:
            own[table.name] = row_of(table, number, company_id, own)
            session.execute(insert(table).values(**own[table.name]))


def pile_up(session: Session, table: Table, company_ids: Sequence[str], rows: int) -> None:
    """So many rows of each company in one table, which refer to what the companies have, with words as they are."""
    found = session.execute(select(table).limit(1)).mappings().first() or {}
    words = {
        one.name: found[one.name]
        for one in table.columns
        if one.name in found and isinstance(one.type, String | LargeBinary) and not one.primary_key
    }
    for place, company_id in enumerate(company_ids):
        known = {key.column.table for key in table.foreign_keys}
        others = {one.name: _any_of(session, one, company_id) for one in known}
        numbers = range(place * rows + 1, (place + 1) * rows + 1)
        session.execute(insert(table), [row_of(table, number, company_id, others) | words for number in numbers])


def _any_of(session: Session, table: Table, company_id: str) -> dict[str, Any]:
    column = company_column(table)
    found = select(table) if column is None else select(table).where(table.columns[column] == company_id)
    return dict(session.execute(found.limit(1)).mappings().one())


def row_of(table: Table, number: int, company_id: str, others: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A row of a company that is unlike that of another number. `others`: the rows that it may refer to, by table."""
    column = company_column(table)
    values = {one.name: _value(one, number) for one in table.columns}
    for constraint in table.constraints:
        if isinstance(constraint, ForeignKeyConstraint):
            for key in constraint.elements:
                values[key.parent.name] = others.get(key.column.table.name, {}).get(key.column.name)
    return values | ({} if column is None else {column: company_id})


def _put(session: Session, table: Table, number: int, company_id: str | None, others: dict[str, Any]) -> dict[str, Any]:
    row = row_of(table, number, company_id or "", others)
    session.execute(insert(table).values(**row))
    return row


def _value(column: Column[Any], number: int) -> Any:
    kinds: list[tuple[Any, Any]] = [
        (Id, str(uuid.UUID(int=number))),
        (Instant, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)),
        (Date, date(2026, 1, 1) + timedelta(days=number)),
        (Boolean, False),
        (LargeBinary, number.to_bytes(4)),
        (String, str(number)),
        (Integer, number),
    ]
    return next(value for kind, value in kinds if isinstance(column.type, kind))
