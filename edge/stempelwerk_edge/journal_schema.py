"""The journal's tables, as migrations of sqlite-utils, and the settings without which a commit is no promise.

Only this file knows how the tables come into being. It is done on a connection of its own before the journal opens its
connection, so that the tap path never meets sqlite-utils.
"""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from .ports import Database

if TYPE_CHECKING:
    import sqlite_utils

_NEWEST = 1

# `row` is epochs.number << 32 | seq: the order of the taps, never used twice, and no second index beside it.
_TABLES = (
    """CREATE TABLE epochs (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        previous TEXT, previous_last_seq INTEGER NOT NULL DEFAULT 0,
        removed_to INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE stamps (
        row INTEGER PRIMARY KEY, id TEXT NOT NULL, assignment TEXT, tag TEXT NOT NULL, direction TEXT NOT NULL,
        wall INTEGER NOT NULL, boot TEXT NOT NULL, boottime_ms INTEGER NOT NULL, quality TEXT NOT NULL,
        via TEXT NOT NULL, shown TEXT)""",
    """CREATE TRIGGER stamps_are_facts BEFORE UPDATE ON stamps
        BEGIN SELECT RAISE(ABORT, 'a stamp is never changed'); END""",
    """CREATE TABLE marks (
        row INTEGER PRIMARY KEY, outcome TEXT NOT NULL, state TEXT, delivered_at INTEGER NOT NULL)""",
    """CREATE VIEW waiting AS SELECT * FROM stamps
        WHERE NOT EXISTS (SELECT 1 FROM marks WHERE marks.row = stamps.row)""",
    """CREATE TABLE batch (
        only_one INTEGER PRIMARY KEY CHECK (only_one = 1), id TEXT NOT NULL, keyid TEXT NOT NULL,
        lease INTEGER, rows TEXT NOT NULL, gone TEXT NOT NULL, body BLOB NOT NULL)""",
    """CREATE TABLE gone (
        epoch INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (epoch, first, last)) WITHOUT ROWID""",
    """CREATE TABLE anchors (
        boot TEXT NOT NULL, boottime_ms INTEGER NOT NULL, server_time INTEGER NOT NULL, rtt_ms INTEGER NOT NULL,
        PRIMARY KEY (boot, boottime_ms)) WITHOUT ROWID""",
    """CREATE TABLE answers (
        id TEXT PRIMARY KEY, stamp_id TEXT NOT NULL, date TEXT NOT NULL, new_end TEXT NOT NULL, at INTEGER NOT NULL)""",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

# Taps never pay for a checkpoint: it is made by the housekeeping (journal.checkpoint).
CONNECTION_PRAGMAS = (
    "PRAGMA busy_timeout = 2000",
    "PRAGMA synchronous = FULL",
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA temp_store = MEMORY",
)


def is_current(database: Database) -> bool:
    """Whether the file behind a connection has the newest schema. Raises as the connection does."""
    [(version,)] = database.execute("PRAGMA user_version")
    return bool(version >= _NEWEST)


def prepare(path: Path) -> None:
    """Bring the file to the newest schema, making it if need be. Raises sqlite3.Error as SQLite meets it."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection)
        connection.execute(f"PRAGMA user_version = {_NEWEST}")
    finally:
        connection.close()


def _migrate(connection: sqlite3.Connection) -> None:
    import sqlite_utils  # noqa: PLC0415 - five megabytes that a clock needs only when its schema changes

    migrations = sqlite_utils.Migrations("stempelwerk-journal")

    @migrations(name="0001_tables")  # type: ignore[untyped-decorator]  # the library carries no types here
    def tables(database: "sqlite_utils.Database") -> None:
        for statement in _TABLES:
            database.execute(statement)

    migrations.apply(sqlite_utils.Database(connection, recursive_triggers=False, execute_plugins=False))
