"""A backup includes the service's files, leaves out others, and never touches a clock's."""

import tarfile
from pathlib import Path

import pytest
from stempelwerk_cloud import app as app_module
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.updates import commands as updates
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import Vault
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.people.notices.push.vapid import PushKey

from cloud.tests.world import Firm

IN_BOTH_FOLDERS = ["journal/journal.db", "identity.json"]
"""Each of them marks a clock's folder."""


@pytest.fixture
def installed(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of an installation, with two of its files and its database."""
    folder = tmp_path / "var"
    folder.mkdir()
    url = f"sqlite:///{folder / 'stempelwerk.db'}"
    (folder / "stempelwerk.db").write_bytes(Path(sqlite_url.removeprefix("sqlite:///")).read_bytes())
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(folder))
    Vault(folder).encrypt("geheim")
    assert PushKey(folder).public
    return folder


def _write(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("another's")


def _archived_files(file: Path) -> list[str]:
    with tarfile.open(file) as archive:
        return [name for name in archive.getnames() if name.startswith("files/")]


@pytest.mark.parametrize("name", IN_BOTH_FOLDERS)
def test_a_folder_that_is_also_a_clocks_is_not_backed_up(
    installed: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    _write(installed, name)
    assert main(["backup", str(tmp_path / "saved" / "b.tar.gz")]) == 1
    assert capsys.readouterr().err == (
        f"{installed} is also a clock's folder: give the two a data folder each (and each its own user).\n"
    )
    assert not (tmp_path / "saved").exists()


@pytest.mark.parametrize(
    ("foreign_names", "warning"),
    [
        (["a.txt"], "a.txt"),
        (["a.txt", "b/c.txt", "z"], "a.txt, b/c.txt, z"),
        (["a.txt", "b/c.txt", "d", "e", "z"], "a.txt, b/c.txt and 3 more"),
        (["a\nb"], "'a\\nb'"),
        (["keys/secrets.key"], "keys/secrets.key"),
    ],
)
def test_files_that_are_not_the_services_are_left_out_and_named(
    installed: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, foreign_names: list[str], warning: str
) -> None:
    for name in foreign_names:
        _write(installed, name)
    target = tmp_path / "b.tar.gz"
    assert main(["backup", str(target)]) == 0
    printed = capsys.readouterr()
    assert printed.err == f"Left out, for they are not the service's: {warning}.\n"
    assert f"and 2 files written to {target}" in printed.out
    assert _archived_files(target) == ["files/push.key", "files/secrets.key"]


def test_the_files_of_the_database_and_of_locks_are_left_out_without_a_word(
    installed: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("stempelwerk.db.lock", machine_semaphore.FILE):
        (installed / name).touch()
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    assert capsys.readouterr().err == ""


def test_a_key_that_lies_elsewhere_and_is_linked_is_taken_along(installed: Path, tmp_path: Path) -> None:
    (installed / "push.key").rename(tmp_path / "shared.key")
    (installed / "push.key").symlink_to(tmp_path / "shared.key")
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    assert _archived_files(tmp_path / "b.tar.gz") == ["files/push.key", "files/secrets.key"]


def test_every_file_that_the_service_makes_in_its_data_folder_is_declared(
    platform: Platform, settings: Settings, firm: Firm
) -> None:
    firm.anna.post("/api/tickets", json={"path": "/api/x"}, headers={"Idempotency-Key": "k"})
    platform.vault.encrypt("a secret")
    own_key(platform)
    assert PushKey(settings.data_dir).public
    assert updates.public_key(settings, renew=True)
    file_names = {path.name for path in settings.data_dir.iterdir()}
    assert file_names == {name for name in app_module.FILES if not name.endswith("/")}


KNOWS_THE_FOLDER = {
    "command_line.py": "tries it, and hands it to backup and restore",
    "configuration.py": "names it",
    "app.py": "the vault: secrets.key",
    "fleet/updates/signed/keys.py": "update.key",
    "fleet/updates/service.py": "updates/, the files of releases",
    "kit/limits/machine_semaphore.py": "uploads.lock, which holds nothing and is in no backup",
    "kit/operations/backup.py": "reads and fills it",
    "fleet/alarms/watch/service_alarms.py": "looks after the keys",
    "kit/operations/faults.py": "looks at the keys",
    "kit/http/downloads.py": "what is being sent, encrypted and without a name: gone with its request, in no backup",
    "office/statement/keys.py": "statement.key",
    "people/notices/push/pushing.py": "push.key",
}
"""Modules that get the data folder, and why. A module that makes another file there declares it, and is tested above.
"""


def test_only_listed_modules_get_the_data_folder() -> None:
    program = Path(app_module.__file__).parent
    modules = {path.relative_to(program).as_posix() for path in program.rglob("*.py") if "data_dir" in path.read_text()}
    assert modules == set(KNOWS_THE_FOLDER)


def test_the_signs_of_a_clock_are_the_files_that_a_clock_makes() -> None:
    edge = Path(app_module.__file__).parents[2] / "edge" / "stempelwerk_edge"
    text = "".join(path.read_text() for path in edge.rglob("*.py"))
    for name in ("identity.json", "journal.db", "people.db", "logbook.db", "hardware-id", "reserve"):
        assert f'"{name}"' in text, name
    assert 'FOLDER_NAME = "journal"' in text


def test_a_backup_without_keys_holds_none_and_says_which_to_keep_elsewhere(
    installed: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _write(installed, "a.txt")
    assert main(["backup", "--without-keys", str(tmp_path / "b.tar.gz")]) == 0
    assert _archived_files(tmp_path / "b.tar.gz") == []
    output = capsys.readouterr()
    assert "Without its keys (push.key, secrets.key)" in output.out
    assert output.err == "Left out, for they are not the service's: a.txt.\n"
    (installed / "stempelwerk.db").unlink()
    key = (installed / "secrets.key").read_text()
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    assert (installed / "secrets.key").read_text() == key
