"""Retention of records, by the year when they were made, and of sick notes, which are health data."""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.calendar import months_after


def retained_through(days: Iterable[date], years: int) -> date:
    """Returns the last day of retention for records of these days. The days must not be empty."""
    return date(max(days).year + years, 12, 31)


UNDECIDED_SICK_NOTES_MONTHS = 36
"""How many months a note without a decision is kept: until claims by it are time-barred (§ 195 BGB)."""


def sick_note_retained_until(handed_in: date, decided: Iterable[date | None], months: int) -> date:
    """Returns the last day when the note is kept. `decided`: for each of its days, when it was decided; None for an
    open one.

    The note is kept for `months` months after the last decision or, if that is later, after it was handed in. While a
    day is open, it is kept for `UNDECIDED_SICK_NOTES_MONTHS` after it was handed in.
    """
    days = list(decided)
    decision_days = [day for day in days if day is not None]
    if len(decision_days) < len(days) or not decision_days:
        return months_after(handed_in, UNDECIDED_SICK_NOTES_MONTHS)
    return months_after(max(handed_in, *decision_days), months)
