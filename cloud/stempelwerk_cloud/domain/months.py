"""Calculation with calendar months."""

from calendar import monthrange
from datetime import date


def months_after(day: date, months: int) -> date:
    """Returns the same day `months` months later (negative: earlier), or the last day of that month if it is
    shorter.
    """
    month_number = day.year * 12 + day.month - 1 + months
    year, month = divmod(month_number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
