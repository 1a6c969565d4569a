"""SQL statements on the stamps of companies and on unassigned stamps, each for many rows at once."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from stempelwerk_cloud.kit.database.statements import Asked, RowBuffer, Statement, as_rows, read_list
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import STRETCHES
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import decode_stretches as stretches_found
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import stretch_parameters as stretches_wanted
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import EntriesWanted, EntryRow, StampRow, StampsWanted
from stempelwerk_cloud.timekeeping.ledger.intake import late
from stempelwerk_cloud.timekeeping.ledger.placing.placement import PlacedStamp, Timed, Verdict
from stempelwerk_cloud.timekeeping.ledger.placing.taps import (
    NO_DIGEST,
    Claim,
    Tap,
    format_ms,
    read_content,
    write_content,
)
from stempelwerk_cloud.timekeeping.status_bits import READER, direction_of, quality_of, shown_of
from stempelwerk_cloud.timekeeping.tx import Tx

_COLUMNS = (
    "tag_no int, at int8, id uuid, wall_ms int8, boottime_ms int8, seq int8, received_at int8, stream_no int,"
    " reported_bits int, status int, waits bool, unsettled bool, via text, content text"
)
_NAMES = ", ".join(column.split()[0] for column in _COLUMNS.split(", "))

_STALE = (
    "SELECT 1 FROM @rows(v: company_id uuid, revision int8)"
    " LEFT JOIN derivation_revisions d ON d.company_id = v.company_id WHERE coalesce(d.revision, 0) <> v.revision"
)
_OPEN = Statement(
    f"SELECT EXISTS ({_STALE}), (SELECT @list(x.id) FROM receipts x"  # noqa: S608 -- no values
    f" WHERE x.id = ANY (ARRAY(SELECT r.id FROM @rows(r: id uuid)))), {STRETCHES}",
    sqlite=f"SELECT EXISTS ({_STALE}), (SELECT @list(r.id) FROM @rows(r: id uuid)"  # noqa: S608 -- no values
    f" WHERE (SELECT count(*) FROM receipts x WHERE x.id = r.id) > 0), {STRETCHES}",
)
_INSERT = Statement(
    f"INSERT INTO stamps (company_id, {_NAMES}) SELECT :company::uuid, {_NAMES} FROM @rows(r: {_COLUMNS})"  # noqa: S608 -- names of columns, no values
)
_DELETE = Statement(
    "DELETE FROM stamps USING @rows(r: tag_no int, at int8, id uuid),"
    " LATERAL (SELECT s.ctid FROM stamps s WHERE s.company_id = :company::uuid AND s.tag_no = r.tag_no"
    " AND s.at = r.at AND s.id = r.id OFFSET 0) AS found(place) WHERE stamps.ctid = found.place",
    sqlite="DELETE FROM stamps WHERE company_id = :company AND (tag_no, at, id) IN"
    " (SELECT tag_no, at, id FROM @rows(r: tag_no int, at int8, id uuid))",
)
_INSERT_UNASSIGNED = Statement(
    "INSERT INTO unassigned_stamps (device_no, id, at, certain, boot_no, boottime_ms, epoch, received_at, content)"
    " SELECT device_no, id, at, certain, boot_no, boottime_ms, epoch, received_at, content FROM @rows(r: device_no int,"
    " id uuid, at int8, certain bool, boot_no int, boottime_ms int8, epoch uuid, received_at int8, content text)"
    " WHERE true ON CONFLICT (device_no, id) DO UPDATE SET at = excluded.at, certain = excluded.certain,"
    " boot_no = excluded.boot_no, boottime_ms = excluded.boottime_ms, epoch = excluded.epoch,"
    " received_at = excluded.received_at, content = excluded.content"
)
_DELETE_UNASSIGNED = Statement(
    "DELETE FROM unassigned_stamps u USING @rows(r: device_no int, id uuid), LATERAL (SELECT s.ctid"
    " FROM unassigned_stamps s WHERE s.device_no = r.device_no AND s.id = r.id OFFSET 0) AS found(place)"
    " WHERE u.ctid = found.place",
    sqlite="DELETE FROM unassigned_stamps WHERE (device_no, id) IN (SELECT * FROM @rows(r: device_no int, id uuid))",
)
_UNASSIGNED_BY_ID = Statement(
    "SELECT s.device_no, s.id::text, s.epoch::text, s.received_at, s.content"
    " FROM @rows(w: device_no int, id uuid)"
    " @lookup(s: unassigned_stamps WHERE s.device_no = w.device_no AND s.id = w.id)"
)
_UNASSIGNED_OF = Statement(
    "SELECT device_no, id::text, epoch::text, received_at, content FROM unassigned_stamps WHERE device_no = :device"
)
_UNASSIGNED_OF_BOOT = Statement(
    "SELECT device_no, id::text, epoch::text, received_at, content FROM unassigned_stamps"
    " WHERE device_no = :device AND boot_no = :boot AND boottime_ms BETWEEN :low AND :high"
)
_FULL = (
    "SELECT s.company_id::text, t.no, t.tag, s.at, s.id::text, s.wall_ms, s.boottime_ms, s.seq, s.received_at,"
    " s.reported_bits, s.via, s.content, st.device_no, st.epoch::text, st.assignment_id::text, b.boot::text, s.status"
)
_FULL_JOINS = (
    " @lookup(st: streams WHERE st.no = s.stream_no) @lookup(b: boots WHERE b.no = st.boot_no)"
    " @lookup(t: tag_numbers WHERE t.no = s.tag_no AND t.company_id = s.company_id)"
)
_BY_TAG_AND_ID = Statement(
    f"{_FULL} FROM @rows(w: tag_no int, id uuid) @lookup(n: tag_numbers WHERE n.no = w.tag_no)"
    f" @lookup(s: stamps WHERE s.company_id = n.company_id AND s.tag_no = n.no AND s.id = w.id){_FULL_JOINS}"
)
_BY_NAME_AND_ID = Statement(
    f"{_FULL} FROM @rows(w: company_id uuid, tag text, id uuid)"
    " @lookup(n: tag_numbers WHERE n.company_id = w.company_id AND n.tag = w.tag)"
    f" @lookup(s: stamps WHERE s.company_id = w.company_id AND s.tag_no = n.no AND s.id = w.id){_FULL_JOINS}"
)
_UNSETTLED = Statement(
    f"{_FULL} FROM (SELECT no FROM streams WHERE boot_no = :boot) AS x @lookup(s: stamps"  # noqa: S608 -- no values
    f" WHERE s.stream_no = x.no AND s.unsettled AND s.boottime_ms BETWEEN :low AND :high){_FULL_JOINS}"
)
_OF_BOOT = Statement(
    f"{_FULL} FROM @rows(w: company_id uuid) @lookup(s: stamps WHERE s.company_id = w.company_id){_FULL_JOINS}"
    " WHERE st.boot_no = :boot"
)
_OF_DEVICE = Statement(
    f"{_FULL} FROM stamps s{_FULL_JOINS}"
    " WHERE s.company_id = :company::uuid AND st.device_no = :device AND s.at >= :low"
)
_OF_TAG = Statement(
    "SELECT s.at, s.id::text, s.status FROM stamps s WHERE s.company_id = :company::uuid AND s.tag_no = :tag_no"
)
_UNSETTLE = Statement(
    "UPDATE stamps SET unsettled = :yes WHERE company_id = :company::uuid"
    " AND stream_no IN (SELECT no FROM streams WHERE boot_no = :boot)"
)
_VERDICTS = Statement(
    "SELECT r.stamp_id::text, r.action, r.taken_at FROM @rows(w: id uuid) @lookup(r: resolutions"
    " WHERE r.company_id = :company::uuid AND r.stamp_id = w.id) ORDER BY r.decided_at, r.id"
)
_STATUSES = Statement(
    "SELECT s.id::text, s.status FROM @rows(w: company_id uuid, tag_no int, at int8, id uuid) @lookup(s: stamps"
    " WHERE s.company_id = w.company_id AND s.tag_no = w.tag_no AND s.at = w.at AND s.id = w.id)"
)


class StampKey(NamedTuple):
    """The key of a stamp in `stamps`."""

    company_id: str
    tag_no: int
    at: int
    id: str


class StoredStamp(NamedTuple):
    """A stamp in a company, with the claim that it was made of."""

    where: StampKey
    tag: str
    status: int
    claim: Claim


class Opened(NamedTuple):
    """The rows before an intake: the delivered ids that are already known, and the stamps and entries around the new
    stamps.
    """

    known_ids: set[str]
    stamps: list[StampRow]
    entries: list[EntryRow]


def open_batch(
    tx: Tx,
    first: Sequence[Asked],
    ids: Iterable[str],
    revisions: dict[str, int],
    stamps: Sequence[StampsWanted],
    entries: Sequence[EntriesWanted],
) -> Opened | None:
    """Returns which ids have a receipt, and the rows around the stamps; None if a company has another revision than
    named.

    The lock requests in `first` are executed before anything is read.
    """
    parameters = stretches_wanted(stamps, entries) | {
        "r": _ids(ids),
        "v": as_rows([{"company_id": company_id, "revision": revision} for company_id, revision in revisions.items()]),
    }
    ((stale, known_column, some, entries_column),) = tx.sql.several([*first, (_OPEN, parameters)])[-1]
    return (
        None if stale else Opened({row[0] for row in read_list(known_column)}, *stretches_found(some, entries_column))
    )


def insert(writing: RowBuffer, rows: Iterable[PlacedStamp]) -> None:
    """Adds the insertion of stamps into their companies to `writing`."""
    for company_id, group in _by_company(rows).items():
        writing.add(_INSERT, group, company_id)


def delete(tx: Tx, keys: Iterable[StampKey]) -> None:
    """Removes stamps from their companies; they are about to be inserted elsewhere."""
    for company_id, group in _by_company(keys).items():
        tx.sql.do(_DELETE, {"company": company_id, "r": as_rows([key._asdict() for key in group])})


def insert_unassigned(tx: Tx, writing: RowBuffer, unassigned: Iterable[Timed]) -> None:
    """Adds the insertion of claims without a company to `writing`, except claims for purged companies."""
    rows = [
        {
            "device_no": timed_claim.claim.device_no,
            "id": timed_claim.claim.tap.id,
            "at": timed_claim.at_ms,
            "certain": timed_claim.certain,
            "boot_no": timed_claim.boot.no,
            "boottime_ms": timed_claim.claim.tap.boottime_ms,
            "epoch": timed_claim.claim.epoch,
            "received_at": timed_claim.claim.received_ms,
            "content": write_content(timed_claim.claim.tap),
        }
        for timed_claim in late.drop_buried(tx, unassigned)
    ]
    writing.add(_INSERT_UNASSIGNED, rows)


def delete_unassigned(tx: Tx, keys: Iterable[tuple[int, str]]) -> None:
    rows = [{"device_no": device_no, "id": id_} for device_no, id_ in keys]
    if rows:
        tx.sql.do(_DELETE_UNASSIGNED, {"r": as_rows(rows)})


def strays_by_id(tx: Tx, keys: Iterable[tuple[int, str]]) -> list[Claim]:
    rows = [{"device_no": device_no, "id": id_} for device_no, id_ in keys]
    return [_unassigned(row) for row in tx.sql.rows(_UNASSIGNED_BY_ID, {"w": as_rows(rows)})]


def unassigned_of(tx: Tx, device_no: int) -> list[Claim]:
    return [_unassigned(row) for row in tx.sql.rows(_UNASSIGNED_OF, {"device": device_no})]


def strays_of_boot(tx: Tx, device_no: int, boot_no: int, low: int, high: int) -> list[Claim]:
    rows = tx.sql.rows(_UNASSIGNED_OF_BOOT, {"device": device_no, "boot": boot_no, "low": low, "high": high})
    return [_unassigned(row) for row in rows]


def stored_as(tx: Tx, company_ids: Iterable[str], tags: Iterable[str], id_: str) -> list[StoredStamp]:
    """Returns the stamps with this id under any of these tags in any of these companies."""
    names = list(tags)
    rows = [{"company_id": company_id, "tag": tag, "id": id_} for company_id in company_ids for tag in names]
    return [_stored(row) for row in tx.sql.rows(_BY_NAME_AND_ID, {"w": as_rows(rows)})]


def stored_under(tx: Tx, keys: Iterable[tuple[int, str]]) -> list[StoredStamp]:
    """Returns the stamps with these (tag number, id), whatever their time."""
    rows = [{"tag_no": tag_no, "id": id_} for tag_no, id_ in keys]
    return [_stored(row) for row in tx.sql.rows(_BY_TAG_AND_ID, {"w": as_rows(rows)})] if rows else []


def unsettled_of(tx: Tx, boot_no: int, low: int, high: int) -> list[StoredStamp]:
    """Returns the stamps of a boot between two boottimes (ms) that a better anchor may still move."""
    return [_stored(row) for row in tx.sql.rows(_UNSETTLED, {"boot": boot_no, "low": low, "high": high})]


def all_of_boot(tx: Tx, boot_no: int, company_ids: Iterable[str]) -> list[StoredStamp]:
    """Returns all stamps of a boot in these companies, in any order.

    No index leads from a boot to its stamps, so this scans all stamps of the companies. Call it only when an anchor
    contradicts the boot's stamps, which is rare.
    """
    companies = as_rows([{"company_id": company_id} for company_id in company_ids])
    return [_stored(row) for row in tx.sql.rows(_OF_BOOT, {"boot": boot_no, "w": companies})]


def all_of_device(tx: Tx, company_id: str, device_no: int, low_ms: int) -> list[StoredStamp]:
    """Returns all stamps of a device in a company from a time on. Scans the company's stamps."""
    rows = tx.sql.rows(_OF_DEVICE, {"company": company_id, "device": device_no, "low": low_ms})
    return [_stored(row) for row in rows]


def of_tag(tx: Tx, company_id: str, tag_no: int) -> list[tuple[int, str, int]]:
    """Returns (true time in ms, id, status) of every stamp with this tag."""
    rows = tx.sql.rows(_OF_TAG, {"company": company_id, "tag_no": tag_no})
    return [(at_ms, id_, status) for at_ms, id_, status in rows]


def unsettle(tx: Tx, boot_no: int, company_ids: Iterable[str]) -> None:
    """Marks every stamp of this boot to be checked against each new anchor."""
    for company_id in company_ids:
        tx.sql.do(_UNSETTLE, {"company": company_id, "boot": boot_no, "yes": True})


def verdicts(tx: Tx, company_id: str, ids: Iterable[str]) -> dict[str, Verdict]:
    """Returns the newest decision of an administrator about each of these stamps, by id; omits undecided stamps."""
    rows = tx.sql.rows(_VERDICTS, {"company": company_id, "w": _ids(ids)})
    return {stamp_id: Verdict(action, taken_ms) for stamp_id, action, taken_ms in rows}


def statuses(tx: Tx, keys: Sequence[StampKey]) -> dict[str, int]:
    """Returns the status of each stamp that exists under exactly this key."""
    rows = tx.sql.rows(_STATUSES, {"w": as_rows([key._asdict() for key in keys])}) if keys else []
    return {row[0]: row[1] for row in rows}


def _ids(ids: Iterable[str]) -> str:
    return as_rows([{"id": id_} for id_ in ids])


def _by_company(rows: Iterable[Any]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.company_id, []).append(row)
    return groups


def _unassigned(row: tuple[Any, ...]) -> Claim:
    device_no, _, epoch, received_ms, content = row
    return Claim(device_no, epoch, received_ms, read_content(content))


def _stored(row: tuple[Any, ...]) -> StoredStamp:
    (
        company_id,
        tag_no,
        tag,
        at_ms,
        id_,
        wall_ms,
        boottime_ms,
        seq,
        received_ms,
        reported_bits,
        via,
        content,
        *stream,
    ) = row
    device_no, epoch, assignment, boot, status = stream
    if content is not None:
        tap = read_content(content)
    else:
        wall_ms = at_ms if wall_ms is None else wall_ms
        tap = Tap(
            id_,
            seq,
            assignment,
            tag,
            direction_of(reported_bits),
            format_ms(wall_ms),
            wall_ms,
            boot,
            boottime_ms,
            quality_of(reported_bits),
            via or READER,
            shown_of(reported_bits),
            NO_DIGEST,
        )
    return StoredStamp(StampKey(company_id, tag_no, at_ms, id_), tag, status, Claim(device_no, epoch, received_ms, tap))
