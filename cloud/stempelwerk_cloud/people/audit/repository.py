"""Queries on the audit log."""

from collections.abc import Collection, Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.people.audit import chain
from stempelwerk_cloud.people.audit.chain import Link
from stempelwerk_cloud.people.audit.tables import AuditEntry, AuditWord
from stempelwerk_cloud.people.companies.tables import Company

_CHUNK = 1000


def lock(session: Session, company_id: str) -> None:
    """Nobody else adds to the company's chain before this transaction ends."""
    locks.take(session, locks.number_of("audit", company_id))


def head(session: Session, company_id: str) -> tuple[int, bytes] | None:
    """Number and hash of the company's last entry."""
    found = session.execute(
        select(AuditEntry.no, AuditEntry.hash)
        .where(AuditEntry.company_id == company_id)
        .order_by(AuditEntry.no.desc())
        .limit(1)
    ).first()
    return None if found is None else (found.no, bytes(found.hash))


def companies(session: Session) -> list[str]:
    """All companies that there are or were."""
    return list(session.scalars(select(Company.id).order_by(Company.id)))


def links(session: Session) -> Iterator[tuple[Link, bytes]]:
    """Every entry with the hash that is kept, by company and number."""
    table = AuditEntry
    columns = (getattr(table, name) for name in Link._fields if name != "at_ms")
    found = select(table.hash, table.at, *columns).order_by(table.company_id, table.no)
    with session.execute(found, execution_options={"yield_per": _CHUNK}) as rows:  # closed where it is left early
        for row in rows:
            members = row._asdict()
            kept = bytes(members.pop("hash"))
            yield Link(at_ms=ms_of(members.pop("at")), **members), kept


def forged_words(session: Session) -> Iterator[tuple[str, str]]:
    """(company, id) of the words that are not what their ids seal."""
    columns = select(AuditWord.company_id, AuditWord.id, AuditWord.salt, AuditWord.word)
    with session.execute(columns, execution_options={"yield_per": _CHUNK}) as rows:
        for row in rows:
            if chain.seal(row.salt, row.word) != row.id:
                yield row.company_id, row.id


def number_of(session: Session, company_id: str, entry_id: str) -> int | None:
    return session.scalar(select(AuditEntry.no).where(AuditEntry.company_id == company_id, AuditEntry.id == entry_id))


def entries(
    session: Session,
    company_id: str,
    limit: int,
    *,
    before_no: int | None = None,
    starts: datetime | None = None,
    ends: datetime | None = None,
    actor: str | None = None,
    action: str | None = None,
    hidden: Collection[str] = (),
    own: bool = False,
) -> list[AuditEntry]:
    """Newest first. `ends` is exclusive; an `action` that ends in a dot is a prefix.

    None are about `hidden`, nor, if `own`, about other companies.
    """
    found = select(AuditEntry).where(*_of_company(company_id, own=own))
    if hidden:
        found = found.where(AuditEntry.subject.is_(None) | AuditEntry.subject.not_in(hidden))
    if before_no is not None:
        found = found.where(AuditEntry.no < before_no)
    if starts is not None:
        found = found.where(AuditEntry.at >= starts)
    if ends is not None:
        found = found.where(AuditEntry.at < ends)
    if actor is not None:
        found = found.where(AuditEntry.actor == actor)
    if action is not None and action.endswith("."):
        found = found.where(AuditEntry.action.startswith(action, autoescape=True))
    elif action is not None:
        found = found.where(AuditEntry.action == action)
    return list(session.scalars(found.order_by(AuditEntry.no.desc()).limit(limit)))


def kinds(session: Session, company_id: str, *, own: bool) -> list[str]:
    found = select(AuditEntry.action).where(*_of_company(company_id, own=own)).distinct()
    return sorted(session.scalars(found))


def _of_company(company_id: str, *, own: bool) -> list[ColumnElement[bool]]:
    """The company's log; if `own`, without what it says about other companies, as the operator's does."""
    log = AuditEntry.company_id == company_id
    about_it = AuditEntry.action.not_like("company.%") | (AuditEntry.subject == company_id)
    return [log, about_it] if own else [log]


def words(session: Session, company_id: str, ids: Collection[str]) -> dict[str, str]:
    """The words that have not been erased, by id."""
    if not ids:
        return {}
    found = select(AuditWord.id, AuditWord.word).where(AuditWord.company_id == company_id, AuditWord.id.in_(list(ids)))
    return {row.id: row.word for row in session.execute(found)}


def erase_words(session: Session, company_id: str, about: str) -> None:
    session.execute(delete(AuditWord).where(AuditWord.company_id == company_id, AuditWord.about == about))
