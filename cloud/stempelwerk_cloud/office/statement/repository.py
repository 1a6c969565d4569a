"""Queries on statements."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.office.statement.tables import Statement


def newest(session: Session, company_id: str, user_id: str, month: str | None = None) -> Statement | None:
    """Returns the person's newest statement, of one month or of any."""
    query = select(Statement).where(Statement.company_id == company_id, Statement.user_id == user_id)
    if month is not None:
        query = query.where(Statement.month == month)
    return session.scalar(query.order_by(Statement.created_at.desc(), Statement.id.desc()).limit(1))
