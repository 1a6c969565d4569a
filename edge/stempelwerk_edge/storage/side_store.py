"""A small database for content that can be fetched or produced again: the people's snapshot, the log's queue.

Losing it costs no stamp, so nothing here is synced at once, and nothing here ever fails loudly: a damaged file is
thrown away, and on a disk that cannot be written the content lives on in memory. Kept apart from the journal, so that
it can never be in a tap's way. Its methods run under one lock and are quick.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stempelwerk_edge.errors import JournalDamaged
from stempelwerk_edge.ports import Connect, Database, Report
from stempelwerk_edge.storage.faults import as_journal_error, is_storage_fault

Statement = tuple[str, Sequence[object]]


class SideStore:
    """A file with the tables of `schema` in this `version`.

    `changes` maps an earlier version to the statements that make the next one of it; a file of any other version is
    thrown away.
    """

    def __init__(
        self,
        path: Path,
        schema: Sequence[str],
        version: int,
        connect: Connect,
        report: Report,
        changes: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self._path, self._schema, self._version = path, schema, version
        self._connect, self._report = connect, report
        self._changes = changes or {}
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._complained = False

    def write(self, statements: Iterable[Statement]) -> bool:
        """Runs the statements in one transaction; returns False if the disk fails."""
        with self._lock:
            try:
                database = self._opened()
                database.execute("BEGIN IMMEDIATE")
                for sql, parameters in statements:
                    database.execute(sql, parameters)
                database.execute("COMMIT")
            except Exception as fault:
                self._failed(fault)
                return False
            self._complained = False
            return True

    def read(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Returns the rows of a query; an empty list if the disk fails."""
        with self._lock:
            try:
                return list(self._opened().execute(sql, parameters))
            except Exception as fault:
                self._failed(fault)
                return []

    def discard(self, why: Exception) -> None:
        """Discards the content because of a spoilt value, which SQLite does not detect."""
        with self._lock:
            self._failed(JournalDamaged(f"{type(why).__name__}: {why}"))

    def empty_log(self) -> None:
        """Brings everything into the file and cuts the write-ahead log, so that removed rows are gone from both."""
        self.read("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._drop()

    def _opened(self) -> Database:
        if self._database is None:
            self._database = self._open()
        return self._database

    def _open(self) -> Database:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = self._connect(self._path)
        try:
            for pragma in ("busy_timeout = 500", "journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
                list(database.execute(f"PRAGMA {pragma}"))
            [(version,)] = database.execute("PRAGMA user_version")
            if version != self._version:
                statements = self._to_newest(version)
                database.execute("BEGIN IMMEDIATE")
                for statement in statements:
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {self._version}")
                database.execute("COMMIT")
        except BaseException:
            database.close()
            raise
        return database

    def _to_newest(self, version: int) -> list[str]:
        """Returns the statements that migrate a file of this version. Raises JournalDamaged for a version without a
        way.
        """
        if version == 0:
            return list(self._schema)
        steps = [self._changes.get(step) for step in range(version, self._version)]
        if not 0 < version < self._version or None in steps:
            raise JournalDamaged(f"version {version}")
        return [statement for step in steps if step is not None for statement in step]

    def _failed(self, fault: Exception) -> None:
        """Closes the file after a fault of the disk, and discards it if it is damaged. Raises any other exception
        again.
        """
        if not is_storage_fault(fault) and not isinstance(fault, JournalDamaged):
            raise fault
        error = as_journal_error(fault, self._path.parent)
        self._drop()
        if isinstance(error, JournalDamaged):
            self._throw_away()
        if not self._complained:
            self._complained = True
            self._report("warn", "side_store_failed", f"{self._path.name}: {error}", {})

    def _drop(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            try:
                database.close()
            except Exception as fault:
                if not is_storage_fault(fault):
                    raise

    def _throw_away(self) -> None:
        for end in ("", "-wal", "-shm"):
            try:
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
            except OSError:
                return
