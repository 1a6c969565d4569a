"""Refusals of the calls about advances, and the message about a decision, as title and body."""

from stempelwerk_cloud.kit.german import euros
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

LEAST_CENTS, MOST_CENTS = 100, 500_000
"""The bounds of an advance."""


def wrong_amount() -> Problem:
    return invalid("cents", f"Ein Vorschuss beträgt {euros(LEAST_CENTS)} bis {euros(MOST_CENTS)}.")


def already_pending() -> Problem:
    sentence = "Du hast schon einen Vorschuss beantragt. Bitte warte, bis darüber entschieden ist."
    return conflict("already_pending", sentence)


def already_decided(decided_by: str | None) -> Problem:
    sentence = "Über diesen Vorschuss wurde bereits entschieden."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})


def decided(cents: int, *, approved: bool) -> tuple[str, str]:
    """Returns the message to the person about the decision."""
    verb = "genehmigt" if approved else "abgelehnt"
    return f"Vorschuss {verb}", f"Dein Vorschuss von {euros(cents)} wurde {verb}."
