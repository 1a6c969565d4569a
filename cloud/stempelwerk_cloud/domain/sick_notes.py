"""Retention of sick notes. They are health data, so they are stored no longer than necessary."""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.months import months_after

UNDECIDED_MONTHS = 36
"""How many months a note without a decision is kept: until claims by it are time-barred (§ 195 BGB)."""


def retained_until(handed_in: date, decided: Iterable[date | None], months: int) -> date:
    """Returns the last day when the note is kept. `decided`: for each of its days, when it was decided; None for an
    open one.

    The note is kept for `months` months after the last decision or, if that is later, after it was handed in. While a
    day is open, it is kept for `UNDECIDED_MONTHS` after it was handed in.
    """
    days = list(decided)
    decision_days = [day for day in days if day is not None]
    if len(decision_days) < len(days) or not decision_days:
        return months_after(handed_in, UNDECIDED_MONTHS)
    return months_after(max(handed_in, *decision_days), months)
