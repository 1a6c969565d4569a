"""The lease that distinguishes a living clock from a copy of its card, as a pure state machine.

The server holds (confirmed n, pending n+1) for a device; each answered batch hands out the pending one, and only the
clock that got the answer can bring it back. Deliberately not here: what happens to the stamps of a fork. They are
booked like all others; a lease only decides what is requested and who is notified.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

REPLAYED = timedelta(days=30)
"""How long a clock keeps delivered stamps, and so how far back a replay can reach."""

LATE = timedelta(seconds=300)
"""How much later than the last confirmed batch a signature must be to prove anything; clocks' times differ."""

Verdict = Literal["known", "unchecked", "confirmed", "restored", "fork"]


@dataclass(frozen=True, slots=True)
class Lease:
    """The server's memory of one device.

    `confirmed_by` is the batch that confirmed `confirmed`. `replay_since` is set from the moment the server found that
    it had lost state until the clock proves, by its next lease, that it has read the request.
    """

    confirmed: int = 0
    confirmed_by: str | None = None
    pending: int = 1
    forked: bool = False
    replay_since: datetime | None = None


def step(lease: Lease, batch: str, brought: int | None, *, is_known: bool, now: datetime) -> tuple[Lease, Verdict]:
    """Returns the lease after `batch`, which brought the lease `brought`, and what that means.

    `is_known`: the batch has been merged before. The answer always carries the new state's `pending`, and requests a
    replay while its `replay_since` is set.
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
    """Whether a known batch comes from an old state of the card, and not from a slow network.

    A clock forgets a batch once it is answered, and only then sends the next. If it signs an older batch again, long
    after the last one was confirmed (`confirmed_at`), it knows nothing of that: its card was set back. A late packet
    was signed before. The caller has checked that `signed_at` is near the server's time.
    """
    if brought is None or lease.confirmed_by in (None, batch):
        return False
    return signed_at > confirmed_at + LATE


def is_from_older_answer(
    lease: Lease, brought: int | None, lease_from: str | None, *, given_at: datetime, confirmed_at: datetime
) -> bool:
    """Returns whether a new batch brings the pending lease, but has it from the answer to an outdated batch.

    The answer to the batch `lease_from`, which came at `given_at`, gave the lease. A card delivers one batch after the
    other, so its next batch is this one. Yet another one came: it confirmed the last lease (`confirmed_at`).
    """
    return brought == lease.pending and lease_from != lease.confirmed_by and given_at < confirmed_at


def left_over(lease: Lease, brought: int | None, *, signed_at: datetime, confirmed_at: datetime) -> bool:
    """Whether a batch, new here, was on its way when the clock had long resynchronised with this server.

    It brings a higher lease than the server ever gave, but was signed before the last lease was confirmed
    (`confirmed_at`): after a restored backup the clock started over with the server's lease, and the network has held
    this batch back. It proves nothing about the clock's current state. A clock that has really seen more signs after
    that.
    """
    return brought is not None and brought > lease.pending and signed_at < confirmed_at - LATE


def _confirm(lease: Lease, batch: str, brought: int, replay_since: datetime | None) -> Lease:
    return replace(lease, confirmed=brought, confirmed_by=batch, pending=brought + 1, replay_since=replay_since)
