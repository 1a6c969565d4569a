"""Each command refuses an impossible start: in one line, with status 1, and before any write."""

import errno
import io
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings, unknown
from stempelwerk_cloud.kit.database import postgres
from stempelwerk_cloud.kit.operations import data_folder

Said = Callable[..., str]
WRITING = {
    "serve": ["serve"],
    "migrate": ["migrate"],
    "create-founder": ["create-founder", "--username", "gerda", "--password-stdin"],
    "restore": ["restore"],
}
"""The commands that write into the data folder."""
NO_ADDRESS = (
    "STEMPELWERK_DATABASE_URL is no address of a database: sqlite:////path/to/file, or"
    " postgresql+psycopg://user:password@host/database, with %40 for each @ in the password\n"
)


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installation that does not exist yet, with an invalid backup; its database is embedded."""
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'db' / 'stempelwerk.db'}")
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "backup").touch()
    return tmp_path


@pytest.fixture
def refused(installation: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a refused command; returns its line, after checking status 1 and that no file was written."""

    def run(*command: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
        files_before = sorted(installation.rglob("*"))
        assert main([*command, *([str(installation / "backup")] if command == ("restore",) else [])]) == 1
        assert sorted(installation.rglob("*")) == files_before
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        return printed.err

    return run


every_writing = pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)


# -- the data folder


@every_writing
@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_where_the_data_folder_should_be_is_named(
    refused: Said, installation: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], below: str
) -> None:
    folder = installation / "data" / below
    (installation / "data").touch()
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(folder))
    why = "Not a directory" if below else "it is no folder"
    assert refused(*command) == f"STEMPELWERK_DATA_DIR: {folder} cannot be written: {why}.\n"


@every_writing
def test_a_data_folder_that_takes_no_file_is_named_and_of_a_read_only_one_the_unit_is_hinted_at(
    refused: Said, installation: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (installation / "data").mkdir()
    hint = " (under systemd its unit must name the folder in ReadWritePaths=)"
    for number, text in (
        (errno.EACCES, "Permission denied"),
        (errno.ENOSPC, "No space left on device"),
        (errno.EROFS, f"Read-only file system{hint}"),
    ):

        def fail(*_: Any, number: int = number, text: str = text, **__: Any) -> None:
            raise OSError(number, text.partition(" (")[0])

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", fail)
        assert refused(*command) == f"STEMPELWERK_DATA_DIR: {installation / 'data'} cannot be written: {text}.\n"


def test_a_relative_data_folder_is_named_with_the_whole_way(
    refused: Said, installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(installation)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", "backup")
    assert refused("migrate") == (
        f"STEMPELWERK_DATA_DIR: {installation / 'backup'} cannot be written: it is no folder.\n"
    )


def test_trying_the_folder_makes_it_for_its_owner_alone_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    data_folder.try_out(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    assert (tmp_path / "a" / "b").stat().st_mode & 0o077 == 0


# -- the database's address


@pytest.mark.parametrize("command", [*WRITING.values(), ["verify-audit"], ["backup", "/nowhere/b"]])
@pytest.mark.parametrize(
    "url",
    [
        "",
        "stempelwerk",
        "postgresql",
        "//u:SECRET@host/db",
        "postgresql+psycopg://u:SECRET@host:port/db",
        "postgresql+psycopg://u:SEC@RET@host/db",
        "postgresql+psycopg://u:@SECRET:SECRET@host/db",
    ],
)
def test_an_address_that_cannot_be_read_is_said_without_a_word_of_it(
    refused: Said, monkeypatch: pytest.MonkeyPatch, command: list[str], url: str
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    assert refused(*command) == NO_ADDRESS


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgres://u:SECRET@host/db", "STEMPELWERK_DATABASE_URL must be sqlite or postgresql, not postgres\n"),
        ("sqlite+aiosqlite:///x.db", "STEMPELWERK_DATABASE_URL of SQLite must begin with sqlite://\n"),
        ("sqlite+nonsense:///x.db", "STEMPELWERK_DATABASE_URL of SQLite must begin with sqlite://\n"),
        (
            "postgresql+psycopg://u:SECRET@/db?sslmoode=require",
            'STEMPELWERK_DATABASE_URL cannot be used: invalid connection option "sslmoode".\n',
        ),
    ],
)
def test_an_address_with_which_nothing_can_be_reached_is_said(
    refused: Said, monkeypatch: pytest.MonkeyPatch, url: str, message: str
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    assert refused("verify-audit") == message


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgresql+psycopg2", "postgresql+asyncpg"])
def test_whatever_driver_the_address_names_psycopg_is_taken(
    refused: Said, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"{scheme}://x:SECRET@/x?host=/nowhere&connect_timeout=1")
    stderr = refused("verify-audit")
    assert stderr.startswith("The database does not answer: ")
    assert "SECRET" not in stderr


# -- migrate without an address


def test_migrate_makes_no_database_without_a_setting(
    refused: Said, installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEMPELWERK_DATABASE_URL")
    monkeypatch.delenv("STEMPELWERK_DATA_DIR")
    monkeypatch.chdir(installation)
    assert refused("migrate") == (
        "STEMPELWERK_DATABASE_URL is not set, and there is no var/stempelwerk.db here: name the database to migrate.\n"
    )


def test_a_founder_makes_the_embedded_database_and_migrate_then_finds_it(
    installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEMPELWERK_DATABASE_URL")
    monkeypatch.delenv("STEMPELWERK_DATA_DIR")
    monkeypatch.chdir(installation)
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
    assert main(WRITING["create-founder"]) == 0
    assert main(["migrate"]) == 0


# -- mail, proxies


@pytest.mark.parametrize("command", [*WRITING.values(), ["verify-audit"]])
@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("MAIL_FROM", "Stempelwerk", "A mail address is expected, or a name and an <address>"),
        ("MAIL_FROM", "Stempelwerk <a b@c.example>", "A mail address is expected, or a name and an <address>"),
        ("MAIL_FROM", "a@b.example\nBcc: c@d.example", "A mail address is expected, or a name and an <address>"),
        (
            "INQUIRY_EMAIL",
            "Anfragen <a@b.example>",
            "A mail address is expected (name@example.org), and nothing beside it",
        ),
        (
            "TRUSTED_PROXIES",
            "proxy.example",
            "Addresses or networks are expected, separated by commas (10.0.0.0/8, ::1)",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_every_command_whether_it_is_used_or_not(
    refused: Said, monkeypatch: pytest.MonkeyPatch, command: list[str], setting: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"STEMPELWERK_{setting}", value)
    assert refused(*command) == f"STEMPELWERK_{setting}: {message}.\n"


@pytest.mark.parametrize("sender", ["a@b.example", "Stempelwerk <a@b.example>", '"Holz, GmbH" <a@b.example>', None])
def test_a_sender_stays_as_it_was_written(sender: str | None) -> None:
    assert Settings(mail_from=sender).mail_from == sender


# -- names that are no setting


def test_names_that_are_no_setting_are_found_with_the_nearest() -> None:
    names = ["PATH", "STEMPELWERK_PUBLIC_URI", "STEMPELWERK_XYZ", "STEMPELWERK_DATA_DIR", "stempelwerk_smtpurl"]
    ours = ["STEMPELWERK_WITHOUT_BACKUP", "stempelwerk_operator", "Stempelwerk_Public_Url"]
    assert unknown([*names, *ours]) == {
        "STEMPELWERK_PUBLIC_URI": "STEMPELWERK_PUBLIC_URL",
        "STEMPELWERK_XYZ": None,
        "stempelwerk_smtpurl": "STEMPELWERK_SMTP_URL",
    }


def test_every_setting_is_known_by_its_name() -> None:
    assert unknown(f"STEMPELWERK_{name.upper()}" for name in Settings.model_fields) == {}


def test_a_command_names_them_without_their_values_and_goes_on(
    installation: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_OPERATER", "SECRET")
    monkeypatch.setenv("STEMPELWERK_XYZ", "SECRET")
    assert main(["migrate"]) == 0
    assert capsys.readouterr().err == (
        "STEMPELWERK_OPERATER is no setting: is STEMPELWERK_OPERATOR meant?\nSTEMPELWERK_XYZ is no setting.\n"
    )


# -- the version


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"stempelwerk-cloud {version('stempelwerk-cloud')}\n"


@every_writing
def test_a_pooler_that_keeps_no_sessions_is_refused_before_anything_is_written(
    refused: Said, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    def refuse(_url: object) -> None:
        raise postgres.PoolerRefused("a pooler")

    monkeypatch.setattr(postgres, "refuse_pooler", refuse)
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", "postgresql+psycopg://pooler.invalid/db")
    assert refused(*command) == "a pooler\n"
