"""Sick notes: uploaded by their employee, readable only by that employee and the company's administrators.

A note covers all days of its report, except those taken back. It may come after the decision. Each reading is recorded
in the audit log.
"""

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.checking import ENDINGS, Checked
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries, words
from stempelwerk_cloud.planning.absences.queries import CANCELLED, OPEN
from stempelwerk_cloud.planning.absences.sick_notes import notifications
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence

log = structlog.get_logger(__name__)


def find_own(work: UnitOfWork, absence_id: str, lock: Lock | None = Lock.PLAN) -> Absence:
    """Returns the caller's own absence, under the lock of the company's plan.

    404 for an unknown one, another company's, or one no longer in force; 403 for a colleague's.
    """
    absence = requests.find_own(work, Absence, absence_id, lock)
    if not filter_in_force(work.session, absence.company_id, [absence]):
        raise not_found()
    return absence


def look_for(work: UnitOfWork, absence_id: str) -> None:
    """Makes the checks of `add` without a lock, before the uploaded file is examined."""
    _covered(work, find_own(work, absence_id, lock=None))


def add(work: UnitOfWork, absence_id: str, note: Checked) -> Absence:
    """Stores the caller's note for all days of the report, replacing an older one, and notifies the administrators.

    409 if all days of the report were taken back.
    """
    absence, now = find_own(work, absence_id), work.now()
    company_id = absence.company_id
    covered = _covered(work, absence)
    if absence.status == CANCELLED:
        absence = covered[0]  # the notification and the answer name a day that the note covers
    replaced = {day.file_id for day in covered if day.file_id is not None}
    file_id = store.store(work.session, work.platform, company_id, note.content, note.media_type)
    for day in covered:
        day.file_id, day.noted_at = file_id, now
    work.session.flush()
    drop(work.session, company_id, replaced)
    audit_values = {"userId": absence.user_id, "date": absence.date.isoformat(), "replaced": bool(replaced)}
    work.audit(company_id, actions.NOTE_ADDED, absence.id, new_values=audit_values)
    _notify(work, company_id, absence)
    return absence


def read(work: UnitOfWork, absence_id: str) -> tuple[bytes, str, str]:
    """Returns the note's content, media type and file name; records the reading. 404 without a note, 403 for a
    colleague's.

    The guard of the endpoint admits only employees and the company's administrators.
    """
    caller = work.caller
    absence = requests.find(work, Absence, absence_id, Lock.COMPANY)
    company_id = absence.company_id
    if caller.role == USER and absence.user_id != caller.user_id:
        raise forbidden()
    if absence.file_id is None or not filter_in_force(work.session, company_id, [absence]):
        raise not_found()
    try:
        content, media_type = store.read(work.session, work.platform, company_id, absence.file_id)
    except store.NoSuchFile:
        raise not_found() from None
    except store.Unreadable as error:
        log.error("sick_note_unreadable", absence_id=absence_id, exc_info=error)
        raise words.note_unreadable() from error
    _log_reading(work, absence)
    return content, media_type, f"krankmeldung-{absence.date.isoformat()}.{ENDINGS[media_type]}"


def log_reading(work: UnitOfWork, company_id: str, file_id: str) -> None:
    """Records in the audit log that a note was read, as `read` does, with the first day of the note."""
    days = select(Absence).where(Absence.company_id == company_id, Absence.file_id == file_id)
    first = work.session.scalars(days.order_by(Absence.date, Absence.id).limit(1)).first()
    if first is not None:
        _log_reading(work, first)


def drop(session: Session, company_id: str, file_ids: set[str]) -> None:
    """Removes those of these files that no longer belong to any day."""
    store.remove(session, company_id, file_ids - queries.files_in_use(session, company_id, file_ids))


def _log_reading(work: UnitOfWork, absence: Absence) -> None:
    audit_values = {"userId": absence.user_id, "date": absence.date.isoformat()}
    work.audit(absence.company_id, actions.NOTE_READ, absence.id, new_values=audit_values)


def _covered(work: UnitOfWork, absence: Absence) -> list[Absence]:
    """Returns the days of the report that a note covers. 409 if all were taken back."""
    of_report = queries.of_report(work.session, absence.company_id, absence.report_id)
    covered = [day for day in of_report if day.status != CANCELLED]
    if not covered:
        raise words.taken_back()
    return covered


def _notify(work: UnitOfWork, company_id: str, absence: Absence) -> None:
    name = notifications.name_of(work, company_id, absence.user_id)
    title, body = words.note_uploaded(name, absence.date, late=absence.status != OPEN)
    payload = {"what": "sick_note", "date": absence.date.isoformat(), "userId": absence.user_id}
    payload |= {notifications.REPORT: absence.report_id, "status": absence.status}
    notifications.notify_administrators(work, company_id, title, body, payload)
    requests.refresh_pages(work, company_id, [absence.user_id])
