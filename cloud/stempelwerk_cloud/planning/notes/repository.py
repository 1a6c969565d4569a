"""Queries on notes."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import expiry
from stempelwerk_cloud.planning.notes.tables import Note


def of_company(session: Session, company_id: str) -> list[Note]:
    return list(session.scalars(select(Note).where(Note.company_id == company_id).order_by(Note.date, Note.id)))


def find(session: Session, company_id: str, note_id: str) -> Note | None:
    return session.get(Note, (company_id, note_id))


def companies(session: Session) -> list[str]:
    return list(session.scalars(select(Note.company_id).distinct().order_by(Note.company_id)))


def remove_before(session: Session, company_id: str, day: date) -> None:
    expiry.remove(session, Note, (Note.company_id == company_id) & (Note.date < day))
