"""Errors of the calls about exports."""

from collections.abc import Sequence

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.office.exports.schemas import FindingRow


def not_begun() -> Problem:
    return invalid("month", "Der Monat hat noch nicht begonnen.")


def not_ended() -> Problem:
    return conflict("month_not_ended", "Der Monat ist noch nicht zu Ende.")


def blocked(findings: Sequence[FindingRow]) -> Problem:
    """Returns the error of a blocked file with its open `findings`."""
    rows = [finding.model_dump(mode="json") for finding in findings]
    sentence = "Für diese Datei ist noch etwas zu klären. Was, steht in der Prüfung des Monats."
    return Problem(409, "export_blocked", sentence, extra={"findings": rows})


def not_made() -> Problem:
    return conflict("export_not_made", "Die Datei ist noch nicht fertig.")


def period_wrong() -> Problem:
    return invalid("to", "Das Ende liegt vor dem Anfang.")


def busy(sentence: str) -> Problem:
    """Returns 429 with the reason."""
    return Problem(429, "export_busy", sentence, headers={"Retry-After": "5"})


STILL_READ = "Du lädst noch einen Nachweis der Arbeitszeiten herunter. Warte, bis er da ist, oder brich ihn ab."
SEVERAL_MADE = "Gerade werden schon mehrere Nachweise der Arbeitszeiten deiner Firma erstellt."
