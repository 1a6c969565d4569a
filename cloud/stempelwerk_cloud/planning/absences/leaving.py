"""What becomes of absences behind somebody's exit: they are no longer, nor is a note that no other day has."""

from datetime import date

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, repository, telling
from stempelwerk_cloud.planning.absences.notes import drop
from stempelwerk_cloud.planning.absences.repository import STANDS
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence


def exit_set(
    work: Work, company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], *, end: bool
) -> None:
    """The absences behind an exit that stand, which are removed if that is wished."""
    session = work.session
    locks.take(session, Lock.PLAN, company_id)
    there = repository.of_days(session, company_id, [user_id], last_day + DAY, date.max)
    behind = standing(session, company_id, [one for one in there if one.status in STANDS])
    found += [("absence", one.id, one.date) for one in behind]
    if not (end and behind):
        return
    for one in behind:
        work.audit(company_id, actions.ENDED, one.id, before={"userId": user_id, "date": one.date.isoformat()})
        session.delete(one)
    session.flush()
    drop(session, company_id, {one.file_id for one in behind if one.file_id is not None})
    _tell(work, company_id, user_id, behind)


def _tell(work: Work, company_id: str, user_id: str, ended: list[Absence]) -> None:
    first, last = ended[0].date, ended[-1].date
    when = german.when(first, last)
    said = {"status": "ended", "startDate": first.isoformat(), "endDate": last.isoformat()}
    own = f"Deine Abwesenheit {when} entfällt wegen des Austritts."
    messages.send(work, company_id, [user_id], "absence_response", "Abwesenheit entfällt", own, said)
    name = telling.name_of(work, company_id, user_id)
    theirs = f"Die Abwesenheit von {name} {when} entfällt wegen des Austritts."
    about = {"what": "absence_ended", "userId": user_id}
    telling.to_administrators(work, company_id, "Abwesenheit entfällt", theirs, said | about)
    requests.refresh_pages(work, company_id, [user_id])
