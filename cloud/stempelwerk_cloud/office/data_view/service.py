"""A company's stored rows as one JSON file, made row by row: however much there is, little of it is in memory.

It is made on disk and sent from there, meanwhile, so that no slow reader keeps a connection to the database.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Select, Table, func, or_, select
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
_encode = msgspec.json.Encoder().encode


def dump(platform: Platform, caller: Caller, limit: int, file: BinaryIO) -> None:
    """Writes `{"tables": {name: rows}, "counts": {name: number}}` into a file and goes back to its beginning.

    Of each table the last `limit` rows by its key, all with 0; counts are of all. Without the module `costs` nothing of
    wages, but for system administrators, who obey no switches. A company's administrator learns of none of those.
    """
    company_id, now = caller.subject_company_id, platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        wages = caller.role == ADMIN or "costs" in directory.feature_keys(session, company_id)
        _write(session, file, company_id, limit, wages, now)
    file.seek(0)


def _write(session: Session, file: BinaryIO, company_id: str, limit: int, wages: bool, now: datetime) -> None:
    own = set(session.scalars(select(User.id).where(User.company_id == company_id, User.role != ADMIN)))
    counts: dict[str, int] = {}
    file.write(b'{"tables":{')
    for name, shown in SHOWN.items():
        if name == WAGES and not wages:
            continue
        called = shown.called or name
        query = _query(name, company_id, wages, now)
        file.write((b"," if counts else b"") + _encode(called) + b":[")
        number = 0
        for number, row in enumerate(_rows(session, query, limit, own), 1):
            file.write((b"," if number > 1 else b"") + _encode(row))
        file.write(b"]")
        if limit and number == limit:
            number = session.scalars(select(func.count()).select_from(query.order_by(None).subquery())).one()
        counts[called] = number
    file.write(b'},"counts":' + _encode(counts) + b"}")


def _query(name: str, company_id: str, wages: bool, now: datetime) -> Select[Any]:
    """All that the company sees of a table, the greatest keys first."""
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
        query = _with_person(query, table, tables["person_numbers"])
    if name == "users":
        query = query.where(table.c.role != ADMIN)
    if name == "audit_entries" and not wages:
        query = query.where(table.c.action.not_like("compensation.%"))
    return query


def _with_person(query: Select[Any], entries: Table, people: Table) -> Select[Any]:
    """Whose an entry is, which it knows by a number alone."""
    same = (people.c.company_id == entries.c.company_id) & (people.c.no == entries.c.person_no)
    return query.add_columns(people.c.user_id).join(people, same)


def _rows(session: Session, query: Select[Any], limit: int, own: set[str]) -> Iterator[dict[str, Any]]:
    limited = query.limit(limit) if limit else query
    for row in session.execute(limited.execution_options(yield_per=_AT_ONCE)).mappings():
        yield {name: _told(name, value, own) for name, value in row.items()}


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
