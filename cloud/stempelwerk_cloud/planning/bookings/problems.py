"""Refusals of the calls about bookings."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def one_of_two() -> Problem:
    return invalid("minutes", "Bitte entweder Minuten oder Urlaubstage angeben.")


def zero_amount() -> Problem:
    return invalid("minutes", "Eine Buchung von 0 ändert nichts.")


def too_long_ago() -> Problem:
    return invalid("date", "Das Datum liegt zu weit zurück.")


def too_far() -> Problem:
    return invalid("date", "Das Datum liegt zu weit in der Zukunft.")


def before_entry() -> Problem:
    return invalid("date", "Das Datum liegt vor dem Eintritt.")


def before_account() -> Problem:
    return invalid("date", "Das Datum liegt vor dem Beginn des Zeitkontos.")


def no_reason() -> Problem:
    return invalid("reason", "Bitte einen Grund angeben.")
