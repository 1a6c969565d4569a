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
    """`free` failures in a window; then each costs a pause that doubles from `first` to `longest`."""

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
    rows = _locked(session, tried)
    familiar = tried.familiar in rows and rows[tried.familiar].expires_at > now
    limits = {tried.pair: PAIR, tried.address: ADDRESS} | ({} if familiar else {tried.account: ACCOUNT})
    blocked = [rows[bucket].blocked_until for bucket in limits if bucket in rows]
    if blocked and max(blocked) > now:
        return max(blocked) - now
    for bucket, limit in sorted(limits.items()):
        _add(session, bucket, limit, rows.get(bucket), now)
    return None


def forgive(session: Session, tried: Attempt, now: datetime) -> None:
    """The password was right: the count of the account starts anew, and the address is known."""
    rows = _locked(session, tried)
    session.execute(delete(LoginCounter).where(LoginCounter.bucket.in_([tried.pair, tried.account])))
    if tried.address in rows:
        rows[tried.address].failures = max(0, rows[tried.address].failures - 1)
        rows[tried.address].blocked_until = now
    _put(session, tried.familiar, 0, now, now, now + FAMILIAR)


def purge(session: Session, now: datetime) -> None:
    session.execute(delete(LoginCounter).where(LoginCounter.expires_at <= now))


def _locked(session: Session, tried: Attempt) -> dict[bytes, LoginCounter]:
    """The counters that there are, always locked in the same order, so that nobody waits in a circle."""
    buckets = [tried.pair, tried.account, tried.address, tried.familiar]
    found = select(LoginCounter).where(LoginCounter.bucket.in_(buckets)).order_by(LoginCounter.bucket)
    return {row.bucket: row for row in session.scalars(found.with_for_update())}


def _bucket(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _add(session: Session, bucket: bytes, limit: Limit, row: LoginCounter | None, now: datetime) -> None:
    fresh = row is None or (now - row.since > WINDOW and row.blocked_until <= now)
    failures = 1 if row is None or fresh else row.failures + 1
    since = now if row is None or fresh else row.since
    excess = failures - limit.free
    pause = min(limit.longest, limit.first * 2 ** min(excess, 20)) if excess >= 0 else timedelta()
    _put(session, bucket, failures, since, now + pause, now + pause + WINDOW)


def _put(
    session: Session, bucket: bytes, failures: int, since: datetime, blocked_until: datetime, expires_at: datetime
) -> None:
    values = {"failures": failures, "since": since, "blocked_until": blocked_until, "expires_at": expires_at}
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    session.execute(
        insert(LoginCounter)
        .values(bucket=bucket, **values)
        .on_conflict_do_update(index_elements=[LoginCounter.bucket], set_=values)
    )
