"""A company's stored rows as one JSON file, streamed in pieces, so that little of it is in memory.

Each piece is read in a transaction of its own, from the newest row on, so that no reader occupies a database
connection.
"""

from collections.abc import Iterator, Set
from datetime import date, datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, Table, false, func, literal, select, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import table_of
from stempelwerk_cloud.kit.database.described import columns_in_view, columns_with, shown_tables
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.callers import ADMIN, Caller
from stempelwerk_cloud.people.directory.companies import feature_keys
from stempelwerk_cloud.people.directory.people import SYSTEM_ADMINISTRATOR, hidden_in
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.words import KEYS

_AT_ONCE = 1000
_COSTS = "costs"
"""The module that wages belong to, also in the audit log."""
_KEY = "key of the page "
_encode = msgspec.json.Encoder().encode


def pieces(platform: Platform, caller: Caller, limit: int) -> Iterator[bytes]:
    """Yields `{"tables": {name: rows}, "counts": {name: number}}` in pieces of at most 1,000 rows.

    Each table has its newest `limit` rows by key, or all with 0; counts are of all rows. Without the module `costs`
    wages are missing, except for system administrators, who are not bound by modules. A company's administrator gets no
    data of system administrators.
    """
    company_id, now = caller.subject_company_id, platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        modules = frozenset(KEYS if caller.role == ADMIN else feature_keys(session, company_id))
        hidden = hidden_in(session, company_id)
        own_user_ids = set(
            session.scalars(select(User.id).where(User.company_id == company_id, User.id.not_in(hidden)))
        )
    counts: dict[str, int] = {}
    head = b'{"tables":{'
    for table, view in shown_tables():
        if view.module is not None and view.module not in modules:
            continue
        called = view.name or str(table.name)  # msgspec refuses SQLAlchemy's own type of names
        query = _query(table, view.rows(table, company_id, now), modules, hidden)
        actors = {column.key for column in columns_with(table, "actor")}
        head += (b"," if counts else b"") + _encode(called) + b":["
        number, behind, ended = 0, None, False
        while not ended:
            page_limit = min(_AT_ONCE, limit - number) if limit else _AT_ONCE
            with platform.database.read(of_company(company_id)) as session:
                rows, behind = _page(session, query, table, behind, page_limit)
                number += len(rows)
                is_cut = number == limit > 0
                counts[called] = _count(session, query) if is_cut else number
            encoded = (
                _encode({key: _encode_value(value, key in actors, own_user_ids) for key, value in row.items()})
                for row in rows
            )
            yield head + (b"," if number > len(rows) > 0 else b"") + b",".join(encoded)
            head, ended = b"", is_cut or len(rows) < page_limit
            rows.clear()  # frees the rows before the next page is read
        head = b"]"
    yield head + b'},"counts":' + _encode(counts) + b"}"


def _count(session: Session, query: Select[Any]) -> int:
    return session.scalars(select(func.count()).select_from(query.order_by(None).subquery())).one()


def _page(
    session: Session, query: Select[Any], table: Table, behind: tuple[Any, ...] | None, limit: int
) -> tuple[list[dict[str, Any]], tuple[Any, ...] | None]:
    """Returns the next rows after a key (None: the first rows), and the key of the last one."""
    key = list(table.primary_key)
    page_query = query.add_columns(*(column.label(f"{_KEY}{place}") for place, column in enumerate(key))).limit(limit)
    if behind is not None:
        last = tuple_(*(literal(value, column.type) for value, column in zip(behind, key, strict=True)))
        page_query = page_query.where(tuple_(*key) < last)
    rows = [dict(row) for row in session.execute(page_query).mappings()]
    for row in rows:
        behind = tuple(row.pop(f"{_KEY}{place}") for place in range(len(key)))
    return rows, behind


def _query(table: Table, rows: ColumnElement[bool], modules: Set[str], hidden: Set[str]) -> Select[Any]:
    """Returns the query of a table's visible rows, by descending key, without rows about hidden people."""
    query = select(*columns_in_view(table)).order_by(*(column.desc() for column in table.primary_key)).where(rows)
    for column in columns_with(table, "subject", "party"):
        query = query.where(column.is_(None) | column.not_in(hidden))
    if table.name == "entries":
        query = _with_person(query, table, table_of("person_numbers"), hidden)
    if table.name == "audit_entries":
        mentions = (table.c[side].contains(user_id) for side in ("before", "after") for user_id in sorted(hidden))
        query = query.where(*(~func.coalesce(mention, false()) for mention in mentions))
        if _COSTS not in modules:
            query = query.where(table.c.action.not_like("compensation.%"))
    return query


def _with_person(query: Select[Any], entries: Table, people: Table, hidden: Set[str]) -> Select[Any]:
    """Adds the person's id to the query of entries, because an entry has only the person's number."""
    same_person = (people.c.company_id == entries.c.company_id) & (people.c.no == entries.c.person_no)
    return query.add_columns(people.c.user_id).join(people, same_person).where(people.c.user_id.not_in(hidden))


def _encode_value(value: Any, is_actor: bool, own_user_ids: Set[str]) -> Any:
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if is_actor and value is not None and value not in own_user_ids:
        return SYSTEM_ADMINISTRATOR
    return value
