"""Retention of records: the years count from the end of the year when a record was made."""

from collections.abc import Iterable
from datetime import date


def retained_through(days: Iterable[date], years: int) -> date:
    """Returns the last day of retention for records of these days. The days must not be empty."""
    return date(max(days).year + years, 12, 31)
