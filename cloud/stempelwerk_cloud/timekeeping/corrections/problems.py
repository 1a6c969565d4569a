"""Problems (refusals) of correction requests, of decisions about them, and of deletions."""

from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

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
