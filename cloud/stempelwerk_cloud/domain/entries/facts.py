"""Decisions about a person's time as facts: approved corrections and voids. They do not change stamps.

Their effect is in `timeline`. Whether a request can become a fact is in `corrections` and `deletions`.
"""

from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """An approved correction: the bounds of one shift as instants.

    `shift` identifies the shift that it concerns, as `corrections.settle` found it: by the shift's first stamp, or for
    a shift without stamps by the correction that created it and that this one replaces. None: this correction creates a
    shift. `shift_at` is an instant of that shift; without it, a shift that lies far from `date` and the bounds is not
    found. `shift_until` is the last instant of the shift at that time; what begins later was no part of it.

    `break_minutes` replaces the break by rule. `requested_at` limits the stamps that it covers. `decided_at` is the
    order of decisions.
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
    """A deleted entry: its stamps (`stamp_ids`, with the uncounted ones that belonged to them) and its interval. For an
    incomplete entry `start` and `end` are its one known moment.

    `spared`: stamps inside the interval that counted for another entry at the time of the decision. Any other stamp
    that arrives inside the interval does not count until an administrator books it. `deletions` creates voids.
    """

    id: str
    start: datetime
    end: datetime
    decided_at: datetime
    stamp_ids: frozenset[str] = field(default_factory=frozenset)
    spared: frozenset[str] = field(default_factory=frozenset)
