"""German texts of messages about corrections. Each function returns the title and the body."""

from collections.abc import Mapping
from datetime import date

from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

UNNAMED = "Jemand"

_REFUSED_ANSWERS: Mapping[str, str] = {
    "unreadable": "Die Antwort ist nicht lesbar.",
    "unknown_stamp": "Es gibt keinen Zeiteintrag mehr, der mit diesem Stempel beginnt.",
    "unknown_person": "Die Person wurde gelöscht.",
    "already_open": "Für dieses Datum ist bereits ein Korrekturantrag offen.",
    "end_in_future": "Die Zeit liegt in der Zukunft.",
    Refusal.TOO_LONG.value: "Zwischen Kommen und Gehen liegt mehr Zeit, als eine Schicht dauern darf.",
    Refusal.TOO_LONG_AGO.value: "Das Datum liegt zu weit zurück.",
    Refusal.NO_SUCH_END.value: "Diese Zeit gibt es an dem Tag wegen der Zeitumstellung nicht.",
    Refusal.OVERLAP.value: "Die Zeit überschneidet sich mit einem anderen Zeiteintrag.",
}
"""The reasons why an answer on a clock was rejected, by the codes of `answers.py`."""


def requested(request: CorrectionRequest, username: str) -> tuple[str, str]:
    """Returns the message to the administrators about a new request."""
    day = german.written_day(request.date)
    body = f"{username} bittet für den {day} um eine Zeitkorrektur: {_requested_times(request)}."
    return "Neuer Korrekturantrag", f"{body} Begründung: {request.reason}" if request.reason else body


def decided(request: CorrectionRequest, comment: str | None) -> tuple[str, str]:
    """Returns the message to the employee about the decision, or about a correction that an administrator entered."""
    day = german.written_day(request.date)
    if request.status == "rejected":
        title, body = "Zeitkorrektur abgelehnt", f"Dein Korrekturantrag für den {day} wurde abgelehnt."
    elif request.created_by == request.decided_by:
        title = "Zeitkorrektur eingetragen"
        body = f"Deine Zeiten für den {day} wurden korrigiert: {_requested_times(request)}."
    else:
        title = "Zeitkorrektur genehmigt"
        body = f"Dein Korrekturantrag für den {day} wurde genehmigt: {_requested_times(request)}."
    return title, body if comment is None else f"{body} {german.remark(comment)}"


def entry_deleted(username: str, day: date, start: str | None, end: str | None) -> tuple[str, str]:
    """Returns the message to the administrators about an entry that an employee deleted.

    `start` and `end` are local times (HH:MM); None for a missing one.
    """
    times = f"{start}–{end}" if start and end else f"{start or 'ohne Kommen'} bis {end or 'ohne Gehen'}"
    body = f"{username} hat den Zeiteintrag vom {german.written_day(day)} gelöscht ({times})."
    return "Zeiteintrag gelöscht", body


def answer_refused(name: str | None, code: str, answered: tuple[date, int] | None) -> tuple[str, str]:
    """Returns the message to the administrators with the reason why an answer on a clock became no correction request.

    `answered`: the day, and the Gehen in minutes since midnight; None if the answer is unreadable.
    """
    body = f"{name or UNNAMED} hat an einer Stempeluhr geantwortet."
    if answered is not None:
        moment = f"am {german.written_day(answered[0])} um {german.clock(answered[1])} Uhr"
        body = f"{name or UNNAMED} hat an einer Stempeluhr angegeben, {moment} gegangen zu sein."
    return "Antwort an der Stempeluhr", f"{body} Daraus wurde kein Korrekturantrag: {_REFUSED_ANSWERS[code]}"


def _requested_times(request: CorrectionRequest) -> str:
    parts = []
    if request.new_start is not None:
        parts.append(f"Kommen {german.clock(request.new_start)} Uhr")
    if request.new_end is not None:
        parts.append(f"Gehen {german.clock(request.new_end)} Uhr")
    if request.break_minutes is not None:
        parts.append(f"Pause {german.duration(request.break_minutes)}")
    return ", ".join(parts)
