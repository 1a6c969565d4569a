"""Counting in months of the calendar."""

from calendar import monthrange
from datetime import date


def months_after(day: date, months: int) -> date:
    """The same day so many months later (or before, if negative), or the last of that month."""
    whole = day.year * 12 + day.month - 1 + months
    year, month = divmod(whole, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
