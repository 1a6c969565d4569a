"""Queries over inquiries."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import Wanted, page
from stempelwerk_cloud.people.inquiries.tables import Inquiry


def find(session: Session, inquiry_id: str) -> Inquiry | None:
    return session.get(Inquiry, inquiry_id)


def newest(session: Session, page_request: Wanted) -> list[Inquiry]:
    """A page, newest first, and one more where more follow. Raises NoSuchRow."""
    return [row.Inquiry for row in page(session, select(Inquiry), [], [Inquiry.id], page_request, descending=True)]


def sent_after(session: Session, cutoff: datetime, newer: int) -> datetime | None:
    """When the youngest after that instant was sent that so many are newer than; None: there are no more than those."""
    query = select(Inquiry.created_at).where(Inquiry.created_at > cutoff)
    return session.scalar(query.order_by(Inquiry.created_at.desc()).offset(newer).limit(1))
