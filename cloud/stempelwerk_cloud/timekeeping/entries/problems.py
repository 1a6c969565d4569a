"""What reading times refuses."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid

DAYS_LIMIT = 400


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")


def too_many_days() -> Problem:
    return invalid("to", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")
