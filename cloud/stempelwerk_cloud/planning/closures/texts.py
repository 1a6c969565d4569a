"""What people are told of company holidays."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.kit import german

GIVEN, ENDED = "Betriebsferien", "Betriebsferien entfallen"


def given(name: str, spans: Sequence[tuple[date, date]]) -> str:
    return f"Wegen „{name}“ ist für dich Urlaub eingetragen: {_days(spans)}."


def ended(name: str, spans: Sequence[tuple[date, date]]) -> str:
    return f"„{name}“ entfällt, und damit dein Urlaub {_days(spans)}. Die Urlaubstage hast du wieder."


def _days(spans: Sequence[tuple[date, date]]) -> str:
    return ", ".join(german.when(*span) for span in spans)
