"""SQL statements of derivations: reading stretches of stamps and entries, and writing the differences."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from stempelwerk_cloud.kit.database.statements import RowBuffer, Sql, Statement, as_rows
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import (
    NEW_STREAMS,
    EntriesWanted,
    EntryRow,
    StampRow,
    StampsWanted,
    StreamFacts,
    numbers,
)
from stempelwerk_cloud.timekeeping.tx import Tx

STRETCHES = (
    "(SELECT @plain(s.at, 's.id', s.tag_no, s.reported_bits, s.status, s.stream_no, s.seq, w.n)"
    " FROM @rows(w: n int, company_id uuid, tag_no int, low int8, high int8)"
    " @lookup(s: stamps WHERE s.company_id = w.company_id AND s.tag_no = w.tag_no AND s.at BETWEEN w.low AND w.high)),"
    " (SELECT @plain(e.person_no, 'e.date', 'e.id', e.start_at, e.end_at, e.device_no, e.start_minute,"
    " e.end_minute, e.raw_minutes, e.break_minutes, e.flags, e.is_correction::int)"
    " FROM @rows(p: company_id uuid, person_no int, low date, high date) @lookup(e: entries"
    " WHERE e.company_id = p.company_id AND e.person_no = p.person_no AND e.date BETWEEN p.low AND p.high))"
)
"""Two columns of a SELECT: stamps and entries; parameters `w` (StampsWanted) and `p` (EntriesWanted)."""

_READ = Statement(f"SELECT {STRETCHES}")
_PEOPLE = Statement("SELECT user_id::text FROM person_numbers WHERE company_id = :company::uuid ORDER BY user_id")
_STREAMS = Statement(
    "SELECT s.no, s.device_no, d.id::text, s.epoch::text FROM @rows(w: no int)"
    " @lookup(s: streams WHERE s.no = w.no) @lookup(d: devices WHERE d.no = s.device_no)"
)
_COLUMNS = (
    "person_no int, date date, id uuid, start_at int8, end_at int8, device_no int, start_minute int,"
    " end_minute int, raw_minutes int, break_minutes int, flags int, is_correction bool"
)
_NAMES = ", ".join(column.split()[0] for column in _COLUMNS.split(", "))
_INSERT = Statement(
    f"INSERT INTO entries (company_id, {_NAMES}) SELECT :company::uuid, {_NAMES} FROM @rows(r: {_COLUMNS})"  # noqa: S608 -- names of columns, no values
)
_SET = ", ".join(f"{name} = excluded.{name}" for name in _NAMES.split(", ")[3:])
# Row by row and by the whole key: a join chosen by the database could read all of the company's entries for it.
_PLACE = (
    "SELECT e.ctid FROM entries e WHERE e.company_id = :company::uuid AND e.person_no = r.person_no"
    " AND e.date = r.date AND e.id = r.id OFFSET 0"
)
_UPDATE = Statement(
    f"UPDATE entries SET {_SET.replace('excluded', 'r')} FROM @rows(r: {_COLUMNS}),"  # noqa: S608 -- names of columns, no values
    f" LATERAL ({_PLACE}) AS found(place) WHERE entries.ctid = found.place",
    # SQLite would scan all entries of the company for each row.
    sqlite=f"INSERT INTO entries (company_id, {_NAMES}) SELECT :company, {_NAMES} FROM @rows(r: {_COLUMNS})"  # noqa: S608 -- names of columns, no values
    f" WHERE true ON CONFLICT (company_id, person_no, date, id) DO UPDATE SET {_SET}",
)
_DELETE = Statement(
    "DELETE FROM entries USING @rows(r: person_no int, date date, id uuid),"  # noqa: S608 -- no values
    f" LATERAL ({_PLACE}) AS found(place) WHERE entries.ctid = found.place",
    sqlite="DELETE FROM entries WHERE company_id = :company AND (person_no, date, id) IN"
    " (SELECT person_no, date, id FROM @rows(r: person_no int, date date, id uuid))",
)
_STATUSES = Statement(
    "UPDATE stamps SET status = r.status, waits = r.waits"
    " FROM @rows(r: tag_no int, at int8, id uuid, status int, waits bool),"
    " LATERAL (SELECT s.ctid FROM stamps s WHERE s.company_id = :company::uuid AND s.tag_no = r.tag_no"
    " AND s.at = r.at AND s.id = r.id OFFSET 0) AS found(place) WHERE stamps.ctid = found.place",
    # The limit, which is no limit, keeps SQLite from reversing the join: it would look at every stamp for each row.
    sqlite="UPDATE stamps SET status = found.status, waits = found.waits FROM"
    " (SELECT s.rowid AS place, r.status, r.waits"
    " FROM @rows(r: tag_no int, at int8, id uuid, status int, waits bool) CROSS JOIN stamps s"
    " WHERE s.company_id = :company AND s.tag_no = r.tag_no AND s.at = r.at AND s.id = r.id LIMIT -1) AS found"
    " WHERE stamps.rowid = found.place",
)
_CHANGE = Statement(
    "INSERT INTO people_changes (company_id, changed_at, id, people)"
    " SELECT :company::uuid, changed_at, id, people FROM @rows(r: changed_at int8, id uuid, people text)"
)
_CHANGE_NUMBERED = (
    "INSERT INTO people_changes (company_id, changed_at, id, people)"
    " SELECT :company::uuid, r.changed_at, r.id, '[' || {numbers} || ']'"
    " FROM @rows(r: changed_at int8, id uuid, user_id uuid)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = r.user_id)"
    " GROUP BY r.changed_at, r.id"
)
_FIGURES = Statement(
    _CHANGE_NUMBERED.format(numbers="string_agg(p.no::text, ',' ORDER BY p.no)"),
    sqlite=_CHANGE_NUMBERED.format(numbers="group_concat(p.no)"),
)

_stamps = msgspec.json.Decoder(list[StampRow])
_entries = msgspec.json.Decoder(list[EntryRow])


class StatusChange(Struct, gc=False):
    """A stamp with its new status."""

    tag_no: int
    at: int
    id: str
    status: int
    waits: bool


def everybody(tx: Tx, company_id: str) -> list[str]:
    """Returns the ids of all people of the company who have a number, so of all who can have entries."""
    return [row[0] for row in tx.sql.rows(_PEOPLE, {"company": company_id})]


def stretch_parameters(stamps: Sequence[StampsWanted], entries: Sequence[EntriesWanted]) -> dict[str, str]:
    """Encodes these requests as the parameters of `STRETCHES`."""
    return {"w": as_rows(stamps), "p": as_rows(entries)}


def decode_stretches(stamps: str | None, entries: str | None) -> tuple[list[StampRow], list[EntryRow]]:
    """Decodes the two columns of `STRETCHES`, unordered."""
    return [] if stamps is None else _stamps.decode(stamps), [] if entries is None else _entries.decode(entries)


def read(
    sql: Sql, stamps: Sequence[StampsWanted], entries: Sequence[EntriesWanted]
) -> tuple[list[StampRow], list[EntryRow]]:
    """Reads these stamps and entries, unordered."""
    ((some, entries_column),) = sql.rows(_READ, stretch_parameters(stamps, entries))
    return decode_stretches(some, entries_column)


def streams(tx: Tx, numbers: Iterable[int]) -> dict[int, StreamFacts]:
    """Returns the facts of these streams; remembered, because a stream never changes."""
    remembered: dict[int, StreamFacts] = tx.memory.streams
    new_streams = NEW_STREAMS.of(tx.session)
    facts: dict[int, StreamFacts] = {}
    missing = []
    for number in numbers:
        stream_facts = remembered.get(number) or new_streams.get(number)
        if stream_facts is None:
            missing.append({"no": number})
        else:
            facts[number] = stream_facts
    if missing:
        rows = tx.sql.rows(_STREAMS, {"w": as_rows(missing)})
        read_now = {number: StreamFacts(*values) for number, *values in rows}
        tx.memory.streams.update(read_now)
        facts |= read_now
    return facts


def write_entries(
    writing: RowBuffer,
    company_id: str,
    fresh: Sequence[EntryRow],
    changed: Sequence[EntryRow],
    removed: Sequence[EntryRow],
) -> None:
    """Adds the differences between the stored and the derived entries to `writing`."""
    keys = [{"person_no": row.person_no, "date": row.date, "id": row.id} for row in removed]
    writing.add(_DELETE, keys, company_id)
    writing.add(_UPDATE, [row._asdict() for row in changed], company_id)
    writing.add(_INSERT, [row._asdict() for row in fresh], company_id)


def write_statuses(writing: RowBuffer, company_id: str, statuses: Sequence[StatusChange]) -> None:
    """Adds the new statuses of stamps to `writing`."""
    writing.add(_STATUSES, statuses, company_id)


def note_change(tx: Tx, writing: RowBuffer, company_id: str, user_ids: Sequence[str]) -> None:
    """Records people whose entries or names have changed, so that clocks read them again for their lists of people."""
    people = sorted(numbers(tx, "person", company_id, user_ids).values())
    row = {"changed_at": tx.now_ms, "id": tx.platform.ids.new(), "people": as_rows(people)}
    writing.add(_CHANGE, [row], company_id)


def note_figures(tx: Tx, writing: RowBuffer, company_id: str, user_ids: Sequence[str]) -> None:
    """Records people whose other figures on clocks have changed, so that clocks read them again.

    A person without a number is on no clock's list. Drawing one would require the lock on the company's rules.
    """
    change = {"changed_at": tx.now_ms, "id": tx.platform.ids.new()}
    rows = [change | {"user_id": user_id} for user_id in sorted(set(user_ids))]
    writing.add(_FIGURES, rows, company_id)
