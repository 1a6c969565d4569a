"""Errors of making a statement."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def not_begun() -> Problem:
    return invalid("month", "Der Monat hat noch nicht begonnen.")
