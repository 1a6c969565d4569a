"""Refusals of the calls about company holidays, and texts of messages about them."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict


def overlaps() -> Problem:
    return conflict("overlap", "In diesem Zeitraum sind schon Betriebsferien eingetragen.")


def all_passed() -> Problem:
    return conflict("all_passed", "Diese Betriebsferien sind schon vorbei.")


GIVEN, ENDED = "Betriebsferien", "Betriebsferien entfallen"


def vacation_given(name: str, spans: Sequence[tuple[date, date]]) -> str:
    return f"Wegen „{name}“ ist für dich Urlaub eingetragen: {_days(spans)}."


def ended(name: str, spans: Sequence[tuple[date, date]], requests: Sequence[str]) -> str:
    """Returns the text about vacation that ends.

    `requests` ("Urlaub vom 3. bis 21. August 2026") are the person's requests around these days, which do not contain
    them.
    """
    ending = f"„{name}“ entfällt, und damit dein Urlaub {_days(spans)}. Die Urlaubstage hast du wieder."
    if not requests:
        return ending
    sentences = " ".join(f"Dein {request} enthält sie nicht." for request in requests)
    advice = "Möchtest du trotzdem frei haben, beantrage sie bitte noch."
    return f"{ending} Das sind wieder Arbeitstage: {sentences} {advice}"


def _days(spans: Sequence[tuple[date, date]]) -> str:
    return ", ".join(german.when(*span) for span in spans)
