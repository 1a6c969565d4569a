"""Queries on the audit log, newest first."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.audit.tables import AuditEntry, AuditWord


def number_of(session: Session, company_id: str, entry_id: str) -> int | None:
    return session.scalar(select(AuditEntry.no).where(AuditEntry.company_id == company_id, AuditEntry.id == entry_id))


def entries(
    session: Session,
    company_id: str,
    limit: int,
    *,
    before_no: int | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    actor: str | None = None,
    action: str | None = None,
    hidden: Collection[str] = (),
    own_only: bool = False,
) -> list[AuditEntry]:
    """Returns entries, newest first. `end` is exclusive; an `action` that ends in a dot is a prefix.

    Leaves out entries about `hidden` and, with `own_only`, about other companies.
    """
    query = select(AuditEntry).where(*_of_company(company_id, own_only=own_only))
    if hidden:
        query = query.where(AuditEntry.subject.is_(None) | AuditEntry.subject.not_in(hidden))
    if before_no is not None:
        query = query.where(AuditEntry.no < before_no)
    if start is not None:
        query = query.where(AuditEntry.at >= start)
    if end is not None:
        query = query.where(AuditEntry.at < end)
    if actor is not None:
        query = query.where(AuditEntry.actor == actor)
    if action is not None and action.endswith("."):
        query = query.where(AuditEntry.action.startswith(action, autoescape=True))
    elif action is not None:
        query = query.where(AuditEntry.action == action)
    return list(session.scalars(query.order_by(AuditEntry.no.desc()).limit(limit)))


def by_ids(session: Session, company_id: str, ids: Collection[str]) -> list[AuditEntry]:
    query = select(AuditEntry).where(AuditEntry.company_id == company_id, AuditEntry.id.in_(list(ids)))
    return list(session.scalars(query))


def kinds(session: Session, company_id: str, *, own_only: bool) -> list[str]:
    query = select(AuditEntry.action).where(*_of_company(company_id, own_only=own_only)).distinct()
    return sorted(session.scalars(query))


def _of_company(company_id: str, *, own_only: bool) -> list[ColumnElement[bool]]:
    """Returns the conditions of entries in the company's log; with `own_only` without entries about other companies,
    which the operator's log has.
    """
    log = AuditEntry.company_id == company_id
    about_it = AuditEntry.action.not_like("company.%") | (AuditEntry.subject == company_id)
    return [log, about_it] if own_only else [log]


def words(session: Session, company_id: str, ids: Collection[str]) -> dict[str, str]:
    """Returns the personal words that have not been erased, by id."""
    if not ids:
        return {}
    query = select(AuditWord.id, AuditWord.word).where(AuditWord.company_id == company_id, AuditWord.id.in_(list(ids)))
    return {row.id: row.word for row in session.execute(query)}
