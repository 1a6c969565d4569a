"""The journal: stores each stamp on the disk before the tone sounds.

A tap is one INSERT, one commit and exactly one sync. Rows are never changed; other tables (`outbox.py`) hold their
delivery state. A fault of the disk raises an error, so that no tone sounds for a lost row. The connection is then
opened again for the next try, so that a disk that recovers is used without a restart. A damaged file is set aside and a
new one begun. The journal knows nothing of the cloud, and does not decide what a tap means.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from stempelwerk_edge.cloud.identity import sync_directory
from stempelwerk_edge.errors import JournalBroken, JournalDamaged, JournalError, JournalFull
from stempelwerk_edge.machine.clock import to_ms
from stempelwerk_edge.ports import Connect, Database, Ids, Report
from stempelwerk_edge.storage import epochs, salvage, scanned, schema
from stempelwerk_edge.storage.faults import as_journal_error, is_storage_fault
from stempelwerk_edge.storage.reserve import Reserve
from stempelwerk_edge.storage.rows import Draft, Epoch, Logged, Row

FOLDER_NAME = "journal"
RESERVE_BYTES = 2 << 20
CHECKPOINT_BYTES = 1 << 20

Result = TypeVar("Result")

_INSERT = (
    "INSERT INTO stamps (row, id, assignment, tag, direction, wall, boot, boottime_ms, quality, via, shown)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def connect_sqlite(path: Path) -> Database:
    """Opens the file by the standard library, in autocommit mode, usable from every thread (one at a time)."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def connect_exclusively(path: Path) -> Database:
    """Opens the file exclusively for this connection, so that SQLite keeps the index of the write-ahead log in memory.

    If other processes may read along, it maps a file for the index (-shm), and the kernel kills the program that
    touches a page of it if a full disk has no room for the page.
    """
    database = connect_sqlite(path)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    return database


class Journal:
    """One journal file, one connection, one lock. Every method is thread-safe; what fails raises a JournalError."""

    def __init__(
        self,
        directory: Path,
        ids: Ids,
        report: Report,
        connect: Connect = connect_sqlite,
        reserve_bytes: int = RESERVE_BYTES,
    ) -> None:
        self._folder = directory / FOLDER_NAME
        self._path = self._folder / salvage.FILE_NAME
        self._ids, self._report, self._connect = ids, report, connect
        self._reserve = Reserve(directory / "reserve", reserve_bytes)
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._epoch: Epoch | None = None
        self._seq = 0
        self._generation = 0
        self._fault: JournalError | None = None
        self._is_full = False  # taps do not use the reserve

    @property
    def fault(self) -> JournalError | None:
        """Why the last try failed; None when the last one worked."""
        return self._fault

    @property
    def condition(self) -> Literal["ok", "failed", "replaced"]:
        """Whether the journal can be written, and whether a damaged one was set aside and still lies there."""
        if self._fault is not None or self._is_full:
            return "failed"
        return "replaced" if salvage.is_any_aside(self._folder) else "ok"

    @property
    def generation(self) -> int:
        """Changes when the file was replaced: callers must read rows again."""
        return self._generation

    @property
    def epoch(self) -> Epoch | None:
        """This start's epoch, once the journal could be opened."""
        return self._epoch

    def open(self) -> None:
        """Opens the file, making or replacing it if need be, and begins this start's epoch."""
        self.write(lambda _: None)

    def close(self) -> None:
        """Closes the file; a later call opens it again."""
        with self._lock:
            self._drop()

    # ---- the tap

    def append(self, draft: Draft, logged: Logged | None = None) -> Row:
        """Stores a stamp on the disk. If this raises a JournalError, the tap does not count as saved.

        `logged` is the number of a scanner's tap: the same transaction records it as taken, so that the tap makes no
        second stamp.
        """
        with self._lock:
            return _retry_if_replaced(lambda: self._append(draft, logged))

    def _append(self, draft: Draft, logged: Logged | None) -> Row:
        try:
            database = self._opened()
            assert self._epoch is not None
            row = self._epoch.row(self._seq + 1)
            reading = draft.reading
            values = (
                row,
                draft.id,
                draft.assignment,
                draft.tag,
                draft.direction,
                to_ms(reading.wall),
                reading.boot,
                reading.boottime_ms,
                reading.quality.value,
                draft.via,
                draft.shown,
            )
            if logged is None:
                database.execute(_INSERT, values)
            else:
                with _in_transaction(database):
                    database.execute(_INSERT, values)
                    scanned.take(database, logged)
        except Exception as fault:
            raise self._failed(fault) from fault
        self._seq += 1
        self._fault, self._is_full = None, False
        return Row(row, self._epoch.id, draft)

    # ---- bookkeeping

    def write(self, work: Callable[[Database], Result]) -> Result:
        """Runs `work` in one transaction, which is on the disk when this returns. It may run twice and must touch only
        SQL.

        On a full disk the reserve is released for the duration of the transaction.
        """
        with self._lock:
            try:
                result = _retry_if_replaced(lambda: self._transaction(work))
            except JournalFull:
                self._is_full = True
                with self._reserve.released() as is_released:
                    if not is_released:
                        raise
                    result = self._transaction(work)
                    self._checkpoint_quietly()
            else:
                self._is_full = False
            return result

    def read(self, work: Callable[[Database], Result]) -> Result:
        """Runs `work`, which only reads, against one state of the journal."""
        with self._lock:
            return _retry_if_replaced(lambda: self._reading(work))

    def _reading(self, work: Callable[[Database], Result]) -> Result:
        try:
            return work(self._opened())
        except Exception as fault:
            raise self._failed(fault) from fault

    def _transaction(self, work: Callable[[Database], Result]) -> Result:
        try:
            database = self._opened()
            with _in_transaction(database):
                result = work(database)
        except Exception as fault:
            raise self._failed(fault) from fault
        self._fault = None
        return result

    def probe(self) -> bool:
        """Returns whether the disk takes a write now; opens the file again if need be. Callers find out so that a fault
        is over.
        """
        try:
            self.write(lambda db: db.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', '')"))
        except JournalError:
            return False
        return True

    def checkpoint(self, at_least_bytes: int = CHECKPOINT_BYTES) -> bool:
        """Writes the write-ahead log into the file if it has `at_least_bytes`; returns whether that happened and the
        disk still takes a write. Also refills the reserve.

        The empty write at the end pays for the log's new header, so that the next tap pays one sync as always.
        """
        with self._lock:
            self._reserve.ensure()
            log = self._path.with_name(self._path.name + "-wal")
            try:
                if log.stat().st_size < at_least_bytes:
                    return False
            except OSError:
                return False
            self._checkpoint_quietly()
        return self.probe()

    def _checkpoint_quietly(self) -> None:
        if self._database is not None:
            try:
                list(self._database.execute("PRAGMA wal_checkpoint(RESTART)"))
            except Exception as fault:
                if not is_storage_fault(fault):
                    raise
                self._report("warn", "checkpoint_failed", str(fault), {})

    # ---- opening, and what goes wrong

    def _opened(self) -> Database:
        """Returns the open connection, with an epoch begun. Raises whatever the database raises."""
        if self._database is None:
            database = self._open_file()
            try:
                self._begin(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _open_file(self) -> Database:
        self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        damaged = salvage.interrupted(self._folder)
        if damaged is not None:
            self._rebuild(damaged)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._reserve.ensure()
        is_new = not self._path.exists()
        database = schema.open_file(self._path, self._connect)
        try:
            if is_new:
                sync_directory(self._folder)
                sync_directory(self._folder.parent)
            if list(database.execute("PRAGMA quick_check(1)")) != [("ok",)]:
                raise JournalDamaged("quick_check")
        except BaseException:
            database.close()
            raise
        return database

    def _begin(self, database: Database) -> None:
        """Begins this start's epoch, or finds it again after the connection was opened again."""
        with _in_transaction(database):
            if self._epoch is None:
                epoch = epochs.next_epoch(database, self._ids.new())
                database.execute(
                    "INSERT INTO epochs (number, id, previous, previous_last_seq) VALUES (?, ?, ?, ?)",
                    (epoch.number, epoch.id, epoch.previous, epoch.previous_last_seq),
                )
                epochs.record_gaps(database)
                seq = 0
            else:
                epoch = self._epoch
                seq = max(self._seq, epochs.last_seq(database, epoch.number))
        self._epoch, self._seq = epoch, seq

    def _failed(self, fault: Exception) -> JournalError:
        """Returns a fault as a JournalError, after remembering it, closing the connection and replacing a damaged file.

        Raises any fault again that is not the disk's: that is a mistake in the program.
        """
        if not is_storage_fault(fault) and not isinstance(fault, JournalError):
            raise fault
        error = as_journal_error(fault, self._path.parent)
        if type(error) is not type(self._fault):
            self._report("error", _CODES[type(error)], str(error), {})
        self._fault = error
        if not isinstance(error, JournalFull):
            self._drop()
        if isinstance(error, JournalDamaged):
            self._replace()
        return error

    def _replace(self) -> None:
        """Sets the damaged journal aside and begins a new one with the legible rows. Raises JournalBroken or Full."""
        try:
            self._rebuild(salvage.set_aside(self._folder))
        except Exception as fault:
            if not is_storage_fault(fault):
                raise
            error = as_journal_error(fault, self._path.parent)
            self._fault = JournalBroken(str(error)) if isinstance(error, JournalDamaged) else error
            raise self._fault from fault

    def _rebuild(self, aside: Path) -> None:
        running = None if self._epoch is None else (self._epoch, self._seq)
        counts = salvage.rebuild(self._folder, aside, self._connect, self._ids, running)
        self._epoch, self._seq = None, 0
        self._generation += 1
        self._report("error", "journal_replaced", f"the journal was damaged and is kept as {aside.name}", counts)

    def _drop(self) -> None:
        """Closes the connection, and ignores faults of the disk."""
        database, self._database = self._database, None
        if database is not None:
            try:
                database.close()
            except Exception as fault:
                if not is_storage_fault(fault):
                    raise


_CODES: dict[type[JournalError], str] = {
    JournalFull: "journal_full",
    JournalBroken: "journal_broken",
    JournalDamaged: "journal_damaged",
}


def _retry_if_replaced(work: Callable[[], Result]) -> Result:
    """Runs `work`, and once more if it met a damaged file, which has been replaced by a new one."""
    try:
        return work()
    except JournalDamaged:
        return work()


@contextmanager
def _in_transaction(database: Database) -> Iterator[None]:
    """Commits the statements of the block together; rolls all of them back if it raises."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        _roll_back(database)
        raise


def _roll_back(database: Database) -> None:
    """Rolls the transaction back. A storage fault is ignored: SQLite has often rolled back already."""
    try:
        database.execute("ROLLBACK")
    except Exception as fault:
        if not is_storage_fault(fault):
            raise
