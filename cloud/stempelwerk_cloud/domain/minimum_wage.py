"""The minimum wage, with the first day of each rate (MiLoG and its ordinances)."""

from bisect import bisect_right
from datetime import date
from typing import Final

CENTS_FROM: Final = (
    (date(2022, 10, 1), 1200),
    (date(2024, 1, 1), 1241),
    (date(2025, 1, 1), 1282),
    (date(2026, 1, 1), 1390),
    (date(2027, 1, 1), 1460),
)


def cents_on(day: date) -> int:
    """Returns the minimum wage in gross cents an hour; 0 before the first rate, so that nothing is below it."""
    index = bisect_right(CENTS_FROM, day, key=lambda dated_wage: dated_wage[0])
    return CENTS_FROM[index - 1][1] if index else 0
