"""How long a sick note is kept: it says something of somebody's health, so no longer than it is needed."""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.months import months_after

UNDECIDED_MONTHS = 36
"""A note that nobody decides about: until nothing can be claimed by it any more (§ 195 BGB)."""


def kept_until(handed_in: date, decided: Iterable[date | None], months: int) -> date:
    """The last day on which the note is kept.

    `decided`: when each of its days was decided, None for an open one. So many months after the last decision, or after
    the note came, if it was handed in later; while a day is open, three years after it came.
    """
    days = list(decided)
    known = [day for day in days if day is not None]
    if len(known) < len(days) or not known:
        return months_after(handed_in, UNDECIDED_MONTHS)
    return months_after(max(handed_in, *known), months)
