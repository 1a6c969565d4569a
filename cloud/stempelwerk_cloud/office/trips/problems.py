"""What the calls about trips refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

MOST_OPEN = 100
"""Open trips that a person has at most."""


def still_ahead() -> Problem:
    return invalid("date", "Die Fahrt liegt noch in der Zukunft.")


def too_long_ago() -> Problem:
    return invalid("date", "Die Fahrt liegt mehr als zwei Jahre zurück.")


def no_reason() -> Problem:
    return invalid("comment", "Bitte sag, warum du ablehnst.")


def too_many_open() -> Problem:
    return conflict("too_many_open", f"Du hast schon {MOST_OPEN} offene Fahrten. Bitte warte auf eine Entscheidung.")


def already_decided(decided_by: str | None) -> Problem:
    sentence = "Über diese Fahrt wurde bereits entschieden."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})
