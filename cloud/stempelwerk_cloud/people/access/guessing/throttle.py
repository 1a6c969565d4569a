"""The policy of the back-off (`kit/limits/backoff.py`) for guesses of passwords and codes, by account and by address.
Strangers cannot lock a person's account for good.

An attempt is counted before its password or code is checked, so parallel attempts gain nothing. A right attempt resets
the account's failures at this address. While a bucket is blocked, attempts are refused unchecked and do not lengthen
the block.

Strangers never block a known account. An account is known at an address where it completed a login within 30 days.
There only its own counter can stop it, neither failures elsewhere nor those of others at the address. A remembered
device has a counter of its own at any address; its failures are also charged to the account, so a stolen cookie buys no
guesses. An account that is not known at the address waits with all others there. The address's pause ends at one
instant, which each refusal names; then the next attempt that comes is the first.

IPv6 addresses are counted by their /64 network, which belongs to one customer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.addresses import network
from stempelwerk_cloud.kit.http.problems import too_many
from stempelwerk_cloud.kit.limits import backoff
from stempelwerk_cloud.kit.limits.backoff import Backoff, FailureCounter

FAMILIAR = timedelta(days=30)


class Guessing(NamedTuple):
    """A kind of guess and its limits. `pair`: of an account at one address; `account`: of an account at all addresses.

    `address`: of all accounts together at one address; None if a client cannot try many. `home`: of an account at an
    address where it is known; None if there is no such address.
    """

    kind: str
    pair: Backoff
    account: Backoff
    home: Backoff | None
    address: Backoff | None


PAIR = Backoff(10, timedelta(seconds=30), timedelta(minutes=15))
ACCOUNT = Backoff(20, timedelta(seconds=10), timedelta(minutes=1))
KNOWN = Backoff(10, timedelta(seconds=30), timedelta(minutes=15), one_by_one=True)
# No pause is longer than the window that takes off one failure, so waiting it out never leads to a longer one.
ADDRESS = Backoff(
    *(50, timedelta(seconds=30), timedelta(minutes=5)),
    window=timedelta(minutes=5),
    one_by_one=True,
    spread=timedelta(seconds=15),
)
PASSWORDS = Guessing("password", PAIR, ACCOUNT, KNOWN, ADDRESS)

# Guessing codes requires the password. Three codes of a million fit: a year of hourly guesses has 3 %.
CODE_PAIR = Backoff(10, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODE_ACCOUNT = Backoff(20, timedelta(seconds=30), timedelta(hours=1), window=timedelta(hours=24))
CODES = Guessing("code", CODE_PAIR, CODE_ACCOUNT, CODE_PAIR, ADDRESS)

# Guessing the current password requires the person's session. No other account can be tried with it, and being at the
# account's usual address proves nothing.
CURRENT = Guessing("current", KNOWN, KNOWN, None, None)

MAILS = Backoff(15, timedelta(minutes=1), timedelta(minutes=15), window=timedelta(hours=1))
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
        backoff.bucket(kind, "home", account_key, ip_prefix)
        if device_id is None
        else backoff.bucket(kind, "device", account_key, device_id)
    )
    return Attempt(
        guessing=guessing,
        pair=backoff.bucket(kind, "pair", account_key, ip_prefix),
        account=backoff.bucket(kind, "account", account_key),
        address=backoff.bucket(kind, "address", ip_prefix),
        home=home,
        familiar=backoff.bucket("familiar", account_key, ip_prefix),
        remembered=device_id is not None,
    )


def count(session: Session, attempt: Attempt, now: datetime) -> timedelta | None:
    """Counts the attempt as a failure, before it is made; returns None. If it must wait, returns the wait instead, and
    stores nothing: a flood of names fills no table.
    """
    rows, guessing = _lock(session, attempt, now), attempt.guessing
    limits = _limits(rows, attempt, now)
    charged = {attempt.account: guessing.account} if attempt.home in limits and attempt.remembered else {}
    wait = backoff.pause_of(rows, limits, now)
    if wait is None:
        for bucket, limit in (limits | charged).items():
            backoff.add_failure(rows[bucket], limit, now)
    else:
        backoff.remove_unused(session, rows)
    session.flush()
    return wait


def mail_buckets(user_id: str, email: str, *, linked: bool) -> list[bytes]:
    """Returns the buckets that a mail with a code counts in: the person's and the mail address's.

    A linked address, which its owner has proved, and a claimed one are counted separately. So strangers who claim an
    address can neither flood the mailbox nor use up its owner's mails.
    """
    kind = "mails to linked" if linked else "mails to claimed"
    return [backoff.bucket("mails", user_id), backoff.bucket(kind, email.lower())]


def count_mail(session: Session, buckets: Iterable[bytes], now: datetime) -> timedelta | None:
    """Counts a mail and returns None; returns the wait instead if it must not be sent yet."""
    limits = dict.fromkeys(buckets, MAILS)
    rows = backoff.lock_counters(session, Lock.MAILS, limits, now)
    wait = backoff.pause_of(rows, limits, now)
    if wait is None:
        for bucket, limit in limits.items():
            backoff.add_failure(rows[bucket], limit, now)
        session.flush()
    return wait


def reset_mail_failures(session: Session, buckets: Iterable[bytes], now: datetime) -> None:
    """Takes back a counted mail that was not sent."""
    for row in backoff.lock_counters(session, Lock.MAILS, buckets, now).values():
        backoff.take_back(row, 1)
        row.blocked_until = backoff.LONG_AGO
    session.flush()


def refuse(wait: timedelta | None) -> None:
    """Raises 429 if there is a wait."""
    if wait is not None:
        raise too_many(int(wait.total_seconds()) + 1)


def reset_failures(session: Session, attempt: Attempt, now: datetime) -> None:
    """Resets the account's counters after a right attempt, and subtracts its failures from the address's.

    A pause that others caused at the address remains.
    """
    rows = _lock(session, attempt, now)
    pair, address = rows[attempt.pair], rows[attempt.address]
    if pair.failures:
        backoff.take_back(address, pair.failures)
        if not _is_known(rows, attempt, now):  # a stranger attempts nothing during a pause, so it caused this one
            address.blocked_until = backoff.LONG_AGO
    backoff.reset(pair, rows[attempt.account], rows[attempt.home])
    session.flush()


def lock(session: Session, attempt: Attempt, now: datetime) -> None:
    """Locks the attempt's counters, for a transaction that then locks the person and changes the counters
    afterwards.
    """
    _lock(session, attempt, now)


def is_paused(session: Session, attempt: Attempt, now: datetime) -> bool:
    """Returns whether further guesses of this kind at the account must wait at this address. Locks nothing."""
    rows = backoff.find_counters(session, attempt.buckets)
    buckets = (_limits(rows, attempt, now).keys() - {attempt.address}) & rows.keys()
    return bool(buckets) and backoff.pause_of(rows, buckets, now) is not None


def trust_address(session: Session, attempt: Attempt, now: datetime) -> None:
    """Records after a completed login that the account is known at this address, for 30 days. Call it after `count` or
    `reset_failures`.
    """
    rows = _lock(session, attempt, now)
    rows[attempt.familiar].expires_at = now + FAMILIAR
    session.flush()


def _limits(rows: Mapping[bytes, FailureCounter], attempt: Attempt, now: datetime) -> dict[bytes, Backoff]:
    """Returns the buckets that may block the attempt, each with its limit."""
    guessing = attempt.guessing
    if guessing.home is not None and _is_known(rows, attempt, now):
        return {attempt.home: guessing.home}
    limits = {attempt.pair: guessing.pair, attempt.account: guessing.account}
    if guessing.address is not None:
        limits[attempt.address] = guessing.address
    return limits


def _is_known(rows: Mapping[bytes, FailureCounter], attempt: Attempt, now: datetime) -> bool:
    """Returns whether the account is known at the address, so that no pause of the address applies."""
    return attempt.remembered or (attempt.familiar in rows and rows[attempt.familiar].expires_at > now)


def _lock(session: Session, attempt: Attempt, now: datetime) -> dict[bytes, FailureCounter]:
    return backoff.lock_counters(session, Lock.LOGIN_ATTEMPTS, attempt.buckets, now)
