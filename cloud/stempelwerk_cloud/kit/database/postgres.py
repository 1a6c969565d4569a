"""Connections to PostgreSQL as the service makes them: in the role that row level security applies to, and with a
scope; and the check for a pooler that would break both.

Each connection takes `SERVICE_ROLE` once, whatever user the URL names; only migrations and restores stay the owner. The
message that begins a transaction also sets its scope, so that the scope costs no message of its own. `row_security.py`
explains role and scope.

The service's role, prepared statements and locks belong to one session of PostgreSQL. PgBouncer with `pool_mode =
transaction` or `statement` gives each transaction another one: it looks healthy at the start, and the first login
fails.
"""

import math
import re
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import ExecStatus
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from stempelwerk_cloud.kit.database.pipeline import PIPELINE, Pipeline
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM, Scope

NAME = "stempelwerk-cloud"
"""The name of the service's connections in `pg_stat_activity`."""
SERVICE_ROLE = "stempelwerk_service"
COMPANY_SETTING = "stempelwerk.company"
BYPASS_SETTING = "stempelwerk.door"  # the name that the policies of existing databases use
BY_INDEX = {
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_material": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""Settings that make PostgreSQL look rows up by index.

They are only for paths that touch few rows of large tables. The planner does not know how few rows those are, nor in a
young database how large the tables will be. It would read whole tables, and keep to that plan while they grow.
"""
LINE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""libpq's options for detecting an unresponsive server: seconds, `tcp_user_timeout` in milliseconds. The URL may
override them.
"""
LOOKED_UP = 1.1
"""PostgreSQL's `random_page_cost`: the cost of reading a page by index, relative to a sequential one. It is low because
the data is in memory. With the default of 4, PostgreSQL scans all people's numbers again for each requested person.
"""
SESSION = {
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "lc_monetary": "C",
    "lc_numeric": "C",
    "lc_time": "C",
    "standard_conforming_strings": "on",
    "array_nulls": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
    "row_security": "on",
    "default_transaction_isolation": "read committed",
    "default_transaction_deferrable": "off",
}
"""Settings that the driver and our statements rely on, whatever the database or its user sets (`ALTER ROLE … SET`).

Left out are `lc_messages` (only superusers may set it, nothing depends on it), limits of time (the operator's choice),
and `default_transaction_read_only` (it marks a server that another one has replaced).
"""
_DURABLE = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
"""A statement that makes commits wait for the disk, even if the server or its user is configured otherwise: a commit
acknowledges a stamp to its clock.
"""
_SCHEMA = "SELECT set_config('search_path', quote_ident(current_schema()), false)"
"""A statement that fixes the search path to the current schema. After SET ROLE, "$user" in the path would mean the
service's role.
"""
TRUSTED_S = 5
"""A pooled connection is used again without a check that it is alive for so many seconds after its last use."""

_COMPANY = re.compile(r"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?")
_BYPASS = re.compile(r"[a-z]*")


class RoleMissing(Exception):
    """The service's role does not exist, or the database's user may not take it. The message is one line for the
    operator.
    """


def make_engine(url: URL, pool_size: int, *, as_owner: bool) -> Engine:
    """Returns an engine whose connections have the service's role, or are the owner's and bypass row level security
    (`SYSTEM`).

    A transaction that is not begun by `begin` has no scope: the service sees no company's rows in it.
    """
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        # Explicit, because a database in SQL_ASCII would return bytes instead of text, and could not be refused later.
        connect_args={"client_encoding": "utf8", **_line_of(url)},
        pool_size=pool_size,
        max_overflow=0,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _enter_system if as_owner else _become_service)
    event.listen(engine, "checkout", _look_if_alive)
    event.listen(engine, "checkin", _note_use)
    return engine


def conninfo_of(url: URL) -> str:
    """Returns the URL as a connection string for psycopg, interpreted as the engine does, including several hosts and
    their options.
    """
    make: Any = PGDialect_psycopg
    _, arguments = make().create_connect_args(url.set(drivername="postgresql+psycopg"))
    return make_conninfo("", **_line_of(url), **arguments)


def _line_of(url: URL) -> dict[str, Any]:
    return {"fallback_application_name": NAME} | {name: value for name, value in LINE.items() if name not in url.query}


def take_role(connection: Any) -> None:
    """Switches a driver's connection to the service's role. Raises RoleMissing, and closes the connection."""
    try:
        connection.execute(
            f"{_setting(SESSION)}; {_DURABLE}; {_SCHEMA}; SET ROLE {SERVICE_ROLE}; SET random_page_cost = {LOOKED_UP}"
        )
    except (psycopg.errors.InvalidParameterValue, psycopg.errors.InsufficientPrivilege) as error:
        connection.close()
        raise RoleMissing(
            f"The database's user may not be {SERVICE_ROLE}: run 'stempelwerk-cloud migrate' first"
            f" (for another user than the migrating one: GRANT {SERVICE_ROLE} TO that user)."
        ) from error
    connection.commit()


def begin(connection: Connection, scope: Scope, *, read_only: bool = False, one_moment: bool = False) -> None:
    """Begins the transaction on the server and sets its scope, in one message; the driver then sends no BEGIN.

    `one_moment`: the transaction reads one snapshot. Raises OperationalError.
    """
    text = beginning(scope, read_only=read_only, one_moment=one_moment)
    driver: Any = connection.connection.driver_connection
    result = driver.pgconn.exec_(text)
    if result.status == ExecStatus.COMMAND_OK:
        return
    error = psycopg.errors.error_from_result(result)
    if driver.closed:
        connection.invalidate(error)
    raise OperationalError(text.decode(), None, error)


@lru_cache(maxsize=1000)
def beginning(scope: Scope, *, read_only: bool = False, one_moment: bool = False) -> bytes:
    """Returns the SQL that begins a transaction with this scope. Raises ValueError for an invalid scope, because its
    parts become part of the SQL.
    """
    if not _COMPANY.fullmatch(scope.company) or not _BYPASS.fullmatch(scope.bypass):
        raise ValueError(f"no scope: {scope!r}")
    begin = "BEGIN" + " ISOLATION LEVEL REPEATABLE READ" * one_moment + " READ ONLY" * read_only
    # Both are set each time: a value set for the whole connection must not count.
    settings = [(COMPANY_SETTING, scope.company), (BYPASS_SETTING, scope.bypass)]
    return "; ".join([begin, *(f"SET LOCAL {name} = '{value}'" for name, value in settings)]).encode()


def look_only(connection: Any, _entry: ConnectionPoolEntry) -> None:
    """Prepares a driver's connection for `Database.look_up`: single read-only statements in autocommit, by index.

    The scope, which `begin` sets for each transaction elsewhere, is set once for the connection; it has no other use.
    """
    _configure_clock_connection(connection, {"default_transaction_read_only": "on"})
    connection.autocommit = True


def merge_only(connection: Any, _entry: ConnectionPoolEntry) -> None:
    """Prepares a driver's connection for `Database.merge`: statements by index. It has no other use.

    The scope, which `begin` sets for each transaction elsewhere, is set once for the connection.
    """
    _configure_clock_connection(connection, {})


def prepare_all(connection: Any, entry: ConnectionPoolEntry) -> None:
    """Gives a driver's connection a pipeline, which prepares its statements and sends several in one message."""
    entry.info[PIPELINE] = Pipeline(connection)


def _configure_clock_connection(connection: Any, extra_settings: Mapping[str, str]) -> None:
    connection.execute(_setting({BYPASS_SETTING: DEVICES.bypass, **BY_INDEX, **extra_settings}))
    connection.commit()


def _setting(settings: Mapping[str, str]) -> str:
    return "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())


def _become_service(connection: Any, _entry: ConnectionPoolEntry) -> None:
    take_role(connection)


def _enter_system(connection: Any, _entry: ConnectionPoolEntry) -> None:
    connection.execute(_setting({**SESSION, BYPASS_SETTING: SYSTEM.bypass}))
    connection.commit()


def _note_use(_connection: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info["used"] = time.monotonic()


def _look_if_alive(connection: Any, entry: ConnectionPoolEntry, _proxy: object) -> None:
    """Checks a connection that the pool hands out, and has a dead one replaced; one that was used a moment ago is not
    checked.
    """
    if time.monotonic() - entry.info.get("used", math.inf) < TRUSTED_S:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except psycopg.OperationalError as dead:
        raise DisconnectionError from dead


ROUNDS = 5
"""The number of attempts to detect another session: a pooler may return the same one by chance."""


class PoolerRefused(Exception):
    """The database's address leads to an unsuitable pooler. The message is one line for the operator."""


def refuse_pooler(url: URL) -> None:
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
