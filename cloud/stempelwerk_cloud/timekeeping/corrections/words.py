"""Refusals of correction requests, of decisions about them and of deletions, and texts of messages about corrections.

A function for a message returns its title and body.
"""

from collections.abc import Mapping
from datetime import date

from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

_SENTENCES = {
    Refusal.MISSING_START: "Startzeit fehlt. Bitte Startzeit angeben, bevor du genehmigst.",
    Refusal.MISSING_END: "Endzeit fehlt. Bitte Endzeit angeben, bevor du genehmigst.",
    Refusal.EQUAL_TIMES: "Start und Ende dürfen nicht gleich sein.",
    Refusal.NO_SUCH_START: "Diese Startzeit gibt es an dem Tag wegen der Zeitumstellung nicht.",
    Refusal.NO_SUCH_END: "Diese Endzeit gibt es an dem Tag wegen der Zeitumstellung nicht.",
    Refusal.TOO_LONG: "Zwischen Start und Ende liegt mehr Zeit, als eine Schicht dauern darf.",
    Refusal.TOO_LONG_AGO: "Das Datum liegt zu weit zurück.",
    Refusal.IN_FUTURE: "Die Zeit darf nicht in der Zukunft liegen.",
    Refusal.BREAK_TOO_LONG: "Die Pause darf nicht länger sein als die Zeit zwischen Start und Ende.",
    Refusal.OVERLAP: "Die Zeit überschneidet sich mit einer anderen Schicht.",
}
_FIELDS = {
    Refusal.MISSING_START: "newStart",
    Refusal.NO_SUCH_START: "newStart",
    Refusal.TOO_LONG_AGO: "date",
    Refusal.BREAK_TOO_LONG: "breakMinutes",
}

MOST_OPEN = 100
"""The largest number of open requests that a person may have."""


def sentence_of(refusal: Refusal) -> str:
    return _SENTENCES[refusal]


def refused(refusal: Refusal, *, only_start: bool = False) -> Problem:
    """Returns 422 for a refusal, at the member of the body that must be changed.

    If the times do not fit each other, that is the end, or the start if only a start was sent.
    """
    member = "newStart" if only_start else "newEnd"
    return invalid(_FIELDS.get(refusal, member), sentence_of(refusal), refusal.value)


def overlap() -> Problem:
    """Returns 409: since the request, other entries have come to overlap it."""
    return conflict(Refusal.OVERLAP.value, sentence_of(Refusal.OVERLAP))


def times_missing(member: str) -> Problem:
    return invalid(member, "Bitte Datum und mindestens eine Zeit (Start oder Ende) ausfüllen.", "missing")


def time_missing(*, start: bool) -> Problem:
    return refused(Refusal.MISSING_START if start else Refusal.MISSING_END)


def day_malformed() -> Problem:
    return invalid("date", "Ungültiges Datumsformat. Bitte Tag neu wählen.")


def time_malformed(member: str) -> Problem:
    return invalid(member, "Ungültige Uhrzeit. Bitte als HH:MM angeben.")


def contradiction(member: str, other_member: str) -> Problem:
    return invalid(member, f"{member} widerspricht {other_member}.", "contradiction")


def person_missing() -> Problem:
    return invalid("userId", "Bitte Mitarbeiter auswählen.")


def no_times() -> Problem:
    return invalid("userId", "Systemadministratoren haben keine Zeiten, die korrigiert werden können.")


def too_many_open() -> Problem:
    return conflict("too_many_open", f"Du hast schon {MOST_OPEN} offene Anträge. Bitte warte auf eine Entscheidung.")


def already_open() -> Problem:
    return conflict("already_open", "Für dieses Datum ist bereits ein offener Korrekturantrag vorhanden.")


def already_decided(decider: str | None) -> Problem:
    """Returns 409 with the username of the administrator who decided."""
    return Problem(409, "already_decided", "Über diesen Antrag wurde schon entschieden.", extra={"decidedBy": decider})


def person_deleted() -> Problem:
    return conflict("person_deleted", "Diese Person wurde gelöscht. Über ihren Antrag wird nicht mehr entschieden.")


def entry_runs() -> Problem:
    return conflict("entry_running", "Ein laufender Zeiteintrag kann nicht gelöscht werden. Bitte zuerst ausstempeln.")


def deleting_is_off() -> Problem:
    return Problem(403, "deleting_off", "In dieser Firma kann nur die Verwaltung Zeiteinträge löschen.")


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
