"""Queries over inquiries."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.people.inquiries.tables import Inquiry


def find(session: Session, inquiry_id: str) -> Inquiry | None:
    return session.get(Inquiry, inquiry_id)


def newest(session: Session, page_request: PageRequest) -> list[Inquiry]:
    """Returns a page, newest first, and one more row where more follow. Raises NoSuchRow."""
    return [row.Inquiry for row in page(session, select(Inquiry), [], [Inquiry.id], page_request, descending=True)]


def sent_after(session: Session, cutoff: datetime, newer: int) -> datetime | None:
    """Returns the time of the inquiry after `cutoff` that has exactly `newer` newer ones; None if there are fewer."""
    query = select(Inquiry.created_at).where(Inquiry.created_at > cutoff)
    return session.scalar(query.order_by(Inquiry.created_at.desc()).offset(newer).limit(1))
