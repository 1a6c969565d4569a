"""The database's schema: migrates it to the newest revision, and checks which it has. The revisions are in
`migrations/`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.errors import InsufficientPrivilege, LockNotAvailable
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from stempelwerk_cloud.kit.database import row_security
from stempelwerk_cloud.kit.database.transactions import Database

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"
_LOCK = 0x5374656D706C


LOCK_S, ATTEMPTS = 5, 3
"""Seconds that a change waits for a table's lock, while all later readers have to wait, too; and the number of
attempts.
"""
# The holder of a lock has been in its transaction for as long as the change has waited.
_HOLDERS = text(
    """
    SELECT DISTINCT a.pid, a.application_name, a.usename, a.client_addr, a.state,
        to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since
    FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    LEFT JOIN pg_class c ON l.locktype = 'relation' AND c.oid = l.relation
    WHERE l.granted AND a.pid <> pg_backend_pid() AND a.datname = current_database()
    AND (a.xact_start IS NULL OR a.xact_start <= clock_timestamp() - make_interval(secs => :seconds))
    AND (c.relnamespace = to_regnamespace(quote_ident(current_schema()))
        OR l.locktype = 'advisory' AND (l.classid::bigint << 32 | l.objid::bigint) = :lock)
    ORDER BY since NULLS LAST LIMIT 3
    """
)


class TablesLocked(Exception):
    """Another transaction has locked a table for too long. The message is one line: the table's holders, and what the
    operator can do.
    """


class MigrationRefused(Exception):
    """The content of the database cannot be migrated as it is. The message tells the operator what to do."""


@cache
def head() -> str | None:
    """Returns the newest revision of this program."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def knows(revision: str) -> bool:
    """Returns whether this program can migrate a database of that revision to its own."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def current(database: Database) -> str | None:
    """Returns the revision of the database; None if it was never migrated, or its row level security is missing."""
    try:
        with database.engine.execution_options(read_only=True).connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    except ProgrammingError as error:
        if isinstance(error.orig, InsufficientPrivilege):
            return None
        raise


def migrate(database: Database) -> None:
    """Brings the database to the newest revision, on PostgreSQL with its row-level security, in one transaction.

    A database that is complete is not locked. A second process waits for the first. `database` must be opened as the
    owner of its tables. If a table stays locked, it tries `ATTEMPTS` times, and then raises TablesLocked. Also raises
    RoleCreationDenied and MigrationRefused. After an error the schema is unchanged.
    """
    prepare(database)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with changing(database) as connection:
                if not _is_complete(connection):
                    if database.dialect == "postgresql":
                        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                    complete(connection)
        except TablesLocked:
            if attempt == ATTEMPTS:
                raise
        else:
            return


@contextmanager
def changing(database: Database) -> Iterator[Connection]:
    """Begins a transaction that changes tables, as their owner. Raises TablesLocked if a lock is not free within
    `LOCK_S` seconds.
    """
    try:
        with database.engine.begin() as connection:
            if database.dialect == "postgresql":
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_S}s'")
            yield connection
    except OperationalError as error:
        if not isinstance(error.orig, LockNotAvailable):
            raise
        raise TablesLocked(_who_is_in_the_way(database)) from error


def _is_complete(connection: Connection) -> bool:
    if MigrationContext.configure(connection).get_current_revision() != head():
        return False
    return connection.dialect.name != "postgresql" or row_security.is_built(connection)


def _who_is_in_the_way(database: Database) -> str:
    with database.engine.connect() as connection:
        holders = connection.execute(_HOLDERS, {"seconds": LOCK_S, "lock": _LOCK}).all()
    if not holders:
        return "A table was locked for too long, by a transaction that has ended: try it again."
    descriptions = "; ".join(
        f"process {pid} ({name or 'without a name'}, user {user}, from {origin or 'this machine'},"
        f" {state or 'in a transaction'}{'' if started_at is None else f' since {started_at} UTC'})"
        for pid, name, user, origin, state, started_at in holders
    )
    ending = ", ".join(f"pg_terminate_backend({row.pid})" for row in holders)
    return (
        f"The database's tables are locked by {descriptions}."
        f" End that, or run as the database's owner 'SELECT {ending};', then this again."
    )


def prepare(database: Database) -> None:
    """Checks the server's encoding and creates the service's role, before the schema is migrated. Raises
    RoleCreationDenied, MigrationRefused.
    """
    if database.dialect == "postgresql":
        with database.engine.begin() as connection:
            if connection.exec_driver_sql("SHOW server_encoding").scalar_one() != "UTF8":
                raise MigrationRefused(
                    "The database's encoding must be UTF8: make it anew with"
                    " createdb --encoding UTF8 --locale C.UTF-8 --template template0."
                )
            row_security.make_role(connection)


def complete(connection: Connection) -> None:
    """Migrates the database to the newest schema, with its row level security policies, in the open transaction."""
    upgrade(connection)
    if connection.dialect.name == "postgresql":
        row_security.build(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Migrates the database to `revision`, in the open transaction. Raises MigrationRefused."""
    current_revision = MigrationContext.configure(connection).get_current_revision()
    if current_revision is not None and not knows(current_revision):
        raise MigrationRefused(
            f"A newer version of Stempelwerk has converted this database ({current_revision}): use that one, or restore"
            " a backup that this version has made."
        )
    command.upgrade(_config(connection), revision)


def downgrade(connection: Connection) -> None:
    """Reverts all revisions, which removes every table. For tests."""
    command.downgrade(_config(connection), "base")


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
