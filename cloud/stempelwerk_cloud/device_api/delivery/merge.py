"""The merge of batches: in one transaction the stamps of clocks become facts and time entries. Answers are sent after
the commit.

Batches that arrive together are merged together (`gathering.py`), because a transaction costs the same for one batch
and for eight. A batch that was already merged, byte for byte, is recognised first. It writes nothing, unless it reveals
a fork. For any other batch the device's lease row is locked, so that batches of one device are merged one after
another; then lease, gaps and stamps are updated.

Once the envelope of a batch is readable, no content can make the batch fail as a whole. If a batch fails nevertheless,
the others of its group are merged without it.
"""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from sqlalchemy.exc import IntegrityError

from stempelwerk_cloud.device_api import wire, words
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
from stempelwerk_cloud.timekeeping.ledger.intake.intake import Delivered, Taken, recall, receive
from stempelwerk_cloud.timekeeping.ledger.intake.quarantine import quarantine
from stempelwerk_cloud.timekeeping.ledger.placing.reprocessing import RetryWithAllLocks
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Tap
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

_ATTEMPTS = 5

Outcome = bytes | Exception
"""The encoded answer to a call, or the error that is raised instead."""


def merge(platform: Platform, calls: Sequence[Call]) -> list[Outcome]:
    """Merges the batches of these calls. Returns the answer or the error of each, in the order of the calls, after the
    commit.

    A call is refused only if its device may not deliver (now), or if its body is no batch.
    """
    outcomes: dict[int, Outcome] = {}
    waiting = []
    for place, call in enumerate(calls):
        try:
            key, claim = gate.authenticate(platform, call)
            batch = _readable(call)
        except Exception as error:  # it concerns only this call
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
        raise words.unknown_proto() from None
    except UnreadableMessage:
        raise words.unreadable("batch") from None
    except TooManyStamps:
        raise words.too_large() from None


def _split_conflicting(waiting: Sequence[Delivery]) -> tuple[list[Delivery], list[Delivery]]:
    """Splits the deliveries into those that can be merged in one transaction and the others. The former share neither a
    device nor a stamp with an earlier delivery.
    """
    together, postponed = [], []
    devices_seen: set[int] = set()
    ids: set[str] = set()
    for delivery in waiting:
        tap_ids = {tap.id for tap in delivery.taps}
        if delivery.key.device_no in devices_seen or ids & tap_ids:
            postponed.append(delivery)
        else:
            together.append(delivery)
        devices_seen.add(delivery.key.device_no)
        ids |= tap_ids
    return together, postponed


def _transact(platform: Platform, deliveries: Sequence[Delivery], outcomes: dict[int, Outcome]) -> None:
    """Merges the deliveries in one transaction and stores their results in `outcomes`. If that fails, each is merged in
    a transaction of its own, so that a faulty batch does not affect the others.
    """
    try:
        try:
            committed_outcomes = _commit_with_retries(platform, deliveries)
        except IntegrityError:  # another process stored one of the stamps: now it is visible
            committed_outcomes = _commit_with_retries(platform, deliveries)
    except Exception as error:
        if len(deliveries) == 1 or isinstance(error, OUTAGES):
            # Another process stored a stamp again. The batch is valid, so the clock gets 503 and tries again.
            refusal = unavailable() if isinstance(error, IntegrityError) else error
            for delivery in deliveries:
                outcomes[delivery.place] = refusal
            return
        log.warning("merged_one_by_one", batches=len(deliveries), error=repr(error))
        for delivery in deliveries:
            _transact(platform, [delivery], outcomes)
        return
    for delivery, outcome in zip(deliveries, committed_outcomes, strict=True):
        outcomes[delivery.place] = outcome if isinstance(outcome, Exception) else wire.encode(outcome)


def _commit_with_retries(platform: Platform, deliveries: Sequence[Delivery]) -> list[dict[str, Any] | Exception]:
    """Merges the deliveries and commits. Returns the answer or the refusal of each.

    The first attempt takes only the usual locks. If it shows that more are needed, the merge is repeated with all
    locks. Raises 503 after too many attempts.
    """
    for attempt in range(_ATTEMPTS):
        try:
            with platform.database.merge() as session:
                return _merge_all(Tx(session, platform, full_locking=attempt > 0), deliveries)
        except RetryWithAllLocks:
            continue
    raise unavailable()


def _merge_all(tx: Tx, deliveries: Sequence[Delivery]) -> list[dict[str, Any] | Exception]:
    answers: dict[int, dict[str, Any] | Exception] = {}
    opened = opening.open_all(tx, deliveries)
    admitted: list[Merging] = []
    recalled: list[Merging] = []
    for delivery in deliveries:
        try:
            _admit(tx.platform, delivery, opened.device(delivery))
        except Problem as refusal:
            answers[delivery.place] = refusal
        else:
            (admitted if delivery.key.device_no in opened.locked else recalled).append(opened.merging(delivery))
    for merging in recalled:
        answers[merging.delivery.place] = _repeat(tx, merging)
    answers |= _merge(tx, admitted)
    return [answers[delivery.place] for delivery in deliveries]


def _admit(platform: Platform, delivery: Delivery, device: Device | None) -> None:
    if device is None or device.id != delivery.key.device_id:
        raise words.unknown_device()
    if device.revoked:
        raise words.revoked()
    if not device.assigned:
        gate.spend_unassigned(platform, delivery.call)


def _repeat(tx: Tx, merging: Merging) -> dict[str, Any]:
    """Returns the answer to a batch that was already merged, byte for byte: all its stamps are duplicates, nothing is
    written.

    The exception is a batch that reveals a card that was set back to an old state. The fork is then recorded after the
    commit, because this transaction has not locked the device.
    """
    key, batch = merging.delivery.key, merging.delivery.batch
    merging.asks_for_all = past.has_lease_from_lost_answer(tx, key.device_no, merging.lease, batch)
    if past.is_set_back(tx, key.device_no, merging.lease, merging.delivery.claim, batch):
        after_commit(tx.session, partial(_note_fork, tx.platform, key, batch))
    return _answer(tx, merging, recall(tx, _delivered(merging)))


def _note_fork(platform: Platform, key: Key, batch: Batch) -> None:
    with platform.database.merge() as session:
        devices.lock(session, key.device_no)
        tx = Tx(session, platform)
        tx.sql.do(_FORK, {"device": key.device_no})
        _report_fork(tx, key, batch)


def _delivered(merging: Merging) -> Delivered:
    return Delivered(merging.facts, merging.delivery.batch.epoch, merging.delivery.taps, merging.delivery.batch.anchors)


def _merge(tx: Tx, mergings: Sequence[Merging]) -> dict[int, dict[str, Any] | Exception]:
    if not mergings:
        return {}
    writing = RowBuffer()
    for merging in mergings:
        wire.give_digests(merging.delivery.taps)
        _follow_lease(tx, merging)
    taken_stamps = receive(tx, writing, [_delivered(merging) for merging in mergings])
    for merging in mergings:
        key, batch = merging.delivery.key, merging.delivery.batch
        _quarantine(tx, key, batch)
        _follow_gaps(tx, writing, merging)
        if not merging.is_known:
            note = {"device_no": key.device_no, "batch": batch.batch, "received_at": tx.now_ms}
            writing.add(_NOTE, [{**note, "digest": merging.delivery.digest}])
        if merging.lease != merging.device.lease:
            _write_lease(writing, key, merging.lease)
        if merging.forks:
            _report_fork(tx, key, batch)
    answers: dict[int, dict[str, Any] | Exception] = {
        merging.delivery.place: _answer(tx, merging, taps_taken)
        for merging, taps_taken in zip(mergings, taken_stamps, strict=True)
    }
    tx.session.flush()
    writing.flush(tx.sql, commit=True)
    return answers


def _follow_lease(tx: Tx, merging: Merging) -> None:
    key, batch = merging.delivery.key, merging.delivery.batch
    is_left_over = past.is_left_over(tx, key.device_no, merging.lease, merging.delivery.claim, batch)
    brought = None if is_left_over else batch.lease
    merging.asks_for_all = not is_left_over and past.has_lease_from_lost_answer(tx, key.device_no, merging.lease, batch)
    forks_from_lease = not merging.is_known and past.has_lease_from_older_answer(
        tx, key.device_no, merging.lease, batch
    )
    merging.lease, verdict = step(
        merging.lease, batch.batch, brought, is_known=merging.is_known, now=from_ms(tx.now_ms)
    )
    merging.forks = verdict == "fork"
    if verdict == "restored" or (merging.asks_for_all and not merging.is_known):
        _report_set_back(tx, key, batch)
    branches_off = batch.lease is not None and streams.branches_off(merging.epochs, batch.epoch, batch.previous)
    if forks_from_lease or branches_off:
        merging.lease, merging.forks = replace(merging.lease, forked=True), True


def _report_fork(tx: Tx, key: Key, batch: Batch) -> None:
    device_logs.note(tx.session, tx.platform, key.device_no, "error", "forked", words.FORKED, {"lease": batch.lease})


def _report_set_back(tx: Tx, key: Key, batch: Batch) -> None:
    """Reports in the device's log and in the service's log that the server has lost state. Each run of a clock reports
    it only once, because its next batch already has a lease from this server.
    """
    device_logs.note(
        tx.session, tx.platform, key.device_no, "warn", "cloud_set_back", words.SET_BACK, {"lease": batch.lease}
    )
    log_set_back = partial(log.warning, "set_back_noticed", device=key.device_id, lease=batch.lease)
    after_commit(tx.session, log_set_back)


def _quarantine(tx: Tx, key: Key, batch: Batch) -> None:
    unreadable = [(stamp.sent_id, stamp.raw) for stamp in batch.stamps if isinstance(stamp, wire.Unreadable)]
    if unreadable:
        quarantine(tx, key.device_no, batch.epoch, unreadable)


def _follow_gaps(tx: Tx, writing: RowBuffer, merging: Merging) -> None:
    """Updates the epochs that the batch concerns, and sets the ranges to request from the clock. Rows that are newly
    lost for good are reported in the device's log.
    """
    key, batch, epochs = merging.delivery.key, merging.delivery.batch, merging.epochs
    named_epochs = {batch.epoch} if batch.previous is None else {batch.epoch, batch.previous[0]}
    if not named_epochs <= epochs.keys():
        epochs = gaps.inherited(tx.sql, key.device_no, named_epochs - epochs.keys()) | epochs
    seqs = [stamp.seq for stamp in batch.stamps if stamp.seq is not None]
    updated = epochs | streams.merge(epochs, batch.epoch, seqs, batch.gone, batch.previous)
    for name, epoch in updated.items():
        lost = streams.newly_gone(epochs.get(name, Epoch()), epoch)
        if lost:
            meta = {"epoch": name, "rows": lost}
            device_logs.note(tx.session, tx.platform, key.device_no, "error", "stamps_lost", words.LOST, meta)
    merging.asked_ranges, _ = gaps.ask(updated, from_ms(tx.now_ms))
    gaps.write(
        writing, key.device_no, {name: epoch for name, epoch in updated.items() if merging.epochs.get(name) != epoch}
    )
    merging.epochs = updated


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


def _answer(tx: Tx, merging: Merging, taken_stamps: Sequence[Taken]) -> dict[str, Any]:
    batch, lease, epochs = merging.delivery.batch, merging.lease, merging.epochs
    readable = iter(taken_stamps)
    results: list[dict[str, Any]] = []
    for stamp, sent_id in zip(batch.stamps, batch.sent_ids, strict=True):
        if isinstance(stamp, Tap):
            taken_stamp = next(readable)
            results.append({"id": sent_id, "outcome": taken_stamp.outcome, "state": taken_stamp.state})
        else:
            results.append({"id": sent_id, "outcome": "quarantined", "state": None})
    return {
        "batch": batch.sent_batch,
        "serverId": devices.server_id(tx.session, tx.platform),
        "serverTime": format_instant(from_ms(tx.now_ms)),
        "lease": lease.pending,
        "results": results,
        "streams": [
            {"epoch": report.epoch, "contiguousTo": report.contiguous_to, "missing": report.missing}
            for report in streams.report(epochs, batch.epoch)
        ],
        "actions": replay_actions(
            from_ms(tx.now_ms) - REPLAYED if merging.asks_for_all else lease.replay_since, merging.asked_ranges
        ),
    }
