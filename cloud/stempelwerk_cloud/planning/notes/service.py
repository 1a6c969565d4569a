"""Notes: written, removed, and forgotten after a while."""

from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.planning.notes import actions, problems, repository
from stempelwerk_cloud.planning.notes.settings import KEPT_DAYS
from stempelwerk_cloud.planning.notes.tables import Note


def write(session: Session, platform: Platform, company_id: str, day: date, text: str, by: str) -> Note:
    """A new note. 422 without words."""
    if not text.strip():
        raise problems.empty()
    directory.keep_open(session, company_id)
    note = Note(company_id=company_id, id=platform.ids.new(), date=day, text=text.strip())
    session.add(note)
    audit.append(session, platform, company_id, by, actions.CHANGED, note.id, after=_told(note))
    return note


def remove(session: Session, platform: Platform, company_id: str, note_id: str, by: str) -> None:
    """404 if it is not there."""
    directory.keep_open(session, company_id)
    note = repository.find(session, company_id, note_id)
    if note is None:
        raise not_found()
    session.delete(note)
    audit.append(session, platform, company_id, by, actions.CHANGED, note.id, before=_told(note))


def purge(session: Session, now: datetime) -> None:
    """Forgets notes of days that are longer past than the company wants to keep them."""
    for company_id in repository.companies(session):
        today = local_day(now, directory.zone_of(session, company_id, now))
        kept = directory.settings_on(session, company_id, today)[KEPT_DAYS]
        repository.remove_before(session, company_id, today - timedelta(days=kept))


def _told(note: Note) -> dict[str, str]:
    return {"date": note.date.isoformat(), "noteText": note.text}
