"""A company's stored rows as one JSON file, streamed in pieces, so that little of it is in memory.

Each piece is read in a transaction of its own, from the newest row on, so that no reader occupies a database
connection.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import msgspec
from sqlalchemy import Select, Table, false, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.data_view.contents import SHOWN, WAGES
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, Caller
from stempelwerk_cloud.people.directory.tables import User

_AT_ONCE = 1000
_PEOPLE = frozenset({"user_id", "from_id", "to_id", "subject"})
"""Columns with the id of the person that a row is about."""
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
        wages = caller.role == ADMIN or "costs" in directory.feature_keys(session, company_id)
        hidden = directory.hidden_in(session, company_id)
        own_user_ids = set(
            session.scalars(select(User.id).where(User.company_id == company_id, User.id.not_in(hidden)))
        )
    counts: dict[str, int] = {}
    head = b'{"tables":{'
    for name, selection in SHOWN.items():
        if name == WAGES and not wages:
            continue
        called, query = selection.called or name, _query(name, company_id, wages, now, hidden)
        head += (b"," if counts else b"") + _encode(called) + b":["
        number, behind, ended = 0, None, False
        while not ended:
            page_limit = min(_AT_ONCE, limit - number) if limit else _AT_ONCE
            with platform.database.read(of_company(company_id)) as session:
                rows, behind = _page(session, query, Base.metadata.tables[name], behind, page_limit)
                number += len(rows)
                is_cut = number == limit > 0
                counts[called] = _count(session, query) if is_cut else number
            encoded = (
                _encode({key: _encode_value(key, value, own_user_ids) for key, value in row.items()}) for row in rows
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


def _query(name: str, company_id: str, wages: bool, now: datetime, hidden: set[str]) -> Select[Any]:
    """Returns the query of a table's visible rows, by descending key, without rows about hidden people."""
    table, tables = Base.metadata.tables[name], Base.metadata.tables
    columns = [column for column in table.columns if column.name not in SHOWN[name].hidden | {"company_id"}]
    query = select(*columns).order_by(*(column.desc() for column in table.primary_key))
    if name == "companies":
        return query.where(table.c.id == company_id)
    if name == "devices":
        assignments = tables["device_assignments"]
        now_held = (assignments.c.company_id == company_id) & (assignments.c.starts_at <= now)
        now_held &= or_(assignments.c.ends_at.is_(None), assignments.c.ends_at > now)
        return query.where(table.c.no.in_(select(assignments.c.device_no).where(now_held)))
    query = query.where(table.c.company_id == company_id)
    if name == "entries":
        query = _with_person(query, table, tables["person_numbers"], hidden)
    for key in _PEOPLE.intersection(table.columns.keys()):
        query = query.where(table.c[key].is_(None) | table.c[key].not_in(hidden))
    if name == "users":
        query = query.where(table.c.id.not_in(hidden))
    if name == "audit_entries":
        mentions = (table.c[side].contains(user_id) for side in ("before", "after") for user_id in sorted(hidden))
        query = query.where(*(~func.coalesce(mention, false()) for mention in mentions))
    if name == "audit_entries" and not wages:
        query = query.where(table.c.action.not_like("compensation.%"))
    return query


def _with_person(query: Select[Any], entries: Table, people: Table, hidden: set[str]) -> Select[Any]:
    """Adds the person's id to the query of entries, because an entry has only the person's number."""
    same_person = (people.c.company_id == entries.c.company_id) & (people.c.no == entries.c.person_no)
    return query.add_columns(people.c.user_id).join(people, same_person).where(people.c.user_id.not_in(hidden))


def _encode_value(name: str, value: Any, own_user_ids: set[str]) -> Any:
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if value is not None and (name in {"actor", "author"} or name.endswith("_by")) and value not in own_user_ids:
        return directory.SYSTEM_ADMINISTRATOR
    return value
