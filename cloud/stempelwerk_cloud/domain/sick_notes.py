"""Retention of sick notes: health data, so they are stored no longer than needed."""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.months import months_after

UNDECIDED_MONTHS = 36
"""A note without a decision: until claims by it are time-barred (§ 195 BGB)."""


def retained_until(handed_in: date, decided: Iterable[date | None], months: int) -> date:
    """Returns the last day of retention of the note.

    `decided`: when each of its days was decided, None for an open one. The note stays for `months` months after the
    last decision, or after it was handed in if that is later; while a day is open, three years after it was handed in.
    """
    days = list(decided)
    decision_days = [day for day in days if day is not None]
    if len(decision_days) < len(days) or not decision_days:
        return months_after(handed_in, UNDECIDED_MONTHS)
    return months_after(max(handed_in, *decision_days), months)
