"""Refusals of reading and confirming times, and texts of messages about entries that need review."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

DAYS_LIMIT = 400


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")


def too_many_days() -> Problem:
    return invalid("to", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def not_to_confirm() -> Problem:
    return conflict("not_to_review", "Hier ist nichts mehr zu prüfen: Der Eintrag hat sich inzwischen geändert.")


_MISSING = {"missing_in": "fehlt das Kommen", "missing_out": "fehlt das Gehen"}
"""Words for the flags that a reminder names. All other flags share one general sentence."""


def reminder(day: date, flags: Sequence[str]) -> tuple[str, str]:
    """Returns the title and the body of the reminder to the employee."""
    missing = " und ".join(_MISSING[flag] for flag in flags if flag in _MISSING) or "stimmt etwas nicht"
    body = f"In deinen Zeiten vom {german.written_day(day)} {missing}. Bitte stelle einen Korrekturantrag."
    return "Bitte prüfe deine Zeiten", body
