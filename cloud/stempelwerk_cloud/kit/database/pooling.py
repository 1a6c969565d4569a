"""The check for a connection pooler that gives each transaction another session of PostgreSQL. The service's role,
prepared statements and locks belong to one session.

PgBouncer does so with `pool_mode = transaction` or `statement`. It looks healthy at the start, and the first login
fails.
"""

from typing import Any

import psycopg
from sqlalchemy import URL

from stempelwerk_cloud.kit.database.postgres import conninfo_of

ROUNDS = 5
"""The number of attempts to detect another session: a pooler may return the same one by chance."""


class PoolerRefused(Exception):
    """The database's address leads to an unsuitable pooler. The message is one line for the operator."""


def refuse(url: URL) -> None:
    """Raises PoolerRefused if the address leads to such a pooler; psycopg.Error if the database does not answer."""
    conninfo = conninfo_of(url)
    with psycopg.connect(conninfo) as first:
        if not is_pooled(first):
            return
        with psycopg.connect(conninfo) as second:
            if keeps_sessions(first, second):
                return
    raise PoolerRefused(
        "STEMPELWERK_DATABASE_URL leads to a pooler that hands each transaction another session of PostgreSQL: set"
        " pool_mode = session for this database in PgBouncer, or name PostgreSQL itself."
    )


def is_pooled(connection: Any) -> bool:
    """Returns whether the connection goes through a pooler: then the process id announced to the client differs from
    that of its session.
    """
    pid: int = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    connection.rollback()
    announced_pid: int = connection.info.backend_pid
    return pid != announced_pid


def keeps_sessions(first: Any, second: Any) -> bool:
    """Returns whether a connection keeps its session in the next transaction, also if another connection is used in
    between.
    """
    try:
        session_pid = _session_of(first)
        for _ in range(ROUNDS):
            first.commit()
            second.rollback()
            second_pid = _session_of(second)
            if _session_of(first) != session_pid or second_pid == session_pid:
                return False
    except psycopg.errors.ProtocolViolation:  # PgBouncer's refusal of transactions in its mode "statement"
        return False
    finally:
        for connection in (first, second):
            if not connection.closed:
                connection.rollback()
    return True


def _session_of(connection: Any) -> int:
    """Begins a transaction and returns the number of its session."""
    pid: int = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    return pid
