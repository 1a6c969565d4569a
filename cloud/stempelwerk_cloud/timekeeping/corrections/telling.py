"""Whom what has happened here concerns: messages into inboxes, and events to open pages."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.entries.service import derivation

RESPONSE = "correction_response"


def requested(work: Work, request: CorrectionRequest, username: str) -> None:
    """Somebody asks for a correction."""
    body = (
        f"{username} bittet für den {german.written_day(request.date)} um eine Zeitkorrektur: {asked_times(request)}."
    )
    if request.reason:
        body += f" Begründung: {request.reason}"
    about = {"userId": request.user_id, "requestId": request.id}
    tell_administrators(work, request.company_id, "Neuer Korrekturantrag", body, "correction", request.date, about)
    changed(work, request.company_id, request.user_id)


def decided(work: Work, request: CorrectionRequest, comment: str | None) -> None:
    """Somebody's request was decided; or an administrator corrected their times without one, and not their own.

    What the administrator adds in their own words stands in the message, and nowhere else.
    """
    day = german.written_day(request.date)
    if request.status == "rejected":
        title, body = "Zeitkorrektur abgelehnt", f"Dein Korrekturantrag für den {day} wurde abgelehnt."
    elif request.created_by == request.decided_by:
        title = "Zeitkorrektur eingetragen"
        body = f"Deine Zeiten für den {day} wurden korrigiert: {asked_times(request)}."
    else:
        title = "Zeitkorrektur genehmigt"
        body = f"Dein Korrekturantrag für den {day} wurde genehmigt: {asked_times(request)}."
    body = body if comment is None else f"{body} {german.remark(comment)}"
    payload = {"status": request.status, "date": request.date.isoformat()}
    if request.user_id != work.by:
        messages.send(work, request.company_id, [request.user_id], RESPONSE, title, body, payload)
    changed(work, request.company_id, request.user_id)


def tell_administrators(
    work: Work, company_id: str, title: str, body: str, what: str, day: date, about: dict[str, str]
) -> None:
    """`about`: the employee (`userId`), whose erasure deletes the message, and the thing."""
    messages.to_administrators(work, company_id, title, body, {"what": what, "date": day.isoformat()} | about)


def changed(work: Work, company_id: str, user_id: str) -> None:
    """Pages with the person's times, and those with what waits for administrators, look again."""
    topic = derivation.topic(company_id, user_id)
    work.platform.live.publish(work.session, [topic], {"type": "times_update"})
    requests.refresh_pages(work, company_id)


def asked_times(request: CorrectionRequest) -> str:
    said = []
    if request.new_start is not None:
        said.append(f"Kommen {german.clock(request.new_start)} Uhr")
    if request.new_end is not None:
        said.append(f"Gehen {german.clock(request.new_end)} Uhr")
    if request.break_minutes is not None:
        said.append(f"Pause {german.duration(request.break_minutes)}")
    return ", ".join(said)
