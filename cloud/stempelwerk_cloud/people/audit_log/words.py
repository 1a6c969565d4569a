"""Refusals of reading the audit log."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")
