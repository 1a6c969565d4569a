"""Slows guessing by account and by address, without locking a stranger's account for good.

An attempt is counted before its password or code is looked at, so that many at once gain nothing; the right one takes
back what was counted for this account at this address. While a bucket is blocked, attempts are refused unseen and do
not lengthen the block. From an address where the account has logged in (to the last step) within 30 days, what
strangers do to the account elsewhere does not count. An address of IPv6 counts with its neighbours of the same /64,
which belong to one customer.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import expiry
from stempelwerk_cloud.kit.db import EPOCH
from stempelwerk_cloud.kit.neighbours import network
from stempelwerk_cloud.kit.problems import too_many
from stempelwerk_cloud.people.login.tables import LoginCounter

WINDOW = timedelta(minutes=15)
FAMILIAR = timedelta(days=30)

LONG_AGO = EPOCH
"""Until when a bucket was blocked, or an address familiar, that is not: an instant that is past on every clock.

Whoever looks next may have asked the time before they waited for the lock, or on a machine whose clock is behind.
"""


class Limit(NamedTuple):
    """After `free` failures each costs a pause that doubles from `first` to `longest`.

    A quiet `window` forgets all of them. Where many people are counted together it may never be quiet: there (`shared`)
    each window forgets one.
    """

    free: int
    first: timedelta
    longest: timedelta
    window: timedelta = WINDOW
    shared: bool = False


class Guessing(NamedTuple):
    """What is guessed, and how it is slowed at one address and from all addresses together."""

    what: str
    pair: Limit
    account: Limit


PAIR = Limit(10, timedelta(seconds=30), timedelta(minutes=15))
ACCOUNT = Limit(20, timedelta(seconds=10), timedelta(minutes=1))
ADDRESS = Limit(50, timedelta(seconds=30), timedelta(minutes=15), window=timedelta(minutes=5), shared=True)
PASSWORDS = Guessing("password", PAIR, ACCOUNT)

# Who guesses codes knows the password. Three codes of a million fit: a year at one guess an hour finds one in 3 %.
CODE_PAIR = Limit(10, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODE_ACCOUNT = Limit(20, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODES = Guessing("code", CODE_PAIR, CODE_ACCOUNT)

# Who guesses the current password has somebody's session.
CURRENT = Guessing("current", PAIR, Limit(10, timedelta(seconds=30), timedelta(minutes=15)))

MAILS = Limit(15, timedelta(minutes=1), timedelta(minutes=15), window=timedelta(hours=1))
"""Mails with codes to one person, and to one address, linked or claimed, whoever asks for them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The buckets that one attempt counts in.

    `account` does not count where `familiar` says so. `address` is shared with others, whose failures stay there when
    the attempt was right.
    """

    limits: Mapping[bytes, Limit]
    pair: bytes
    account: bytes
    address: bytes
    familiar: bytes

    @property
    def buckets(self) -> list[bytes]:
        return [*self.limits, self.familiar]


def attempt(company_key: str, username_key: str, address: str, guessing: Guessing = PASSWORDS) -> Attempt:
    """A guess at something of an account, named by the keys of company and username, from an address."""
    who, place = f"{company_key}\0{username_key}", network(address)
    pair, account = _bucket(guessing.what, "pair", who, place), _bucket(guessing.what, "account", who)
    whole = _bucket("address", place)
    return Attempt(
        limits={pair: guessing.pair, account: guessing.account, whole: ADDRESS},
        pair=pair,
        account=account,
        address=whole,
        familiar=_bucket("familiar", who, place),
    )


def count(session: Session, tried: Attempt, now: datetime) -> timedelta | None:
    """Counts the attempt as a failure; answers how long to wait instead if it must not be made."""
    rows = _locked(session, tried.buckets, now)
    known = rows[tried.familiar].expires_at > now
    return _count(
        session, rows, {b: limit for b, limit in tried.limits.items() if b != tried.account or not known}, now
    )


def mailing(user_id: str, to: str, *, linked: bool) -> list[bytes]:
    """The buckets that a mail counts in: of the person, and of the address.

    To whom an address is linked it was proven; what others merely claim to be theirs is counted apart, so that it fills
    no mailbox and costs the owner nothing.
    """
    return [_bucket("mails", user_id), _bucket("mails to linked" if linked else "mails to claimed", to.lower())]


def count_mail(session: Session, buckets: Iterable[bytes], now: datetime) -> timedelta | None:
    """Counts a mail; answers how long to wait instead if it must not be sent."""
    limits = dict.fromkeys(buckets, MAILS)
    return _count(session, _locked(session, limits, now), limits, now)


def forgive_mail(session: Session, buckets: Iterable[bytes], now: datetime) -> None:
    """The mail that was counted did not go out."""
    for row in _locked(session, buckets, now).values():
        row.failures = max(0, row.failures - 1)
        row.blocked_until = LONG_AGO
    session.flush()


def refuse(wait: timedelta | None) -> None:
    """429 if there is to be waited."""
    if wait is not None:
        raise too_many(int(wait.total_seconds()) + 1)


def forgive(session: Session, tried: Attempt, now: datetime) -> None:
    """It was right: the count of the account starts anew, and the address is spared what was counted for it there."""
    rows = _locked(session, tried.buckets, now)
    pair, account, address = rows[tried.pair], rows[tried.account], rows[tried.address]
    address.failures = max(0, address.failures - pair.failures)
    pair.failures = account.failures = 0
    for row in (pair, account, address):
        row.blocked_until = LONG_AGO
    session.flush()


def welcome(session: Session, tried: Attempt, now: datetime) -> None:
    """The login is done: the account's owner is at home at this address. After `count` or `forgive`."""
    rows = _locked(session, tried.buckets, now)
    rows[tried.familiar].expires_at = now + FAMILIAR
    session.flush()


def purge(session: Session, now: datetime) -> None:
    expiry.remove(session, LoginCounter, LoginCounter.expires_at < now)


def _count(
    session: Session, rows: Mapping[bytes, LoginCounter], limits: Mapping[bytes, Limit], now: datetime
) -> timedelta | None:
    blocked_until = max(rows[bucket].blocked_until for bucket in limits)
    if blocked_until > now:
        return blocked_until - now
    for bucket, limit in limits.items():
        _add(rows[bucket], limit, now)
    session.flush()
    return None


def _add(row: LoginCounter, limit: Limit, now: datetime) -> None:
    _forget(row, limit, now)
    row.failures += 1
    excess = row.failures - limit.free
    pause = min(limit.longest, limit.first * 2 ** min(excess, 20)) if excess >= 0 else timedelta()
    row.blocked_until = now + pause if pause else LONG_AGO
    row.expires_at = now + pause + limit.window * (row.failures if limit.shared else 1)


def _forget(row: LoginCounter, limit: Limit, now: datetime) -> None:
    """Takes off what is long ago. `last_at` is the last try, and where it is one by one, the last window's end."""
    if limit.shared:
        windows = max(0, (now - row.last_at) // limit.window)
        row.failures = max(0, row.failures - windows)
        row.last_at += windows * limit.window
        return
    if now - max(row.last_at, row.blocked_until) > limit.window:
        row.failures = 0
    row.last_at = now


def _locked(session: Session, wanted: Iterable[bytes], now: datetime) -> dict[bytes, LoginCounter]:
    """The counters, made if missing, and locked always in the same order, so that nobody waits in a circle."""
    buckets = sorted(wanted)
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    fresh = {"failures": 0, "last_at": now, "blocked_until": LONG_AGO, "expires_at": LONG_AGO}
    missing = insert(LoginCounter).values([{"bucket": bucket, **fresh} for bucket in buckets]).on_conflict_do_nothing()
    found = select(LoginCounter).where(LoginCounter.bucket.in_(buckets)).order_by(LoginCounter.bucket)
    rows: dict[bytes, LoginCounter] = {}
    while len(rows) < len(buckets):  # a purge may take one away in between
        session.execute(missing)
        rows = {row.bucket: row for row in session.scalars(found.with_for_update())}
    return rows


def _bucket(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
