"""Refusals of decisions about days whose times have been purged."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict


def nothing_kept() -> Problem:
    return conflict("times_gone", "Zeiten nach Frist gelöscht.")


def times_gone(first: date) -> Problem:
    """Returns 409 for a change of times that have been purged. `first`: the first day whose times are stored."""
    day = german.written_day(first)
    return conflict(
        "times_gone", f"Zeiten vor dem {day} sind nach Ablauf ihrer Frist gelöscht. Hier lässt sich nichts mehr ändern."
    )
