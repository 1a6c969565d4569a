"""The journal's tables, as migrations of sqlite-utils, and the settings that make a commit durable.

Only this file knows how the tables come into being. A new journal is made by the statements themselves. sqlite-utils is
loaded only to bring a file of an older program up to date, so neither taps nor new clocks need it.
"""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from stempelwerk_edge.ports import Connect, Database

if TYPE_CHECKING:
    import sqlite_utils

NEWEST = 4
MIGRATION_SET = "stempelwerk-journal"
MIGRATIONS = ("0001_tables", "0002_answered", "0003_scanners", "0004_untaken_forgotten")

# `row` is epochs.number << 32 | seq: the order of the taps, never used twice, and no second index is needed.
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
# The cloud's final outcome of an answer.
_ANSWERED = "CREATE TABLE answered (id TEXT PRIMARY KEY, outcome TEXT NOT NULL, code TEXT, at INTEGER NOT NULL)"

# Portable scanners: each with its key and its last status (JSON), the last number taken of each of their logs, and when
# their time met this clock's. An older program ignores these tables.
_SCANNERS = (
    "CREATE TABLE scanners (serial TEXT PRIMARY KEY, name TEXT NOT NULL, key BLOB NOT NULL, boot TEXT, said TEXT)",
    """CREATE TABLE scanned (
        serial TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (serial, epoch)) WITHOUT ROWID""",
    """CREATE TRIGGER a_tap_is_taken_once BEFORE UPDATE ON scanned WHEN new.seq <= old.seq
        BEGIN SELECT RAISE(ABORT, 'a tap is taken once'); END""",
    """CREATE TABLE contacts (
        boot TEXT NOT NULL, tick_ms INTEGER NOT NULL, clock_boot TEXT NOT NULL, clock_ms INTEGER NOT NULL,
        PRIMARY KEY (boot, tick_ms)) WITHOUT ROWID""",
)
# The numbers of a log that count as taken and whose stamps damage has cost; the scanners that are being released.
_DAMAGE = (
    """CREATE TABLE untaken (
        serial TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (serial, epoch, seq)) WITHOUT ROWID""",
    "CREATE TABLE forgotten (serial TEXT PRIMARY KEY) WITHOUT ROWID",
)

# As sqlite-utils makes it.
_MIGRATIONS_TABLE = (
    """CREATE TABLE "_sqlite_migrations" (
        "id" INTEGER PRIMARY KEY, "migration_set" TEXT, "name" TEXT, "applied_at" TEXT)""",
    """CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
        ON "_sqlite_migrations" ("migration_set", "name")""",
)

# Taps never pay for a checkpoint: it is made by the housekeeping (journal.checkpoint).
_CONNECTION_PRAGMAS = (
    "PRAGMA busy_timeout = 2000",
    "PRAGMA synchronous = FULL",
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA temp_store = MEMORY",
)


def open_file(path: Path, connect: Connect) -> Database:
    """Returns a connection to a journal of the newest schema, made or brought up to date if need be. Raises as SQLite
    does.
    """
    database = connect(path)
    try:
        [(version,)] = database.execute("PRAGMA user_version")
        if version == 0:
            _create(database)
    except BaseException:
        database.close()
        raise
    if 0 < version < NEWEST:
        database.close()
        migrate(path)
        database = connect(path)
    try:
        for pragma in _CONNECTION_PRAGMAS:
            list(database.execute(pragma))
    except BaseException:
        database.close()
        raise
    return database


def _create(database: Database) -> None:
    """Makes a new journal, all or nothing: what the migrations would make of an empty file, recorded in their table."""
    list(database.execute("PRAGMA journal_mode = WAL"))
    list(database.execute("PRAGMA synchronous = FULL"))
    database.execute("BEGIN IMMEDIATE")
    for statement in (*_TABLES, _ANSWERED, *_SCANNERS, *_DAMAGE, *_MIGRATIONS_TABLE):
        database.execute(statement)
    for name in MIGRATIONS:
        values = (MIGRATION_SET, name, "at creation")
        database.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)", values)
    database.execute(f"PRAGMA user_version = {NEWEST}")
    database.execute("COMMIT")


def migrate(path: Path) -> None:
    """Brings a file of an older program, or an empty one, to the newest schema. Raises sqlite3.Error."""
    import sqlite_utils  # noqa: PLC0415 - six megabytes that a clock needs only when its schema changes

    migrations = sqlite_utils.Migrations(MIGRATION_SET)

    @migrations(name=MIGRATIONS[0])  # type: ignore[untyped-decorator]  # the library carries no types here
    def tables(database: "sqlite_utils.Database") -> None:
        for statement in _TABLES:
            database.execute(statement)

    @migrations(name=MIGRATIONS[1])  # type: ignore[untyped-decorator]
    def answered(database: "sqlite_utils.Database") -> None:
        database.execute(_ANSWERED)

    @migrations(name=MIGRATIONS[2])  # type: ignore[untyped-decorator]
    def scanners(database: "sqlite_utils.Database") -> None:
        for statement in _SCANNERS:
            database.execute(statement)

    @migrations(name=MIGRATIONS[3])  # type: ignore[untyped-decorator]
    def damage(database: "sqlite_utils.Database") -> None:
        for statement in _DAMAGE:
            database.execute(statement)

    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        migrations.apply(sqlite_utils.Database(connection, recursive_triggers=False, execute_plugins=False))
        connection.execute(f"PRAGMA user_version = {NEWEST}")
    finally:
        connection.close()
