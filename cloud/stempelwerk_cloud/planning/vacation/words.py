"""Refusals of the calls about vacation and wishes, and texts of messages about them."""

from datetime import date

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.planning.facts.tables import VacationRequest

DAYS_LIMIT = 366

MOST_OPEN = 100
"""The largest number of open requests that a person may have."""


def end_before_start() -> Problem:
    return invalid("endDate", "Das Ende liegt vor dem Anfang.")


def too_long() -> Problem:
    return invalid("endDate", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def too_far() -> Problem:
    return invalid("endDate", "Das Datum liegt zu weit in der Zukunft.")


def too_long_ago() -> Problem:
    return invalid("startDate", "Das Datum liegt zu weit zurück.")


def no_half_left() -> Problem:
    return invalid("endHalf", "An einem einzelnen Tag kann nur eine Hälfte gewählt werden.")


def no_workday() -> Problem:
    return invalid("startDate", "Im Zeitraum liegt kein Arbeitstag.")


def before_entry() -> Problem:
    return invalid("startDate", "Der Zeitraum liegt vor dem Eintritt.")


def after_exit() -> Problem:
    return invalid("endDate", "Der Zeitraum liegt nach dem Austritt.")


def employee_missing() -> Problem:
    return invalid("userId", "Bitte Mitarbeiter auswählen.")


def no_leave() -> Problem:
    return invalid("userId", "Systemadministratoren können weder Urlaub noch Wunschfrei haben.")


def too_many_open() -> Problem:
    return conflict("too_many_open", f"Du hast schon {MOST_OPEN} offene Anträge. Bitte warte auf eine Entscheidung.")


def overlaps(existing: str) -> Problem:
    """Returns 409. `existing` describes the other request: "Wunschfrei am 24. Dezember 2026"."""
    return conflict("overlap", f"Im Zeitraum liegt bereits ein offener oder genehmigter Antrag: {existing}.")


def closed() -> Problem:
    return conflict(
        "company_closed",
        "In diesem Zeitraum ist die Firma ohnehin geschlossen: Die Betriebsferien sind schon als Urlaub eingetragen."
        " Bitte wähle Tage davor oder danach.",
    )


def disabled() -> Problem:
    return conflict("vacation_disabled", "Urlaub ist derzeit deaktiviert.")


def already_decided(decided_by: str | None) -> Problem:
    sentence = "Über diesen Antrag wurde bereits entschieden."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})


def over_allowance(remaining: int, days: int) -> Problem:
    """Returns 409 with the days that remain and those of the request; both arguments are half days."""
    left_text, asked_text = (f"{number_of(halves):g}".replace(".", ",") for halves in (remaining, days))
    return Problem(
        409,
        "over_allowance",
        f"Der Antrag übersteigt den Resturlaub. Beantragte Tage: {asked_text}, übrige Tage: {left_text}.",
        extra={"remaining": number_of(remaining), "days": number_of(days)},
    )


def not_approved(decided_by: str | None) -> Problem:
    return Problem(409, "not_approved", "Dieser Antrag ist nicht genehmigt.", extra={"decidedBy": decided_by})


def all_passed() -> Problem:
    return conflict("all_passed", "Alle Tage sind schon vergangen.")


def already_wished() -> Problem:
    return conflict("already_wished", "Um die Stornierung hast du schon gebeten. Bitte warte auf eine Entscheidung.")


def not_wished() -> Problem:
    return conflict("not_wished", "Niemand bittet um die Stornierung.")


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
