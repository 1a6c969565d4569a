"""Rows of stamps and entries as derivations read and write them: plain tuples and structs with few columns. Pure."""

from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec import Struct

from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import from_ms, local, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.timekeeping.status_bits import (
    BOOKED_BY_HAND,
    CLOCK,
    LEFT_OPEN,
    direction_of,
    flag_bits,
    is_answer,
    shown_of,
)

FIRST_MS = ms_of(datetime.min.replace(tzinfo=UTC))
LAST_MS = ms_of(datetime.max.replace(tzinfo=UTC))


class StreamFacts(NamedTuple):
    """The values that all stamps of a stream share."""

    device_no: int
    device_id: str
    epoch: str


class StampRow(Struct, order=True, array_like=True, gc=False):
    """A stamp of a person with the columns that a derivation needs. `n` is the person's index in `StampsWanted`."""

    at_ms: int
    id: str
    tag_no: int
    reported_bits: int
    status: int
    stream_no: int
    seq: int
    n: int = 0


class EntryRow(NamedTuple):
    """An entry as stored, in the order of the columns, so that an unchanged entry equals its stored row.

    `is_correction` is 0 or 1, because SQLite has no boolean type.
    """

    person_no: int
    date: str
    id: str
    start_at: int | None
    end_at: int | None
    device_no: int | None
    start_minute: int | None
    end_minute: int | None
    raw_minutes: int | None
    break_minutes: int | None
    flags: int
    is_correction: int

    @property
    def known_ms(self) -> int:
        """The start in ms, or the end if the start is missing."""
        instant = self.end_at if self.start_at is None else self.start_at
        assert instant is not None
        return instant


class StampsWanted(Struct, gc=False):
    """A request for the stamps with a tag between two instants (ms), both included. `n` is the index of the person."""

    n: int
    company_id: str
    tag_no: int
    low: int
    high: int


class EntriesWanted(Struct, gc=False):
    """A request for a person's entries between two days (ISO), both included."""

    company_id: str
    person_no: int
    low: str
    high: str


def stamp_of(row: StampRow, stream: StreamFacts) -> Stamp:
    """Returns the stamp as the domain's rules read it."""
    reported_bits, booked = row.reported_bits, row.status & BOOKED_BY_HAND != 0
    return Stamp(
        row.id,
        from_ms(row.at_ms),
        direction_of(reported_bits),
        stream.device_id,
        stream.epoch,
        row.seq,
        row.status & CLOCK != 0 and not booked,
        shown_of(reported_bits),
        None,
        is_answer(reported_bits),
        booked,
    )


def entry_row(person_no: int, entry: Entry, device_nos: dict[str, int], rules: DatedRules, swept_to: str) -> EntryRow:
    """Returns the row of an entry. `swept_to`: an older entry without an end is marked at once
    (`DerivationRevision`).
    """
    zone, day = rules.at(entry.known_at).zone, entry.date.isoformat()
    left_open = entry.end_at is None and day < swept_to
    return EntryRow(
        person_no,
        day,
        entry.id,
        None if entry.start_at is None else ms_of(entry.start_at),
        None if entry.end_at is None else ms_of(entry.end_at),
        None if entry.device_id is None else device_nos[entry.device_id],
        _minute(entry.start_at, zone),
        _minute(entry.end_at, zone),
        entry.raw_minutes,
        entry.break_minutes,
        flag_bits(entry.flags) | (LEFT_OPEN if left_open else 0),
        int(entry.source == "correction"),
    )


def days_around(first_ms: int | None, last_ms: int | None) -> tuple[str, str]:
    """Returns the first and the last date (ISO) that an entry with a stamp between two instants (ms) can have, in any
    zone.

    An entry is dated by its start, which is up to 24 hours before its end. None: no bound.
    """
    first, last = date.min.toordinal(), date.max.toordinal()
    if first_ms is not None:
        first = max(_ordinal(first_ms) - 2, first)
    if last_ms is not None:
        last = min(_ordinal(last_ms) + 1, last)
    return date.fromordinal(first).isoformat(), date.fromordinal(last).isoformat()


def _ordinal(at_ms: int) -> int:
    return from_ms(min(max(at_ms, FIRST_MS), LAST_MS)).toordinal()


def _minute(instant: datetime | None, zone: ZoneInfo) -> int | None:
    """Returns the instant as local minutes since midnight."""
    if instant is None:
        return None
    local_time = local(instant, zone)
    return local_time.hour * 60 + local_time.minute
