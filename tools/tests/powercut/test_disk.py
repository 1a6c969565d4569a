"""The disk: synced data stay, the rest may go, and SQLite believes it."""

import random
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from stempelwerk_tools.powercut.disk import ForgetfulDisk, Truncate, Write
from stempelwerk_tools.powercut.vfs import ForgetfulVFS, abandon


def after_cut(disk: ForgetfulDisk, folder: Path, seed: int) -> dict[str, bytes]:
    folder.mkdir()
    disk.after_cut(random.Random(seed), folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_synced_data_always_survive(tmp_path):
    for seed in range(50):
        disk = ForgetfulDisk()
        image = disk.open("a")
        disk.change(image, Write(0, b"safe"))
        disk.sync("a", image)
        disk.sync_folder()
        disk.change(image, Write(4, b"more"))
        assert after_cut(disk, tmp_path / str(seed), seed)["a"][:4] == b"safe"


def test_each_unsynced_write_survives_or_is_lost_independently(tmp_path):
    outcomes = set()
    for seed in range(200):
        disk = ForgetfulDisk()
        image = disk.open("a")
        disk.sync_folder()
        disk.change(image, Write(0, b"1" * 512))
        disk.change(image, Write(512, b"2" * 512))
        content = after_cut(disk, tmp_path / str(seed), seed)["a"]
        outcomes.add((content[:1], content[512:513]))
    assert outcomes >= {(b"", b""), (b"1", b""), (b"\0", b"2"), (b"1", b"2")}


def test_a_large_write_may_be_torn_at_a_sector(tmp_path):
    torn = set()
    for seed in range(100):
        disk = ForgetfulDisk()
        image = disk.open("a")
        disk.change(image, Write(0, b"0" * 1024))
        disk.sync("a", image)
        disk.sync_folder()
        disk.change(image, Write(0, b"n" * 1024))
        torn.add(after_cut(disk, tmp_path / str(seed), seed)["a"])
    assert b"0" * 512 + b"n" * 512 in torn
    assert b"n" * 512 + b"0" * 512 in torn


def test_a_name_is_safe_only_once_its_folder_was_synced(tmp_path):
    outcomes = set()
    for seed in range(50):
        disk = ForgetfulDisk()
        image = disk.open("new")
        disk.change(image, Write(0, b"content"))
        disk.sync("new", image)
        outcomes.add("new" in after_cut(disk, tmp_path / str(seed), seed))
    assert outcomes == {True, False}


def test_a_deleted_file_may_come_back_until_its_folder_was_synced(tmp_path):
    outcomes = set()
    for seed in range(50):
        disk = ForgetfulDisk()
        disk.open("old")
        disk.sync_folder()
        disk.delete("old")
        outcomes.add("old" in after_cut(disk, tmp_path / str(seed), seed))
    assert outcomes == {True, False}
    disk = ForgetfulDisk()
    disk.open("old")
    disk.delete("old")
    disk.sync_folder()
    assert "old" not in after_cut(disk, tmp_path / "synced", 0)


def test_a_truncation_may_be_forgotten(tmp_path):
    sizes = set()
    for seed in range(50):
        disk = ForgetfulDisk()
        image = disk.open("a")
        disk.change(image, Write(0, b"12345678"))
        disk.sync("a", image)
        disk.sync_folder()
        disk.change(image, Truncate(4))
        sizes.add(len(after_cut(disk, tmp_path / str(seed), seed)["a"]))
    assert sizes == {4, 8}


@pytest.fixture
def vfs() -> Iterator[ForgetfulVFS]:
    vfs = ForgetfulVFS(ForgetfulDisk())
    yield vfs
    vfs.unregister()


def rows_after_cut(folder: Path, vfs: ForgetfulVFS, synchronous: str, seed: int) -> tuple[int, int]:
    """Returns the number of commits that returned, and of rows found when the power is back."""
    live, later = folder / "live", folder / "later"
    live.mkdir(parents=True)
    later.mkdir()
    connection = vfs.connect(live / "a.db")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute("CREATE TABLE row (n INTEGER PRIMARY KEY)")
    acknowledged = 0
    for n in range(30):
        connection.execute("INSERT INTO row VALUES (?)", (n,))
        acknowledged += 1
    vfs.disk.after_cut(random.Random(seed), later)
    abandon(connection)
    try:
        restarted = apsw.Connection(str(later / "a.db"))
        count = restarted.execute("SELECT count(*) FROM row").get
    except apsw.SQLError:  # even the table is lost
        return acknowledged, 0
    finally:
        restarted.close()
    return acknowledged, count


def test_sqlite_with_full_keeps_every_commit_and_with_normal_does_not(tmp_path):
    lost = {"FULL": 0, "NORMAL": 0}
    for synchronous in lost:
        for seed in range(20):
            vfs = ForgetfulVFS(ForgetfulDisk())
            acknowledged, row_count = rows_after_cut(tmp_path / synchronous / str(seed), vfs, synchronous, seed)
            vfs.unregister()
            lost[synchronous] += acknowledged - row_count
    assert lost["FULL"] == 0
    assert lost["NORMAL"] > 0


def test_after_the_cut_nothing_can_be_written(tmp_path, vfs):
    connection = vfs.connect(tmp_path / "a.db")
    connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE row (n INTEGER PRIMARY KEY)").fetchall()
    vfs.disk.cut_in = 1
    with pytest.raises((apsw.Error, OSError)):
        connection.execute("INSERT INTO row VALUES (1)")
    with pytest.raises((apsw.Error, OSError)):
        connection.execute("SELECT count(*) FROM row").fetchall()
    abandon(connection)


def test_each_commit_with_full_is_one_sync(tmp_path, vfs):
    connection = vfs.connect(tmp_path / "a.db")
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE row (n INTEGER PRIMARY KEY)"):
        connection.execute(statement).fetchall()
    connection.execute("INSERT INTO row VALUES (0)")
    syncs_before = len(vfs.disk.syncs)
    for n in range(1, 11):
        connection.execute("INSERT INTO row VALUES (?)", (n,))
    assert vfs.disk.syncs[syncs_before:] == ["a.db-wal"] * 10
    connection.close()
