"""Calls that wait for each other on PostgreSQL: a test holds a lock, lets them queue in its order, and lets go."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from httpx2 import Response
from sqlalchemy import text
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform

# A lock on a row names no database, but who waits for one has others that do.
_WAITING = text(
    "SELECT count(DISTINCT w.pid) FROM pg_locks w JOIN pg_locks o ON o.pid = w.pid"
    " JOIN pg_database d ON d.oid = o.database WHERE NOT w.granted AND d.datname = current_database()"
)


def until(condition: Callable[[], object]) -> None:
    """Until the condition holds, for a minute at most. A look that takes long is repeated less often."""
    deadline = time.monotonic() + 60
    while True:
        looked_at = time.monotonic()
        if condition():
            return
        now = time.monotonic()
        assert now < deadline, condition
        time.sleep(min(max(4 * (now - looked_at), 0.01), 0.2))


def waiting(database: Database) -> int:
    """How many transactions of this database wait for a lock."""
    with database.read(SYSTEM) as session:
        return int(session.execute(_WAITING).scalar_one())


def until_waiting(platform: Platform, count: int = 1) -> None:
    """Until that many transactions of this database wait for a lock."""
    until(lambda: waiting(platform.database) >= count)


def one_after_the_other(
    platform: Platform, hold: Callable[[Session], object], *calls: Callable[[], Response]
) -> list[Response]:
    """The calls' answers, each begun while a transaction still held what `hold` locks, and the calls before waited."""
    with ThreadPoolExecutor(len(calls)) as pool:
        with platform.database.write(SYSTEM) as session:
            hold(session)
            answers = []
            for number, call in enumerate(calls, 1):
                answers.append(pool.submit(call))
                until_waiting(platform, number)
        return [answer.result(60) for answer in answers]
