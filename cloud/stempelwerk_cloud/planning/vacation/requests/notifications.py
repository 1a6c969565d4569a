"""Notifications about requests and decisions: messages to people, and events for open pages."""

from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import words


def notify_administrators(work: UnitOfWork, request: VacationRequest, username: str) -> None:
    """Notifies the administrators of a new request."""
    title, body = words.requested(request, username)
    payload = {"what": request.kind, "requestId": request.id, "userId": request.user_id} | _period(request)
    messages.to_administrators(work, request.company_id, title, body, payload)


def notify_employee(work: UnitOfWork, request: VacationRequest) -> None:
    """Notifies the employee of the decision about their request."""
    _respond(work, request, *words.decided(request))


def notify_ended(work: UnitOfWork, request: VacationRequest, days_before: str) -> None:
    """Notifies the person and the administrators that an exit ended or cut the leave; not the administrator who set the
    exit.
    """
    person = work.session.get_one(User, (request.company_id, request.user_id))
    title, own_body, body = words.ended(request, days_before, person.username)
    _respond(work, request, title, own_body)
    payload = {"what": request.kind, "userId": request.user_id} | _period(request)
    but = {work.actor_id, request.user_id}
    messages.to_administrators(work, request.company_id, title, body, payload, but=but)


def notify_changed(work: UnitOfWork, request: VacationRequest, change: str) -> None:
    """Notifies the employee of a change to approved leave. `change` describes the former days and the change."""
    _respond(work, request, *words.changed(request, change))


def notify_cancel_wished(work: UnitOfWork, request: VacationRequest) -> None:
    """Notifies the administrators that an employee asks to cancel approved leave."""
    person = work.session.get_one(User, (request.company_id, request.user_id))
    payload = {"what": request.kind, "cancel": "true", "requestId": request.id, "userId": request.user_id}
    messages.to_administrators(
        work,
        request.company_id,
        *words.cancellation_requested(request, person.username),
        payload | _period(request),
    )


def _respond(work: UnitOfWork, request: VacationRequest, title: str, body: str) -> None:
    payload = {"status": request.status, "kind": request.kind} | _period(request)
    messages.send(work, request.company_id, [request.user_id], "vacation_response", title, body, payload)


def _period(request: VacationRequest) -> dict[str, str]:
    return {"startDate": request.start_date.isoformat(), "endDate": request.end_date.isoformat()}
