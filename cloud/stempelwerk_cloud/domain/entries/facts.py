"""Decisions about a person's time, as facts: approved corrections and voids. They change no stamp; they join them.

How they act is in `timeline`; whether a wish may become a fact is in `corrections` and `deletions`.
"""

from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """An approved correction: the bounds that hold for one shift, as instants.

    `shift` is the first stamp of the shift that it concerns, as `corrections.settled` found it; of a shift without
    stamps the correction that made it, which this one replaces; None: it makes a shift. `shift_at` is an instant of
    that shift: without it one that lies far from `date` and the bounds is not found. `shift_until` is its last one as
    it was then: what begins later was no part of it. `break_minutes` replaces the deduction by rule. `requested_at`
    bounds which stamps it covers, `decided_at` orders the decisions.
    """

    id: str
    date: date
    new_start: datetime
    new_end: datetime
    break_minutes: int | None
    requested_at: datetime
    decided_at: datetime
    shift: str | None = None
    shift_at: datetime | None = None
    shift_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """A deleted entry: its stamps (`stamp_ids`, with the uncounted ones that belonged to them) and its interval.

    For an incomplete entry `start` and `end` are its one moment. `spared` are stamps inside the interval that counted
    for another entry at the time of the decision; every other stamp that arrives inside does not count until an
    administrator books it. `deletions` creates voids.
    """

    id: str
    start: datetime
    end: datetime
    decided_at: datetime
    stamp_ids: frozenset[str] = field(default_factory=frozenset)
    spared: frozenset[str] = field(default_factory=frozenset)
