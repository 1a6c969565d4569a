"""Calls that wait for each other on PostgreSQL: a test holds a lock, lets them queue in its order, and lets go."""

import time

from sqlalchemy import text
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.scopes import HOUSE

# A lock on a row names no database, but who waits for one has others that do.
_WAITING = text(
    "SELECT count(DISTINCT w.pid) FROM pg_locks w JOIN pg_locks o ON o.pid = w.pid"
    " JOIN pg_database d ON d.oid = o.database WHERE NOT w.granted AND d.datname = current_database()"
)


def until_waiting(platform: Platform, count: int = 1) -> None:
    """Until that many transactions of this database wait for a lock."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with platform.database.read(HOUSE) as session:
            if session.execute(_WAITING).scalar_one() >= count:
                return
    raise AssertionError(f"not {count} wait")
