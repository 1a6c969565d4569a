"""The lease: the server uses it to distinguish a clock from a copy of its card. It is a pure state machine.

The server stores for each device a confirmed lease n and the pending lease n+1. The answer to each batch contains the
pending one, so only the clock that received the answer can send it with a later batch.

This module does not decide what happens to the stamps of a fork. They are booked like all others; a lease only decides
what is requested from the clock and who is notified.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

REPLAYED = timedelta(days=30)
"""How long a clock keeps delivered stamps. A replay, the request to send them again, reaches back that far."""

LATE = timedelta(seconds=300)
"""A signature proves that a batch was sent after the last confirmed one only if it is later by more than this, because
the times of clocks differ.
"""

Verdict = Literal["known", "unchecked", "confirmed", "restored", "fork"]


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of one device as the server stores it. `confirmed_by`: the batch that brought the lease `confirmed`.

    `replay_since`: from when on the clock shall send its stamps again, because the server has lost state. It is reset
    when the clock brings the next lease, which proves that it has read the request.
    """

    confirmed: int = 0
    confirmed_by: str | None = None
    pending: int = 1
    forked: bool = False
    replay_since: datetime | None = None


def step(lease: Lease, batch: str, brought: int | None, *, is_known: bool, now: datetime) -> tuple[Lease, Verdict]:
    """Returns the state after `batch`, which brought the lease `brought` (None: without a lease), and the verdict on
    the batch.

    `is_known`: the batch has been merged before. Each answer contains `pending` of the new state, and requests a replay
    while its `replay_since` is set.
    """
    if is_known or (brought == lease.confirmed and batch == lease.confirmed_by):
        return lease, "known"
    if brought is None:
        return lease, "unchecked"
    if brought == lease.pending:
        return _confirm(lease, batch, brought, replay_since=None), "confirmed"
    if brought > lease.pending:
        return _confirm(lease, batch, brought, replay_since=now - REPLAYED), "restored"
    return replace(lease, forked=True), "fork"


def from_the_past(
    lease: Lease, batch: str, brought: int | None, *, signed_at: datetime, confirmed_at: datetime
) -> bool:
    """Returns whether a known batch shows that its card was set back to an old state, and is not merely late.

    A clock forgets a batch once it is answered, and sends the next one only then. If it signs an older batch again,
    long after the last one was confirmed (`confirmed_at`), its card was set back. A batch that the network delayed was
    signed before that. The caller has checked that `signed_at` is near the server's time.
    """
    if brought is None or lease.confirmed_by in (None, batch):
        return False
    return signed_at > confirmed_at + LATE


def is_from_older_answer(
    lease: Lease, brought: int | None, lease_from: str | None, *, given_at: datetime, confirmed_at: datetime
) -> bool:
    """Returns whether a new batch has the pending lease from the answer to an older batch than the last confirmed one.

    That proves a second card. `lease_from` is the batch, received at `given_at`, whose answer contained the lease. A
    card delivers its batches one after the other, so its next batch should have been this one. But another batch came
    in between and confirmed the last lease (`confirmed_at`).
    """
    return brought == lease.pending and lease_from != lease.confirmed_by and given_at < confirmed_at


def left_over(lease: Lease, brought: int | None, *, signed_at: datetime, confirmed_at: datetime) -> bool:
    """Returns whether a new batch was delayed by the network until the clock had long resynchronised with this server.

    Its lease is higher than any that this server ever gave, but it was signed before the last lease was confirmed
    (`confirmed_at`). So it dates from before a backup of the server was restored; since then the clock has continued
    with the restored server's lease. It proves nothing about the clock's current state. A clock that really has a
    higher lease signs later than `confirmed_at`.
    """
    return brought is not None and brought > lease.pending and signed_at < confirmed_at - LATE


def _confirm(lease: Lease, batch: str, brought: int, replay_since: datetime | None) -> Lease:
    return replace(lease, confirmed=brought, confirmed_by=batch, pending=brought + 1, replay_since=replay_since)
