"""Notifications about corrections: messages to people, and events for open pages."""

from datetime import date

from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections import words
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation

RESPONSE = "correction_response"


def requested(work: UnitOfWork, request: CorrectionRequest, username: str) -> None:
    """Notifies the administrators of a new request."""
    title, body = words.requested(request, username)
    subject_ids = {"userId": request.user_id, "requestId": request.id}
    notify_administrators(work, request.company_id, title, body, "correction", request.date, subject_ids)
    changed(work, request.company_id, request.user_id)


def decided(work: UnitOfWork, request: CorrectionRequest, comment: str | None) -> None:
    """Notifies the person that their request was decided, or that an administrator corrected their times.

    An administrator who corrects their own times gets no message. The administrator's comment is only in the message.
    """
    title, body = words.decided(request, comment)
    payload = {"status": request.status, "date": request.date.isoformat()}
    if request.user_id != work.actor_id:
        messages.send(work, request.company_id, [request.user_id], RESPONSE, title, body, payload)
    changed(work, request.company_id, request.user_id)


def notify_administrators(
    work: UnitOfWork, company_id: str, title: str, body: str, message_kind: str, day: date, subject_ids: dict[str, str]
) -> None:
    """Sends a message to the company's administrators.

    `subject_ids`: the employee (`userId`), whose erasure deletes the message, and the request.
    """
    messages.to_administrators(
        work, company_id, title, body, {"what": message_kind, "date": day.isoformat()} | subject_ids
    )


def changed(work: UnitOfWork, company_id: str, user_id: str) -> None:
    """Tells open pages to reload the person's times, and the administrators' lists of open requests."""
    topic = derivation.topic(company_id, user_id)
    work.platform.live.publish(work.session, [topic], {"type": "times_update"})
    requests.refresh_pages(work, company_id)
