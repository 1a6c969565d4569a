"""The journal: a tap that is acknowledged is on the disk; a tap that cannot be saved fails visibly."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.wire import PeopleChange
from stempelwerk_edge.errors import JournalBroken, JournalFull
from stempelwerk_edge.mounts import connect_lasting
from stempelwerk_edge.ports import Cursor, Database
from stempelwerk_edge.storage import schema
from stempelwerk_edge.storage.journal import FOLDER_NAME, Journal, connect_exclusively
from stempelwerk_edge.storage.salvage import FILE_NAME
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_tools.powercut.disk import ForgetfulDisk
from stempelwerk_tools.powercut.vfs import ForgetfulVFS, abandon

from edge.tests.clockwork import MORNING, TestIds, TestLog, draft

Start = Callable[..., Journal]


def stamps(journal: Journal) -> list[str]:
    """The ids in the journal in their order."""
    return journal.read(lambda db: [row[0] for row in db.execute("SELECT id FROM stamps ORDER BY row")])


class Faulty:
    """A connection whose disk fails with `fault`, as long as it is set: an SQLite result code or None."""

    def __init__(self, path: Path, fault: "Fault") -> None:
        self._inner = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._fault = fault

    def execute(self, sql: str, parameters: Sequence[object] = (), /) -> Cursor:
        code = self._fault.code(sql)
        if code is not None:
            error = sqlite3.OperationalError(f"simulated {code}")
            error.sqlite_errorcode = code
            raise error
        return self._inner.execute(sql, parameters)

    def close(self) -> None:
        self._inner.close()


class Fault:
    """The fault of a disk: statements beginning with one of `words` get `result`; all work while `result` is None."""

    def __init__(self, result: int | None = None, words: tuple[str, ...] = ("INSERT", "COMMIT", "BEGIN")) -> None:
        self.result, self.words = result, words

    def code(self, sql: str) -> int | None:
        return self.result if sql.startswith(self.words) else None

    def connect(self, path: Path) -> Database:
        return Faulty(path, self)


# ---- what is saved is saved


def test_an_acknowledged_tap_is_there_after_a_crash(start: Start, ids: TestIds) -> None:
    first = start()
    acknowledged = [first.append(draft(ids.new())).draft.id for _ in range(5)]
    assert stamps(start()) == acknowledged


def test_taps_of_a_program_that_shared_its_files_are_there_after_a_crash(
    start: Start, ids: TestIds, log: TestLog, tmp_path: Path
) -> None:
    """Only the write-ahead log holds them, with its mapped index."""
    first_journal = start()
    acknowledged = [first_journal.append(draft(ids.new())).draft.id for _ in range(5)]
    later = tmp_path / "later"
    shutil.copytree(tmp_path / FOLDER_NAME, later / FOLDER_NAME)
    assert (later / FOLDER_NAME / f"{FILE_NAME}-shm").exists()
    second_journal = Journal(later, ids, log, connect_exclusively, 4096)
    try:
        acknowledged.append(second_journal.append(draft(ids.new())).draft.id)
        assert stamps(second_journal) == acknowledged
    finally:
        second_journal.close()
    with sqlite3.connect(later / FOLDER_NAME / FILE_NAME) as shared:
        assert [identifier for (identifier,) in shared.execute("SELECT id FROM stamps ORDER BY row")] == acknowledged


def test_the_clock_maps_none_of_its_files(tmp_path: Path, ids: TestIds, log: TestLog) -> None:
    """A full disk has no page for a mapped file, and the kernel kills who touches it."""
    journal, people = Journal(tmp_path, ids, log, connect_lasting, 4096), Snapshot(tmp_path, connect_lasting, log)
    try:
        journal.append(draft(ids.new()))
        people.apply(PeopleChange("1", True, (), ()), 0, MORNING.date())
        kinds = {path.name.partition(".db")[2] for path in tmp_path.rglob("*.db*")}
        assert kinds == {"", "-wal"}
    finally:
        journal.close()
        people.close()


def test_a_tap_costs_exactly_one_sync_also_after_a_checkpoint(tmp_path: Path, ids: TestIds, log: TestLog) -> None:
    vfs, opened = ForgetfulVFS(ForgetfulDisk()), []

    def connect(path: Path) -> Database:
        opened.append(vfs.connect(path))
        return opened[-1]

    journal = Journal(tmp_path, ids, log, connect, 4096)
    try:
        journal.open()
        for _ in range(3):
            for _ in range(4):
                sync_count = len(vfs.disk.syncs)
                journal.append(draft(ids.new()))
                assert len(vfs.disk.syncs) - sync_count == 1
            assert journal.checkpoint(at_least_bytes=0)
    finally:
        for connection in opened:
            abandon(connection)
        vfs.unregister()


def test_a_stamp_is_never_changed(journal: Journal, ids: TestIds) -> None:
    journal.append(draft(ids.new()))
    with pytest.raises(JournalBroken, match="never changed"):
        journal.write(lambda db: db.execute("UPDATE stamps SET tag = 'OTHER'"))


def test_threads_that_tap_while_bookkeeping_runs_each_get_their_own_number(journal: Journal, ids: TestIds) -> None:
    seqs: list[int] = []
    drafts = [draft(ids.new()) for _ in range(120)]

    def tap(some: list) -> None:
        seqs.extend(journal.append(stamp_draft).seq for stamp_draft in some)

    def bookkeep() -> None:
        for number in range(60):
            journal.write(lambda db, n=number: db.execute("INSERT OR REPLACE INTO meta VALUES ('n', ?)", (str(n),)))
            journal.checkpoint(0)

    threads = [threading.Thread(target=tap, args=(drafts[part::4],)) for part in range(4)]
    threads.append(threading.Thread(target=bookkeep))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seqs) == list(range(1, 121))
    assert sorted(stamps(journal)) == sorted(stamp_draft.id for stamp_draft in drafts)


# ---- epochs


def test_each_start_is_an_epoch_that_names_the_one_before(start: Start, ids: TestIds) -> None:
    first = start()
    rows = [first.append(draft(ids.new())) for _ in range(3)]
    second = start()
    second.open()
    third = start()
    third.open()
    assert [row.seq for row in rows] == [1, 2, 3]
    assert first.epoch is not None
    assert second.epoch is not None
    assert third.epoch is not None
    assert (second.epoch.previous, second.epoch.previous_last_seq) == (first.epoch.id, 3)
    assert (third.epoch.previous, third.epoch.previous_last_seq) == (second.epoch.id, 0)
    assert third.append(draft(ids.new())).seq == 1


def test_a_connection_opened_anew_goes_on_in_the_same_epoch(start: Start, ids: TestIds) -> None:
    fault = Fault()
    journal = start(fault.connect)
    journal.append(draft(ids.new()))
    fault.result = sqlite3.SQLITE_IOERR
    with pytest.raises(JournalBroken):
        journal.append(draft(ids.new()))
    fault.result = None
    row = journal.append(draft(ids.new()))
    assert journal.epoch is not None
    assert (row.epoch, row.seq) == (journal.epoch.id, 2)


# ---- a disk that fails


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (sqlite3.SQLITE_FULL, JournalFull),
        (sqlite3.SQLITE_READONLY, JournalBroken),
        (sqlite3.SQLITE_IOERR, JournalBroken),
        (sqlite3.SQLITE_BUSY, JournalBroken),
    ],
)
def test_a_tap_that_cannot_be_saved_says_so_and_the_next_one_works(
    start: Start, ids: TestIds, code: int, error: type[Exception]
) -> None:
    fault = Fault()
    journal = start(fault.connect)
    stamp_id = journal.append(draft(ids.new())).draft.id
    fault.result = code
    with pytest.raises(error):
        journal.append(draft(ids.new()))
    assert isinstance(journal.fault, error)
    fault.result = None
    kept_too = journal.append(draft(ids.new())).draft.id
    assert journal.fault is None
    assert stamps(journal) == [stamp_id, kept_too]


def test_sqlites_own_full_and_read_only_are_understood(start: Start, ids: TestIds) -> None:
    journal = start()
    journal.open()
    [(pages,)] = journal.read(lambda db: list(db.execute("PRAGMA page_count")))
    journal.read(lambda db: list(db.execute(f"PRAGMA max_page_count = {pages}")))

    def tap_until_full() -> None:
        for _ in range(200):
            journal.append(draft(ids.new()))

    with pytest.raises(JournalFull):
        tap_until_full()
    saved = len(stamps(journal))
    journal.read(lambda db: list(db.execute("PRAGMA max_page_count = 100000")))
    journal.append(draft(ids.new()))
    journal.read(lambda db: list(db.execute("PRAGMA query_only = ON")))
    with pytest.raises(JournalBroken):
        journal.append(draft(ids.new()))
    journal.append(draft(ids.new()))  # on a new connection
    assert len(stamps(journal)) == saved + 2


def test_a_journal_that_cannot_be_opened_at_start_takes_taps_once_it_can(start: Start, ids: TestIds) -> None:
    fault = Fault(sqlite3.SQLITE_CANTOPEN, ("PRAGMA", "SELECT", "INSERT", "BEGIN"))
    journal = start(fault.connect)
    with pytest.raises(JournalBroken):
        journal.open()
    with pytest.raises(JournalBroken):
        journal.append(draft(ids.new()))
    fault.result = None
    assert journal.append(draft(ids.new())).seq == 1


def test_on_a_full_disk_bookkeeping_uses_the_reserve_and_taps_do_not(
    start: Start, ids: TestIds, tmp_path: Path
) -> None:
    reserve = tmp_path / "reserve"

    class FullUnlessReleased(Fault):
        def code(self, sql: str) -> int | None:
            full = self.result is not None and reserve.exists() and sql.startswith(("INSERT", "COMMIT"))
            return self.result if full else None

    fault = FullUnlessReleased()
    journal = start(fault.connect)
    journal.append(draft(ids.new()))
    assert reserve.stat().st_blocks * 512 >= 65_536
    fault.result = sqlite3.SQLITE_FULL
    with pytest.raises(JournalFull):
        journal.append(draft(ids.new()))
    journal.write(lambda db: db.execute("INSERT INTO meta VALUES ('note', 'kept')"))
    assert reserve.exists()
    assert journal.condition == "failed"
    assert journal.read(lambda db: list(db.execute("SELECT value FROM meta WHERE name = 'note'"))) == [("kept",)]
    with pytest.raises(JournalFull):
        journal.append(draft(ids.new()))
    assert journal.probe()
    assert journal.condition == "failed"
    fault.result = None
    assert journal.probe()
    assert journal.condition == "ok"


def test_a_probe_finds_out_that_the_disk_is_back(start: Start, ids: TestIds) -> None:
    fault = Fault(sqlite3.SQLITE_READONLY)
    journal = start(fault.connect)
    with pytest.raises(JournalBroken):
        journal.append(draft(ids.new()))
    assert not journal.probe()
    fault.result = None
    assert journal.probe()
    assert journal.fault is None


def test_work_that_fails_leaves_nothing_behind(journal: Journal) -> None:
    def work(database: Database) -> None:
        database.execute("INSERT INTO meta VALUES ('half', 'done')")
        raise ValueError("a mistake of ours")

    with pytest.raises(ValueError, match="a mistake of ours"):
        journal.write(work)
    assert journal.read(lambda db: list(db.execute("SELECT * FROM meta WHERE name = 'half'"))) == []
    assert (journal.probe(), FOLDER_NAME) == (True, "journal")


def test_a_new_journal_is_what_the_migrations_make_of_an_empty_file(journal: Journal, tmp_path: Path) -> None:
    migrated = tmp_path / "migrated.db"
    schema.migrate(migrated)

    def described(execute: Callable[[str], Cursor]) -> list[object]:
        shapes = [(kind, name, "".join(sql.split())) for kind, name, sql in execute(SCHEMA)]
        names = list(execute("SELECT migration_set, name FROM _sqlite_migrations"))
        return [sorted(shapes), names, list(execute("PRAGMA user_version")), list(execute("PRAGMA journal_mode"))]

    connection = sqlite3.connect(migrated)
    try:
        assert described(connection.execute) == journal.read(lambda db: described(db.execute))
    finally:
        connection.close()


def test_an_older_program_goes_on_with_a_newer_ones_journal(start: Start, ids: TestIds, tmp_path: Path) -> None:
    """A version that was tried in vain has been here: a schema only grows."""
    first_journal = start()
    row = first_journal.append(draft(ids.new()))
    first_journal.close()
    connection = sqlite3.connect(tmp_path / FOLDER_NAME / FILE_NAME)
    connection.execute("CREATE TABLE of_tomorrow (id TEXT PRIMARY KEY)")
    connection.execute(f"PRAGMA user_version = {schema.NEWEST + 1}")
    connection.close()
    second_journal = start()
    second_journal.append(draft(ids.new()))
    rows = second_journal.read(lambda db: [row for (row,) in db.execute("SELECT row FROM stamps ORDER BY row")])
    assert (len(rows), rows[0], second_journal.fault) == (2, row.row, None)


SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
