"""What people are told of vacation that lapses: how much, until when, and that they are asked to take it."""

from datetime import date

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit import german

TITLE = "Dein Resturlaub verfällt"


def notice(halves: int, year: int, until: date) -> str:
    """As the courts want it (BAG 9 AZR 423/16): the days, the date, the request to take them, and what follows."""
    number = f"{number_of(halves):g}".replace(".", ",")
    days = "1 Urlaubstag" if halves == 2 else f"{number} Urlaubstage"
    return (
        f"Du hast aus {year} noch {days}. Bitte beantrage und nimm diesen Urlaub bis zum {german.written_day(until)}. "
        "Was du bis dahin nicht nimmst, obwohl du könntest, verfällt."
    )
