"""Detection of batches from an older state of their card or of this server, with facts from the database
(`lease.py`).
"""

from datetime import UTC, datetime

from stempelwerk_cloud.device_api.delivery.lease import Lease, from_the_past, is_from_older_answer, left_over
from stempelwerk_cloud.device_api.signed import signatures
from stempelwerk_cloud.device_api.signed.signatures import Claim
from stempelwerk_cloud.device_api.wire import Batch
from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database.statements import Statement
from stempelwerk_cloud.timekeeping.tx import Tx

_RECEIVED = Statement("SELECT received_at FROM batches WHERE device_no = :device AND batch = :batch::uuid")


def is_left_over(tx: Tx, device_no: int, lease: Lease, claim: Claim, batch: Batch) -> bool:
    """Evaluates `lease.left_over` with the stored arrival of the batch that confirmed the last lease."""
    if batch.lease is None or batch.lease <= lease.pending:
        return False
    confirmed_at = _confirmed_at(tx, device_no, lease)
    if confirmed_at is None:
        return False
    return left_over(lease, batch.lease, signed_at=_signed_at(claim), confirmed_at=confirmed_at)


def has_lease_from_older_answer(tx: Tx, device_no: int, lease: Lease, batch: Batch) -> bool:
    """Evaluates `lease.is_from_older_answer` with the arrival of both batches. In the usual case no query is
    necessary.
    """
    if batch.lease != lease.pending or batch.lease_from in (None, lease.confirmed_by):
        return False
    given_at, confirmed_at = _received_at(tx, device_no, batch.lease_from), _confirmed_at(tx, device_no, lease)
    if given_at is None or confirmed_at is None:
        return False
    return is_from_older_answer(lease, batch.lease, batch.lease_from, given_at=given_at, confirmed_at=confirmed_at)


def has_lease_from_lost_answer(tx: Tx, device_no: int, lease: Lease, batch: Batch) -> bool:
    """Returns whether a batch has its lease from the answer to a batch that this server does not know, because a backup
    was restored.

    The server then lacks stamps of this clock, whatever the lease is. Its number may not show that: if a card has two
    copies, the lease of one of them can equal the pending one by chance. In the usual case no query is necessary.
    """
    if batch.lease is None or batch.lease_from in (None, lease.confirmed_by):
        return False
    return _received_at(tx, device_no, batch.lease_from) is None


def is_set_back(tx: Tx, device_no: int, lease: Lease, claim: Claim, batch: Batch) -> bool:
    """Evaluates `lease.from_the_past` for a batch that was merged before and whose signature is current."""
    now = from_ms(tx.now_ms)
    if lease.forked or lease.confirmed_by in (None, batch.batch) or not signatures.within(claim, now):
        return False
    confirmed_at = _confirmed_at(tx, device_no, lease)
    if confirmed_at is None:
        return False
    return from_the_past(lease, batch.batch, batch.lease, signed_at=_signed_at(claim), confirmed_at=confirmed_at)


def _confirmed_at(tx: Tx, device_no: int, lease: Lease) -> datetime | None:
    """Returns when the batch that confirmed the lease arrived; None if no batch did, or if its row was already
    deleted.
    """
    return _received_at(tx, device_no, lease.confirmed_by)


def _received_at(tx: Tx, device_no: int, batch: str | None) -> datetime | None:
    """Returns when a batch arrived; None if it is unknown."""
    rows = tx.sql.rows(_RECEIVED, {"device": device_no, "batch": batch})
    return from_ms(rows[0][0]) if rows else None


def _signed_at(claim: Claim) -> datetime:
    return datetime.fromtimestamp(claim.created, UTC)
