"""A throttle for guesses of passwords and codes, by account and by address. Strangers cannot lock a person's account
for good.

An attempt is counted before its password or code is checked, so parallel attempts gain nothing. A right attempt resets
the account's failures at this address. While a bucket is blocked, attempts are refused unchecked and do not lengthen
the block.

Strangers never block a known account. An account is known at an address where it completed a login within 30 days.
There only its own counter can stop it, neither failures elsewhere nor those of others at the address. A remembered
device has a counter of its own at any address; its failures are also charged to the account, so a stolen cookie buys no
guesses. An account that is not known at the address waits with all others there. Attempts during an address's pause
enter a draw for the first place after it.

IPv6 addresses are counted by their /64 network, which belongs to one customer.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.clock import Ids
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.upsert import upsert
from stempelwerk_cloud.kit.http.ip_prefix import network
from stempelwerk_cloud.kit.http.problems import too_many
from stempelwerk_cloud.people.access.tables import LoginCounter

WINDOW = timedelta(minutes=15)
FAMILIAR = timedelta(days=30)

LONG_AGO = EPOCH
"""The value of `blocked_until` in a bucket that is not blocked, and the expiry of an address that is not familiar. It
is in the past for every clock.

The current time would not do: the next reader may have read its clock before it waited for the lock, or on a machine
whose clock runs late.
"""


class Limit(NamedTuple):
    """The limit of a bucket: after `free` failures each further one costs a pause, which doubles from `first` to
    `longest`.

    A `window` without attempts resets the failures. With `one_by_one` each window takes off one failure instead: for
    buckets that always have attempts, or where waiting must not reset everything.
    """

    free: int
    first: timedelta
    longest: timedelta
    window: timedelta = WINDOW
    one_by_one: bool = False


class Guessing(NamedTuple):
    """A kind of guess and its limits. `pair`: of an account at one address; `account`: of an account at all addresses.

    `address`: of all accounts together at one address; None if a client cannot try many. `home`: of an account at an
    address where it is known; None if there is no such address.
    """

    kind: str
    pair: Limit
    account: Limit
    home: Limit | None
    address: Limit | None


PAIR = Limit(10, timedelta(seconds=30), timedelta(minutes=15))
ACCOUNT = Limit(20, timedelta(seconds=10), timedelta(minutes=1))
KNOWN = Limit(10, timedelta(seconds=30), timedelta(minutes=15), one_by_one=True)
# No pause is longer than the window that takes off one failure, so waiting it out never leads to a longer one.
ADDRESS = Limit(50, timedelta(seconds=30), timedelta(minutes=5), window=timedelta(minutes=5), one_by_one=True)
PASSWORDS = Guessing("password", PAIR, ACCOUNT, KNOWN, ADDRESS)

# Guessing codes requires the password. Three codes of a million fit: a year of hourly guesses has 3 %.
CODE_PAIR = Limit(10, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODE_ACCOUNT = Limit(20, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODES = Guessing("code", CODE_PAIR, CODE_ACCOUNT, CODE_PAIR, ADDRESS)

# Guessing the current password requires the person's session. No other account can be tried with it, and being at the
# account's usual address proves nothing.
CURRENT = Guessing("current", KNOWN, KNOWN, None, None)

TURN = timedelta(minutes=2)
"""How long after an address's pause the first place is reserved for the winner of the draw."""

MAILS = Limit(15, timedelta(minutes=1), timedelta(minutes=15), window=timedelta(hours=1))
"""The limit of mails with codes to one person, and to one mail address, linked or claimed, whoever requests them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The counters that one attempt may count in: `pair`, `account` and `address` for a stranger, else `home`.

    Others share `address`: their failures remain after a right attempt. `familiar` records until when the account is
    known at the address; with a remembered device (`remembered`) it is known anywhere.
    """

    guessing: Guessing
    pair: bytes
    account: bytes
    address: bytes
    home: bytes
    familiar: bytes
    remembered: bool

    @property
    def buckets(self) -> set[bytes]:
        return {self.pair, self.account, self.address, self.home, self.familiar}


def attempt(
    company_key: str, username_key: str, address: str, guessing: Guessing = PASSWORDS, *, device_id: str | None = None
) -> Attempt:
    """Returns an attempt to guess an account's secret from an address. `company_key`, `username_key`: the keys of the
    names.

    `device_id`: the account's remembered device whose token this attempt brought and that is valid now.
    """
    kind, account_key, ip_prefix = guessing.kind, f"{company_key}\0{username_key}", network(address)
    home = (
        _bucket(kind, "home", account_key, ip_prefix)
        if device_id is None
        else _bucket(kind, "device", account_key, device_id)
    )
    return Attempt(
        guessing=guessing,
        pair=_bucket(kind, "pair", account_key, ip_prefix),
        account=_bucket(kind, "account", account_key),
        address=_bucket(kind, "address", ip_prefix),
        home=home,
        familiar=_bucket("familiar", account_key, ip_prefix),
        remembered=device_id is not None,
    )


def count(session: Session, attempt: Attempt, now: datetime, ids: Ids) -> timedelta | None:
    """Counts the attempt as a failure, before it is made; returns None. If it must wait, returns the wait instead.
    `ids` draws the lots.

    A refused attempt leaves no new rows, so a flood of names fills no table. Only the draw at a blocked address is
    stored; the caller commits it.
    """
    rows, guessing = _lock_counters(session, attempt.buckets, now), attempt.guessing
    limits = _limits(rows, attempt, now)
    charged = {attempt.account: guessing.account} if attempt.home in limits and attempt.remembered else {}
    wait = _pause(rows, limits, now)
    if attempt.address in limits and _pause(rows, limits.keys() - {attempt.address}, now) is None:
        wait = _until_turn(rows[attempt.address], attempt.pair, now, ids)
    if wait is None:
        for bucket, limit in (limits | charged).items():
            _add(rows[bucket], limit, now)
    else:
        unused = [bucket for bucket, row in rows.items() if row.expires_at == LONG_AGO]
        session.execute(delete(LoginCounter).where(LoginCounter.bucket.in_(unused)))
    session.flush()
    return wait


def mail_buckets(user_id: str, email: str, *, linked: bool) -> list[bytes]:
    """Returns the buckets that a mail with a code counts in: the person's and the mail address's.

    A linked address, which its owner has proved, and a claimed one are counted separately. So strangers who claim an
    address can neither flood the mailbox nor use up its owner's mails.
    """
    return [_bucket("mails", user_id), _bucket("mails to linked" if linked else "mails to claimed", email.lower())]


def count_mail(session: Session, buckets: Iterable[bytes], now: datetime) -> timedelta | None:
    """Counts a mail and returns None; returns the wait instead if it must not be sent yet."""
    limits = dict.fromkeys(buckets, MAILS)
    rows = _lock_counters(session, limits, now, Lock.MAILS)
    wait = _pause(rows, limits, now)
    if wait is None:
        for bucket, limit in limits.items():
            _add(rows[bucket], limit, now)
        session.flush()
    return wait


def reset_mail_failures(session: Session, buckets: Iterable[bytes], now: datetime) -> None:
    """Takes back a counted mail that was not sent."""
    for row in _lock_counters(session, buckets, now, Lock.MAILS).values():
        row.failures = max(0, row.failures - 1)
        row.blocked_until = LONG_AGO
    session.flush()


def refuse(wait: timedelta | None) -> None:
    """Raises 429 if there is a wait."""
    if wait is not None:
        raise too_many(int(wait.total_seconds()) + 1)


def reset_failures(session: Session, attempt: Attempt, now: datetime) -> None:
    """Resets the account's counters after a right attempt, and subtracts its failures from the address's.

    A pause that others caused at the address remains.
    """
    rows = _lock_counters(session, attempt.buckets, now)
    pair, address = rows[attempt.pair], rows[attempt.address]
    if pair.failures:
        address.failures = max(0, address.failures - pair.failures)
        if not _is_known(rows, attempt, now):  # a stranger attempts nothing during a pause, so it caused this one
            address.blocked_until = LONG_AGO
    for row in (pair, rows[attempt.account], rows[attempt.home]):
        row.failures, row.blocked_until = 0, LONG_AGO
    session.flush()


def lock(session: Session, attempt: Attempt, now: datetime) -> None:
    """Locks the attempt's counters, for a transaction that then locks the person and changes the counters
    afterwards.
    """
    _lock_counters(session, attempt.buckets, now)


def is_paused(session: Session, attempt: Attempt, now: datetime) -> bool:
    """Returns whether further guesses of this kind at the account must wait at this address. Locks nothing."""
    counters = session.scalars(select(LoginCounter).where(LoginCounter.bucket.in_(attempt.buckets)))
    rows = {row.bucket: row for row in counters}
    buckets = (_limits(rows, attempt, now).keys() - {attempt.address}) & rows.keys()
    return bool(buckets) and _pause(rows, buckets, now) is not None


def trust_address(session: Session, attempt: Attempt, now: datetime) -> None:
    """Records after a completed login that the account is known at this address, for 30 days. Call it after `count` or
    `reset_failures`.
    """
    rows = _lock_counters(session, attempt.buckets, now)
    rows[attempt.familiar].expires_at = now + FAMILIAR
    session.flush()


def _limits(rows: Mapping[bytes, LoginCounter], attempt: Attempt, now: datetime) -> dict[bytes, Limit]:
    """Returns the buckets that may block the attempt, each with its limit."""
    guessing = attempt.guessing
    if guessing.home is not None and _is_known(rows, attempt, now):
        return {attempt.home: guessing.home}
    limits = {attempt.pair: guessing.pair, attempt.account: guessing.account}
    if guessing.address is not None:
        limits[attempt.address] = guessing.address
    return limits


def _is_known(rows: Mapping[bytes, LoginCounter], attempt: Attempt, now: datetime) -> bool:
    """Returns whether the account is known at the address, so that no pause of the address applies."""
    return attempt.remembered or (attempt.familiar in rows and rows[attempt.familiar].expires_at > now)


def _pause(rows: Mapping[bytes, LoginCounter], buckets: Iterable[bytes], now: datetime) -> timedelta | None:
    """Returns how long the attempt must wait for these buckets; None if no bucket is blocked."""
    blocked_until = max(rows[bucket].blocked_until for bucket in buckets)
    return blocked_until - now if blocked_until > now else None


def _until_turn(address: LoginCounter, pair: bytes, now: datetime, ids: Ids) -> timedelta | None:
    """Returns the wait at an address that failures of others have blocked; None if the attempt may be made.

    All attempts during a pause draw for the one place after it. Without the draw the fastest client would win, which is
    a machine. The winner's place is reserved for `TURN`.
    """
    if address.blocked_until > now:
        if address.turn != pair:
            address.knocks += 1
            address.turn = pair if ids.below(address.knocks) == 0 else address.turn
        return address.blocked_until - now
    kept_until = address.blocked_until + TURN
    return kept_until - now if address.turn not in {None, pair} and kept_until > now else None


def _add(row: LoginCounter, limit: Limit, now: datetime) -> None:
    _forget(row, limit, now)
    row.failures += 1
    row.knocks, row.turn = 0, None
    excess = row.failures - limit.free
    pause = min(limit.longest, limit.first * 2 ** min(excess, 20)) if excess >= 0 else timedelta()
    begin = max(now, row.blocked_until)  # a failure during a pause adds another pause
    row.blocked_until = begin + pause if pause else LONG_AGO
    row.expires_at = begin + pause + limit.window * (row.failures if limit.one_by_one else 1)


def _forget(row: LoginCounter, limit: Limit, now: datetime) -> None:
    """Reduces the failures by the time passed. `last_at` is the last attempt; with `one_by_one` the end of the last
    counted window.
    """
    if limit.one_by_one:
        windows = max(0, (now - row.last_at) // limit.window)
        row.failures = max(0, row.failures - windows)
        row.last_at += windows * limit.window
        return
    if now - max(row.last_at, row.blocked_until) > limit.window:
        row.failures = 0
    row.last_at = now


def _lock_counters(
    session: Session, bucket_keys: Iterable[bytes], now: datetime, kind: Lock = Lock.LOGIN_ATTEMPTS
) -> dict[bytes, LoginCounter]:
    """Locks the counters, creating missing ones, always in the same order, which rules out deadlocks."""
    buckets = sorted(bucket_keys)
    missing = upsert(session, LoginCounter).on_conflict_do_nothing()
    fresh = {"failures": 0, "last_at": now, "blocked_until": LONG_AGO, "expires_at": LONG_AGO, "knocks": 0}
    query = select(LoginCounter).where(LoginCounter.bucket.in_(buckets)).order_by(LoginCounter.bucket)
    while True:
        with session.begin_nested() as savepoint:
            session.connection().execute(missing, [{"bucket": bucket, **fresh} for bucket in buckets])
            locks.record_row_lock(session, kind, buckets)
            rows = {row.bucket: row for row in session.scalars(query.with_for_update())}
            if len(rows) == len(buckets):
                return rows
            # A refusal or a purge removed one in between. Creating it again while holding the others would wait for a
            # process that creates it now and waits for one of them.
            savepoint.rollback()


def _bucket(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
