"""Errors of the API that alarms raise."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def half_a_span(field: str) -> Problem:
    return invalid(field, "Nenne Beginn und Ende der Ruhezeit, oder keines von beiden.")


def empty_span() -> Problem:
    return invalid("quietTo", "Beginn und Ende der Ruhezeit sind gleich.")
