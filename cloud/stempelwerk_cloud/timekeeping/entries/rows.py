"""Rows of stamps and entries as derivations read and write them: plain tuples and narrow records. Pure."""

from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries import Entry
from stempelwerk_cloud.domain.instants import local
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.domain.stamps import Stamp
from stempelwerk_cloud.kit.db import from_ms, to_ms
from stempelwerk_cloud.timekeeping.words import (
    BOOKED_BY_HAND,
    CLOCK,
    direction_of,
    flag_bits,
    is_answer,
    shown_of,
)


class StreamFacts(NamedTuple):
    """What a stream says of each of its stamps."""

    device_no: int
    device_id: str
    epoch: str


class StampRow(NamedTuple):
    """A stamp of a person, as a derivation needs it."""

    at_ms: int
    id: str
    tag_no: int
    form: int
    standing: int
    stream_no: int
    seq: int


class EntryRow(NamedTuple):
    """An entry as stored, in the order of the columns. Rows of one entry are equal if nothing about it differs."""

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
    is_correction: bool

    @property
    def known_ms(self) -> int:
        """The first known instant."""
        known = self.end_at if self.start_at is None else self.start_at
        assert known is not None
        return known


def stamp_of(row: StampRow, stream: StreamFacts) -> Stamp:
    """The stamp as the rules see it."""
    standing = row.standing
    return Stamp(
        row.id,
        from_ms(row.at_ms),
        direction_of(row.form),
        stream.device_id,
        stream.epoch,
        row.seq,
        standing & CLOCK != 0 and not standing & BOOKED_BY_HAND,
        shown_of(row.form),
        None,
        is_answer(row.form),
    )


def entry_row(person_no: int, entry: Entry, device_nos: dict[str, int], rules: DatedRules) -> EntryRow:
    """The entry as it is stored."""
    zone = rules.at(entry.known_at).zone
    return EntryRow(
        person_no,
        entry.date.isoformat(),
        entry.id,
        None if entry.start_at is None else to_ms(entry.start_at),
        None if entry.end_at is None else to_ms(entry.end_at),
        None if entry.device_id is None else device_nos[entry.device_id],
        _minute(entry.start_at, zone),
        _minute(entry.end_at, zone),
        entry.raw_minutes,
        entry.break_minutes,
        flag_bits(entry.flags),
        entry.source == "correction",
    )


def _minute(instant: datetime | None, zone: ZoneInfo) -> int | None:
    """Local minutes since midnight."""
    if instant is None:
        return None
    shown = local(instant, zone)
    return shown.hour * 60 + shown.minute


def days_around(first_ms: int | None, last_ms: int | None, margin: int) -> tuple[str, str]:
    """The days from `margin` days before one instant to `margin` days after another, within the calendar."""
    first = 1 if first_ms is None else max(from_ms(max(first_ms, 0)).toordinal() - margin, 1)
    last = date.max.toordinal()
    if last_ms is not None:
        last = min(from_ms(max(min(last_ms, LAST_MS), 0)).toordinal() + margin, last)
    return date.fromordinal(first).isoformat(), date.fromordinal(last).isoformat()


LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999."""
