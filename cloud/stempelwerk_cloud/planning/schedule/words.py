"""Refusals of the calls about the roster, and texts of messages about it."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import FieldError, Problem, conflict, invalid

DAYS_LIMIT = 400
YEARS_AHEAD = 10
"""How many years ahead a duty may be planned. A typing error in the year is refused, and no plan is stored forever."""
ITEMS_LIMIT = 1000


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")


def too_many_days() -> Problem:
    return invalid("to", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def nobody_named() -> Problem:
    return invalid("userId", "Bitte Mitarbeiter auswählen.")


def no_employee() -> Problem:
    return invalid("userId", "Nur Mitarbeitende mit Rolle „user“ können zugewiesen werden.", "not_an_employee")


def before_entry() -> Problem:
    return invalid("date", "Der Dienst liegt vor dem Eintritt.")


def after_exit() -> Problem:
    return invalid("date", "Der Dienst liegt nach dem Austritt.")


def too_long_ago() -> Problem:
    return invalid("date", "Das Datum liegt zu weit zurück.")


def too_far_ahead(year: int) -> Problem:
    return invalid("date", f"Der Dienst liegt zu weit voraus. Geplant wird höchstens bis Ende {year}.", "too_far_ahead")


def start_missing() -> Problem:
    return invalid("start", "Zu einer Endzeit gehört auch eine Startzeit.")


def no_duration() -> Problem:
    return invalid("end", "Start und Ende dürfen nicht gleich sein.")


def already_assigned() -> Problem:
    return conflict("already_assigned", "Mitarbeiter ist an dem Tag bereits eingeteilt.")


def not_available() -> Problem:
    return conflict("not_available", "Mitarbeiter ist an diesem Tag nicht verfügbar.")


def rest_too_short() -> Problem:
    return conflict("short_rest", "Die Ruhezeit zwischen zwei Diensten wäre zu kurz.")


def too_many_items() -> Problem:
    return invalid("add", "Höchstens 1.000 Änderungen auf einmal.", "too_many")


def refused_items(refused: Sequence[tuple[str, Problem]]) -> Problem:
    """Returns the problem of several refused items: that of the first one, with all listed by their place (`add.3`)."""
    first = refused[0][1]
    errors: list[FieldError] = [{"field": place, "message": problem.message} for place, problem in refused]
    return Problem(first.status, first.code, first.message, errors=errors)


CHANGED = "Dein Dienstplan hat sich geändert"
LOOK = "Bitte sieh in „Meine Termine“ nach, an welchen Tagen du Dienst hast."

MOST_NAMED = 31
"""The largest number of days that a message names of each kind."""


def changes(changed_days: Sequence[tuple[date, Planned | None, Planned | None]], message: str | None) -> str:
    """Returns the text about changed days (day, announced duty, current duty), grouped into new, changed and removed
    duties.
    """
    kinds: dict[str, list[tuple[date, Planned | None]]] = {
        "Neu": [(day, new_duty) for day, old_duty, new_duty in changed_days if old_duty is None],
        "Geändert": [
            (day, new_duty) for day, old_duty, new_duty in changed_days if old_duty is not None and new_duty is not None
        ],
        "Entfällt": [(day, None) for day, _, new_duty in changed_days if new_duty is None],
    }
    sentences = [f"{kind}: {_days(days)}." for kind, days in kinds.items() if days]
    return "\n".join([*sentences, *([german.remark(message)] if message else [])])


def _days(days: Sequence[tuple[date, Planned | None]]) -> str:
    """Returns the days as text, grouped by the times of their duties."""
    alike: dict[str, list[date]] = {}
    for day, duty in days[:MOST_NAMED]:
        alike.setdefault(_times(duty), []).append(day)
    unnamed_count = len(days) - MOST_NAMED
    day_text = "; ".join(german.join_days(those) + times for times, those in alike.items())
    return f"{day_text} und {unnamed_count} weitere" if unnamed_count > 0 else day_text


def _times(duty: Planned | None) -> str:
    if duty is None or duty.start_minute is None:
        return ""
    return f" ({german.span(duty.start_minute, duty.end_minute)})"
