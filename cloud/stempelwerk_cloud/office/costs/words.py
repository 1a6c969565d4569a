"""Errors of the calls about costs."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def month_or_year() -> Problem:
    return invalid("year", "Bitte entweder einen Monat oder ein Jahr angeben.")
