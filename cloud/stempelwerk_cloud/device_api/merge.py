"""The merge: one batch of a clock becomes facts and entries, in one transaction, and the answer says so afterwards.

A batch that was merged before, to the last byte, is recognised first and writes nothing. Otherwise the device's lease
row is locked, so that a device's batches wait for one another; then lease, gaps and stamps are brought forward. Nothing
in a batch can make it fail as a whole once its envelope is readable.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from stempelwerk_cloud.device_api import gaps, gate, problems, signatures, streams, wire
from stempelwerk_cloud.device_api.contacts import replay_actions
from stempelwerk_cloud.device_api.gate import Call, Key
from stempelwerk_cloud.device_api.lease import Lease, from_the_past, step
from stempelwerk_cloud.device_api.signatures import Claim
from stempelwerk_cloud.device_api.streams import Epoch
from stempelwerk_cloud.device_api.wire import Batch, TooManyStamps, UnknownProto, UnreadableMessage
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.db import from_ms, to_ms
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.schemas import format_instant
from stempelwerk_cloud.kit.statements import BY_INDEX, Statement, Writing
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from stempelwerk_cloud.timekeeping.stamps.service import DeviceFacts, Taken, Tap
from stempelwerk_cloud.timekeeping.tx import Tx

_DEVICE = (
    "SELECT d.id::text, d.revoked_at, EXISTS (SELECT 1 FROM device_assignments a WHERE a.device_no = d.no"
    " AND a.starts_at <= :now AND (a.ends_at IS NULL OR a.ends_at > :now)),"
    " l.confirmed, l.confirmed_by::text, l.pending, l.forked, l.replay_since"
)
_OF_DEVICE = " FROM devices d JOIN device_leases l ON l.device_no = d.no WHERE d.no = :device"
_UNMERGED = (
    " AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.device_no = :device AND b.batch = :batch::uuid"
    " AND b.digest = :digest)"
)
_READ = Statement(f"{_DEVICE}, {BY_INDEX}{_OF_DEVICE}", sqlite=f"{_DEVICE}{_OF_DEVICE}")
_LOCK = Statement(
    f"{_DEVICE}, {BY_INDEX}{_OF_DEVICE}{_UNMERGED} FOR UPDATE OF l", sqlite=f"{_DEVICE}{_OF_DEVICE}{_UNMERGED}"
)
_CONTEXT = Statement(
    "SELECT EXISTS (SELECT 1 FROM batches b WHERE b.device_no = :device AND b.batch = :batch::uuid),"  # noqa: S608 -- no values
    f" {gaps.EPOCHS}, {stamps.FACTS}"
)
_RECEIVED = Statement("SELECT received_at FROM batches WHERE device_no = :device AND batch = :batch::uuid")
_FORK = Statement("UPDATE device_leases SET forked = true WHERE device_no = :device")
_NOTE = Statement(
    "INSERT INTO batches (device_no, batch, received_at, digest) VALUES (:device, :batch::uuid, :now, :digest)"
    " ON CONFLICT DO NOTHING"
)
_LEASE = Statement(
    "UPDATE device_leases SET confirmed = :confirmed, confirmed_by = :confirmed_by::uuid, pending = :pending,"
    " forked = :forked, replay_since = :replay_since WHERE device_no = :device"
)


_FORKED = "Diese Stempeluhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand."
_LOST = "Die Stempeluhr hat Stempel endgültig verloren."


@dataclass(frozen=True, slots=True)
class _Device:
    """The device at the beginning of the transaction."""

    id: str
    revoked: bool
    assigned: bool
    lease: Lease


def merge(platform: Platform, call: Call) -> bytes:
    """The answer to a batch, after the commit. Refuses only who is not a known device, and what is no batch."""
    key, claim = gate.known(platform, call)
    batch = _readable(call)
    digest = hashlib.sha256(call.request.body).digest()
    with platform.database.write() as session:
        tx = Tx(session, platform)
        device = _device(tx, _LOCK, key, batch, digest)
        if device is None:
            answer = _repeat(tx, key, call, claim, batch, digest)
        else:
            _admit(platform, call, device)
            answer = _merge(tx, key, device, batch, digest)
    return wire.encode(answer)


def _readable(call: Call) -> Batch:
    try:
        return wire.read_batch(call.request.body)
    except UnknownProto:
        raise problems.unknown_proto() from None
    except UnreadableMessage:
        raise problems.unreadable("batch") from None
    except TooManyStamps:
        raise problems.too_large() from None


def _device(tx: Tx, statement: Statement, key: Key, batch: Batch, digest: bytes) -> _Device | None:
    rows = tx.sql.rows(statement, {"device": key.device_no, "now": tx.now_ms, "batch": batch.batch, "digest": digest})
    if not rows:
        return None
    device_id, revoked_at, assigned, confirmed, confirmed_by, pending, forked, replay_ms = rows[0][:8]
    replay_since = None if replay_ms is None else from_ms(replay_ms)
    lease = Lease(confirmed, confirmed_by, pending, bool(forked), replay_since)
    return _Device(device_id, revoked_at is not None, bool(assigned), lease)


def _admit(platform: Platform, call: Call, device: _Device) -> None:
    if device.revoked:
        raise problems.revoked()
    if not device.assigned:
        gate.spend_unassigned(platform, call)


def _context(tx: Tx, key: Key, batch: Batch) -> tuple[bool, dict[str, Epoch], DeviceFacts]:
    """Whether the batch's id is known; the epochs that matter; what else is known of the device."""
    names = [batch.epoch] if batch.previous is None else [batch.epoch, batch.previous[0]]
    spans = stamps.spans_of([*_taps(batch), *batch.anchors])
    parameters = stamps.facts_wanted(key.device_no, [batch.epoch], spans) | gaps.wanted(*names)
    ((known, epochs, *facts),) = tx.sql.rows(_CONTEXT, parameters | {"batch": batch.batch})
    return bool(known), gaps.known(epochs), stamps.read_facts(key.device_no, key.device_id, facts, spans)


def _repeat(tx: Tx, key: Key, call: Call, claim: Claim, batch: Batch, digest: bytes) -> dict[str, Any]:
    """A batch that is known to the last byte: its stamps are duplicates, and nothing is written.

    Unless it gives a card away that was set back.
    """
    device = _device(tx, _READ, key, batch, digest)
    if device is None or device.id != key.device_id:
        raise problems.unknown_device()
    _admit(tx.platform, call, device)
    if _from_the_past(tx, key, device.lease, claim, batch):
        tx.sql.do(_FORK, {"device": key.device_no})
        _tell_of_fork(tx, key, batch)
    _, epochs, facts = _context(tx, key, batch)
    return _answer(tx, batch, device.lease, stamps.recall(tx, facts, batch.epoch, _taps(batch)), epochs, [])


def _merge(tx: Tx, key: Key, device: _Device, batch: Batch, digest: bytes) -> dict[str, Any]:
    if device.id != key.device_id:
        raise problems.unknown_device()
    # The id is looked up now that nobody else merges: the same batch may have been merged while this one waited.
    known, epochs, facts = _context(tx, key, batch)
    lease, verdict = step(device.lease, batch.batch, batch.lease, known=known, now=from_ms(tx.now_ms))
    if batch.lease is not None and streams.branches_off(epochs, batch.epoch, batch.previous):
        lease, verdict = replace(lease, forked=True), "fork"
    writing = Writing()
    taken = stamps.receive(tx, writing, facts, batch.epoch, _taps(batch), batch.anchors)
    _quarantine(tx, key, batch)
    epochs, asked = _follow_gaps(tx, writing, key, batch, epochs)
    if not known:
        writing.add(_NOTE, {"device": key.device_no, "batch": batch.batch, "now": tx.now_ms, "digest": digest})
    if lease != device.lease:
        _write_lease(writing, key, lease)
    writing.flush(tx.sql)
    if verdict == "fork":
        _tell_of_fork(tx, key, batch)
    return _answer(tx, batch, lease, taken, epochs, asked)


def _from_the_past(tx: Tx, key: Key, lease: Lease, claim: Claim, batch: Batch) -> bool:
    now = from_ms(tx.now_ms)
    if lease.forked or lease.confirmed_by in (None, batch.batch) or not signatures.within(claim, now):
        return False
    rows = tx.sql.rows(_RECEIVED, {"device": key.device_no, "batch": lease.confirmed_by})
    signed_at = datetime.fromtimestamp(claim.created, UTC)
    return any(
        from_the_past(lease, batch.batch, batch.lease, signed_at=signed_at, confirmed_at=from_ms(received_ms))
        for (received_ms,) in rows
    )


def _tell_of_fork(tx: Tx, key: Key, batch: Batch) -> None:
    device_logs.note(tx.session, tx.platform, key.device_no, "error", "forked", _FORKED, {"lease": batch.lease})


def _taps(batch: Batch) -> list[Tap]:
    return [stamp for stamp in batch.stamps if isinstance(stamp, Tap)]


def _quarantine(tx: Tx, key: Key, batch: Batch) -> None:
    unreadable = [(stamp.sent_id, stamp.raw) for stamp in batch.stamps if isinstance(stamp, wire.Unreadable)]
    if unreadable:
        stamps.quarantine(tx, key.device_no, batch.epoch, unreadable)


def _follow_gaps(
    tx: Tx, writing: Writing, key: Key, batch: Batch, epochs: dict[str, Epoch]
) -> tuple[dict[str, Epoch], list[tuple[str, int, int]]]:
    """The epochs after this batch, and what to ask the clock for."""
    seqs = [stamp.seq for stamp in batch.stamps if stamp.seq is not None]
    after = epochs | streams.merge(epochs, batch.epoch, seqs, batch.gone, batch.previous)
    for name, one in after.items():
        lost = streams.newly_gone(epochs.get(name, Epoch()), one)
        if lost:
            meta = {"epoch": name, "rows": lost}
            device_logs.note(tx.session, tx.platform, key.device_no, "error", "stamps_lost", _LOST, meta)
    asked, _ = gaps.ask(after, from_ms(tx.now_ms))
    gaps.write(writing, key.device_no, {name: one for name, one in after.items() if epochs.get(name) != one})
    return after, asked


def _write_lease(writing: Writing, key: Key, lease: Lease) -> None:
    writing.add(
        _LEASE,
        {
            "device": key.device_no,
            "confirmed": lease.confirmed,
            "confirmed_by": lease.confirmed_by,
            "pending": lease.pending,
            "forked": lease.forked,
            "replay_since": None if lease.replay_since is None else to_ms(lease.replay_since),
        },
    )


def _answer(
    tx: Tx,
    batch: Batch,
    lease: Lease,
    taken: Sequence[Taken],
    epochs: dict[str, Epoch],
    asked: list[tuple[str, int, int]],
) -> dict[str, Any]:
    readable = iter(taken)
    results: list[dict[str, Any]] = []
    for stamp, sent_id in zip(batch.stamps, batch.sent_ids, strict=True):
        if isinstance(stamp, Tap):
            one = next(readable)
            results.append({"id": sent_id, "outcome": one.outcome, "state": one.state})
        else:
            results.append({"id": sent_id, "outcome": "quarantined", "state": None})
    return {
        "batch": batch.sent_batch,
        "serverId": devices.server_id(tx.session, tx.platform),
        "serverTime": format_instant(from_ms(tx.now_ms)),
        "lease": lease.pending,
        "results": results,
        "streams": [
            {"epoch": one.epoch, "contiguousTo": one.contiguous_to, "missing": one.missing}
            for one in streams.report(epochs, batch.epoch)
        ],
        "actions": replay_actions(lease.replay_since, asked),
    }
