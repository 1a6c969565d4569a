"""Statements of derivations: reading stretches of stamps and entries, and writing what differs."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from stempelwerk_cloud.kit.statements import Statement, as_rows
from stempelwerk_cloud.timekeeping.entries.rows import EntryRow, StampRow, StreamFacts
from stempelwerk_cloud.timekeeping.tx import Tx

_LOCK = Statement("SELECT count(pg_advisory_xact_lock(key)) FROM unnest(:keys::int8[]) AS key", sqlite="SELECT 1")
_STAMPS = Statement(
    "SELECT w.n, s.at, s.id::text, s.tag_no, s.form, s.standing, s.stream_no, s.seq"
    " FROM @rows(w: n int, tag_no int, low int8, high int8) CROSS JOIN stamps s"
    " WHERE s.company_id = :company::uuid AND s.tag_no = w.tag_no AND s.at BETWEEN w.low AND w.high"
)
_ENTRIES = Statement(
    "SELECT w.n, e.person_no, e.date::text, e.id::text, e.start_at, e.end_at, e.device_no, e.start_minute,"
    " e.end_minute, e.raw_minutes, e.break_minutes, e.flags, e.is_correction"
    " FROM @rows(w: n int, person_no int, low date, high date) CROSS JOIN entries e"
    " WHERE e.company_id = :company::uuid AND e.person_no = w.person_no AND e.date BETWEEN w.low AND w.high"
)
_STREAMS = Statement(
    "SELECT s.no, s.device_no, d.id::text, s.epoch::text FROM @rows(w: no int) CROSS JOIN streams s"
    " JOIN devices d ON d.no = s.device_no WHERE s.no = w.no"
)
_COLUMNS = (
    "person_no int, date date, id uuid, start_at int8, end_at int8, device_no int, start_minute int,"
    " end_minute int, raw_minutes int, break_minutes int, flags int, is_correction bool"
)
_NAMES = ", ".join(column.split()[0] for column in _COLUMNS.split(", "))
_INSERT = Statement(
    f"INSERT INTO entries (company_id, {_NAMES}) SELECT :company::uuid, {_NAMES} FROM @rows(r: {_COLUMNS})"  # noqa: S608 -- names of columns, no values
)
_UPDATE = Statement(
    "UPDATE entries SET start_at = r.start_at, end_at = r.end_at, device_no = r.device_no,"  # noqa: S608 -- names of columns, no values
    " start_minute = r.start_minute, end_minute = r.end_minute, raw_minutes = r.raw_minutes,"
    " break_minutes = r.break_minutes, flags = r.flags, is_correction = r.is_correction"
    f" FROM @rows(r: {_COLUMNS}) WHERE entries.company_id = :company::uuid AND entries.person_no = r.person_no"
    " AND entries.date = r.date AND entries.id = r.id"
)
_DELETE = Statement(
    "DELETE FROM entries WHERE company_id = :company::uuid AND (person_no, date, id) IN"
    " (SELECT person_no, date, id FROM @rows(r: person_no int, date date, id uuid))"
)
_STANDINGS = Statement(
    "UPDATE stamps SET standing = r.standing, waits = r.waits"
    " FROM @rows(r: tag_no int, at int8, id uuid, standing int, waits bool)"
    " WHERE stamps.company_id = :company::uuid AND stamps.tag_no = r.tag_no AND stamps.at = r.at AND stamps.id = r.id"
)
_CHANGE = Statement(
    "INSERT INTO people_changes (company_id, changed_at, id, user_ids) VALUES (:company::uuid, :now, :id::uuid, :users)"
)


_PEOPLE = Statement("SELECT user_id::text FROM person_numbers WHERE company_id = :company::uuid ORDER BY user_id")


class StampsWanted(NamedTuple):
    n: int
    tag_no: int
    low: int
    high: int


class EntriesWanted(NamedTuple):
    n: int
    person_no: int
    low: str
    high: str


class Standing(NamedTuple):
    tag_no: int
    at: int
    id: str
    standing: int
    waits: bool


def everybody(tx: Tx, company_id: str) -> list[str]:
    """Everybody for whom entries were ever derived."""
    return [row[0] for row in tx.sql.rows(_PEOPLE, {"company": company_id})]


def lock_people(tx: Tx, keys: Iterable[int]) -> None:
    """Until the transaction ends nobody else derives for these people. SQLite has one writer anyway."""
    if tx.sql.postgresql:
        tx.sql.rows(_LOCK, {"keys": sorted(keys)})


def stamps(tx: Tx, company_id: str, wanted: Sequence[StampsWanted]) -> list[tuple[int, StampRow]]:
    """The stamps under these tags and times, each with the `n` of its wish; in no order."""
    rows = tx.sql.rows(_STAMPS, {"company": company_id, "w": _encode(wanted)})
    return [(row[0], StampRow(*row[1:])) for row in rows]


def entries(tx: Tx, company_id: str, wanted: Sequence[EntriesWanted]) -> list[tuple[int, EntryRow]]:
    """The entries of these people and days, each with the `n` of its wish; in no order."""
    rows = tx.sql.rows(_ENTRIES, {"company": company_id, "w": _encode(wanted)})
    return [(row[0], EntryRow(*row[1:])) for row in rows]


def streams(tx: Tx, numbers: Iterable[int]) -> dict[int, StreamFacts]:
    """What these streams say; remembered, because a stream never changes."""
    known: dict[int, StreamFacts] = tx.memory.streams
    given: dict[int, StreamFacts] = tx.session.info.get("streams", {})
    found: dict[int, StreamFacts] = {}
    missing = []
    for number in numbers:
        facts = known.get(number) or given.get(number)
        if facts is None:
            missing.append({"no": number})
        else:
            found[number] = facts
    if missing:
        rows = tx.sql.rows(_STREAMS, {"w": as_rows(missing)})
        read = {number: StreamFacts(*facts) for number, *facts in rows}
        tx.memory.streams.update(read)
        found |= read
    return found


def write_entries(
    tx: Tx, company_id: str, fresh: Sequence[EntryRow], changed: Sequence[EntryRow], gone: Sequence[EntryRow]
) -> None:
    """The difference between entries as they stood and as they are to stand."""
    if gone:
        keys = [{"person_no": row.person_no, "date": row.date, "id": row.id} for row in gone]
        tx.sql.do(_DELETE, {"company": company_id, "r": as_rows(keys)})
    if changed:
        tx.sql.do(_UPDATE, {"company": company_id, "r": _encode(changed)})
    if fresh:
        tx.sql.do(_INSERT, {"company": company_id, "r": _encode(fresh)})


def write_standings(tx: Tx, company_id: str, standings: Sequence[Standing]) -> None:
    tx.sql.do(_STANDINGS, {"company": company_id, "r": _encode(standings)})


def note_change(tx: Tx, company_id: str, user_ids: Sequence[str]) -> None:
    """Notes whose entries or names have changed, for the clocks' lists of people."""
    tx.sql.do(
        _CHANGE,
        {"company": company_id, "now": tx.now_ms, "id": tx.platform.ids.new(), "users": as_rows(user_ids)},
    )


def _encode(rows: Sequence[Any]) -> str:
    return as_rows([row._asdict() for row in rows])
