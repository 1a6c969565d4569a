"""Names that look the same become one name in existing databases and old backups; conflicts are reported."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import MetaData, text
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.schema import MigrationRefused
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import backup
from stempelwerk_cloud.kit.security import passwords

from cloud.tests.migrations.standing import leave_at

OLD = "0003_audit"
PASSWORD = "sehr lang und geheim"
HASHED = passwords.hash_password(PASSWORD)
AHORN = "01927a0f-0000-7000-8000-00000000c001"
BIRKE = "01927a0f-0000-7000-8000-00000000c002"


def _company(database: Database, company_id: str, name: str, *, closed: bool = False) -> None:
    values = {"id": company_id, "name": name, "key": name.casefold(), "closed": 1 if closed else None}
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at, closed_at)"
                " VALUES (:id, :name, :key, false, 0, :closed)"
            ),
            values,
        )


def _person(database: Database, number: int, name: str, *, company_id: str = AHORN, gone: bool = False) -> str:
    person_id = f"01927a0f-0000-7000-8000-{number:012d}"
    values = {"company": company_id, "id": person_id, "name": name, "key": name.casefold(), "hash": HASHED}
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO users (company_id, id, username, username_key, password_hash, role, is_locked,"
                " created_at, deleted_at) VALUES (:company, :id, :name, :key, :hash, 'user', false, 0, :gone)"
            ),
            values | {"gone": 1 if gone else None},
        )
    return person_id


def _people(database: Database) -> list[tuple[str, str]]:
    with database.engine.begin() as connection:
        asked = text("SELECT username, username_key FROM users ORDER BY id")
        return [(name, key) for name, key in connection.execute(asked)]


def _log_in(url: str, tmp_path: Path, company: str, username: str) -> int:
    app = create_app(Settings(database_url=url, data_dir=tmp_path / "data", web_dir=tmp_path / "web"))
    try:
        body = {"company": company, "username": username, "password": PASSWORD}
        return TestClient(app).post("/api/login", json=body).status_code
    finally:
        app.state.platform.database.dispose()


def test_whoever_has_such_a_name_gets_in_with_it_and_without_what_cannot_be_seen(
    empty: Database, tmp_path: Path
) -> None:
    leave_at(empty, OLD)
    _company(empty, AHORN, "Ahorn\u2065 GmbH")
    _person(empty, 1, "An\ufff0na")
    _person(empty, 2, "Ben")
    schema.migrate(empty)
    assert _people(empty) == [("Anna", "anna"), ("Ben", "ben")]
    url = empty.engine.url.render_as_string(hide_password=False)
    for company, username in (("Ahorn\u2065 GmbH", "An\ufff0na"), ("ahorn gmbh", "anna"), ("Ahorn GmbH", "Ben")):
        assert _log_in(url, tmp_path, company, username) == 200, (company, username)


def test_who_has_left_is_in_nobody_s_way(empty: Database) -> None:
    leave_at(empty, OLD)
    _company(empty, AHORN, "Ahorn")
    _company(empty, BIRKE, "Ahorn\U000e0080", closed=True)
    _person(empty, 1, "anna")
    _person(empty, 2, "an\u2065na", gone=True)
    _person(empty, 3, "an\u2065na", company_id=BIRKE)
    schema.migrate(empty)
    assert _people(empty) == [("anna", "anna")] * 3


@pytest.fixture
def indistinct(empty: Database) -> Database:
    """An older release's database with a name twice to look at, also across the change to the newest names."""
    leave_at(empty, OLD)
    _company(empty, AHORN, "Ahorn")
    _company(empty, BIRKE, "AH\ufff8ORN")
    _person(empty, 1, "anna")
    _person(empty, 2, "An\u2065na")
    _person(empty, 3, "b\u2065en")
    _person(empty, 4, "\U000e0fff", company_id=BIRKE)
    return empty


NAMED = [
    f'  company "Ahorn" ({AHORN}) and "AH<U+FFF8>ORN" ({BIRKE})',
    '  login "anna" (01927a0f-0000-7000-8000-000000000001) and "An<U+2065>na" (01927a0f-0000-7000-8000-000000000002)'
    ' of "Ahorn"',
    '  login "<U+E0FFF>" (01927a0f-0000-7000-8000-000000000004) of "AH<U+FFF8>ORN"',
]


def test_names_that_would_be_one_are_all_listed_and_nothing_is_changed(indistinct: Database) -> None:
    before = _people(indistinct)
    with pytest.raises(MigrationRefused) as refused:
        schema.migrate(indistinct)
    assert [line for line in str(refused.value).splitlines() if line.startswith("  ")] == NAMED
    assert schema.current(indistinct) == OLD
    assert _people(indistinct) == before


def test_after_all_but_one_were_renamed_the_migration_goes_through(indistinct: Database) -> None:
    with pytest.raises(MigrationRefused):
        schema.migrate(indistinct)
    with indistinct.engine.begin() as connection:
        connection.execute(text(f"UPDATE companies SET name = 'Birke', name_key = 'birke' WHERE id = '{BIRKE}'"))
        connection.execute(text("UPDATE users SET username = 'A2', username_key = 'a2' WHERE username = 'An\u2065na'"))
        connection.execute(text(f"UPDATE users SET deleted_at = 1 WHERE company_id = '{BIRKE}'"))
    schema.migrate(indistinct)
    assert schema.current(indistinct) == schema.head()
    assert _people(indistinct)[:3] == [("anna", "anna"), ("A2", "a2"), ("ben", "ben")]


def _is_said(
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    data_dir: Path,
    *command: str,
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", database.engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(data_dir))
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    assert main([*command]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Nothing was changed.")
    assert [line for line in said.splitlines() if line.startswith("  ")] == NAMED
    assert "Traceback" not in said
    assert schema.current(database) == OLD


def test_migrate_says_it_in_plain_words_and_fails(
    indistinct: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _is_said(indistinct, monkeypatch, capsys, tmp_path / "data", "migrate")


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "command", [["serve", "--port", "0"], ["create-founder", "--username", "Gerda", "--password-stdin"]]
)
def test_commands_that_migrate_an_embedded_database_say_it_too(
    indistinct: Database,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: list[str],
) -> None:
    _is_said(indistinct, monkeypatch, capsys, tmp_path / "data", *command)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Database]:
    """The older release's database for the backup."""
    with Database(f"sqlite:///{tmp_path / 'old' / 'stempelwerk.db'}") as database:
        leave_at(database, OLD)
        _company(database, AHORN, "Ahorn\u2065")
        _person(database, 1, "An\u2065na")
        yield database


def _back_up(database: Database, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup as the older release wrote it."""
    there = MetaData()
    there.reflect(database.engine)
    there.remove(there.tables["alembic_version"])
    with monkeypatch.context() as then:
        then.setattr(schema, "head", lambda: OLD)
        backup.backup(database, there, target.parent / "files", target, files=())


def test_an_old_backup_is_restored_with_the_names_of_today(
    old: Database, empty: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _back_up(old, tmp_path / "old.backup", monkeypatch)
    backup.restore(empty, tmp_path / "data", tmp_path / "old.backup")
    assert _people(empty) == [("Anna", "anna")]
    assert schema.current(empty) == schema.head()


def test_an_old_backup_with_names_that_would_be_one_is_refused_whole(
    old: Database, empty: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _person(old, 2, "anna")
    _back_up(old, tmp_path / "old.backup", monkeypatch)
    with pytest.raises(MigrationRefused, match="An<U\\+2065>na"):
        backup.restore(empty, tmp_path / "data", tmp_path / "old.backup")
    assert schema.current(empty) is None
    assert not (tmp_path / "data").exists()
