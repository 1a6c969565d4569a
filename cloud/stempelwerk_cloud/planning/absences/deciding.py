"""What an employee says to an open absence, and what the administrator decides about it."""

from typing import Literal

from sqlalchemy import select

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, problems, repository, telling
from stempelwerk_cloud.planning.absences.notes import own
from stempelwerk_cloud.planning.absences.repository import DECLINED, EXCUSED, OPEN
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence

Decision = Literal["excused", "declined"]
_ACTIONS = {EXCUSED: actions.EXCUSED, DECLINED: actions.DECLINED}
_WORDS = {EXCUSED: "entschuldigt", DECLINED: "abgelehnt"}


def say(work: Work, absence_id: str, text: str) -> Absence:
    """The employee's message, in place of an earlier one; the administrators are told. 409 once it is decided; 422."""
    text = text.strip()
    if not text:
        raise problems.message_missing()
    if len(text) > problems.MESSAGE_LIMIT:
        raise problems.message_too_long()
    company_id = work.caller.company_id
    work.company(company_id)
    locks.take(work.session, Lock.PLAN, company_id)
    absence = own(work.session, work.caller, absence_id)
    if absence.status != OPEN:
        raise problems.no_longer_open()
    absence.user_message = text
    work.session.flush()
    said = {"userId": absence.user_id, "date": absence.date.isoformat()}
    work.audit(company_id, actions.MESSAGE_ADDED, absence.id, after=said)
    name, day = telling.name_of(work, company_id, absence.user_id), german.written_day(absence.date)
    body = f"{name} hat zur Abwesenheit vom {day} eine Nachricht geschrieben."
    said |= {"what": "absence_message", telling.REPORT: absence.report_id}
    telling.to_administrators(work, company_id, "Nachricht zur Abwesenheit", body, said)
    telling.look_again(work, company_id, {absence.user_id})
    return absence


def decide(work: Work, absence_id: str, decision: Decision, *, whole_report: bool) -> Absence:
    """Decides about the day, or about all open ones of its report, and tells the employee. 409 if it is decided."""
    company_id = _company_of(work, absence_id)
    work.company(company_id)
    locks.take(work.session, Lock.PLAN, company_id)
    absence = repository.by_id(work.session, company_id, absence_id)
    if absence is None or not standing(work.session, company_id, [absence]):
        raise not_found()
    if absence.status != OPEN:
        raise problems.already_decided(_username(work, company_id, absence.decided_by))
    decided = [absence]
    if whole_report:
        together = repository.of_report(work.session, company_id, absence.report_id)
        decided = standing(work.session, company_id, [one for one in together if one.status == OPEN])
    now = work.now()
    for one in decided:
        one.status, one.decided_at, one.decided_by = decision, now, work.by
        said = {"userId": one.user_id, "date": one.date.isoformat()}
        work.audit(company_id, _ACTIONS[decision], one.id, after=said)
    work.session.flush()
    _tell(work, company_id, decided, decision)
    return absence


def _company_of(work: Work, absence_id: str) -> str:
    """Whose it is; the caller may decide there. 404."""
    if work.caller.role != ADMIN:
        return work.caller.company_id
    found = repository.company_of(work.session, absence_id)
    if found is None:
        raise not_found()
    return found


def _username(work: Work, company_id: str, user_id: str | None) -> str | None:
    """What the decider is called; of a system administrator only that it was one."""
    if user_id is None:
        return None
    own_people = select(User.username).where(User.company_id == company_id, User.id == user_id)
    return work.session.scalar(own_people) or "System-Admin"


def _tell(work: Work, company_id: str, decided: list[Absence], decision: Decision) -> None:
    first, last = decided[0], decided[-1]
    said = {"status": decision, "date": first.date.isoformat(), telling.REPORT: first.report_id}
    if len(decided) > 1:
        said |= {"startDate": first.date.isoformat(), "endDate": last.date.isoformat()}
    body = f"Deine Abwesenheit {german.when(first.date, last.date)} wurde {_WORDS[decision]}."
    title = f"Abwesenheit {_WORDS[decision]}"
    told = [first.user_id]
    messages.send_about(work, company_id, told, "absence_response", title, body, said, about=telling.REPORT)
    telling.look_again(work, company_id, {first.user_id})
