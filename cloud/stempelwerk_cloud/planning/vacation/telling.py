"""Notifications of requests and decisions: messages, and live events for open pages."""

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import VacationRequest

_NOUNS = {"vacation": "Urlaub", "wish": "Wunschfrei"}
LEFT = "Der Zeitraum liegt nach dem Austritt."
_VERBS = {"approved": "genehmigt", "declined": "abgelehnt"}


def describe(request: VacationRequest) -> str:
    """Returns the request's name: Wunschfrei am 24. Dezember 2026"""
    return f"{_NOUNS[request.kind]} {german.when(request.start_date, request.end_date)}"


def notify_administrators(work: UnitOfWork, request: VacationRequest, username: str) -> None:
    """Notifies the administrators of a new request."""
    noun = _NOUNS[request.kind]
    messages.to_administrators(
        work,
        request.company_id,
        f"Neuer Antrag: {noun}",
        f"{username} beantragt {noun} {german.when(request.start_date, request.end_date)}.",
        {"what": request.kind, "requestId": request.id, "userId": request.user_id} | _period(request),
    )


def notify_employee(work: UnitOfWork, decided: VacationRequest) -> None:
    """Notifies the employee of the decision; `status` of the payload contains it."""
    noun, verb = _NOUNS[decided.kind], _VERBS[decided.status]
    body = f"Dein {noun} {german.when(decided.start_date, decided.end_date)} wurde {verb}."
    messages.send(
        work,
        decided.company_id,
        [decided.user_id],
        "vacation_response",
        f"{noun} {verb}",
        body if decided.comment is None else f"{body} {german.remark(decided.comment)}",
        {"status": decided.status, "kind": decided.kind} | _period(decided),
    )


def notify_ended(work: UnitOfWork, request: VacationRequest, days_before: str) -> None:
    """Notifies the person and the administrators, except who set the exit, that the exit ended or cut the leave."""
    noun = _NOUNS[request.kind]
    cut = request.status == "approved"
    how = f"endet mit dem Austritt am {german.written_day(request.end_date)}" if cut else "entfällt wegen des Austritts"
    person = work.session.get_one(User, (request.company_id, request.user_id))
    person_payload = {"status": request.status, "kind": request.kind} | _period(request)
    own_text = f"Dein {noun} {days_before} {how}."
    messages.send(
        work, request.company_id, [request.user_id], "vacation_response", f"{noun} beendet", own_text, person_payload
    )
    theirs = f"{noun} von {person.username} {days_before} {how}."
    payload = {"what": request.kind, "userId": request.user_id} | _period(request)
    but = {work.actor_id, request.user_id}
    messages.to_administrators(work, request.company_id, f"{noun} beendet", theirs, payload, but=but)


def notify_changed(work: UnitOfWork, request: VacationRequest, change_text: str) -> None:
    """Notifies the employee of a decision about approved leave; `change_text` describes its former days."""
    noun = _NOUNS[request.kind]
    title = f"{noun} storniert" if request.status == "cancelled" else f"{noun} geändert"
    body = f"Dein {noun} {change_text}."
    payload = {"status": request.status, "kind": request.kind} | _period(request)
    body = body if request.comment is None else f"{body} {german.remark(request.comment)}"
    messages.send(work, request.company_id, [request.user_id], "vacation_response", title, body, payload)


def notify_cancel_wished(work: UnitOfWork, request: VacationRequest) -> None:
    """Notifies the administrators that an employee asks to cancel approved leave."""
    noun = _NOUNS[request.kind]
    person = work.session.get_one(User, (request.company_id, request.user_id))
    body = f"{person.username} bittet, {noun} {german.when(request.start_date, request.end_date)} zu stornieren."
    payload = {"what": request.kind, "cancel": "true", "requestId": request.id, "userId": request.user_id} | _period(
        request
    )
    messages.to_administrators(work, request.company_id, f"{noun} stornieren?", body, payload)


def _period(request: VacationRequest) -> dict[str, str]:
    return {"startDate": request.start_date.isoformat(), "endDate": request.end_date.isoformat()}
