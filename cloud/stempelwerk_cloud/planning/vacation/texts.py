"""German texts of messages about vacation and wishes."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.planning.facts.tables import VacationRequest

_NOUNS = {"vacation": "Urlaub", "wish": "Wunschfrei"}
_VERBS = {"approved": "genehmigt", "declined": "abgelehnt"}

AFTER_EXIT = "Der Zeitraum liegt nach dem Austritt."
"""The comment of a request that was declined because of an exit."""


def days(request: VacationRequest) -> str:
    """Returns the request's days as "am …" or "vom … bis …"."""
    return german.when(request.start_date, request.end_date)


def describe(kind: str, start: date, end: date) -> str:
    """Returns a description of a request: Wunschfrei am 24. Dezember 2026"""
    return f"{_NOUNS[kind]} {german.when(start, end)}"


def requested(request: VacationRequest, username: str) -> tuple[str, str]:
    """Returns the message to the administrators about a new request."""
    noun = _NOUNS[request.kind]
    return f"Neuer Antrag: {noun}", f"{username} beantragt {noun} {days(request)}."


def decided(request: VacationRequest) -> tuple[str, str]:
    """Returns the message to the employee about the decision, with the administrator's comment."""
    noun, verb = _NOUNS[request.kind], _VERBS[request.status]
    return f"{noun} {verb}", _with_comment(f"Dein {noun} {days(request)} wurde {verb}.", request)


def changed(request: VacationRequest, change: str) -> tuple[str, str]:
    """Returns the message to the employee about changed leave. `change` describes the former days and the change."""
    noun = _NOUNS[request.kind]
    title = f"{noun} storniert" if request.status == "cancelled" else f"{noun} geändert"
    return title, _with_comment(f"Dein {noun} {change}.", request)


def moved(days_before: str, request: VacationRequest) -> str:
    return f"{days_before} liegt jetzt {days(request)}"


def cancelled(days_before: str) -> str:
    return f"{days_before} wurde storniert"


def shortened(days_before: str, request: VacationRequest) -> str:
    return f"{days_before} endet jetzt am {german.written_day(request.end_date)}"


def not_cancelled(request: VacationRequest) -> str:
    return f"{days(request)} bleibt bestehen"


def ended(request: VacationRequest, days_before: str, username: str) -> tuple[str, str, str]:
    """Returns the title, and the bodies for the employee and for the administrators, about leave that an exit ended or
    cut.
    """
    noun = _NOUNS[request.kind]
    cut = request.status == "approved"
    how = f"endet mit dem Austritt am {german.written_day(request.end_date)}" if cut else "entfällt wegen des Austritts"
    return f"{noun} beendet", f"Dein {noun} {days_before} {how}.", f"{noun} von {username} {days_before} {how}."


def cancellation_requested(request: VacationRequest, username: str) -> tuple[str, str]:
    """Returns the message to the administrators about an employee's request to cancel leave."""
    noun = _NOUNS[request.kind]
    return f"{noun} stornieren?", f"{username} bittet, {noun} {days(request)} zu stornieren."


def _with_comment(body: str, request: VacationRequest) -> str:
    return body if request.comment is None else f"{body} {german.remark(request.comment)}"
