"""How long records are kept: their years count from the end of the year in which they were made."""

from collections.abc import Iterable
from datetime import date


def kept_through(days: Iterable[date], years: int) -> date:
    """The last day on which what was made on these days, of which there is at least one, is still kept."""
    return date(max(days).year + years, 12, 31)
