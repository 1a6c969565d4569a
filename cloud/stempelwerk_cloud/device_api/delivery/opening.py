"""The start of a merge: locks the devices of the batches and reads the facts about them, in one round trip.

A device whose batch was already merged, byte for byte, is not locked. The facts are read by a separate statement after
the locks, because another transaction may have merged batches while this one waited for a lock.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stempelwerk_cloud.device_api.delivery import gaps
from stempelwerk_cloud.device_api.delivery.lease import Lease
from stempelwerk_cloud.device_api.delivery.streams import Epoch
from stempelwerk_cloud.device_api.signed.gate import Call, Key
from stempelwerk_cloud.device_api.signed.signatures import Claim
from stempelwerk_cloud.device_api.wire import Batch
from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.statements import Statement, as_rows
from stempelwerk_cloud.timekeeping.ledger.placing.facts import FACTS, DeviceFacts, FactsRequest, spans_of
from stempelwerk_cloud.timekeeping.ledger.placing.facts import facts_parameters as facts_wanted
from stempelwerk_cloud.timekeeping.ledger.placing.facts import read as read_facts
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Tap
from stempelwerk_cloud.timekeeping.tx import Tx

# Counted, because PostgreSQL may answer an EXISTS for several rows by reading the whole table into a hash.
_DEVICE = (
    "SELECT d.no, d.id::text, d.revoked_at, (SELECT count(*) FROM device_assignments a WHERE a.device_no = d.no"
    " AND a.starts_at <= :now AND (a.ends_at IS NULL OR a.ends_at > :now)),"
    " l.confirmed, l.confirmed_by::text, l.pending, l.forked, l.replay_since"
)
_CALLING = "FROM @rows(w: device_no int, batch uuid, digest uuid) @lookup(d: devices WHERE d.no = w.device_no)"
_LEASED = "@lookup(l: device_leases WHERE l.device_no = d.no)"
_UNMERGED = (
    "(SELECT count(*) FROM batches b WHERE b.device_no = w.device_no AND b.batch = w.batch AND b.digest = w.digest) = 0"
)
_READ = Statement(f"{_DEVICE} {_CALLING} {_LEASED}")
# First the devices to lock, in order; then each lock, one by one.
_LOCK = Statement(
    f"{_DEVICE} FROM (SELECT d.* {_CALLING} WHERE {_UNMERGED} ORDER BY d.no OFFSET 0) AS d,"  # noqa: S608 -- no values
    " LATERAL (SELECT * FROM device_leases x WHERE x.device_no = d.no OFFSET 0 FOR UPDATE) AS l",
    sqlite=f"{_DEVICE} {_CALLING} {_LEASED} WHERE {_UNMERGED} ORDER BY d.no",
)
_CONTEXT = Statement(
    "SELECT d.device_no,"  # noqa: S608 -- no values
    " (SELECT count(*) FROM batches b WHERE b.device_no = d.device_no AND b.batch = d.batch),"
    f" {gaps.EPOCHS}, {FACTS} FROM @rows(d: device_no int, batch uuid)"
)


@dataclass(frozen=True, slots=True)
class Device:
    """A device as it is at the beginning of the transaction."""

    id: str
    revoked: bool
    assigned: bool
    lease: Lease


@dataclass(slots=True)
class Delivery:
    """A batch with a valid signature that waits for its merge. `place`: the index of its call among those of the group.
    `digest` identifies the bytes of the body.
    """

    place: int
    call: Call
    key: Key
    claim: Claim
    batch: Batch
    digest: str

    @property
    def taps(self) -> list[Tap]:
        """The readable stamps of the batch."""
        return [stamp for stamp in self.batch.stamps if isinstance(stamp, Tap)]


@dataclass(slots=True)
class Merging:
    """A delivery with the facts about its device, and the results of the merge so far.

    `is_known`: a batch with this id was merged before. `forks`: this batch revealed a fork. `asks_for_all`: the answer
    requests all delivered stamps again. `asked_ranges`: the (epoch, first, last) of the rows to request.
    """

    delivery: Delivery
    device: Device
    is_known: bool
    epochs: dict[str, Epoch]
    facts: DeviceFacts
    lease: Lease
    forks: bool
    asks_for_all: bool
    asked_ranges: list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class Opened:
    """The devices and facts at the start of a merge, by device number.

    `locked`: devices with batches to merge. `recalled`: devices whose batches were already merged, so that their
    answers are only recalled. `context`: the row of facts about each device.
    """

    locked: Mapping[int, Device]
    recalled: Mapping[int, Device]
    wants: Mapping[int, FactsRequest]
    context: Mapping[int, Sequence[Any]]

    def device(self, delivery: Delivery) -> Device | None:
        """Returns the delivery's device; None if it no longer exists."""
        return self.locked.get(delivery.key.device_no) or self.recalled.get(delivery.key.device_no)

    def merging(self, delivery: Delivery) -> Merging:
        """Returns the delivery with the facts about its device, which must exist."""
        device = self.device(delivery)
        assert device is not None
        is_known, epochs, *facts = self.context[delivery.key.device_no]
        read = read_facts(self.wants[delivery.key.device_no], facts)
        return Merging(
            delivery, device, bool(is_known), gaps.decode_epochs(epochs), read, device.lease, False, False, []
        )


def open_all(tx: Tx, deliveries: Sequence[Delivery]) -> Opened:
    """Locks the devices with new batches by ascending number, and reads the facts about all devices."""
    wants = _facts_requests(deliveries)
    rows, context_rows = tx.sql.several(
        [(_LOCK, _lock_parameters(tx, deliveries)), (_CONTEXT, _context(deliveries, wants))]
    )
    locked = _devices(rows)
    locks.record_row_lock(tx.session, Lock.DEVICE, sorted(locked))
    repeated = [delivery for delivery in deliveries if delivery.key.device_no not in locked]
    recalled = _devices(tx.sql.rows(_READ, _lock_parameters(tx, repeated))) if repeated else {}
    return Opened(locked, recalled, wants, {row[0]: row[1:] for row in context_rows})


def _lock_parameters(tx: Tx, deliveries: Iterable[Delivery]) -> dict[str, Any]:
    """Returns the parameters of the statements `_LOCK` and `_READ`."""
    device_rows = [
        {"device_no": delivery.key.device_no, "batch": delivery.batch.batch, "digest": delivery.digest}
        for delivery in deliveries
    ]
    return {"now": tx.now_ms, "w": as_rows(device_rows)}


def _devices(rows: Iterable[tuple[Any, ...]]) -> dict[int, Device]:
    devices_by_no = {}
    for row in rows:
        device_no, device_id, revoked_at, assigned, confirmed, confirmed_by, pending, forked, replay_ms = row[:9]
        replay_since = None if replay_ms is None else from_ms(replay_ms)
        lease = Lease(confirmed, confirmed_by, pending, bool(forked), replay_since)
        devices_by_no[device_no] = Device(device_id, revoked_at is not None, bool(assigned), lease)
    return devices_by_no


def _facts_requests(deliveries: Iterable[Delivery]) -> dict[int, FactsRequest]:
    """Returns by device number which facts about stamps the merge of its delivery needs."""
    return {
        delivery.key.device_no: FactsRequest(
            delivery.key.device_no,
            delivery.key.device_id,
            [delivery.batch.epoch],
            spans_of([*delivery.taps, *delivery.batch.anchors]),
        )
        for delivery in deliveries
    }


def _context(deliveries: Iterable[Delivery], wants: Mapping[int, FactsRequest]) -> dict[str, Any]:
    """Returns the parameters of the statement `_CONTEXT`."""
    device_rows, epochs = [], []
    for delivery in deliveries:
        device_no, batch = delivery.key.device_no, delivery.batch
        device_rows.append({"device_no": device_no, "batch": batch.batch})
        epochs.append((device_no, batch.epoch))
        if batch.previous is not None:
            epochs.append((device_no, batch.previous[0]))
    return {"d": as_rows(device_rows), **gaps.epoch_parameters(epochs), **facts_wanted(wants.values())}
