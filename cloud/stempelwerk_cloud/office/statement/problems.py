"""What making a statement refuses."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def not_begun() -> Problem:
    return invalid("month", "Der Monat hat noch nicht begonnen.")


def times_gone() -> Problem:
    return conflict("times_gone", "Zeiten nach Frist gelöscht.")
