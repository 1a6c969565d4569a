"""The end of absences after a person's exit, and of a sick note that then belongs to no other day."""

from datetime import date

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries, words
from stempelwerk_cloud.planning.absences.queries import IN_FORCE
from stempelwerk_cloud.planning.absences.sick_notes import notifications
from stempelwerk_cloud.planning.absences.sick_notes.notes import drop
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence


def exit_set(
    work: UnitOfWork, company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], *, end: bool
) -> None:
    """Adds the person's absences in force after their exit to `found`; removes them if `end` is set."""
    session = work.session
    locks.take(session, Lock.PLAN, company_id)
    later_absences = queries.of_days(session, company_id, [user_id], last_day + DAY, date.max)
    behind = filter_in_force(session, company_id, [absence for absence in later_absences if absence.status in IN_FORCE])
    found += [("absence", absence.id, absence.date) for absence in behind]
    if not (end and behind):
        return
    for absence in behind:
        work.audit(
            company_id, actions.ENDED, absence.id, old_values={"userId": user_id, "date": absence.date.isoformat()}
        )
        session.delete(absence)
    session.flush()
    drop(session, company_id, {absence.file_id for absence in behind if absence.file_id is not None})
    _notify(work, company_id, user_id, behind)


def _notify(work: UnitOfWork, company_id: str, user_id: str, ended: list[Absence]) -> None:
    first, last = ended[0].date, ended[-1].date
    when = german.when(first, last)
    payload = {"status": "ended", "startDate": first.isoformat(), "endDate": last.isoformat()}
    messages.send(work, company_id, [user_id], "absence_response", *words.ended(when), payload)
    name = notifications.name_of(work, company_id, user_id)
    title, body = words.ended_of(name, when)
    admin_payload = {"what": "absence_ended", "userId": user_id}
    notifications.notify_administrators(work, company_id, title, body, payload | admin_payload)
    requests.refresh_pages(work, company_id, [user_id])
