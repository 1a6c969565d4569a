"""Refusals of the calls about notes for a day."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

NOTES_LIMIT = 20
"""How many notes a day has at most."""


def not_a_month() -> Problem:
    return invalid("month", "Das ist kein Monat (JJJJ-MM).")


def day_too_far() -> Problem:
    return invalid("day", "Der Tag liegt mehr als ein Jahr zurück oder voraus.")


def too_many() -> Problem:
    return conflict("too_many_notes", f"Dieser Tag hat schon {NOTES_LIMIT} Notizen. Bitte lösche erst eine.")
