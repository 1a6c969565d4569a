"""Back-off: each failure beyond a free number costs a pause, which doubles. For the installation, by any key.

The counters are rows, so all processes and machines share them, and a restart forgets nothing. The caller locks the
counters of an attempt, asks for its pause, and adds the failure before the attempt is made.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import LargeBinary, delete, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base, Instant
from stempelwerk_cloud.kit.database.described import ACCESS, describe_table
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import upsert

LONG_AGO = EPOCH
"""The value of `blocked_until` in a bucket that is not blocked, and the expiry of a counter that was never used. It is
in the past for every clock.

The current time would not do: the next reader may have read its clock before it waited for the lock, or on a machine
whose clock runs late.
"""


@describe_table(ACCESS)
class FailureCounter(Base):
    """The failures of one bucket, a hash of a key; for logins also the record that an account is known at an address.

    `last_at` is the last attempt; with `one_by_one` the end of the last counted window.
    """

    __tablename__ = "login_counters"

    bucket: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(Instant)
    blocked_until: Mapped[datetime] = mapped_column(Instant)
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
    # Only the previous release uses these two; the next release drops them.
    knocks: Mapped[int] = mapped_column(server_default=text("0"))
    turn: Mapped[bytes | None] = mapped_column(LargeBinary(32))


class Backoff(NamedTuple):
    """The figures of a back-off: after `free` failures, each further failure costs a pause.

    The pause doubles from `first` to `longest`. A `window` without attempts resets the failures. With `one_by_one` each
    window takes off one failure instead: for buckets that always have attempts, or where waiting must not reset
    everything. The longest pause is up to `spread` shorter, so that it is no multiple of a machine's interval between
    attempts.
    """

    free: int
    first: timedelta
    longest: timedelta
    window: timedelta = timedelta(minutes=15)
    one_by_one: bool = False
    spread: timedelta = timedelta()


def bucket(*parts: str) -> bytes:
    """Returns the bucket of a key."""
    return hashlib.sha256("\0".join(parts).encode()).digest()


def lock_counters(session: Session, kind: Lock, buckets: Iterable[bytes], now: datetime) -> dict[bytes, FailureCounter]:
    """Locks the counters, creating missing ones, always in the same order, which rules out deadlocks."""
    in_order = sorted(buckets)
    missing = upsert(session, FailureCounter).on_conflict_do_nothing()
    fresh = {"failures": 0, "last_at": now, "blocked_until": LONG_AGO, "expires_at": LONG_AGO}
    query = select(FailureCounter).where(FailureCounter.bucket.in_(in_order)).order_by(FailureCounter.bucket)
    while True:
        with session.begin_nested() as savepoint:
            session.connection().execute(missing, [{"bucket": each, **fresh} for each in in_order])
            locks.record_row_lock(session, kind, in_order)
            rows = {row.bucket: row for row in session.scalars(query.with_for_update())}
            if len(rows) == len(in_order):
                return rows
            # A refusal or a purge removed one in between. Creating it again while holding the others would wait for a
            # process that creates it now and waits for one of them.
            savepoint.rollback()


def find_counters(session: Session, buckets: Iterable[bytes]) -> dict[bytes, FailureCounter]:
    """Returns the counters that exist, without locking them."""
    counters = session.scalars(select(FailureCounter).where(FailureCounter.bucket.in_(buckets)))
    return {row.bucket: row for row in counters}


def remove_unused(session: Session, rows: Mapping[bytes, FailureCounter]) -> None:
    """Removes the counters that were never used: a refused attempt leaves no rows."""
    unused = [key for key, row in rows.items() if row.expires_at == LONG_AGO]
    session.execute(delete(FailureCounter).where(FailureCounter.bucket.in_(unused)))


def pause_of(rows: Mapping[bytes, FailureCounter], buckets: Iterable[bytes], now: datetime) -> timedelta | None:
    """Returns how long an attempt must wait for these buckets; None if it may be made now."""
    blocked_until = max(rows[key].blocked_until for key in buckets)
    return blocked_until - now if blocked_until > now else None


def add_failure(row: FailureCounter, limit: Backoff, now: datetime) -> None:
    """Adds a failure, after it has reduced the failures by the time passed."""
    _forget(row, limit, now)
    row.failures += 1
    excess = row.failures - limit.free
    pause = min(limit.longest, limit.first * 2 ** min(excess, 20)) if excess >= 0 else timedelta()
    if pause == limit.longest:
        digest = bucket(row.bucket.hex(), str(now))  # spread needs no secret: each refusal names the pause
        pause -= limit.spread * digest[0] / 256
    begin = max(now, row.blocked_until)  # a failure during a pause adds another pause
    row.blocked_until = begin + pause if pause else LONG_AGO
    row.expires_at = begin + pause + limit.window * (row.failures if limit.one_by_one else 1)


def reset(*rows: FailureCounter) -> None:
    """Resets the counters to no failure and no pause."""
    for row in rows:
        row.failures, row.blocked_until = 0, LONG_AGO


def take_back(row: FailureCounter, failures: int) -> None:
    """Subtracts failures of attempts that were right. A pause remains."""
    row.failures = max(0, row.failures - failures)


def _forget(row: FailureCounter, limit: Backoff, now: datetime) -> None:
    if limit.one_by_one:
        windows = max(0, (now - row.last_at) // limit.window)
        row.failures = max(0, row.failures - windows)
        row.last_at += windows * limit.window
        return
    if now - max(row.last_at, row.blocked_until) > limit.window:
        row.failures = 0
    row.last_at = now
