"""SQL statements on receipts and claims, each for many rows at once.

A receipt records that a stamp has arrived. Claims are stored only for ids that were claimed several times.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from stempelwerk_cloud.kit.database.statements import RowBuffer, Statement, as_rows
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Claim, read_content, write_content
from stempelwerk_cloud.timekeeping.tx import Tx

_GIVE = Statement(
    "INSERT INTO receipts (id, device_no, digest, tag_no) SELECT id, device_no, digest, tag_no"
    " FROM @rows(r: id uuid, device_no int, digest int8, tag_no int)",
    copy="COPY receipts (id, device_no, digest, tag_no) FROM STDIN",
)
_RECEIPTS = Statement(
    "SELECT r.id::text, r.device_no, r.digest, r.tag_no FROM @rows(w: id uuid) @lookup(r: receipts WHERE r.id = w.id)"
)
_MOVE_RECEIPTS = Statement(
    "UPDATE receipts SET tag_no = r.tag_no FROM @rows(r: id uuid, tag_no int),"
    " LATERAL (SELECT x.ctid FROM receipts x WHERE x.id = r.id OFFSET 0) AS found(place)"
    " WHERE receipts.ctid = found.place",
    sqlite="UPDATE receipts SET tag_no = r.tag_no FROM @rows(r: id uuid, tag_no int) WHERE receipts.id = r.id",
)
_CLAIMS = Statement(
    "SELECT c.id::text, c.device_no, c.digest, c.epoch::text, c.received_at, c.content"
    " FROM @rows(w: id uuid) @lookup(c: stamp_claims WHERE c.id = w.id)"
)
_CLAIMED_BY = Statement("SELECT DISTINCT id::text FROM stamp_claims WHERE device_no = :device")
_ADD_CLAIMS = Statement(
    "INSERT INTO stamp_claims (id, device_no, digest, epoch, received_at, content)"
    " SELECT id, device_no, digest, epoch, received_at, content FROM"
    " @rows(r: id uuid, device_no int, digest int8, epoch uuid, received_at int8, content text)"
    " WHERE true ON CONFLICT DO NOTHING"
)


class Receipt(NamedTuple):
    device_no: int
    digest: int
    tag_no: int | None


class FreshReceipt(Struct, gc=False):
    """A receipt to be inserted into `receipts`."""

    id: str
    device_no: int
    digest: int
    tag_no: int | None


def give_receipts(writing: RowBuffer, fresh: Sequence[FreshReceipt]) -> None:
    """Adds the insertion of receipts to `writing`, in the order of their ids, which rules out deadlocks.

    The write raises IntegrityError if another transaction has just inserted one of them; then the whole merge must be
    repeated. (`ON CONFLICT` would cost 50 bytes of log for each row.)
    """
    writing.add(_GIVE, sorted(fresh, key=attrgetter("id")))


def receipts(tx: Tx, ids: Iterable[str]) -> dict[str, Receipt]:
    rows = tx.sql.rows(_RECEIPTS, {"w": _ids(ids)})
    return {id_: Receipt(*values) for id_, *values in rows}


def move_receipts(tx: Tx, tag_nos: dict[str, int | None]) -> None:
    if tag_nos:
        moved = [{"id": id_, "tag_no": tag_no} for id_, tag_no in sorted(tag_nos.items())]
        tx.sql.do(_MOVE_RECEIPTS, {"r": as_rows(moved)})


def claims(tx: Tx, ids: Iterable[str]) -> dict[str, list[Claim]]:
    claims_by_id: dict[str, list[Claim]] = {}
    for id_, device_no, digest, epoch, received_ms, content in tx.sql.rows(_CLAIMS, {"w": _ids(ids)}):
        tap = read_content(content)
        tap.digest = digest
        claims_by_id.setdefault(id_, []).append(Claim(device_no, epoch, received_ms, tap))
    return claims_by_id


def claimed_by(tx: Tx, device_no: int) -> list[str]:
    """Returns the ids that have several claims, at least one of them by this device, whether that one counts or not."""
    return [row[0] for row in tx.sql.rows(_CLAIMED_BY, {"device": device_no})]


def add_claims(tx: Tx, new_claims: Iterable[Claim]) -> None:
    rows = [
        {
            "id": claim.tap.id,
            "device_no": claim.device_no,
            "digest": claim.tap.digest,
            "epoch": claim.epoch,
            "received_at": claim.received_ms,
            "content": write_content(claim.tap),
        }
        for claim in new_claims
    ]
    tx.sql.do(_ADD_CLAIMS, {"r": as_rows(rows)})


def _ids(ids: Iterable[str]) -> str:
    return as_rows([{"id": id_} for id_ in ids])
