"""Queries on the audit log."""

from collections.abc import Iterator

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people.audit import chain
from stempelwerk_cloud.people.audit.chain import Link
from stempelwerk_cloud.people.audit.tables import AuditEntry, AuditWord
from stempelwerk_cloud.people.directory.tables import Company, Tombstone

_CHUNK = 1000


def lock(session: Session, company_id: str) -> None:
    """Locks the company's chain so that no other transaction adds to it before this one ends."""
    locks.take(session, Lock.AUDIT, company_id)


def head(session: Session, company_id: str) -> tuple[int, bytes] | None:
    """Returns the number and the hash of the last entry of the company's chain; None without entries."""
    row = session.execute(
        select(AuditEntry.no, AuditEntry.hash)
        .where(AuditEntry.company_id == company_id)
        .order_by(AuditEntry.no.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.no, bytes(row.hash))


def purged_companies(session: Session) -> set[str]:
    """Returns the ids of purged companies, whose audit entries were deleted with all other data."""
    return set(session.scalars(select(Tombstone.company_id)))


def companies(session: Session) -> list[str]:
    """Returns the ids of all companies, including closed ones."""
    return list(session.scalars(select(Company.id).order_by(Company.id)))


def links(session: Session) -> Iterator[tuple[Link, bytes]]:
    """Yields every entry with its stored hash, by company and number."""
    table = AuditEntry
    columns = (getattr(table, name) for name in Link._fields if name != "at_ms")
    query = select(table.hash, table.at, *columns).order_by(table.company_id, table.no)
    with session.execute(query, execution_options={"yield_per": _CHUNK}) as rows:  # closed where it is left early
        for row in rows:
            members = row._asdict()
            stored_hash = bytes(members.pop("hash"))
            yield Link(at_ms=ms_of(members.pop("at")), **members), stored_hash


def forged_words(session: Session) -> Iterator[tuple[str, str]]:
    """Yields (company id, word id) of the personal words that do not match their seal."""
    columns = select(AuditWord.company_id, AuditWord.id, AuditWord.salt, AuditWord.word)
    with session.execute(columns, execution_options={"yield_per": _CHUNK}) as rows:
        for row in rows:
            if chain.seal(row.salt, row.word) != row.id:
                yield row.company_id, row.id


def erase_words(session: Session, company_id: str, subject_id: str) -> None:
    session.execute(delete(AuditWord).where(AuditWord.company_id == company_id, AuditWord.about == subject_id))
