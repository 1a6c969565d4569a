"""Fills every table that belongs to a company with a row, for each of the given companies.

The rows have no meaning; they satisfy types, keys and foreign keys of any table.
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
    """Adds a row of each company to each table, and a row of the tables that they refer to."""
    shared: dict[str, dict[str, Any]] = {}
    referenced_tables = {key.column.table.name for table in TENANT_TABLES for key in table.foreign_keys}
    for table in metadata().sorted_tables:
        if company_column(table) is None and table.name in referenced_tables:
            shared[table.name] = _put(session, table, 1, None, {})
    for number, company_id in enumerate(company_ids, 2):
        rows_by_table = dict(shared)
        for table in TENANT_TABLES:
            rows_by_table[table.name] = row_of(table, number, company_id, rows_by_table)
            session.execute(insert(table).values(**rows_by_table[table.name]))


def pile_up(session: Session, table: Table, company_ids: Sequence[str], rows: int) -> None:
    """Adds rows of each company to one table. They refer to existing rows of the company, with the words of an existing
    row.
    """
    sample_row = session.execute(select(table).limit(1)).mappings().first() or {}
    words = {
        table_column.name: sample_row[table_column.name]
        for table_column in table.columns
        if table_column.name in sample_row
        and isinstance(table_column.type, String | LargeBinary)
        and not table_column.primary_key
    }
    for place, company_id in enumerate(company_ids):
        parent_tables = {key.column.table for key in table.foreign_keys}
        parent_rows = {parent_table.name: _any_of(session, parent_table, company_id) for parent_table in parent_tables}
        numbers = range(place * rows + 1, (place + 1) * rows + 1)
        session.execute(insert(table), [row_of(table, number, company_id, parent_rows) | words for number in numbers])


def _any_of(session: Session, table: Table, company_id: str) -> dict[str, Any]:
    column = company_column(table)
    row_query = select(table) if column is None else select(table).where(table.columns[column] == company_id)
    return dict(session.execute(row_query.limit(1)).mappings().one())


def row_of(table: Table, number: int, company_id: str, parent_rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Builds a row of a company that differs by `number`. `parent_rows`: the rows that it may refer to, by table."""
    column = company_column(table)
    values = {table_column.name: _value(table_column, number) for table_column in table.columns}
    for constraint in table.constraints:
        if isinstance(constraint, ForeignKeyConstraint):
            for key in constraint.elements:
                values[key.parent.name] = parent_rows.get(key.column.table.name, {}).get(key.column.name)
    return values | ({} if column is None else {column: company_id})


def _put(
    session: Session, table: Table, number: int, company_id: str | None, parent_rows: dict[str, Any]
) -> dict[str, Any]:
    row = row_of(table, number, company_id or "", parent_rows)
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
