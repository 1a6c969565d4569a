"""Sick notes: handed in by whom they are about, read by them and the company's administrators, and by nobody else (38).

A note covers all days of its report but those that were taken back. It may come after the decision. Each reading stands
in the audit log.
"""

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.checking import ENDINGS, Checked
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.requests import Lock
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, problems, repository, telling
from stempelwerk_cloud.planning.absences.repository import CANCELLED, OPEN
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence

log = structlog.get_logger(__name__)


def own(work: Work, absence_id: str, lock: Lock | None = None) -> Absence:
    """The caller's own absence, behind the plan's lock. 404 unknown, another company's, or gone; 403 a colleague's."""
    found = requests.own(work, Absence, absence_id, lock)
    if not standing(work.session, found.company_id, [found]):
        raise not_found()
    return found


def look_for(work: Work, absence_id: str) -> None:
    """As `add` will, without a lock: before anybody looks at a file for it."""
    _covered(work, own(work, absence_id, lambda _: None))


def add(work: Work, absence_id: str, note: Checked) -> Absence:
    """Keeps the caller's note for all days of the report, in place of an older one, and tells the administrators.

    409 where all of them were taken back.
    """
    absence, now = own(work, absence_id), work.now()
    company_id = absence.company_id
    covered = _covered(work, absence)
    if absence.status == CANCELLED:
        absence = covered[0]  # it is told and answered of a day that the note is for
    replaced = {one.file_id for one in covered if one.file_id is not None}
    file_id = store.store(work.session, work.platform, company_id, note.content, note.media_type)
    for one in covered:
        one.file_id, one.noted_at = file_id, now
    work.session.flush()
    drop(work.session, company_id, replaced)
    said = {"userId": absence.user_id, "date": absence.date.isoformat(), "replaced": bool(replaced)}
    work.audit(company_id, actions.NOTE_ADDED, absence.id, after=said)
    _tell(work, company_id, absence)
    return absence


def read(work: Work, absence_id: str) -> tuple[bytes, str, str]:
    """The note's content, its media type and the name to save it by. 404 without one; 403 a colleague's.

    The guard has let in employees and the company's administrators alone.
    """
    caller = work.caller
    absence = requests.find(work, Absence, absence_id, work.company)
    company_id = absence.company_id
    if caller.role == USER and absence.user_id != caller.user_id:
        raise forbidden()
    if absence.file_id is None or not standing(work.session, company_id, [absence]):
        raise not_found()
    try:
        content, media_type = store.read(work.session, work.platform, company_id, absence.file_id)
    except store.NoSuchFile:
        raise not_found() from None
    except store.Unreadable as error:
        log.error("sick_note_unreadable", absence_id=absence_id, exc_info=error)
        raise problems.note_unreadable() from error
    _log_reading(work, absence)
    return content, media_type, f"krankmeldung-{absence.date.isoformat()}.{ENDINGS[media_type]}"


def log_reading(work: Work, company_id: str, file_id: str) -> None:
    """Logs that a note was given out, as `read` does, with the first day of the note."""
    days = select(Absence).where(Absence.company_id == company_id, Absence.file_id == file_id)
    first = work.session.scalars(days.order_by(Absence.date, Absence.id).limit(1)).first()
    if first is not None:
        _log_reading(work, first)


def drop(session: Session, company_id: str, file_ids: set[str]) -> None:
    """Removes notes that no day has any more."""
    store.remove(session, company_id, file_ids - repository.files_in_use(session, company_id, file_ids))


def _log_reading(work: Work, absence: Absence) -> None:
    said = {"userId": absence.user_id, "date": absence.date.isoformat()}
    work.audit(absence.company_id, actions.NOTE_READ, absence.id, after=said)


def _covered(work: Work, absence: Absence) -> list[Absence]:
    """The days of the report that a note is for."""
    of_report = repository.of_report(work.session, absence.company_id, absence.report_id)
    covered = [one for one in of_report if one.status != CANCELLED]
    if not covered:
        raise problems.taken_back()
    return covered


def _tell(work: Work, company_id: str, absence: Absence) -> None:
    late = absence.status != OPEN
    name, day = telling.name_of(work, company_id, absence.user_id), german.written_day(absence.date)
    title = "Krankmeldung nachgereicht" if late else "Krankmeldung hochgeladen"
    body = f"{name} hat zur Abwesenheit vom {day} eine Krankmeldung {'nachgereicht' if late else 'hochgeladen'}."
    said = {"what": "sick_note", "date": absence.date.isoformat(), "userId": absence.user_id}
    said |= {telling.REPORT: absence.report_id, "status": absence.status}
    telling.to_administrators(work, company_id, title, body, said)
    requests.refresh_pages(work, company_id, [absence.user_id])
