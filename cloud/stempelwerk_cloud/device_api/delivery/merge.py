"""The merge: batches of clocks become facts and entries, in one transaction, and the answers say so afterwards.

Batches that arrive together are merged together (`gathering.py`): a transaction costs the same for one and for eight.
A batch that was merged before, to the last byte, is recognised first and writes nothing but a fork that it gives away.
Otherwise the device's lease row is locked, so that a device's batches wait for one another; then lease, gaps and stamps
are brought forward. Nothing in a batch can make it fail as a whole once its envelope is readable; should one fail all
the same, the others are merged without it.
"""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from sqlalchemy.exc import IntegrityError

from stempelwerk_cloud.device_api import problems, wire
from stempelwerk_cloud.device_api.beats.contacts import replay_actions
from stempelwerk_cloud.device_api.delivery import gaps, opening, past, streams
from stempelwerk_cloud.device_api.delivery.lease import REPLAYED, Lease, step
from stempelwerk_cloud.device_api.delivery.opening import Delivery, Device, Merging
from stempelwerk_cloud.device_api.delivery.streams import Epoch
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Call, Key
from stempelwerk_cloud.device_api.wire import Batch, TooManyStamps, UnknownProto, UnreadableMessage
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.statements import RowBuffer, Statement
from stempelwerk_cloud.kit.database.transactions import after_commit
from stempelwerk_cloud.kit.http.problems import OUTAGES, Problem, unavailable
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from stempelwerk_cloud.timekeeping.stamps.service import Delivered, Taken, Tap
from stempelwerk_cloud.timekeeping.tx import Tx

log = structlog.get_logger(__name__)

_FORK = Statement("UPDATE device_leases SET forked = true WHERE device_no = :device")
_NOTE = Statement(
    "INSERT INTO batches (device_no, batch, received_at, digest) SELECT device_no, batch, received_at, digest"
    " FROM @rows(r: device_no int, batch uuid, received_at int8, digest uuid) WHERE true ON CONFLICT DO NOTHING"
)
_LEASE_COLUMNS = "confirmed int8, confirmed_by uuid, pending int8, forked bool, replay_since int8"
_SET_LEASE = ", ".join(f"{column.split()[0]} = r.{column.split()[0]}" for column in _LEASE_COLUMNS.split(", "))
_LEASE = Statement(
    f"UPDATE device_leases SET {_SET_LEASE} FROM @rows(r: device_no int, {_LEASE_COLUMNS}),"  # noqa: S608 -- no values
    " LATERAL (SELECT l.ctid FROM device_leases l WHERE l.device_no = r.device_no OFFSET 0) AS found(place)"
    " WHERE device_leases.ctid = found.place",
    sqlite=f"UPDATE device_leases SET {_SET_LEASE} FROM @rows(r: device_no int, {_LEASE_COLUMNS})"  # noqa: S608 -- no values
    " WHERE device_leases.device_no = r.device_no",
)

_FORKED = "Diese Stempeluhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand."
_SET_BACK = "Der Server ist auf einem früheren Stand; die Stempeluhr liefert nach, was ihm fehlt."
_LOST = "Die Stempeluhr hat Stempel endgültig verloren."

_ATTEMPTS = 5

Outcome = bytes | Exception
"""An answer, or why there is none."""


def merge(platform: Platform, calls: Sequence[Call]) -> list[Outcome]:
    """What to answer to each of some batches, after the commit.

    Refuses only who is no device that may deliver (now), and what is no batch.
    """
    outcomes: dict[int, Outcome] = {}
    waiting = []
    for place, call in enumerate(calls):
        try:
            key, claim = gate.known(platform, call)
            batch = _readable(call)
        except Exception as error:  # of this call alone
            outcomes[place] = error
        else:
            digest = str(uuid.UUID(bytes=hashlib.sha256(call.request.body).digest()[:16]))
            waiting.append(Delivery(place, call, key, claim, batch, digest))
    while waiting:
        together, waiting = _split_conflicting(waiting)
        _transact(platform, together, outcomes)
    return [outcomes[place] for place in range(len(calls))]


def _readable(call: Call) -> Batch:
    try:
        return wire.read_batch(call.request.body)
    except UnknownProto:
        raise problems.unknown_proto() from None
    except UnreadableMessage:
        raise problems.unreadable("batch") from None
    except TooManyStamps:
        raise problems.too_large() from None


def _split_conflicting(waiting: Sequence[Delivery]) -> tuple[list[Delivery], list[Delivery]]:
    """Those that have neither a device nor a stamp in common with one before them, and the rest."""
    together, rest = [], []
    devices_seen: set[int] = set()
    ids: set[str] = set()
    for one in waiting:
        own = {tap.id for tap in one.taps}
        if one.key.device_no in devices_seen or ids & own:
            rest.append(one)
        else:
            together.append(one)
        devices_seen.add(one.key.device_no)
        ids |= own
    return together, rest


def _transact(platform: Platform, deliveries: Sequence[Delivery], outcomes: dict[int, Outcome]) -> None:
    """One transaction for all; if that fails, one for each, so that nobody suffers from another's batch."""
    try:
        try:
            found = _committed(platform, deliveries)
        except IntegrityError:  # somebody else was faster with a stamp of theirs: now it can be seen
            found = _committed(platform, deliveries)
    except Exception as error:
        if len(deliveries) == 1 or isinstance(error, OUTAGES):
            # Again somebody was faster: nothing is wrong with the batch, so it is never told of a conflict.
            refusal = unavailable() if isinstance(error, IntegrityError) else error
            for one in deliveries:
                outcomes[one.place] = refusal
            return
        log.warning("merged_one_by_one", batches=len(deliveries), error=repr(error))
        for one in deliveries:
            _transact(platform, [one], outcomes)
        return
    for one, outcome in zip(deliveries, found, strict=True):
        outcomes[one.place] = outcome if isinstance(outcome, Exception) else wire.encode(outcome)


def _committed(platform: Platform, deliveries: Sequence[Delivery]) -> list[dict[str, Any] | Exception]:
    """In the usual way; carefully where that showed something unusual, and again if somebody's commit did then."""
    for attempt in range(_ATTEMPTS):
        try:
            with platform.database.merge() as session:
                return _merge_all(Tx(session, platform, full_locking=attempt > 0), deliveries)
        except stamps.RetryWithAllLocks:
            continue
    raise unavailable()


def _merge_all(tx: Tx, deliveries: Sequence[Delivery]) -> list[dict[str, Any] | Exception]:
    found: dict[int, dict[str, Any] | Exception] = {}
    opened = opening.open_all(tx, deliveries)
    admitted: list[Merging] = []
    recalled: list[Merging] = []
    for one in deliveries:
        try:
            _admit(tx.platform, one, opened.device(one))
        except Problem as refusal:
            found[one.place] = refusal
        else:
            (admitted if one.key.device_no in opened.locked else recalled).append(opened.merging(one))
    for again in recalled:
        found[again.delivery.place] = _repeat(tx, again)
    found |= _merge(tx, admitted)
    return [found[one.place] for one in deliveries]


def _admit(platform: Platform, delivery: Delivery, device: Device | None) -> None:
    if device is None or device.id != delivery.key.device_id:
        raise problems.unknown_device()
    if device.revoked:
        raise problems.revoked()
    if not device.assigned:
        gate.spend_unassigned(platform, delivery.call)


def _repeat(tx: Tx, one: Merging) -> dict[str, Any]:
    """A batch that is known to the last byte: its stamps are duplicates, and nothing is written.

    Unless it gives a card away that was set back. That is written afterwards: its device is not locked here.
    """
    key, batch = one.delivery.key, one.delivery.batch
    one.asks_for_all = past.has_lease_from_lost_answer(tx, key.device_no, one.lease, batch)
    if past.is_set_back(tx, key.device_no, one.lease, one.delivery.claim, batch):
        after_commit(tx.session, partial(_note_fork, tx.platform, key, batch))
    return _answer(tx, one, stamps.recall(tx, _delivered(one)))


def _note_fork(platform: Platform, key: Key, batch: Batch) -> None:
    with platform.database.merge() as session:
        devices.lock(session, key.device_no)
        tx = Tx(session, platform)
        tx.sql.do(_FORK, {"device": key.device_no})
        _tell_of_fork(tx, key, batch)


def _delivered(one: Merging) -> Delivered:
    return Delivered(one.facts, one.delivery.batch.epoch, one.delivery.taps, one.delivery.batch.anchors)


def _merge(tx: Tx, merging: Sequence[Merging]) -> dict[int, dict[str, Any] | Exception]:
    if not merging:
        return {}
    writing = RowBuffer()
    for one in merging:
        wire.give_digests(one.delivery.taps)
        _follow_lease(tx, one)
    taken = stamps.receive(tx, writing, [_delivered(one) for one in merging])
    for one in merging:
        key, batch = one.delivery.key, one.delivery.batch
        _quarantine(tx, key, batch)
        _follow_gaps(tx, writing, one)
        if not one.known:
            note = {"device_no": key.device_no, "batch": batch.batch, "received_at": tx.now_ms}
            writing.add(_NOTE, [{**note, "digest": one.delivery.digest}])
        if one.lease != one.device.lease:
            _write_lease(writing, key, one.lease)
        if one.forks:
            _tell_of_fork(tx, key, batch)
    answers: dict[int, dict[str, Any] | Exception] = {
        one.delivery.place: _answer(tx, one, own) for one, own in zip(merging, taken, strict=True)
    }
    tx.session.flush()
    writing.flush(tx.sql, commit=True)
    return answers


def _follow_lease(tx: Tx, one: Merging) -> None:
    key, batch = one.delivery.key, one.delivery.batch
    is_left_over = past.is_left_over(tx, key.device_no, one.lease, one.delivery.claim, batch)
    brought = None if is_left_over else batch.lease
    one.asks_for_all = not is_left_over and past.has_lease_from_lost_answer(tx, key.device_no, one.lease, batch)
    forks_from_lease = not one.known and past.has_lease_from_older_answer(tx, key.device_no, one.lease, batch)
    one.lease, verdict = step(one.lease, batch.batch, brought, known=one.known, now=from_ms(tx.now_ms))
    one.forks = verdict == "fork"
    if verdict == "restored" or (one.asks_for_all and not one.known):
        _tell_of_being_set_back(tx, key, batch)
    branches_off = batch.lease is not None and streams.branches_off(one.epochs, batch.epoch, batch.previous)
    if forks_from_lease or branches_off:
        one.lease, one.forks = replace(one.lease, forked=True), True


def _tell_of_fork(tx: Tx, key: Key, batch: Batch) -> None:
    device_logs.note(tx.session, tx.platform, key.device_no, "error", "forked", _FORKED, {"lease": batch.lease})


def _tell_of_being_set_back(tx: Tx, key: Key, batch: Batch) -> None:
    """Says it in both logs. Each life of a card comes with such a batch once: its next one has a lease from here."""
    device_logs.note(
        tx.session, tx.platform, key.device_no, "warn", "cloud_set_back", _SET_BACK, {"lease": batch.lease}
    )
    said = partial(log.warning, "set_back_noticed", device=key.device_id, lease=batch.lease)
    after_commit(tx.session, said)


def _quarantine(tx: Tx, key: Key, batch: Batch) -> None:
    unreadable = [(stamp.sent_id, stamp.raw) for stamp in batch.stamps if isinstance(stamp, wire.Unreadable)]
    if unreadable:
        stamps.quarantine(tx, key.device_no, batch.epoch, unreadable)


def _follow_gaps(tx: Tx, writing: RowBuffer, one: Merging) -> None:
    """Brings the epochs forward, and finds what to ask the clock for."""
    key, batch, epochs = one.delivery.key, one.delivery.batch, one.epochs
    named = {batch.epoch} if batch.previous is None else {batch.epoch, batch.previous[0]}
    if not named <= epochs.keys():
        epochs = gaps.inherited(tx.sql, key.device_no, named - epochs.keys()) | epochs
    seqs = [stamp.seq for stamp in batch.stamps if stamp.seq is not None]
    after = epochs | streams.merge(epochs, batch.epoch, seqs, batch.gone, batch.previous)
    for name, epoch in after.items():
        lost = streams.newly_gone(epochs.get(name, Epoch()), epoch)
        if lost:
            meta = {"epoch": name, "rows": lost}
            device_logs.note(tx.session, tx.platform, key.device_no, "error", "stamps_lost", _LOST, meta)
    one.asked, _ = gaps.ask(after, from_ms(tx.now_ms))
    gaps.write(writing, key.device_no, {name: epoch for name, epoch in after.items() if one.epochs.get(name) != epoch})
    one.epochs = after


def _write_lease(writing: RowBuffer, key: Key, lease: Lease) -> None:
    row = {
        "device_no": key.device_no,
        "confirmed": lease.confirmed,
        "confirmed_by": lease.confirmed_by,
        "pending": lease.pending,
        "forked": lease.forked,
        "replay_since": None if lease.replay_since is None else ms_of(lease.replay_since),
    }
    writing.add(_LEASE, [row])


def _answer(tx: Tx, one: Merging, taken: Sequence[Taken]) -> dict[str, Any]:
    batch, lease, epochs = one.delivery.batch, one.lease, one.epochs
    readable = iter(taken)
    results: list[dict[str, Any]] = []
    for stamp, sent_id in zip(batch.stamps, batch.sent_ids, strict=True):
        if isinstance(stamp, Tap):
            found = next(readable)
            results.append({"id": sent_id, "outcome": found.outcome, "state": found.state})
        else:
            results.append({"id": sent_id, "outcome": "quarantined", "state": None})
    return {
        "batch": batch.sent_batch,
        "serverId": devices.server_id(tx.session, tx.platform),
        "serverTime": format_instant(from_ms(tx.now_ms)),
        "lease": lease.pending,
        "results": results,
        "streams": [
            {"epoch": shown.epoch, "contiguousTo": shown.contiguous_to, "missing": shown.missing}
            for shown in streams.report(epochs, batch.epoch)
        ],
        "actions": replay_actions(from_ms(tx.now_ms) - REPLAYED if one.asks_for_all else lease.replay_since, one.asked),
    }
