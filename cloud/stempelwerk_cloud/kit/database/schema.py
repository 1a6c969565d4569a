"""Brings the database to the newest schema, and says whether it is there. The revisions are in `migrations/`."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import Connection
from sqlalchemy.exc import ProgrammingError

from stempelwerk_cloud.kit.database import row_security
from stempelwerk_cloud.kit.database.transactions import Database

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"
_LOCK = 0x5374656D706C


class MigrationRefused(Exception):
    """What is in the database cannot be carried over as it is. The message says to the operator what is to be done."""


@cache
def head() -> str | None:
    """The newest revision that this program knows."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def knows(revision: str) -> bool:
    """Whether this program can bring a database of that revision to its own."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def current(database: Database) -> str | None:
    """The revision of the database; None if it has never been migrated, or not as far as to its walls."""
    try:
        with database.engine.execution_options(read_only=True).connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    except ProgrammingError as error:
        if isinstance(error.orig, InsufficientPrivilege):
            return None
        raise


def migrate(database: Database) -> None:
    """Applies what is missing, in one transaction; of two processes that try at once, one waits for the other.

    `database` is opened as its owner. RoleCreationDenied, MigrationRefused; then nothing is changed.
    """
    prepare(database)
    with database.engine.begin() as connection:
        if database.dialect == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        complete(connection)


def prepare(database: Database) -> None:
    """What a schema needs of the server before it can be completed. RoleCreationDenied, MigrationRefused."""
    if database.dialect == "postgresql":
        with database.engine.begin() as connection:
            if connection.exec_driver_sql("SHOW server_encoding").scalar_one() != "UTF8":
                raise MigrationRefused(
                    "The database's encoding must be UTF8: make it anew with"
                    " createdb --encoding UTF8 --locale C.UTF-8 --template template0."
                )
            row_security.make_role(connection)


def complete(connection: Connection) -> None:
    """Brings the connection's database to the newest schema, with its walls, in the transaction that is open."""
    upgrade(connection)
    if connection.dialect.name == "postgresql":
        row_security.build(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Brings the connection's database to `revision`, in the transaction that is open. MigrationRefused."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and not knows(found):
        raise MigrationRefused(
            f"A newer version of Stempelwerk has converted this database ({found}): use that one, or restore a backup"
            " that this version has made."
        )
    command.upgrade(_config(connection), revision)


def downgrade(connection: Connection) -> None:
    """Takes everything away again."""
    command.downgrade(_config(connection), "base")


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
