"""Slows guessing by account and by address, without locking a stranger's account for good.

An attempt is counted before its password is looked at, so that many at once gain nothing; the right password takes
the count back. While a bucket is blocked, attempts are refused unseen and do not lengthen the block. From an address
where the account has logged in within 30 days, what strangers do to the account elsewhere does not count.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.login.tables import LoginCounter

WINDOW = timedelta(minutes=15)
FAMILIAR = timedelta(days=30)


class Limit(NamedTuple):
    """After `free` failures each costs a pause that doubles from `first` to `longest`, until a quiet window passes."""

    free: int
    first: timedelta
    longest: timedelta


PAIR = Limit(10, timedelta(seconds=30), timedelta(minutes=15))
ACCOUNT = Limit(20, timedelta(seconds=10), timedelta(minutes=1))
ADDRESS = Limit(50, timedelta(seconds=30), timedelta(minutes=15))


@dataclass(frozen=True, slots=True)
class Attempt:
    """The buckets that one login counts in."""

    pair: bytes
    account: bytes
    address: bytes
    familiar: bytes


def attempt(company_key: str, username_key: str, address: str) -> Attempt:
    account = f"{company_key}\0{username_key}"
    return Attempt(
        pair=_bucket("pair", account, address),
        account=_bucket("account", account),
        address=_bucket("address", address),
        familiar=_bucket("familiar", account, address),
    )


def count(session: Session, tried: Attempt, now: datetime) -> timedelta | None:
    """Counts the attempt as a failure; answers how long to wait instead if it must not be made."""
    rows = _locked(session, tried, now)
    familiar = rows[tried.familiar].expires_at > now
    limits = {tried.pair: PAIR, tried.address: ADDRESS} | ({} if familiar else {tried.account: ACCOUNT})
    blocked_until = max(rows[bucket].blocked_until for bucket in limits)
    if blocked_until > now:
        return blocked_until - now
    for bucket, limit in limits.items():
        _add(rows[bucket], limit, now)
    session.flush()
    return None


def forgive(session: Session, tried: Attempt, now: datetime) -> None:
    """The password was right: the count of the account starts anew, and the address is known."""
    rows = _locked(session, tried, now)
    for bucket in (tried.pair, tried.account):
        rows[bucket].failures, rows[bucket].blocked_until = 0, now
    rows[tried.address].failures = max(0, rows[tried.address].failures - 1)
    rows[tried.address].blocked_until = now
    rows[tried.familiar].expires_at = now + FAMILIAR
    session.flush()


def purge(session: Session, now: datetime) -> None:
    session.execute(delete(LoginCounter).where(LoginCounter.expires_at < now))


def _add(row: LoginCounter, limit: Limit, now: datetime) -> None:
    quiet_since = max(row.last_at, row.blocked_until)
    row.failures = 1 if now - quiet_since > WINDOW else row.failures + 1
    excess = row.failures - limit.free
    pause = min(limit.longest, limit.first * 2 ** min(excess, 20)) if excess >= 0 else timedelta()
    row.last_at, row.blocked_until = now, now + pause
    row.expires_at = now + pause + WINDOW


def _locked(session: Session, tried: Attempt, now: datetime) -> dict[bytes, LoginCounter]:
    """The four counters, made if missing, and locked always in the same order, so that nobody waits in a circle."""
    buckets = sorted([tried.pair, tried.account, tried.address, tried.familiar])
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    fresh = {"failures": 0, "last_at": now, "blocked_until": now, "expires_at": now}
    missing = insert(LoginCounter).values([{"bucket": bucket, **fresh} for bucket in buckets]).on_conflict_do_nothing()
    found = select(LoginCounter).where(LoginCounter.bucket.in_(buckets)).order_by(LoginCounter.bucket)
    rows: dict[bytes, LoginCounter] = {}
    while len(rows) < len(buckets):  # a purge may take one away in between
        session.execute(missing)
        rows = {row.bucket: row for row in session.scalars(found.with_for_update())}
    return rows


def _bucket(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
