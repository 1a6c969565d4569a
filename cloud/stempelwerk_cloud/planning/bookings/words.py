"""Refusals of the calls about bookings, and texts of messages about them."""

from datetime import date

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit import german
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


TITLE = "Buchung auf deinem Konto"


def body(day: date, minutes: int | None, vacation_halves: int | None, reason: str) -> str:
    """Returns the text with the amount, the day and the reason."""
    return f"{_amount(minutes, vacation_halves)} zum {german.written_day(day)}: {reason}"


def _amount(minutes: int | None, vacation_halves: int | None) -> str:
    if minutes is not None:
        return german.difference(minutes)
    halves = vacation_halves or 0
    number = str(number_of(abs(halves))).replace(".", ",")
    return f"{'−' if halves < 0 else '+'}{number} {'Urlaubstag' if abs(halves) <= 2 else 'Urlaubstage'}"
