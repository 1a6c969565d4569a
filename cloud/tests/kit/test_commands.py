"""The commands: their effects, and the one line of an error."""

import argparse
import io
import json
import os
import uuid
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.command_line import _parser
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM, Scope
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import backup
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.directory.tables import Company, TagHolding, Tombstone, User
from stempelwerk_tools.postgres import PostgresServer


@pytest.fixture
def new_url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Sets the address of an embedded database that does not exist yet."""
    url = f"sqlite:///{tmp_path / 'var' / 'stempelwerk.db'}"
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "var"))
    return url


def _create(monkeypatch: pytest.MonkeyPatch, password: str, username: str = "Gerda Gründer") -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
    return main(["create-founder", "--username", username, "--password-stdin"])


def test_a_founder_is_made_in_the_operators_company_on_a_new_database(
    new_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEMPELWERK_OPERATOR", "Betreiberin GmbH")
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    with Database(new_url) as database, database.read(SYSTEM) as session:
        user, company = session.execute(select(User, Company).join(Company)).one()
        assert (user.username, user.role, user.protected_as) == ("Gerda Gründer", "admin", "FOUNDER")
        assert (company.name, company.is_operator) == ("Betreiberin GmbH", True)
        assert session.scalars(select(TagHolding)).all() == []


def test_a_second_founder_joins_the_first_and_a_taken_name_is_refused(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    assert _create(monkeypatch, "sehr lang und geheim", "Zweite") == 0
    assert _create(monkeypatch, "sehr lang und geheim", "zweite") == 1
    assert capsys.readouterr().err == "The username 'zweite' is refused: username_taken.\n"
    with Database(new_url) as database, database.read(SYSTEM) as session:
        assert len(session.scalars(select(Company)).all()) == 1
        assert len(session.scalars(select(User)).all()) == 2


@pytest.mark.parametrize("password", ["", "kurz", "x" * 257])
def test_a_password_of_a_wrong_length_makes_nobody(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], password: str
) -> None:
    assert _create(monkeypatch, password) == 1
    assert capsys.readouterr().err == "The password must have 8 to 256 characters.\n"
    with Database(new_url) as database:
        assert schema.current(database) is None


def test_a_founder_needs_a_name(new_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _create(monkeypatch, "sehr lang und geheim", "  ") == 1


NO_UTF_8 = os.fsdecode(b"M\xfcller")
"""A name in another encoding, as it comes from the command line."""


@pytest.mark.parametrize("command", ["create-founder", "reset-protected", "remove-protected"])
def test_a_name_that_is_no_utf_8_is_refused_in_one_line(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
    password = [] if command == "remove-protected" else ["--password-stdin"]
    assert main([command, "--username", NO_UTF_8, *password]) == 1
    assert capsys.readouterr().err == "The username is not UTF-8.\n"


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_password_that_is_no_utf_8_is_refused_in_one_line(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], errors: str
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"M\xfcller und geheim\n"), encoding="utf-8", errors=errors)
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["create-founder", "--username", "Gerda", "--password-stdin"]) == 1
    assert capsys.readouterr().err == "The password is not UTF-8.\n"


@pytest.mark.parametrize("password", ["passwort1", "gerdagruender 1", "!Stempelwerk!"])
def test_a_founder_gets_no_password_that_is_guessed_first(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], password: str
) -> None:
    assert _create(monkeypatch, password) == 1
    sentence = "The password is guessed first: it is a common one, or a name. Choose three unrelated words.\n"
    assert capsys.readouterr().err == sentence


def test_a_protected_person_is_reset_and_removed(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def reset(username: str, password: str) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
        return main(["reset-protected", "--username", username, "--password-stdin"])

    assert _create(monkeypatch, "sehr lang und geheim") == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
    assert main(["create-founder", "--username", "Technik", "--password-stdin", "--protected-as", "IT"]) == 0
    assert reset("Technik", "noch länger und geheim") == 0
    with Database(new_url) as database:
        with database.read(SYSTEM) as session:
            technik = session.scalars(select(User).where(User.protected_as == "IT")).one()
        assert passwords.verify(technik.password_hash, "noch länger und geheim")
        assert main(["remove-protected", "--username", "Technik"]) == 0
        assert capsys.readouterr().err == ""
        assert reset("Technik", "noch länger und geheim") == 1
        assert capsys.readouterr().err == "Nobody protected is called 'Technik'.\n"
        assert reset("Gerda Gründer", "kurz") == 1
        assert capsys.readouterr().err == "The password must have 8 to 256 characters.\n"
        assert main(["remove-protected", "--username", "Gerda Gründer"]) == 1
        assert capsys.readouterr().err == "'Gerda Gründer' is the last founder: make another first.\n"
        with database.read(SYSTEM) as session:
            assert session.scalars(select(User.username).where(User.deleted_at.is_(None))).all() == ["Gerda Gründer"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [("TRUSTED_PROXIES", "10.0.0.0/8, proxy.example"), ("TRUSTED_PROXIES", "10.0.0.0/33"), ("OPERATOR", " \t")],
)
def test_a_setting_that_cannot_be_is_said_in_one_line_by_every_command(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], setting: str, value: str
) -> None:
    monkeypatch.setenv(f"STEMPELWERK_{setting}", value)
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith(f"STEMPELWERK_{setting}: ")
    assert (stderr.count("\n"), value in stderr) == (1, False)
    assert _create(monkeypatch, "sehr lang und geheim") == 1
    assert capsys.readouterr().err == stderr


def test_migrate_makes_the_schema(new_url: str) -> None:
    assert main(["migrate"]) == 0
    with Database(new_url) as database:
        assert schema.current(database) == schema.head()


@pytest.mark.parametrize("command", [["serve"], ["create-founder", "--username", "x", "--password-stdin"], ["backup"]])
def test_an_old_postgresql_is_refused_in_one_line_and_not_touched(
    postgres_server: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: list[str],
) -> None:
    url = postgres_server.new_database()
    with Database(url, as_owner=True) as database:
        schema.prepare(database)
        monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
        monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
        assert main([*command, str(tmp_path / "b")] if command == ["backup"] else command) == 1
        stderr = capsys.readouterr().err
        assert stderr == "The database's schema is not current: run 'stempelwerk-cloud migrate' first.\n"
        assert schema.current(database) is None
        assert main(["migrate"]) == 0
        assert schema.current(database) == schema.head()
    postgres_server.drop_database(url)


def test_a_database_that_does_not_answer_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", "postgresql+psycopg://x:SECRET@/x?host=/nowhere&connect_timeout=1")
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith("The database does not answer: ")
    assert stderr.count("\n") == 1
    assert "SECRET" not in stderr


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://x/y"])
def test_another_kind_of_database_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    assert main(["migrate"]) == 1
    assert capsys.readouterr().err.startswith("STEMPELWERK_DATABASE_URL ")


def test_several_processes_need_postgresql(new_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--workers", "2"]) == 1
    assert "PostgreSQL" in capsys.readouterr().err


def test_backup_and_restore(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(tmp_path / "backup.tar.gz")
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    assert main(["backup", file]) == 0
    assert capsys.readouterr().out.endswith(f"written to {file}\n")
    assert Path(file).stat().st_mode & 0o077 == 0
    assert main(["restore", file]) == 1
    assert "not empty" in capsys.readouterr().err
    assert main(["restore", file, "--replace"]) == 0
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'other.db'}")
    assert main(["restore", file]) == 0
    with Database(f"sqlite:///{tmp_path / 'other.db'}") as database, database.read(SYSTEM) as session:
        assert session.scalar(text("SELECT username FROM users")) == "Gerda Gründer"


def test_a_restore_removes_expired_rows_again_before_it_ends(
    new_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = str(tmp_path / "backup.tar.gz")
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    long_ago, closed = datetime(2019, 1, 1, tzinfo=UTC), str(uuid.uuid4())
    with Database(new_url) as database, database.write(SYSTEM) as session:
        session.add(Company(id=closed, name="Alt", name_key="alt", created_at=long_ago, closed_at=long_ago))
    assert main(["backup", file]) == 0
    assert main(["restore", file, "--replace"]) == 0
    with Database(new_url) as database, database.read(SYSTEM) as session:
        assert session.get(Tombstone, closed) is not None


def test_a_finished_restore_reports_expired_rows_that_it_cannot_remove(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, long_ago, closed = str(tmp_path / "backup.tar.gz"), datetime(2019, 1, 1, tzinfo=UTC), str(uuid.uuid4())
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    with Database(new_url) as database, database.write(SYSTEM) as session:
        session.add(Company(id=closed, name="Alt", name_key="alt", created_at=long_ago, closed_at=long_ago))
    (tmp_path / "var" / "statement.key").write_text("nobody's")  # signs what stays of a company
    assert main(["backup", "--without-keys", file]) == 0
    capsys.readouterr()
    assert main(["restore", file, "--replace"]) == 1
    output = capsys.readouterr()
    assert f"files restored from {file}\n" in output.out
    assert output.err.splitlines()[-1] == (
        "All is there, and so is what is over by its date: removing it failed (purge_companies; the log says why). The"
        " service tries again by itself."
    )
    with Database(new_url) as database, database.read(SYSTEM) as session:
        assert session.scalars(select(User.username)).all() == ["Gerda Gründer"]
        assert session.get(Company, closed) is not None


def test_a_restore_from_a_file_whose_name_is_no_utf_8_is_noted_and_completed(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, odd = tmp_path / "backup.tar.gz", Path(os.fsdecode(os.fsencode(tmp_path) + b"/sicherung-\xfc.tar.gz"))
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    assert main(["backup", str(file)]) == 0
    file.rename(odd)
    assert main(["restore", str(odd), "--replace"]) == 0
    assert "sicherung-?.tar.gz" in capsys.readouterr().out
    with Database(new_url) as database, database.read(SYSTEM) as session:
        restored = select(OperatorEntry.subject).where(OperatorEntry.action == "server.restored")
        assert session.scalars(restored).all() == ["sicherung-?.tar.gz"]


def test_a_restore_whose_row_the_database_refuses_goes_on_and_says_so(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, long_ago, closed = str(tmp_path / "backup.tar.gz"), datetime(2019, 1, 1, tzinfo=UTC), str(uuid.uuid4())
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    with Database(new_url) as database, database.write(SYSTEM) as session:
        session.add(Company(id=closed, name="Alt", name_key="alt", created_at=long_ago, closed_at=long_ago))
    assert main(["backup", file]) == 0
    monkeypatch.setattr(operators, "note", _refused_by_the_database)
    assert main(["restore", file, "--replace"]) == 1
    assert "operator log" in capsys.readouterr().err.splitlines()[-1]
    with Database(new_url) as database, database.read(SYSTEM) as session:
        assert session.get(Tombstone, closed) is not None


def test_a_new_key_of_updates_whose_row_the_database_refuses_is_not_made(
    new_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert main(["update-key"]) == 0
    key = tmp_path / "var" / "update.key"
    key_before = key.read_bytes()
    with Database(new_url) as database, database.engine.begin() as connection:
        refuse = "CREATE TRIGGER refuse BEFORE INSERT ON operator_log BEGIN SELECT RAISE(ABORT, 'full'); END"
        connection.execute(text(refuse))
    with pytest.raises(IntegrityError):
        main(["update-key", "--new"])
    assert key.read_bytes() == key_before


def _refused_by_the_database(session: Session, *_: object, **__: object) -> None:
    session.execute(text("SELECT nothing FROM nowhere"))


def test_a_backup_replaces_no_file_unless_it_is_told_to(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    existing_file = tmp_path / "kept.tar.gz"
    existing_file.write_text("yesterday's")
    assert main(["backup", str(existing_file)]) == 2
    assert (
        capsys.readouterr().err
        == f"{existing_file} is there already: choose another name, or replace it with --force.\n"
    )
    assert main(["backup", str(tmp_path)]) == 2
    assert main(["backup", str(tmp_path), "--force"]) == 2
    assert "folder" in capsys.readouterr().err
    assert existing_file.read_text() == "yesterday's"
    assert main(["backup", str(existing_file), "--force"]) == 0
    assert main(["restore", str(existing_file), "--replace"]) == 0
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_the_second_of_two_backups_into_one_file_is_refused(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    file = tmp_path / "backup.tar.gz"
    snapshot = Database.snapshot

    def overtaken(database: Database, scope: Scope) -> AbstractContextManager[Connection]:
        """Runs another backup while the first reads its rows."""
        monkeypatch.setattr(Database, "snapshot", snapshot)
        assert main(["backup", str(file)]) == 0
        return snapshot(database, scope)

    monkeypatch.setattr(Database, "snapshot", overtaken)
    assert main(["backup", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out.count("written to") == 1
    assert printed.err == f"{file} is there already: choose another name, or replace it with --force.\n"
    assert main(["restore", "--replace", str(file)]) == 0
    assert list(tmp_path.glob(".*")) == []


def test_the_next_run_removes_the_files_of_killed_backups_and_restores(
    new_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    folder, files = tmp_path / "backups", tmp_path / "var"
    folder.mkdir()
    leftovers = [folder / f"{backup._PARTIAL}half", files / ".draft.key"]
    for leftover in leftovers:
        leftover.write_bytes(b"half of it")
    assert main(["backup", str(folder / "backup.tar.gz")]) == 0
    assert [leftover.exists() for leftover in leftovers] == [False, True]
    assert main(["restore", "--replace", str(folder / "backup.tar.gz")]) == 0
    assert not any(leftover.exists() for leftover in leftovers)


def test_a_backup_makes_no_folder(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    folder = tmp_path / "not mounted"
    assert main(["backup", str(folder / "backup.tar.gz")]) == 1
    assert capsys.readouterr().err.startswith(f"There is no folder {folder}: ")
    assert not folder.exists()


def test_a_backup_that_is_not_there_is_said(new_url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["restore", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err == f"There is no file {tmp_path / 'none'}.\n"
    assert main(["restore", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"{tmp_path} is a folder: name the backup in it.\n"


def test_a_truncated_backup_is_refused_in_one_line_and_changes_nothing(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    complete_file, cut = tmp_path / "whole.tar.gz", tmp_path / "cut.tar.gz"
    assert main(["backup", str(complete_file)]) == 0
    for length in (0, 1, 40, complete_file.stat().st_size // 2, complete_file.stat().st_size - 20):
        cut.write_bytes(complete_file.read_bytes()[:length])
        assert main(["restore", str(cut), "--replace"]) == 1
        assert capsys.readouterr().err.count("\n") == 1
    with Database(new_url) as database, database.read(SYSTEM) as session:
        assert session.scalar(text("SELECT username FROM users")) == "Gerda Gründer"


def test_a_backup_of_no_database_is_refused_and_makes_no_folder(
    new_url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["backup", str(tmp_path / "backup.tar.gz")]) == 1
    assert capsys.readouterr().err == f"There is no database {tmp_path / 'var' / 'stempelwerk.db'} yet.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said_in_one_line(
    new_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    (tmp_path / "file").touch()
    assert main(["backup", str(tmp_path / "file" / "backup.tar.gz")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("workers", ["0", "-1", "two", "1.5", ""])
def test_an_invalid_number_of_processes_is_a_usage_error(
    new_url: str, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--workers={workers}"])
    assert ended.value.code == 2
    assert f"{workers!r} is no number of processes: 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["99999", "-1", "abc"])
def test_an_invalid_port_is_a_usage_error(new_url: str, capsys: pytest.CaptureFixture[str], port: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}"])
    assert ended.value.code == 2
    assert f"'{port}' is no port" in capsys.readouterr().err


def test_others_on_the_machine_can_read_neither_the_database_nor_its_folder(
    new_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    folder = tmp_path / "var"
    paths = [folder, *folder.iterdir()]
    assert [path.name for path in paths if path.stat().st_mode & 0o077] == []


def test_a_folder_and_a_database_that_others_could_read_are_taken_from_them(
    new_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert _create(monkeypatch, "sehr lang und geheim") == 0
    folder, file = tmp_path / "var", tmp_path / "var" / "stempelwerk.db"
    folder.chmod(0o755)
    file.chmod(0o644)
    assert main(["migrate"]) == 0
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_folder_that_everybody_shares_stays_everybodys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{shared / 'x.db'}")
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(shared))
    assert main(["migrate"]) == 0
    assert shared.stat().st_mode & 0o7777 == 0o1777
    assert (shared / "x.db").stat().st_mode & 0o777 == 0o600


def test_the_description_of_the_api_is_printed_or_written(
    new_url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["openapi"]) == 0
    printed = capsys.readouterr().out
    assert main(["openapi", "--out", str(tmp_path / "reference" / "openapi.json")]) == 0
    assert (tmp_path / "reference" / "openapi.json").read_text(encoding="utf-8") == printed
    described = json.loads(printed)
    assert list(described["paths"]) == sorted(described["paths"])
    app = create_app(Settings())
    assert described == json.loads(json.dumps(app.openapi()))
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("RESET_PASSWORD", "kurz", f"at least {passwords.MIN_LENGTH} characters"),
        ("MAX_CONNECTIONS", "viel", "valid integer"),
        ("DATABASE_POOL", "1", "greater than or equal to 2"),
    ],
)
def test_a_setting_that_cannot_be_is_named_without_its_value(
    name: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"STEMPELWERK_{name}", value)
    assert main(["migrate"]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"STEMPELWERK_{name}: ")
    assert message in printed.err
    assert value not in printed.err.replace(message, "")
    assert printed.err.count("\n") == 1


def test_help_explains_each_argument_of_each_command_and_where_settings_come_from() -> None:
    parser = _parser()
    (commands,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    silent = [
        (name, action.dest)
        for name, command in commands.choices.items()
        for action in command._actions
        if not action.help
    ]
    assert silent == []
    assert "STEMPELWERK_DATABASE_URL" in parser.format_help()


@pytest.mark.parametrize(("host", "address"), [("[::1]", "::1"), ("::1", "::1"), ("127.0.0.1", "127.0.0.1")])
def test_an_address_of_ipv6_may_stand_in_brackets(host: str, address: str) -> None:
    assert _parser().parse_args(["serve", "--host", host]).host == address
