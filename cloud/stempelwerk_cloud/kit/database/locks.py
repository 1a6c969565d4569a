"""The locks of the service, by name, in the order in which a transaction must take them.

Locks are taken in this order, and within a kind by ascending key. That rules out deadlocks. A lock that the transaction
holds already is taken again without waiting, but a shared one is never upgraded to an exclusive one: two transactions
that share it and both upgrade would wait for each other.

Some are advisory locks of PostgreSQL, for things that have no row yet, or too many; `take` takes them. The others are
row locks: a call of `record_row_lock` goes with each statement that locks rows. SQLite has one writer, so there all of
them are no-ops. Transactions that commit nothing take no locks on either database (`Conditions.takes_locks`).
Rows that are written without being locked first have no name here: one of these locks protects them, or no other
transaction depends on them.

With `enable_order_check` (as in all tests) every lock in the wrong order is an error on both databases, whether another
transaction waits for it or not. Otherwise nothing is recorded.
"""

import hashlib
import uuid
from collections.abc import Callable, Iterable
from enum import IntEnum, auto
from functools import lru_cache
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session, SessionTransaction

from stempelwerk_cloud.kit.database import memory
from stempelwerk_cloud.kit.database.scopes import CONDITIONS
from stempelwerk_cloud.kit.database.statements import Asked, Sql, Statement, as_rows
from stempelwerk_cloud.kit.slots import Slot


class Lock(IntEnum):
    """The kinds of lock, in the order in which they must be taken. Each docstring names the key, and whether it is an
    advisory lock or a row.
    """

    KEPT_ANSWER = auto()
    """(company, user, Idempotency-Key): a repeated call waits for the first one's answer. The row is locked by
    inserting it.
    """

    CLOCK_KEY = auto()
    """A clock's public key, while it is enrolled. Advisory."""

    CLOCK_SERIAL = auto()
    """A clock's serial number, while a clock is given it or gives it up. Advisory."""

    LOGIN_ATTEMPTS = auto()
    """The counters of login attempts, by bucket. Each step of a login locks them first, because a refused attempt must
    be counted too. Rows.
    """

    COMPANY_NAMES = auto()
    """The creation of companies, without a key: no other transaction takes a name that was found free. Advisory."""

    COMPANY = auto()
    """A company: shared by transactions that need it to stay open, exclusive for closing it or giving it modules.
    Advisory.

    Clocks do not take it: stamps from before a company's end still arrive.
    """

    LINEAGE = auto()
    """The record of which clock replaced which, without a key: exclusive for replacing a clock, shared for changing the
    owner of a clock. Advisory.
    """

    DEVICE = auto()
    """A device's lease, by number: for merging or moving its stamps, or changing its owner. A row."""

    DEVICE_WORDS = auto()
    """The name of a device, stored in the row of its assignment to a company, or in the device's own. A row."""

    STAMP = auto()
    """The receipt row of a stamp's id that several deliveries claim or may claim: for deciding which claim counts.
    Rows.

    Before the rules, because the claims show which companies an id concerns.
    """

    RULES = auto()
    """A company's settings, tags and derivations. Advisory.

    Shared: new stamps are derived by them. Exclusive: they are changed, or existing stamps are moved; its holder needs
    no lock of the entries of the company's people. A transaction on several companies takes the rules of all, in order,
    before any later lock.
    """

    PERSON = auto()
    """(company, person): for changing people, or the facts that their access depends on. Rows."""

    NUMBERS = auto()
    """The assignment of numbers to tags and people, without a key. Advisory."""

    ENTRIES = auto()
    """A person's entries. Only the intake of new stamps takes it, which holds the company's rules in shared mode.
    Advisory.
    """

    PLAN = auto()
    """A company's plan: its duties, hand-overs, leave and absences, and what they are checked against. Always
    exclusive. Advisory.

    One lock for all of them, because they are checked against each other; a company plans rarely enough to serialize
    it.
    """

    EXPORTS = auto()
    """A company's exports: if two transactions make the same file, only one stores it. Advisory."""

    MONTHLY_MAIL = auto()
    """A company's settings of the monthly mail, and its planned mails: for planning them and attaching their files.
    Rows.
    """

    ALARMS = auto()
    """A company's alarms, exclusive: checking its clocks, mailing alarms, acknowledging one. Advisory."""

    INQUIRIES = auto()
    """The acceptance of inquiries, without a key: they are counted, and the limit leaves room for one more. Advisory.
    """

    UPDATES = auto()
    """The repository of updates, without a key: for signing, publishing or withdrawing. Advisory."""

    ROLLOUTS = auto()
    """The rollouts of versions, without a key: for starting, changing or advancing one. Advisory."""

    MAILS = auto()
    """The counters of mails with login codes, by bucket: rows of the same table as `LOGIN_ATTEMPTS`, but never the same
    rows.
    """

    SESSION = auto()
    """(company, session): sessions that are ended, including the caller's own if it belongs to the same person. Rows.

    A transaction that ends them holds their people (`PERSON`) or their company (`COMPANY`) exclusively, unless it ends
    a single session.
    """

    CALLER = auto()
    """(company, session): the caller's own session, locked until the commit (`sessions.recheck_session`). A row of the
    same table.

    Its key may be smaller than those of other sessions that this transaction has ended. This cannot deadlock: no two
    callers can be ending each other's access at once. Only administrators of one company can end each other's, and they
    hold its rules meanwhile.
    """

    UNFINISHED_LOGIN = auto()
    """(company, login): a login whose mail with a code could not be sent. A row."""

    RATES = auto()
    """The windows of the installation's rate limits, by bucket. They are counted just before the commit, or in a
    transaction of their own. Rows.
    """

    AUDIT = auto()
    """The hash chain of a company's audit log, taken just before the commit. Advisory."""


Key = Any
"""A lock's key: a text or a tuple. All keys of one kind of lock have the same type."""

# An advisory lock's number is made of these words. If they changed, two versions of the service running side by side
# would not lock each other out.
_WORDS = {
    Lock.CLOCK_KEY: "key",
    Lock.CLOCK_SERIAL: "serial",
    Lock.COMPANY_NAMES: "companies",
    Lock.COMPANY: "company",
    Lock.LINEAGE: "lineage",
    Lock.RULES: "rules",
    Lock.NUMBERS: "numbers",
    Lock.PLAN: "plan",
    Lock.EXPORTS: "exports",
    Lock.ALARMS: "alarms",
    Lock.INQUIRIES: "inquiries",
    Lock.UPDATES: "updates",
    Lock.ROLLOUTS: "rollouts",
    Lock.AUDIT: "audit",
}
_TAKE = Statement(
    "SELECT count(CASE WHEN k.shared THEN pg_advisory_xact_lock_shared(k.key)::text"
    " ELSE pg_advisory_xact_lock(k.key)::text END) FROM @rows(k: key int8, shared bool)",
    sqlite="SELECT 1",
)


class WrongOrder(AssertionError):
    """A transaction takes a lock that precedes one it holds, or takes exclusively a lock that it shares.

    Either may deadlock with another transaction. The error is raised even if no other transaction waits.
    """


Tell = Callable[[WrongOrder], object]
_tell: Tell | None = None


def enable_order_check(tell: Tell | None) -> Tell | None:
    """Calls `tell` with each lock in the wrong order in this process, and raises it; None disables the check. Returns
    the previous `tell`.
    """
    global _tell
    previous, _tell = _tell, tell
    return previous


def take(session: Session, lock: Lock, key: str = "", *, shared: bool = False) -> None:
    """Waits for an advisory lock, and holds it until the transaction ends: exclusively, or shared."""
    take_all(session, [(lock, key, shared)])


def take_all(session: Session, requests: Iterable[tuple[Lock, str, bool]]) -> None:
    """Waits for advisory locks, given as (lock, key, shared), one by one in their order, by one statement."""
    statement, sql = lock_request(session, requests), Sql(session)
    if sql.postgresql and CONDITIONS.of(session).takes_locks:
        sql.several([statement])


def lock_request(session: Session, requests: Iterable[tuple[Lock, str, bool]]) -> Asked:
    """Returns the statement that `take_all` executes, for callers that send more statements in the same message."""
    memory.forget(session)
    in_order = sorted(requests)
    if _tell is not None:
        for lock, key, shared in in_order:
            _note(session, lock, key, shared=shared)
    rows = [{"key": number_of(lock, key), "shared": shared} for lock, key, shared in in_order]
    return _TAKE, {"k": as_rows(rows)}


def record_row_lock(session: Session, lock: Lock, keys: Iterable[Key], *, shared: bool = False) -> None:
    """Records the rows that a statement locks, in their order, for the order check. Call it next to the statement."""
    memory.forget(session)
    if _tell is not None:
        for key in keys:
            _note(session, lock, key, shared=shared)


@lru_cache(maxsize=100_000)
def number_of(lock: Lock, key: str) -> int:
    """Returns the 64-bit number of an advisory lock for PostgreSQL."""
    if lock is Lock.ENTRIES:  # 64 bits of the person's id are unique enough
        return int.from_bytes(uuid.UUID(key).bytes[8:], signed=True)
    return int.from_bytes(hashlib.sha256(f"{_WORDS[lock]}:{key}".encode()).digest()[:8], signed=True)


def _record_locks(session: Session) -> dict[tuple[Lock, Key], tuple[bool, SessionTransaction | None]]:
    event.listen(session, "after_rollback", _forget)
    event.listen(session, "after_transaction_end", _hand_on)
    return {}


_HELD = Slot(_record_locks)
"""The locks of the transaction: whether each is shared, and the transaction or savepoint that took it."""


def held_locks(session: Session) -> list[tuple[Lock, Key]]:
    """Returns the locks that the transaction holds, in order; empty without the order check."""
    return sorted(_HELD.get(session) or ())


def _note(session: Session, lock: Lock, key: Key, *, shared: bool) -> None:
    """Records a lock of the session's transaction: whether it is shared, and which savepoint took it. Raises
    WrongOrder.
    """
    session_locks = _HELD.of(session)
    existing = session_locks.get((lock, key))
    if existing is None:
        last = max(session_locks, default=(lock, key))
        if last > (lock, key):
            _refuse(f"{lock.name} {key!r} is taken while {last[0].name} {last[1]!r} is held")
        session_locks[lock, key] = shared, session.get_nested_transaction() or session.get_transaction()
    elif existing[0] and not shared:
        _refuse(f"{lock.name} {key!r} is wanted alone by who shares it already ({lock.name})")


def _refuse(reason: str) -> None:
    wrong = WrongOrder(reason)
    if _tell is not None:
        _tell(wrong)
    raise wrong


def _forget(session: Session) -> None:
    """Forgets the locks that a savepoint took when it is rolled back. (Without a savepoint the whole transaction
    ends.)
    """
    session_locks, rolled_back = _HELD.of(session), session.get_nested_transaction()
    for lock_key in [lock_key for lock_key, (_, savepoint) in session_locks.items() if savepoint is rolled_back]:
        del session_locks[lock_key]


def _hand_on(session: Session, ended: SessionTransaction) -> None:
    """Hands the locks of a released savepoint to its parent; a transaction that has ended leaves no locks."""
    session_locks = _HELD.of(session)
    if ended.parent is None:
        session_locks.clear()
        return
    for lock_key, (shared, savepoint) in session_locks.items():
        if savepoint is ended:
            session_locks[lock_key] = shared, ended.parent
