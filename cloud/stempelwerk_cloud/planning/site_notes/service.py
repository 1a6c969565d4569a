"""Use cases of notes for a day: an administrator writes and deletes them, all people of the company read them."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Any

from stempelwerk_cloud.domain.calendar import month_bounds, month_of
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.site_notes import queries, words
from stempelwerk_cloud.planning.site_notes.tables import DayNote

WRITTEN = Action("day_note.written")
DELETED = Action("day_note.deleted")

FURTHEST = timedelta(days=366)
"""How far the day of a new note is from today at most."""
RETENTION = timedelta(days=2 * 366)
"""How long a note is stored after its day."""


def of_month(work: UnitOfWork, company_id: str, month: str | None) -> Sequence[DayNote]:
    """Returns the company's notes of a month `YYYY-MM`, by default the current one. 422 for an invalid month."""
    if month is None:
        first, last = month_of(today_of(work.session, company_id, work.now()))
    else:
        try:
            first, last = month_bounds(month)
        except ValueError:
            raise words.not_a_month() from None
    return queries.notes_between(work.session, company_id, first, last)


def write(work: UnitOfWork, company_id: str, day: date, text: str) -> DayNote:
    """Writes a note. 422 for a day too far away, 409 if the day has too many notes."""
    work.plan(company_id)
    now = work.now()
    if abs(day - today_of(work.session, company_id, now)) > FURTHEST:
        raise words.day_too_far()
    if queries.count_on(work.session, company_id, day) >= words.NOTES_LIMIT:
        raise words.too_many()
    note = DayNote(company_id=company_id, id=work.new_id(), day=day, text=text, written_at=now)
    work.session.add(note)
    work.audit(company_id, WRITTEN, note.id, new_values=_audit_values(note))
    _refresh(work, company_id)
    return note


def delete(work: UnitOfWork, note_id: str) -> None:
    """Deletes a note. 404 for an unknown or another company's."""
    note = requests.find(work, DayNote, note_id)
    work.session.delete(note)
    work.audit(note.company_id, DELETED, note.id, old_values=_audit_values(note))
    _refresh(work, note.company_id)


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the live topics of this room for a subscriber: their company's notes."""
    return [_topic(hearer.company_id)]


def _refresh(work: UnitOfWork, company_id: str) -> None:
    work.platform.live.publish(work.session, [_topic(company_id)], {"type": "day_notes_update"})


def _topic(company_id: str) -> str:
    return f"day_notes:{company_id}"


def _audit_values(note: DayNote) -> dict[str, Any]:
    return {"day": note.day.isoformat(), "text": note.text}
