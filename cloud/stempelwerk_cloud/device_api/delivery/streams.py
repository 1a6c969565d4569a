"""The rows of a clock's epochs: which were received, which are lost for good, and which are missing. Pure.

Rows are numbered from 1 in each epoch. Ranges are pairs of first and last row, both included; they are sorted, disjoint
and not adjacent, so their cost does not depend on their length. A row number does not identify a stamp, only its id
does: two stamps with the same number are both accepted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

Range = tuple[int, int]
Ranges = tuple[Range, ...]

ASKED_FOR = timedelta(hours=1)
"""The same missing rows are requested from a clock at most once in this time."""
EPOCHS_SHOWN = 16
RANGES_SHOWN = 100
RANGES_ASKED = 20

RANGES_LIMIT = 1000
"""Maximum number of ranges that are stored of an epoch, far more than a clock has. Rows of further ranges are not
recorded, and so are requested again, instead of filling the disk.
"""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The known rows of one epoch. `given_up` are the rows that the clock has lost for good.

    `last_seq`: the epoch's last row, as its `successor` (the next epoch of the clock) named it; 0 and None before that.
    `asked_ranges`: the rows that were requested again from the clock since `asked_at`.
    """

    received: Ranges = ()
    given_up: Ranges = ()
    last_seq: int = 0
    asked_ranges: Ranges = ()
    asked_at: datetime | None = None
    successor: str | None = None

    def with_rows(self, seqs: Iterable[int], given_up: Iterable[Range]) -> "Epoch":
        """Returns the epoch after a batch with these received and these given-up rows."""
        return replace(
            self,
            received=_limited(self.received, join([*self.received, *((seq, seq) for seq in seqs)])),
            given_up=_limited(self.given_up, join([*self.given_up, *given_up])),
        )

    def joined_with(self, other_epoch: "Epoch") -> "Epoch":
        """Returns the epoch with the received and given-up rows of another one added."""
        received, given_up = (
            join([*self.received, *other_epoch.received]),
            join([*self.given_up, *other_epoch.given_up]),
        )
        return replace(self, received=received, given_up=given_up)

    def ending_at(self, last_seq: int, successor: str) -> "Epoch":
        """Returns the epoch after `successor` named its last row. A greater known `last_seq` and a known successor are
        kept.
        """
        return replace(self, last_seq=max(self.last_seq, last_seq), successor=self.successor or successor)

    def contiguous_to(self) -> int:
        """Returns the last row of the gapless beginning; 0 if the first row is missing. Lost rows do not count as
        missing.
        """
        accounted = self._accounted_for()
        return accounted[0][1] if accounted and accounted[0][0] == 1 else 0

    def missing(self) -> Ranges:
        """Returns the ranges of rows that are neither received nor lost, in ascending order. They end at `last_seq`, or
        at the last known row.
        """
        holes: list[Range] = []
        next_seq = 1
        for first, last in self._accounted_for():
            if next_seq < first:
                holes.append((next_seq, first - 1))
            next_seq = last + 1
        if next_seq <= self.last_seq:
            holes.append((next_seq, self.last_seq))
        return tuple(holes)

    def to_ask(self, now: datetime) -> tuple[Ranges, "Epoch"]:
        """Returns the missing rows to request now, and the epoch with this request recorded. Rows that were requested
        within the last hour are left out.
        """
        fresh = self.asked_at is None or now - self.asked_at >= ASKED_FOR
        still_asked = () if fresh else self.asked_ranges
        new_ranges = _without(self.missing(), still_asked)[:RANGES_ASKED]
        if not new_ranges:
            return (), self
        return new_ranges, replace(
            self, asked_ranges=join([*still_asked, *new_ranges]), asked_at=now if fresh else self.asked_at
        )

    def _accounted_for(self) -> Ranges:
        return join([*self.received, *self.given_up]) if self.given_up else self.received


@dataclass(frozen=True, slots=True)
class Report:
    """The part of an answer with the report about one of the clock's epochs. `contiguous_to`: as in `Epoch`. `missing`:
    the rows that the service lacks.
    """

    epoch: str
    contiguous_to: int
    missing: Ranges


def merge(
    epochs: Mapping[str, Epoch],
    epoch: str,
    seqs: Iterable[int],
    given_up: Iterable[Range],
    previous: tuple[str, int] | None,
) -> dict[str, Epoch]:
    """Returns the epochs that a batch changes, by name, in their state after it.

    `previous`: the clock's epoch before `epoch` and the last row of it, as the batch names them.
    """
    updated = {epoch: epochs.get(epoch, Epoch()).with_rows(seqs, given_up)}
    if previous is not None:
        predecessor = updated.get(previous[0]) or epochs.get(previous[0], Epoch())
        updated[previous[0]] = predecessor.ending_at(previous[1], epoch)
    return updated


def branches_off(epochs: Mapping[str, Epoch], epoch: str, previous: tuple[str, int] | None) -> bool:
    """Returns whether an epoch that was unknown so far starts from an old copy of its card.

    The epochs of one card form a chain. The card was copied or restored if the epoch's predecessor already has another
    successor, or has rows beyond the end that the new epoch names.
    """
    predecessor = None if previous is None or epoch in epochs else epochs.get(previous[0])
    if predecessor is None or previous is None:
        return False
    beyond = bool(predecessor.received) and predecessor.received[-1][1] > previous[1]
    return beyond or predecessor.successor not in (None, epoch)


def newly_gone(old_epoch: Epoch, new_epoch: Epoch) -> Ranges:
    """Returns the rows that were given up between the two states of an epoch and that were never received."""
    return _without(_without(new_epoch.given_up, old_epoch.given_up), new_epoch.received)


def report(epochs: Mapping[str, Epoch], epoch: str) -> list[Report]:
    """Returns the reports for an answer: first on the batch's epoch, then on other epochs with missing rows, ordered by
    name.
    """
    current = epochs.get(epoch, Epoch())
    reports = [Report(epoch, current.contiguous_to(), current.missing()[:RANGES_SHOWN])]
    for name in sorted(epochs):
        missing = epochs[name].missing() if name != epoch else ()
        if missing and len(reports) <= EPOCHS_SHOWN:
            reports.append(Report(name, epochs[name].contiguous_to(), missing[:RANGES_SHOWN]))
    return reports


def join(ranges: Iterable[Range]) -> Ranges:
    """Merges ranges in any order into sorted ones that neither overlap nor touch."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            if last > joined[-1][1]:
                joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def _without(ranges: Ranges, removed: Ranges) -> Ranges:
    """Returns the rows of `ranges` that are not in `removed`."""
    remaining: list[Range] = []
    for first, last in ranges:
        next_seq = first
        for low, high in removed:
            if high < next_seq or low > last:
                continue
            if next_seq < low:
                remaining.append((next_seq, low - 1))
            next_seq = high + 1
        if next_seq <= last:
            remaining.append((next_seq, last))
    return tuple(remaining)


def _limited(old_ranges: Ranges, new_ranges: Ranges) -> Ranges:
    return new_ranges if len(new_ranges) <= max(RANGES_LIMIT, len(old_ranges)) else old_ranges
