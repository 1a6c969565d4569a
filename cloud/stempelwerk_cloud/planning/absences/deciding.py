"""What an employee says to an open absence, and what the administrator decides about it."""

from typing import Literal

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, problems, repository, telling
from stempelwerk_cloud.planning.absences.notes import own
from stempelwerk_cloud.planning.absences.repository import CANCELLED, DECLINED, EXCUSED, OPEN, SICK
from stempelwerk_cloud.planning.absences.schemas import AbsenceDecision
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.timekeeping.entries import service as entries

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
    absence = own(work, absence_id)
    company_id = absence.company_id
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
    requests.refresh_pages(work, company_id, [absence.user_id])
    return absence


def decide(work: Work, absence_id: str, decision: Decision, said: AbsenceDecision) -> Absence:
    """Decides about the day, and those of its report that are meant with it, and tells the employee.

    All of them or none: 409 if one that is named is decided, 404 if it is not of the report.
    An excused illness that the health insurance has confirmed has its note with that: it covers the whole report.
    """
    absence = requests.find(work, Absence, absence_id)
    company_id = absence.company_id
    together = standing(work.session, company_id, repository.of_report(work.session, company_id, absence.report_id))
    named = {absence_id, *said.days}
    decided = [one for one in together if one.id in named]
    if len(decided) < len(named):
        raise not_found()
    for one in decided:
        requests.must_be_open(work, one, problems.already_decided, OPEN)
    if said.whole_report:
        decided = [one for one in together if one.status == OPEN]
    if decision == EXCUSED:
        entries.must_be_kept(work.session, company_id, min(one.date for one in decided))
    certified = said.certified and decision == EXCUSED and absence.kind == SICK
    for one in together if certified else ():
        if one.status != CANCELLED:  # as with a note that is handed in
            one.noted_at = one.noted_at or work.now()
    for one in decided:
        one.comment = said.comment or None
        requests.decide(work, one, decision)
        after = {"userId": one.user_id, "date": one.date.isoformat()} | ({"certified": True} if certified else {})
        work.audit(company_id, _ACTIONS[decision], one.id, after=after)
    _tell(work, company_id, decided, decision)
    return absence


def _tell(work: Work, company_id: str, decided: list[Absence], decision: Decision) -> None:
    first, last = decided[0], decided[-1]
    said = {"status": decision, "date": first.date.isoformat(), telling.REPORT: first.report_id}
    if len(decided) > 1:
        said |= {"startDate": first.date.isoformat(), "endDate": last.date.isoformat()}
    body = f"Deine Abwesenheit {german.when_all([one.date for one in decided])} wurde {_WORDS[decision]}."
    if first.comment is not None:
        body += f" {german.remark(first.comment)}"
    title = f"Abwesenheit {_WORDS[decision]}"
    told = [first.user_id]
    messages.send_about(work, company_id, told, "absence_response", title, body, said, about=telling.REPORT)
    requests.refresh_pages(work, company_id, told)
