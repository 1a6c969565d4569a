"""A company's stored rows as one JSON file, made of pieces: however much there is, little of it is in memory.

Each piece is read in a transaction of its own, from the newest row on, so no reader keeps a connection to the database.
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
    """`{"tables": {name: rows}, "counts": {name: number}}`, in pieces of at most so many rows.

    Of each table the last `limit` rows by its key, all with 0; counts are of all. Without the module `costs` nothing of
    wages, but for system administrators, who obey no switches. A company's administrator learns of none of those.
    """
    company_id, now = caller.subject_company_id, platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        wages = caller.role == ADMIN or "costs" in directory.feature_keys(session, company_id)
        hidden = directory.hidden_in(session, company_id)
        own = set(session.scalars(select(User.id).where(User.company_id == company_id, User.id.not_in(hidden))))
    counts: dict[str, int] = {}
    head = b'{"tables":{'
    for name, shown in SHOWN.items():
        if name == WAGES and not wages:
            continue
        called, query = shown.called or name, _query(name, company_id, wages, now, hidden)
        head += (b"," if counts else b"") + _encode(called) + b":["
        number, behind, ended = 0, None, False
        while not ended:
            wanted = min(_AT_ONCE, limit - number) if limit else _AT_ONCE
            with platform.database.read(of_company(company_id)) as session:
                rows, behind = _page(session, query, Base.metadata.tables[name], behind, wanted)
                number += len(rows)
                is_cut = number == limit > 0
                counts[called] = _count(session, query) if is_cut else number
            encoded = (_encode({key: _told(key, value, own) for key, value in row.items()}) for row in rows)
            yield head + (b"," if number > len(rows) > 0 else b"") + b",".join(encoded)
            head, ended = b"", is_cut or len(rows) < wanted
            rows.clear()  # the next page is read before this name means it
        head = b"]"
    yield head + b'},"counts":' + _encode(counts) + b"}"


def _count(session: Session, query: Select[Any]) -> int:
    return session.scalars(select(func.count()).select_from(query.order_by(None).subquery())).one()


def _page(
    session: Session, query: Select[Any], table: Table, behind: tuple[Any, ...] | None, limit: int
) -> tuple[list[dict[str, Any]], tuple[Any, ...] | None]:
    """The next rows, and the key of the last."""
    key = list(table.primary_key)
    asked = query.add_columns(*(column.label(f"{_KEY}{place}") for place, column in enumerate(key))).limit(limit)
    if behind is not None:
        last = tuple_(*(literal(value, column.type) for value, column in zip(behind, key, strict=True)))
        asked = asked.where(tuple_(*key) < last)
    found = [dict(row) for row in session.execute(asked).mappings()]
    for row in found:
        behind = tuple(row.pop(f"{_KEY}{place}") for place in range(len(key)))
    return found, behind


def _query(name: str, company_id: str, wages: bool, now: datetime, hidden: set[str]) -> Select[Any]:
    """All that the company sees of a table, the greatest keys first, without what is about hidden people."""
    table, tables = Base.metadata.tables[name], Base.metadata.tables
    columns = [one for one in table.columns if one.name not in SHOWN[name].hidden | {"company_id"}]
    query = select(*columns).order_by(*(one.desc() for one in table.primary_key))
    if name == "companies":
        return query.where(table.c.id == company_id)
    if name == "devices":
        held = tables["device_assignments"]
        now_held = (held.c.company_id == company_id) & (held.c.starts_at <= now)
        now_held &= or_(held.c.ends_at.is_(None), held.c.ends_at > now)
        return query.where(table.c.no.in_(select(held.c.device_no).where(now_held)))
    query = query.where(table.c.company_id == company_id)
    if name == "entries":
        query = _with_person(query, table, tables["person_numbers"], hidden)
    for key in _PEOPLE.intersection(table.columns.keys()):
        query = query.where(table.c[key].is_(None) | table.c[key].not_in(hidden))
    if name == "users":
        query = query.where(table.c.id.not_in(hidden))
    if name == "audit_entries":
        about = (table.c[side].contains(user_id) for side in ("before", "after") for user_id in sorted(hidden))
        query = query.where(*(~func.coalesce(one, false()) for one in about))
    if name == "audit_entries" and not wages:
        query = query.where(table.c.action.not_like("compensation.%"))
    return query


def _with_person(query: Select[Any], entries: Table, people: Table, hidden: set[str]) -> Select[Any]:
    """Whose an entry is, which it knows by a number alone."""
    same = (people.c.company_id == entries.c.company_id) & (people.c.no == entries.c.person_no)
    return query.add_columns(people.c.user_id).join(people, same).where(people.c.user_id.not_in(hidden))


def _told(name: str, value: Any, own: set[str]) -> Any:
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if value is not None and (name in {"actor", "author"} or name.endswith("_by")) and value not in own:
        return directory.SYSTEM_ADMINISTRATOR
    return value
