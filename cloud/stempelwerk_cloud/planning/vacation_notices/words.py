"""Refusals of the calls about notices, and the text of the notice of lapsing vacation."""

from datetime import date

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict


def nothing_lapses() -> Problem:
    sentence = "Lege zuerst in der Urlaubsregelung fest, bis wann Resturlaub genommen werden muss."
    return conflict("nothing_lapses", sentence)


def too_early() -> Problem:
    return conflict("too_early", "Dieses Urlaubsjahr hat noch nicht begonnen.")


def too_late() -> Problem:
    return conflict("too_late", "Die Frist für diesen Urlaub ist schon vorbei.")


TITLE = "Dein Resturlaub verfällt"


def notice(halves: int, year: int, lapses_on: date) -> str:
    """Returns the text that the courts require (BAG 9 AZR 423/16): the days, the last day, the request to take them,
    and the consequence.
    """
    number = f"{number_of(halves):g}".replace(".", ",")
    days = "1 Urlaubstag" if halves == 2 else f"{number} Urlaubstage"
    return (
        f"Du hast aus {year} noch {days}. Bitte beantrage und nimm diesen Urlaub bis zum "
        f"{german.written_day(lapses_on)}. Was du bis dahin nicht nimmst, obwohl du könntest, verfällt."
    )
