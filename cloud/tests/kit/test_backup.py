"""Backup and restore: everything comes back, on either database, or nothing is touched."""

import errno
import io
import json
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, event, select, text
from stempelwerk_cloud.app import create_app, metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import backup
from stempelwerk_cloud.kit.operations.backup import BackupRefused, FilesMissing
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.databases import ON_BOTH
from cloud.tests.world import PASSWORD, Firm

Maker = Callable[[str], Database]
FILES = {"keys/secret.key", "ä.txt", "secrets.key"}
"""The service's files here: more than usual, to include folders and letters outside of ASCII."""


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Maker]:
    """Makes empty databases, by dialect."""
    databases: list[Database] = []
    drop: list[Callable[[], None]] = []

    def make(dialect: str) -> Database:
        if dialect == "sqlite":
            url = f"sqlite:///{tmp_path / f'empty{len(databases)}.db'}"
        else:
            server: PostgresServer = request.getfixturevalue("postgres_server")
            url = server.new_database()
            drop.append(lambda: server.drop_database(url))
        databases.append(Database(url, as_owner=True))
        return databases[-1]

    yield make
    for database in databases:
        database.dispose()
    for action in drop:
        action()


def _rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    with database.read(SYSTEM) as session:
        return {
            table.name: sorted((tuple(row) for row in session.execute(select(table))), key=repr)
            for table in metadata().sorted_tables
        }


@pytest.fixture
def backup_file(firm: Firm, database: Database, settings: Settings, tmp_path: Path) -> Path:
    """Makes a backup of a database with a firm, and of `FILES`: the keyed request makes the installation's key."""
    (settings.data_dir / "keys").mkdir(parents=True)
    (settings.data_dir / "keys" / "secret.key").write_bytes(bytes(range(256)))
    (settings.data_dir / "ä.txt").write_text("ä")
    firm.boss.put(f"/api/companies/{firm.id}/settings", json={"doubleTapSeconds": 90})
    firm.anna.post("/api/tickets", json={"path": "/api/x"}, headers={"Idempotency-Key": "k"})
    target = tmp_path / "saved" / "backup.tar.gz"
    target.parent.mkdir()
    counts = backup.backup(database, metadata(), settings.data_dir, target, files=FILES)
    assert counts.files == 3
    assert counts.rows == sum(len(rows) for rows in _rows(database).values())
    return target


@ON_BOTH
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_backup_of_one_database_restores_everything_into_another(
    backup_file: Path, database: Database, empty: Maker, tmp_path: Path, dialect: str
) -> None:
    restored, data_dir = empty(dialect), tmp_path / "restored"
    counts = backup.restore(restored, data_dir, backup_file)
    assert counts.files == 3
    assert _rows(restored) == _rows(database)
    assert schema.current(restored) == schema.head()
    assert (data_dir / "keys" / "secret.key").read_bytes() == bytes(range(256))
    assert (data_dir / "ä.txt").read_text() == "ä"


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_restored_installation_goes_on_where_it_stopped(
    backup_file: Path, firm: Firm, empty: Maker, tmp_path: Path, dialect: str
) -> None:
    restored = empty(dialect)
    backup.restore(restored, tmp_path / "restored", backup_file)
    url = restored.engine.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, data_dir=tmp_path / "restored", web_dir=tmp_path))
    with TestClient(app) as client:
        login = client.post("/api/login", json={"company": firm.name, "username": "anna", "password": PASSWORD})
        assert login.status_code == 200
        assert login.json()["userId"] == firm.anna.id


def test_numbers_that_the_database_counts_go_on_after_the_restored_ones(
    backup_file: Path, empty: Maker, tmp_path: Path
) -> None:
    restored = empty("postgresql")
    with restored.engine.begin() as connection:
        connection.execute(text("CREATE TABLE counted (n SERIAL PRIMARY KEY, t TEXT)"))
        connection.execute(text("INSERT INTO counted VALUES (41, 'a')"))
        backup.mend_sequences(connection)
        connection.execute(text("INSERT INTO counted (t) VALUES ('b')"))
        assert connection.execute(text("SELECT max(n) FROM counted")).scalar_one() == 42


@ON_BOTH
def test_a_filled_installation_is_not_overwritten_unless_told_to(
    backup_file: Path, firm: Firm, database: Database, owner: Database, settings: Settings
) -> None:
    firm.world.founder.post("/api/companies", json={"name": "Later"})
    rows_before = _rows(database)
    with pytest.raises(BackupRefused, match="not empty"):
        backup.restore(owner, settings.data_dir, backup_file)
    assert _rows(database) == rows_before
    backup.restore(owner, settings.data_dir, backup_file, replace=True)
    assert "Later" not in str(_rows(database)["companies"])
    assert len(_rows(database)["users"]) == 4


def _rewritten(source: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    with tarfile.open(source) as old, tarfile.open(target, "w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            body = change(member.name, content.read())
            if body is not None:
                member.size = len(body)
                new.addfile(member, io.BytesIO(body))
    return target


def test_a_broken_backup_leaves_what_was_there(
    backup_file: Path, database: Database, owner: Database, settings: Settings, tmp_path: Path
) -> None:
    rows_before = _rows(database)
    broken = _rewritten(
        backup_file,
        tmp_path / "broken.tar.gz",
        lambda name, body: body.replace(b'"username"', b'"user') if name == "tables/users.jsonl" else body,
    )
    with pytest.raises(BackupRefused, match="damaged"):
        backup.restore(owner, settings.data_dir, broken, replace=True)
    assert _rows(database) == rows_before


def test_invalid_and_newer_backups_are_refused(backup_file: Path, empty: Maker, tmp_path: Path) -> None:
    database = empty("sqlite")
    without = _rewritten(
        backup_file, tmp_path / "a.tar.gz", lambda name, body: None if name == "manifest.json" else body
    )
    with pytest.raises(BackupRefused, match="no backup"):
        backup.restore(database, tmp_path, without)
    plain = tmp_path / "plain.tar.gz"
    plain.write_text("nothing of the sort")
    with pytest.raises(BackupRefused, match="no backup"):
        backup.restore(database, tmp_path, plain)

    def newer(name: str, body: bytes) -> bytes:
        return json.dumps(json.loads(body) | {"schema": "9999"}).encode() if name == "manifest.json" else body

    with pytest.raises(BackupRefused, match="newer"):
        backup.restore(database, tmp_path, _rewritten(backup_file, tmp_path / "c.tar.gz", newer))


def _with_more(backup_file: Path, target: Path, name: str) -> Path:
    """Copies the backup with one more file at its end."""
    with tarfile.open(backup_file) as old, tarfile.open(target, "w:gz") as new:
        for member in old:
            new.addfile(member, old.extractfile(member))
        member = tarfile.TarInfo(name)
        member.size = 3
        new.addfile(member, io.BytesIO(b"new"))
    return target


def test_no_file_leaves_the_data_folder(backup_file: Path, empty: Maker, tmp_path: Path) -> None:
    evil = _with_more(backup_file, tmp_path / "evil.tar.gz", "files/../../escaped.txt")
    with pytest.raises(BackupRefused, match="outside"):
        backup.restore(empty("sqlite"), tmp_path / "inner" / "data", evil)
    assert list(tmp_path.rglob("escaped.txt")) == []


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["files/../../escaped.txt", "files/notes"])
def test_a_later_file_that_is_refused_leaves_the_files_that_were_there(
    backup_file: Path, empty: Maker, tmp_path: Path, name: str
) -> None:
    data_dir = tmp_path / "inner" / "data"
    (data_dir / "notes").mkdir(parents=True)
    (data_dir / "secrets.key").write_bytes(b"old")
    with pytest.raises(BackupRefused):
        backup.restore(empty("sqlite"), data_dir, _with_more(backup_file, tmp_path / "refused.tar.gz", name))
    assert _files(data_dir) == {"secrets.key": b"old"}
    assert sorted(path.name for path in data_dir.iterdir()) == ["notes", "secrets.key"]


@ON_BOTH
def test_a_commit_that_fails_leaves_the_files_that_were_there(backup_file: Path, empty: Maker, tmp_path: Path) -> None:
    data_dir, database = tmp_path / "restored", empty("sqlite")
    data_dir.mkdir()
    (data_dir / "secrets.key").write_bytes(b"old")

    def fail(_connection: Connection) -> None:
        if len(_files(data_dir)) > 1:  # the last one; all others are written before it
            raise OSError(errno.ENOSPC, "No space left on device")

    event.listen(database.engine, "commit", fail)
    with pytest.raises(OSError, match="No space"):
        backup.restore(database, data_dir, backup_file)
    assert _files(data_dir) == {"secrets.key": b"old"}


def test_a_file_that_cannot_be_put_in_place_after_the_commit_is_named(
    backup_file: Path, empty: Maker, tmp_path: Path
) -> None:
    data_dir, database = tmp_path / "restored", empty("sqlite")

    def be_in_the_way(_connection: Connection) -> None:
        if data_dir.exists():
            (data_dir / "secrets.key").mkdir()

    event.listen(database.engine, "commit", be_in_the_way)
    with pytest.raises(FilesMissing, match=r"The database is restored, but .*secrets\.key") as error_info:
        backup.restore(database, data_dir, backup_file)
    assert "\n" not in str(error_info.value)
    assert schema.current(database) == schema.head()
    assert set(_files(data_dir)) <= {"keys/secret.key", "ä.txt"}, "nothing half-done stays"


def test_an_embedded_database_that_lay_beside_another_one_does_not_replace_what_is_restored(
    backup_file: Path, database: Database, empty: Maker, tmp_path: Path
) -> None:
    restored = empty("sqlite")
    leftover = Path(str(restored.engine.url.database))
    counts = backup.restore(
        restored, leftover.parent, _with_more(backup_file, tmp_path / "left.tar.gz", f"files/{leftover.name}")
    )
    assert counts.files == 3
    assert _rows(restored) == _rows(database)


def test_restored_files_are_for_their_owner_alone(backup_file: Path, empty: Maker, tmp_path: Path) -> None:
    data_dir = tmp_path / "restored"
    data_dir.mkdir(mode=0o700)
    (data_dir / "secrets.key").touch(mode=0o644)
    backup.restore(empty("sqlite"), data_dir, backup_file)
    assert [path.name for path in data_dir.rglob("*") if path.stat().st_mode & 0o077] == []
    assert len(_files(data_dir)) == 3


def test_the_embedded_database_and_the_backup_itself_are_no_files_of_it(
    sqlite_url: str, sqlite_template: Path, tmp_path: Path
) -> None:
    with Database(sqlite_url) as database:
        with database.write(SYSTEM) as session:  # leaves a write-ahead log next to the database
            session.execute(text("UPDATE alembic_version SET version_num = version_num"))
        data_dir = Path(sqlite_url.removeprefix("sqlite:///")).parent
        (data_dir / "kept.txt").write_text("kept")
        target = data_dir / "backup.tar.gz"
        for _ in range(2):
            counts = backup.backup(database, metadata(), data_dir, target, files={"kept.txt"}, replace=True)
            assert counts[1:] == (1, ())
    with tarfile.open(target) as archive:
        assert [name for name in archive.getnames() if name.startswith("files/")] == ["files/kept.txt"]
    assert [path.name for path in data_dir.iterdir() if path.name.startswith(".")] == []


def test_a_backup_sees_one_moment_while_others_write(database: Database, settings: Settings, tmp_path: Path) -> None:
    with database.write(SYSTEM) as session:
        session.execute(
            text("INSERT INTO companies (id, name, name_key, is_operator, created_at) VALUES (:i, 'A', 'a', :f, 0)"),
            {"i": "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "f": False},
        )
    first = next(iter(metadata().sorted_tables)).name
    writes: list[int] = []

    def write_in_between(name: str) -> None:
        if name == first:
            with database.write(SYSTEM) as session:
                session.execute(text("INSERT INTO company_features SELECT id, 'schedule' FROM companies"))
            writes.append(1)

    target = tmp_path / "backup.tar.gz"
    counts = backup.backup(database, metadata(), settings.data_dir, target, files=FILES, after_table=write_in_between)
    assert writes == [1]
    assert counts.rows == 1


def test_an_old_schema_is_migrated_first(sqlite_url: str, tmp_path: Path) -> None:
    path = sqlite_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'older'")
    connection.close()
    with Database(sqlite_url) as database, pytest.raises(BackupRefused, match="migrate"):
        backup.backup(database, metadata(), tmp_path, tmp_path / "backup.tar.gz", files=FILES)
    assert not (tmp_path / "backup.tar.gz").exists()


OF_A_CLOCK = [
    "journal/journal.db",
    "identity.json",
    "journal/journal.db-wal",
    "journal.damaged-1/journal.db",
    "journal.new/journal.db",
    "people.db",
    "people.db-wal",
    "logbook.db",
    "logbook.db-shm",
    "hardware-id",
    "reserve",
    "lock",
]


def test_an_older_backup_brings_back_all_that_it_holds_but_a_clocks_files(
    backup_file: Path, empty: Maker, tmp_path: Path
) -> None:
    file = backup_file
    for number, name in enumerate([*OF_A_CLOCK, "journal", "notes/lock", "old.txt"]):
        file = _with_more(file, tmp_path / f"{number}.tar.gz", f"files/{name}")
    counts = backup.restore(empty("sqlite"), tmp_path / "restored", file)
    assert set(_files(tmp_path / "restored")) == FILES | {"journal", "notes/lock", "old.txt"}
    assert counts.files == 6


def test_a_clocks_files_in_the_folder_stay_when_an_older_backup_is_restored(
    backup_file: Path, empty: Maker, tmp_path: Path
) -> None:
    (tmp_path / "restored").mkdir()
    (tmp_path / "restored" / "identity.json").write_text("another's")
    older = _with_more(backup_file, tmp_path / "older.tar.gz", "files/identity.json")
    backup.restore(empty("sqlite"), tmp_path / "restored", older)
    assert (tmp_path / "restored" / "identity.json").read_text() == "another's"
