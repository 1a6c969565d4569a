"""Notifications about corrections: messages into inboxes, and events to open pages."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.entries.service import derivation

RESPONSE = "correction_response"


def requested(work: UnitOfWork, request: CorrectionRequest, username: str) -> None:
    """Notifies the administrators of a request."""
    day, times = german.written_day(request.date), format_requested_times(request)
    body = f"{username} bittet für den {day} um eine Zeitkorrektur: {times}."
    if request.reason:
        body += f" Begründung: {request.reason}"
    subject_ids = {"userId": request.user_id, "requestId": request.id}
    notify_administrators(
        work, request.company_id, "Neuer Korrekturantrag", body, "correction", request.date, subject_ids
    )
    changed(work, request.company_id, request.user_id)


def decided(work: UnitOfWork, request: CorrectionRequest, comment: str | None) -> None:
    """Notifies the person that their request was decided, or that an administrator corrected their times without one.

    An administrator's correction of their own times sends nothing. The administrator's comment is only in the message.
    """
    day = german.written_day(request.date)
    if request.status == "rejected":
        title, body = "Zeitkorrektur abgelehnt", f"Dein Korrekturantrag für den {day} wurde abgelehnt."
    elif request.created_by == request.decided_by:
        title = "Zeitkorrektur eingetragen"
        body = f"Deine Zeiten für den {day} wurden korrigiert: {format_requested_times(request)}."
    else:
        title = "Zeitkorrektur genehmigt"
        body = f"Dein Korrekturantrag für den {day} wurde genehmigt: {format_requested_times(request)}."
    body = body if comment is None else f"{body} {german.remark(comment)}"
    payload = {"status": request.status, "date": request.date.isoformat()}
    if request.user_id != work.actor_id:
        messages.send(work, request.company_id, [request.user_id], RESPONSE, title, body, payload)
    changed(work, request.company_id, request.user_id)


def notify_administrators(
    work: UnitOfWork, company_id: str, title: str, body: str, message_kind: str, day: date, subject_ids: dict[str, str]
) -> None:
    """Sends a message to the administrators. `subject_ids`: the employee (`userId`), whose erasure deletes the message,
    and the request.
    """
    messages.to_administrators(
        work, company_id, title, body, {"what": message_kind, "date": day.isoformat()} | subject_ids
    )


def changed(work: UnitOfWork, company_id: str, user_id: str) -> None:
    """Has open pages reload the person's times, and the administrators' lists of pending things."""
    topic = derivation.topic(company_id, user_id)
    work.platform.live.publish(work.session, [topic], {"type": "times_update"})
    requests.refresh_pages(work, company_id)


def format_requested_times(request: CorrectionRequest) -> str:
    parts = []
    if request.new_start is not None:
        parts.append(f"Kommen {german.clock(request.new_start)} Uhr")
    if request.new_end is not None:
        parts.append(f"Gehen {german.clock(request.new_end)} Uhr")
    if request.break_minutes is not None:
        parts.append(f"Pause {german.duration(request.break_minutes)}")
    return ", ".join(parts)
