"""What reading the audit log refuses."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def days_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")
