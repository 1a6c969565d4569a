"""The records of the journal as plain values."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from stempelwerk_edge.machine.trusted_time import Reading

SEQ_BITS = 32
SEQ_MASK = (1 << SEQ_BITS) - 1


@dataclass(frozen=True, slots=True)
class Draft:
    """A stamp that has no row in the journal yet: what the person did and what the clock showed."""

    id: str
    assignment: str | None
    tag: str
    direction: str
    reading: Reading
    via: str
    shown: str | None


@dataclass(frozen=True, slots=True)
class Logged:
    """The identity of a scanner's tap: the scanner, the epoch of its log, and the number in that log."""

    serial: str
    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class Row:
    """A stamp in the journal. `row` orders all stamps of this journal; `epoch` is the epoch's id."""

    row: int
    epoch: str
    draft: Draft

    @property
    def seq(self) -> int:
        """The number within the epoch, from 1."""
        return self.row & SEQ_MASK


Range = tuple[int, int]
"""Rows of the journal from the first to the last, both included."""


def ranges_of(rows: Iterable[int]) -> list[Range]:
    """Returns the rows as ranges, in ascending order."""
    ranges: list[Range] = []
    for row in sorted(rows):
        if ranges and row == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], row)
        else:
            ranges.append((row, row))
    return ranges


@dataclass(frozen=True, slots=True)
class Epoch:
    """One start of the agent. `number` is its position in this journal, `previous_last_seq` 0 if the previous one was
    empty.
    """

    number: int
    id: str
    previous: str | None
    previous_last_seq: int

    def row(self, seq: int) -> int:
        """Returns the row of a sequence number of this epoch."""
        return self.number << SEQ_BITS | seq


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it was stored before sending. `rows` are in the order of its stamps; `lost_ranges` are the ranges
    (first, last) of lost rows that it reports.
    """

    id: str
    keyid: str
    lease: int | None
    rows: tuple[int, ...]
    lost_ranges: tuple[tuple[int, int], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Mark:
    """The record that the cloud has a stamp, with its outcome and state."""

    row: int
    outcome: str
    state: str | None


@dataclass(frozen=True, slots=True)
class GoneAnswer:
    """A person's answer on the screen: when they left, local `HH:MM`, the entry that `stamp_id` opened on `date`."""

    id: str
    stamp_id: str
    date: str
    new_end: str
    at: datetime
