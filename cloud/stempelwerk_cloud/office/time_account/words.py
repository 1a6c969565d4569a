"""Errors of reading an account."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid

YEARS_AHEAD = 10
"""How many years ahead a month may be requested. It is computed from all months before."""


def not_a_month() -> Problem:
    return invalid("month", "Das ist kein Monat (JJJJ-MM).")


def not_a_year() -> Problem:
    return invalid("year", "Das ist kein Jahr (JJJJ).")


def month_or_year() -> Problem:
    return invalid("year", "Bitte entweder einen Monat oder ein Jahr angeben.")


def too_far_ahead(field: str) -> Problem:
    return invalid(field, f"Höchstens {YEARS_AHEAD} Jahre im Voraus.")
