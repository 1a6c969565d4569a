"""Problems (refusals) of the roster."""

from collections.abc import Sequence

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
