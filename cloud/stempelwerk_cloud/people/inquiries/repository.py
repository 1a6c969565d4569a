"""Queries over inquiries."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.inquiries.tables import Inquiry


def find(session: Session, inquiry_id: str) -> Inquiry | None:
    return session.get(Inquiry, inquiry_id)


def newest(session: Session, limit: int, before: str | None) -> list[Inquiry]:
    """Newest first, from the one before this id on; it may be gone."""
    found = select(Inquiry).order_by(Inquiry.id.desc()).limit(limit)
    if before is not None:
        found = found.where(Inquiry.id < before)
    return list(session.scalars(found))


def sent_after(session: Session, since: datetime, newer: int) -> datetime | None:
    """When the youngest after that instant was sent that so many are newer than; None: there are no more than those."""
    found = select(Inquiry.created_at).where(Inquiry.created_at > since)
    return session.scalar(found.order_by(Inquiry.created_at.desc()).offset(newer).limit(1))
