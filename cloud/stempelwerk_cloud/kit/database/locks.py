"""Every lock of the service by name, in the order in which one transaction takes them.

Who holds one may wait for those that come after it and for none before, and within a kind for greater keys alone; so
nobody waits for another in a circle. What is held already is taken again without waiting, but never alone what is
shared: of two who share it and each want it alone, each would wait for the other.

Some are advisory locks of PostgreSQL, which stand for what has no row yet, or too many; `take` takes them. The others
are rows; a statement that locks rows has `noted` beside it. SQLite has one writer, so there all of them are nothing.
Transactions that commit nothing take none of them on either database (`WITHOUT_LOCKS`).
Rows that are written without being locked before are not named: they lie behind one of these, or stand alone.

With `watch` on (as in all tests) every lock that comes in the wrong order is an error, on either database, whether
anybody waits for it or not. Else taking and noting remember nothing.
"""

import hashlib
import uuid
from collections.abc import Callable, Iterable
from enum import IntEnum, auto
from functools import lru_cache
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session, SessionTransaction

from stempelwerk_cloud.kit.database.statements import Asked, Sql, Statement, as_rows


class Lock(IntEnum):
    """What is locked, in order."""

    KEPT_ANSWER = auto()
    """(company, user, Idempotency-Key): who repeats a call waits for the first one's answer. A row, by its claim."""

    CLOCK_KEY = auto()
    """A key that is being enrolled. Advisory."""

    CLOCK_SERIAL = auto()
    """A serial that a clock takes or leaves. Advisory."""

    LOGIN_ATTEMPTS = auto()
    """Counters of guesses, by bucket: first in each step of a login, for a refusal must be counted. Rows."""

    COMPANY_NAMES = auto()
    """The making of companies, with no key: nobody else takes the name that was found free. Advisory."""

    COMPANY = auto()
    """A company: shared it stays open for who decides something for it, alone it is closed or given modules. Advisory.

    Clocks take no part: what was stamped before a company's end still arrives.
    """

    LINEAGE = auto()
    """Which clock took which one's place, with no key: alone by who replaces one, shared by who changes whose one is.
    Advisory.
    """

    DEVICE = auto()
    """A device's lease, by number: whoever merges or moves its stamps, or changes whose it is. A row."""

    DEVICE_WORDS = auto()
    """What a device is called: the row of its assignment, or its own."""

    STAMP = auto()
    """The receipt of a stamp's id that several have claimed, or may have: who decides which claim counts. Rows.

    Before the rules, because which companies an id concerns is known from its claims.
    """

    RULES = auto()
    """A company's settings, tags and derivations. Advisory.

    Shared: new stamps are derived by them. Alone: they are changed, or stamps that are there already are moved; who has
    them alone needs no lock of its people's entries. Who concerns several companies takes the rules of all, in order,
    before whatever comes after.
    """

    PERSON = auto()
    """(company, person): who changes people, or what their access rests on. Rows."""

    NUMBERS = auto()
    """The giving of numbers to tags and people, with no key. Advisory."""

    ENTRIES = auto()
    """A person's entries, for who shares the company's rules: the intake of new stamps, and nobody else. Advisory."""

    PLAN = auto()
    """A company's plan, alone: its duties, hand-overs, leave and absences, and what they are judged by. Advisory.

    One for all of them, because they are judged by each other; a company plans seldom enough to do it one by one.
    """

    EXPORTS = auto()
    """A company's exports: of two who make the same file one keeps it. Advisory."""

    MONTHLY_MAIL = auto()
    """A company's settings of the monthly mail, and its mails: who plans them, and who gives them their file. Rows."""

    ALARMS = auto()
    """A company's alarms, alone: who looks at its clocks, mails of them or acknowledges one. Advisory."""

    INQUIRIES = auto()
    """The taking of inquiries, with no key: they are counted, and there is room for one more. Advisory."""

    UPDATES = auto()
    """The repository of updates, with no key: who signs it, publishes or withdraws. Advisory."""

    ROLLOUTS = auto()
    """The rollouts of versions, with no key: who starts, changes or advances one. Advisory."""

    MAILS = auto()
    """Counters of mails with codes, by bucket: the same table as `LOGIN_ATTEMPTS` and never the same rows."""

    SESSION = auto()
    """(company, session): sessions that are ended, and the caller's own with them where it is the same person's. Rows.

    Who ends them has their people (`PERSON`) or their company (`COMPANY`) alone, but for who ends one only.
    """

    CALLER = auto()
    """(company, session): the caller's own session, kept until the commit (`sessions.keep`). A row of the same table.

    It may be less than the sessions of others that this transaction has ended, so its order needs a reason: nobody's
    access is ended by somebody whose access they may be ending. Only administrators of one company can end each
    other's, and they own its rules meanwhile.
    """

    UNFINISHED_LOGIN = auto()
    """(company, login): a login whose mail did not go out. A row."""

    AUDIT = auto()
    """The chain of a company's audit log, at the commit. Advisory."""


Key = Any
"""Of one type for each kind."""

# An advisory lock's number is made of these words: with others, two versions of the service side by side lock nothing.
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
_HELD = "locks"

WITHOUT_LOCKS = "without_locks"
READS_ONLY = "reads_only"
"""Member of the `info` of a session in whose transaction the database refuses to write."""
"""The member of a session's `info` that is true where the transaction takes no locks, as it commits nothing."""


class WrongOrder(AssertionError):
    """A lock was taken that might have to be waited for in a circle."""


Tell = Callable[[WrongOrder], object]
_tell: Tell | None = None


def watch(tell: Tell | None) -> Tell | None:
    """From now on each wrong order in this process is told, and raised; None: nobody looks any more. Who was told."""
    global _tell
    previous, _tell = _tell, tell
    return previous


def take(session: Session, lock: Lock, key: str = "", *, shared: bool = False) -> None:
    """Waits for an advisory lock, and holds it until the transaction ends: alone, or with others who share it."""
    take_all(session, [(lock, key, shared)])


def take_all(session: Session, requests: Iterable[tuple[Lock, str, bool]]) -> None:
    """Waits for advisory locks (lock, key, shared), one by one in their order, by one statement."""
    statement, sql = taking(session, requests), Sql(session)
    if sql.postgresql and not session.info.get(WITHOUT_LOCKS):
        sql.several([statement])


def taking(session: Session, requests: Iterable[tuple[Lock, str, bool]]) -> Asked:
    """What `take_all` asks of the database, for who asks more along with it, at once."""
    in_order = sorted(requests)
    if _tell is not None:
        for lock, key, shared in in_order:
            _note(session, lock, key, shared=shared)
    rows = [{"key": number_of(lock, key), "shared": shared} for lock, key, shared in in_order]
    return _TAKE, {"k": as_rows(rows)}


def noted(session: Session, lock: Lock, keys: Iterable[Key], *, shared: bool = False) -> None:
    """Says which rows a statement locks, in which order. It stands right beside the statement."""
    if _tell is not None:
        for key in keys:
            _note(session, lock, key, shared=shared)


@lru_cache(maxsize=100_000)
def number_of(lock: Lock, key: str) -> int:
    """The number of an advisory lock."""
    if lock is Lock.ENTRIES:  # a person's id is number enough
        return int.from_bytes(uuid.UUID(key).bytes[8:], signed=True)
    return int.from_bytes(hashlib.sha256(f"{_WORDS[lock]}:{key}".encode()).digest()[:8], signed=True)


def held_locks(session: Session) -> list[tuple[Lock, Key]]:
    """What the transaction holds, in order, if somebody watches."""
    return sorted(session.info.get(_HELD, ()))


def _note(session: Session, lock: Lock, key: Key, *, shared: bool) -> None:
    """Remembers the lock: its session, which is one transaction, holds it alone or not, since which savepoint."""
    session_locks: dict[tuple[Lock, Key], tuple[bool, SessionTransaction | None]] | None = session.info.get(_HELD)
    if session_locks is None:
        session_locks = session.info[_HELD] = {}
        event.listen(session, "after_rollback", _forget)
        event.listen(session, "after_transaction_end", _hand_on)
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
    """What was locked since a savepoint is let go with it. (Where there is none, all is about to end.)"""
    session_locks, rolled_back = session.info[_HELD], session.get_nested_transaction()
    for lock_key in [lock_key for lock_key, (_, savepoint) in session_locks.items() if savepoint is rolled_back]:
        del session_locks[lock_key]


def _hand_on(session: Session, ended: SessionTransaction) -> None:
    """A savepoint that is kept leaves its locks to what it stands in; a transaction that has ended leaves none."""
    session_locks = session.info[_HELD]
    if ended.parent is None:
        session_locks.clear()
        return
    for lock_key, (shared, savepoint) in session_locks.items():
        if savepoint is ended:
            session_locks[lock_key] = shared, ended.parent
