"""Queries on notes for a day."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.planning.site_notes.tables import DayNote


def notes_between(session: Session, company_id: str, first: date, last: date) -> Sequence[DayNote]:
    """Returns a company's notes for the days from `first` to `last`, oldest first."""
    statement = select(DayNote).where(DayNote.company_id == company_id, DayNote.day.between(first, last))
    return session.scalars(statement.order_by(DayNote.day, DayNote.written_at, DayNote.id)).all()


def count_on(session: Session, company_id: str, day: date) -> int:
    """Returns how many notes a day of the company has."""
    statement = select(func.count()).where(DayNote.company_id == company_id, DayNote.day == day)
    return session.scalar(statement) or 0
