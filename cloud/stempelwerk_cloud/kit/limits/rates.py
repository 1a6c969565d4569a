"""Rate limits: sliding windows, in the notation of the library `limits` ("20/minute"), and token buckets.

A call counts for its person, or for its client's network without a session. Windows that protect a process are in its
memory: several processes allow several times as much. Windows that promise a number to others are *shared*: rows of
`RateWindow` count for the installation, by one statement a call. Token buckets are in the process's memory.
"""

import hashlib
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from fastapi import Request
from limits import RateLimitItem, parse_many
from sqlalchemy import BigInteger, LargeBinary, case, event
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base, Instant
from stempelwerk_cloud.kit.database.described import MACHINERY, describe_table
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.scopes import NOBODY
from stempelwerk_cloud.kit.http.addresses import network
from stempelwerk_cloud.kit.http.problems import too_many
from stempelwerk_cloud.kit.slots import Slot

if TYPE_CHECKING:
    from stempelwerk_cloud.kit.database.transactions import Database

PAGES = "3000/minute"
"""The limit of all calls of a user together, except those with a narrow limit of their own."""
STRANGERS = "1200/minute"
"""The limit of all calls without a session from an address, which a whole company may share."""
LONGEST_WINDOW = timedelta(days=1)
"""The longest window of a shared limit. Its row expires after two of them."""
_SECOND_NS = 1_000_000_000
_AT_COMMIT: Slot[Session, list[tuple[str, tuple[str, ...]]]] = Slot(lambda _: [])
"""The actions that are counted when the transaction is committed: limits and names."""

LimitKey = tuple[RateLimitItem, tuple[str, ...]]
"""A limit, and the key of what is counted against it."""


@describe_table(MACHINERY)
class RateWindow(Base):
    """The calls in the current window of a shared limit, and in the previous one.

    `number` counts the windows since 1970. The bucket is a hash of the limit and the key. The table is UNLOGGED on
    PostgreSQL: a crash of the server empties it.
    """

    __tablename__ = "rate_windows"

    bucket: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    calls: Mapped[int]
    previous_calls: Mapped[int]
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)


def _wait_ns(limit: RateLimitItem, previous_calls: int, calls: int, gone_ns: int) -> int:
    """Returns the nanoseconds until a sliding window allows one more call; not positive if it allows it now.

    Two fixed windows approximate the sliding one: the calls of the previous window count less as the current one goes
    on. Whole nanoseconds make a client that waits exactly as long as its 429 asked succeed, and an earlier one not.
    """
    length_ns = limit.get_expiry() * _SECOND_NS
    return length_ns - gone_ns - (limit.amount - calls) * length_ns // max(1, previous_calls)


class _Windows:
    """The windows of one length in the process's memory."""

    def __init__(self, seconds: int) -> None:
        self._length_ns = seconds * _SECOND_NS
        self._number = 0
        self._previous_calls: Counter[LimitKey] = Counter()
        self._calls: Counter[LimitKey] = Counter()

    def wait_ns(self, limit_key: LimitKey, now_ns: int) -> int:
        """Returns the nanoseconds until the next call is allowed; not positive if it is allowed now."""
        number, gone_ns = divmod(now_ns, self._length_ns)
        if number != self._number:
            self._previous_calls = self._calls if number == self._number + 1 else Counter()
            self._number, self._calls = number, Counter()
        return _wait_ns(limit_key[0], self._previous_calls[limit_key], self._calls[limit_key], gone_ns)

    def take(self, limit_key: LimitKey) -> None:
        """Counts a call in the window of the last `wait_ns`."""
        self._calls[limit_key] += 1


class Rates:
    """The rate limits of a process, and its access to those of the installation.

    Without a `database`, shared limits are counted in the process's memory too.
    """

    def __init__(self, *, pages: str = PAGES, strangers: str = STRANGERS, database: "Database | None" = None) -> None:
        self._pages, self._strangers, self._database = pages, strangers, database
        self._lock = threading.Lock()
        self._windows = cache(_Windows)

    def spend(self, request: Request, user_id: str | None, narrow: str | None = None, *, shared: bool = False) -> None:
        """Counts a call of the user, or of the address without a session. Raises 429 beyond the limit.

        `narrow`: this call has its own limit, or several ("10/minute; 100/day"), and is counted separately; with
        `shared` for the installation.
        """
        client_key = (f"user {user_id}",) if user_id is not None else (f"address {_address(request)}",)
        if narrow is None:
            self._count([(self._strangers if user_id is None else self._pages, client_key)])
            return
        endpoint = request.scope["endpoint"]  # not the path: GET and HEAD of one call share its allowance
        names = (*client_key, f"{endpoint.__module__}.{endpoint.__qualname__}")
        if shared:
            self.spend_shared(narrow, *names)
        else:
            self._count([(narrow, names)])

    def spend_on(self, limits: str, *names: str) -> None:
        """Counts an action in this process. Raises 429 beyond the limit."""
        self._count([(limits, names)])

    def spend_shared(self, limits: str, *names: str) -> None:
        """Counts an action for the installation, in a transaction of its own. Raises 429 beyond the limit."""
        if self._database is None:
            self._count([(limits, names)])
            return
        with self._database.write(NOBODY) as session:
            self._count_shared(session, [(limits, names)])

    def spend_at_commit(self, session: Session, limits: str, *names: str) -> None:
        """Counts an action for the installation when the transaction is committed, all actions by one statement. Raises
        429 there, beyond a limit. An action that is rolled back does not count.
        """
        pending = _AT_COMMIT.get(session)
        if pending is None:
            pending = _AT_COMMIT.of(session)
            # Before other listeners: the audit log's lock is the last one of a transaction.
            event.listen(session, "before_commit", partial(self._count_pending, pending), insert=True)
        pending.append((limits, names))

    def _count_pending(self, pending: list[tuple[str, tuple[str, ...]]], session: Session) -> None:
        if session.in_nested_transaction():  # a savepoint is no commit
            return
        if self._database is None:
            self._count(pending)
        else:
            self._count_shared(session, pending)
        pending.clear()

    def _count(self, limits_of_names: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Counts against all limits; if one is exhausted, counts nothing and raises 429."""
        with self._lock:
            now_ns = time.time_ns()
            limit_keys = [(self._windows(key[0].get_expiry()), key) for key in _keys(limits_of_names)]
            wait_ns = max((windows.wait_ns(limit_key, now_ns) for windows, limit_key in limit_keys), default=0)
            if wait_ns <= 0:
                for windows, limit_key in limit_keys:
                    windows.take(limit_key)
        _refuse(wait_ns)

    def _count_shared(self, session: Session, limits_of_names: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Counts against all limits in the session's transaction. Raises 429 if one is exhausted; the caller rolls
        back.
        """
        now_ns = time.time_ns()
        keys = {_bucket(key): key for key in _keys(limits_of_names)}
        if not keys:
            return
        buckets = sorted(keys)
        statement = upsert(session, RateWindow)
        is_later = RateWindow.number < statement.excluded.number
        is_next = RateWindow.number == statement.excluded.number - 1
        counting = statement.on_conflict_do_update(
            index_elements=[RateWindow.bucket],
            set_={
                "number": case((is_later, statement.excluded.number), else_=RateWindow.number),
                "calls": case((is_later, 1), else_=RateWindow.calls + 1),
                "previous_calls": case((is_next, RateWindow.calls), (is_later, 0), else_=RateWindow.previous_calls),
                "expires_at": statement.excluded.expires_at,
            },
        ).returning(RateWindow.bucket, RateWindow.number, RateWindow.calls, RateWindow.previous_calls)
        locks.record_row_lock(session, Lock.RATES, buckets)
        rows = session.execute(counting.values([_first(bucket, keys[bucket][0], now_ns) for bucket in buckets]))
        wait_ns = 0
        for bucket, number, calls, previous_calls in rows:
            limit = keys[bucket][0]
            gone_ns = max(0, now_ns - number * limit.get_expiry() * _SECOND_NS)  # another machine's clock may be ahead
            wait_ns = max(wait_ns, _wait_ns(limit, previous_calls, calls - 1, gone_ns))
        _refuse(wait_ns)


def _first(bucket: bytes, limit: RateLimitItem, now_ns: int) -> dict[str, object]:
    """Returns the row of the first call in a window."""
    length_s = limit.get_expiry()
    number = now_ns // (length_s * _SECOND_NS)
    expires_at = EPOCH + timedelta(seconds=(number + 2) * length_s)
    return {"bucket": bucket, "number": number, "calls": 1, "previous_calls": 0, "expires_at": expires_at}


def _bucket(limit_key: LimitKey) -> bytes:
    limit, names = limit_key
    return hashlib.sha256("\0".join((str(limit), *names)).encode()).digest()


def _keys(limits_of_names: Iterable[tuple[str, tuple[str, ...]]]) -> list[LimitKey]:
    return list(dict.fromkeys((limit, names) for limits, names in limits_of_names for limit in _parsed(limits)))


@lru_cache
def _parsed(limits: str) -> list[RateLimitItem]:
    return parse_many(limits)


def _refuse(wait_ns: int) -> None:
    if wait_ns > 0:
        raise too_many(-(-wait_ns // _SECOND_NS))


def _address(request: Request) -> str:
    return network(request.client.host) if request.client else ""


class TokenBuckets:
    """Token buckets with the same limits, one for each name: `burst` tokens when full, and a refill of `rate` tokens in
    a unit of time. Whole numbers stay exact. The caller serializes the calls.
    """

    NAMES = 10_000
    """Maximum number of buckets. When it is reached, the least recently used bucket is dropped."""

    def __init__(self, burst: float, rate: float) -> None:
        self.burst = burst
        self._rate = rate
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Maps a name to the tokens that its bucket lacks, and the time when that was computed."""

    def wait(self, name: str, amount: float, now: float) -> float:
        """Returns the time until the bucket has this amount; 0 if it has it now."""
        return max(self._lack(name, now) + amount - self.burst, 0) / self._rate

    def spend(self, name: str, amount: float, now: float) -> None:
        """Takes the amount from the bucket of this name, which may then lack more than `burst`."""
        self._used[name] = self._lack(name, now) + amount, now
        self._used.move_to_end(name)
        if len(self._used) > self.NAMES:
            self._used.popitem(last=False)

    def others_since(self, name: str, instant: float) -> bool:
        """Returns whether another name's bucket was used at `instant` or later."""
        last_used = next((used_at for key, (_, used_at) in reversed(self._used.items()) if key != name), None)
        return last_used is not None and last_used >= instant

    def _lack(self, name: str, now: float) -> float:
        lack, used_at = self._used.get(name, (0, now))
        return max(lack - max(now - used_at, 0) * self._rate, 0)
