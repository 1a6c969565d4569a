"""The first day of the present rules of time accounts and leave in a company (`rulesFrom`).

Before that day a holiday is credited whole, a year of leave is worth what applies on its first day, and unpaid days owe
their target. So an update changes no balance silently (decision 25). Pure.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.dated import Change, InForce, Setting
from stempelwerk_cloud.kit.http.schemas import SentDay
from stempelwerk_cloud.planning.facts import words


def _refuse(old_day: str | None, new_day: str | None) -> str | None:
    if new_day is None or (old_day is not None and new_day <= old_day):
        return None
    return words.ONLY_EARLIER


def _in_words(day: str | None) -> str:
    return "von Anfang an" if day is None else german.day_in_table(date.fromisoformat(day))


RULES_FROM: Final[Setting[str | None]] = Setting(
    "rules_from",
    SentDay | None,
    None,
    from_beginning=True,
    refuse=_refuse,
    label="Neue Regeln für Konten und Urlaub gelten ab",
    in_words=_in_words,
)
"""The setting with that day; null: the present rules apply from the beginning, as in every new company."""


def rules_from(changes: Iterable[Change]) -> date:
    """Returns the first day of the present rules."""
    day = InForce(changes, date.min)[RULES_FROM]
    return date.min if day is None else date.fromisoformat(day)
