"""Rows of stamps and entries as derivations read and write them, and the small numbers of tags and people in them.

Rows are plain tuples and structs with few columns (pure). A number never changes, so processes remember those they have
read. Numbers that a transaction has drawn itself are remembered only in its session, because it may be rolled back.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import from_ms, local, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import CONDITIONS
from stempelwerk_cloud.kit.database.statements import Statement, as_rows
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.timekeeping.status_bits import (
    BOOKED_BY_HAND,
    CLOCK,
    LEFT_OPEN,
    direction_of,
    flag_bits,
    is_answer,
    shown_of,
)
from stempelwerk_cloud.timekeeping.tx import Tx

FIRST_MS = ms_of(datetime.min.replace(tzinfo=UTC))
LAST_MS = ms_of(datetime.max.replace(tzinfo=UTC))


class StreamFacts(NamedTuple):
    """The values that all stamps of a stream share."""

    device_no: int
    device_id: str
    epoch: str


NEW_STREAMS: Slot[Session, dict[int, StreamFacts]] = Slot(lambda _: {})
"""The streams that the transaction has inserted, by number."""


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


Kind = Literal["tag", "person"]
UNNUMBERED = 0
"""Stands for a missing number in a transaction that only reads. No row has this number."""

_NONE: dict[str, int] = {}

_FIND = {
    "tag": Statement(
        "SELECT t.tag, t.no FROM @rows(wanted: name text)"
        " @lookup(t: tag_numbers WHERE t.company_id = :company::uuid AND t.tag = wanted.name)"
    ),
    "person": Statement(
        "SELECT p.user_id::text, p.no FROM @rows(wanted: name uuid)"
        " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = wanted.name)"
    ),
}
_GIVE = {
    "tag": Statement(
        "INSERT INTO tag_numbers (company_id, tag, no) SELECT :company::uuid, name, no"
        " FROM @rows(fresh: name text, no int) WHERE true ON CONFLICT DO NOTHING"
    ),
    "person": Statement(
        "INSERT INTO person_numbers (company_id, user_id, no) SELECT :company::uuid, name, no"
        " FROM @rows(fresh: name uuid, no int) WHERE true ON CONFLICT DO NOTHING"
    ),
}
_DRAW = Statement(
    "INSERT INTO counters (kind, last) VALUES (:kind, :count)"
    " ON CONFLICT (kind) DO UPDATE SET last = counters.last + excluded.last RETURNING last"
)


_NEW_NUMBERS: Slot[Session, defaultdict[tuple[str, str], dict[str, int]]] = Slot(lambda _: defaultdict(dict))
"""The numbers that the transaction has drawn, by kind and company."""


class NotRemembered(Exception):
    """Raised when a transaction that may only use memory (`Tx.from_memory`) would have to read or draw a number."""


def numbers(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    """Returns the numbers of these tags or users of the company. Draws the missing ones; a reading transaction gets
    `UNNUMBERED`.

    A transaction that may draw must hold the lock on the company's rules. Otherwise it could wait for a transaction
    that holds them and needs a number itself. Raises NotRemembered.
    """
    key = (kind, company_id)
    remembered = tx.memory.numbers.get(key, _NONE)
    missing = sorted({name for name in names if name not in remembered})
    if not missing:
        return {name: remembered[name] for name in names}
    if tx.from_memory:
        raise NotRemembered
    new_numbers = _NEW_NUMBERS.of(tx.session)[key]
    unread = [name for name in missing if name not in new_numbers]
    read = _find(tx, kind, company_id, unread) if unread else {}
    tx.memory.numbers[key] = remembered = {**remembered, **read}
    fresh = [name for name in unread if name not in read]
    if fresh and CONDITIONS.of(tx.session).reads_only:
        return (
            dict.fromkeys(names, UNNUMBERED)
            | new_numbers
            | {name: remembered[name] for name in names if name in remembered}
        )
    if fresh:
        new_numbers.update(_give(tx, kind, company_id, fresh))
    return {name: remembered[name] if name in remembered else new_numbers[name] for name in names}


def existing_numbers(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    """Returns the numbers of those of these tags or users that have a number."""
    key = (kind, company_id)
    remembered = tx.memory.numbers.get(key, _NONE)
    new_numbers = _NEW_NUMBERS.of(tx.session)[key]
    missing = sorted({name for name in names if name not in remembered and name not in new_numbers})
    if missing:
        tx.memory.numbers[key] = remembered = {**remembered, **_find(tx, kind, company_id, missing)}
    return {name: no for name in names if (no := remembered.get(name, new_numbers.get(name))) is not None}


def _find(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    name_rows = as_rows([{"name": name} for name in names])
    return {row[0]: row[1] for row in tx.sql.rows(_FIND[kind], {"company": company_id, "wanted": name_rows})}


def _give(tx: Tx, kind: Kind, company_id: str, names: list[str]) -> dict[str, int]:
    locks.take(tx.session, Lock.NUMBERS)  # one lock for both kinds
    ((last,),) = tx.sql.rows(_DRAW, {"kind": kind, "count": len(names)})
    fresh = [{"name": name, "no": last - index} for index, name in enumerate(reversed(names))]
    tx.sql.do(_GIVE[kind], {"company": company_id, "fresh": as_rows(fresh)})
    # Another transaction may have inserted some of them first; then its numbers hold.
    return _find(tx, kind, company_id, names)
