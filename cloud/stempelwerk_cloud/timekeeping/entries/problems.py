"""What reading times refuses."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

DAYS_LIMIT = 400


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")


def too_many_days() -> Problem:
    return invalid("to", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def not_to_confirm() -> Problem:
    return conflict("not_to_review", "Hier ist nichts mehr zu prüfen: Der Eintrag hat sich inzwischen geändert.")
