"""Queries on advances."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.planning.advances.tables import Advance


def of_person(session: Session, company_id: str, user_id: str, page_request: PageRequest) -> list[Advance]:
    """Returns a page of the person's advances, newest first, and one more row if more follow."""
    statement = select(Advance).where(Advance.company_id == company_id, Advance.user_id == user_id)
    order = (Advance.asked_at, Advance.id)
    return [row for (row,) in page(session, statement, (), order, page_request, descending=True)]


def pending(session: Session, company_id: str, user_id: str | None = None) -> Sequence[Advance]:
    """Returns the company's pending advances, or those of one person, oldest first."""
    statement = select(Advance).where(Advance.company_id == company_id, Advance.decided_at.is_(None))
    if user_id is not None:
        statement = statement.where(Advance.user_id == user_id)
    return session.scalars(statement.order_by(Advance.asked_at, Advance.id)).all()
