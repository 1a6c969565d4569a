"""What the calls about bookings refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def one_of_two() -> Problem:
    return invalid("minutes", "Bitte entweder Minuten oder Urlaubstage angeben.")


def nothing() -> Problem:
    return invalid("minutes", "Eine Buchung von 0 ändert nichts.")


def no_reason() -> Problem:
    return invalid("reason", "Bitte einen Grund angeben.")
