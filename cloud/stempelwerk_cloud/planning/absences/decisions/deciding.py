"""Messages of employees about an open absence, and the administrator's decision."""

from typing import Literal

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries, words
from stempelwerk_cloud.planning.absences.queries import CANCELLED, DECLINED, EXCUSED, OPEN, SICK
from stempelwerk_cloud.planning.absences.schemas import AbsenceDecision
from stempelwerk_cloud.planning.absences.sick_notes import notifications
from stempelwerk_cloud.planning.absences.sick_notes.notes import find_own
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged

Decision = Literal["excused", "declined"]
_ACTIONS = {EXCUSED: actions.EXCUSED, DECLINED: actions.DECLINED}


def add_message(work: UnitOfWork, absence_id: str, text: str) -> Absence:
    """Stores the employee's message, replacing an earlier one, and notifies the administrators.

    409 once the absence is decided; 422 for an empty or too long message.
    """
    text = text.strip()
    if not text:
        raise words.message_missing()
    if len(text) > words.MESSAGE_LIMIT:
        raise words.message_too_long()
    absence = find_own(work, absence_id)
    company_id = absence.company_id
    if absence.status != OPEN:
        raise words.no_longer_open()
    absence.user_message = text
    work.session.flush()
    payload = {"userId": absence.user_id, "date": absence.date.isoformat()}
    work.audit(company_id, actions.MESSAGE_ADDED, absence.id, new_values=payload)
    title, body = words.message_written(notifications.name_of(work, company_id, absence.user_id), absence.date)
    payload |= {"what": "absence_message", notifications.REPORT: absence.report_id}
    notifications.notify_administrators(work, company_id, title, body, payload)
    requests.refresh_pages(work, company_id, [absence.user_id])
    return absence


def decide(work: UnitOfWork, absence_id: str, decision: Decision, details: AbsenceDecision) -> Absence:
    """Decides about the day, and about the given days of its report, and notifies the employee.

    All of them are decided, or no day: 409 if one of them is decided already, 404 if it is not of the report. An
    illness that the health insurance has confirmed (`certified`) needs no note: that covers the whole report.
    """
    absence = requests.find(work, Absence, absence_id)
    company_id = absence.company_id
    together = filter_in_force(work.session, company_id, queries.of_report(work.session, company_id, absence.report_id))
    chosen_ids = {absence_id, *details.days}
    decided = [day for day in together if day.id in chosen_ids]
    if len(decided) < len(chosen_ids):
        raise not_found()
    for day in decided:
        requests.must_be_open(work, day, words.already_decided, OPEN)
    if details.whole_report:
        decided = [day for day in together if day.status == OPEN]
    if decision == EXCUSED:
        ensure_not_purged(work.session, company_id, min(day.date for day in decided))
    certified = details.certified and decision == EXCUSED and absence.kind == SICK
    for day in together if certified else ():
        if day.status != CANCELLED:  # as with a note that is handed in
            day.noted_at = day.noted_at or work.now()
    for day in decided:
        day.comment = details.comment or None
        requests.decide(work, day, decision)
        audit_after = {"userId": day.user_id, "date": day.date.isoformat()} | ({"certified": True} if certified else {})
        work.audit(company_id, _ACTIONS[decision], day.id, new_values=audit_after)
    _notify(work, company_id, decided, decision)
    return absence


def _notify(work: UnitOfWork, company_id: str, decided: list[Absence], decision: Decision) -> None:
    first, last = decided[0], decided[-1]
    payload = {"status": decision, "date": first.date.isoformat(), notifications.REPORT: first.report_id}
    if len(decided) > 1:
        payload |= {"startDate": first.date.isoformat(), "endDate": last.date.isoformat()}
    title, body = words.decided(decision, german.when_all([day.date for day in decided]), first.comment)
    recipients = [first.user_id]
    messages.send_about(
        work, company_id, recipients, "absence_response", title, body, payload, key_member=notifications.REPORT
    )
    requests.refresh_pages(work, company_id, recipients)
