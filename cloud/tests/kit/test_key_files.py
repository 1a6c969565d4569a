"""Key files that are empty, damaged, missing or foreign are named, and a lost one is never replaced."""

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import FILES, KEYS, build_platform, create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.updates import commands as updates
from stempelwerk_cloud.kit.operations import faults, key_registry
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.key_files import KeyUnusable, mark_lost
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.people.notices.push.vapid import PushKey

from cloud.tests.databases import ON_BOTH
from cloud.tests.world import Firm

pytestmark = ON_BOTH

DAMAGE = {"empty": b"", "cut off": b"MC4CAQAw", "of another kind": b"\x00\xff" * 20}
EACH_KEY = pytest.mark.parametrize("name", sorted(KEYS))


def _use(platform: Platform, name: str) -> object:
    """Uses the key, as a process does that has just started."""
    folder = platform.settings.data_dir
    uses = {
        "secrets.key": lambda: platform.vault.encrypt("geheim"),
        "statement.key": lambda: own_key(platform),
        "push.key": lambda: PushKey(folder).public,
        "update.key": lambda: updates.public_key(platform.settings, renew=False),
    }
    return uses[name]()


@pytest.fixture
def used(settings: Settings) -> Iterator[Platform]:
    """An installation that has used all its keys, as the next process finds it."""
    previous_platform = build_platform(settings)
    for name in KEYS:
        _use(previous_platform, name)
    assert key_registry.look_after(previous_platform.database, settings.data_dir, KEYS) == []
    previous_platform.database.dispose()
    platform = build_platform(settings)
    yield platform
    platform.database.dispose()


@pytest.fixture
def environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(settings.data_dir))


def _states(platform: Platform) -> list[tuple[str, str]]:
    key_faults = key_registry.look_after(platform.database, platform.settings.data_dir, KEYS)
    return [(fault.path.name, fault.state) for fault in key_faults]


def test_every_key_among_the_files_says_how_it_is_known() -> None:
    assert KEYS.keys() == {name for name in FILES if name.endswith(".key")}


@EACH_KEY
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_key_is_named_and_used_for_nothing(used: Platform, name: str, damage: bytes) -> None:
    (used.settings.data_dir / name).write_bytes(damage)
    with pytest.raises(KeyUnusable, match=name):
        _use(used, name)
    assert _states(used) == [(name, "damaged")]
    (fault,) = faults.find(used)
    assert (fault.kind, fault.subject, f"tar -xzf SICHERUNG files/{name}" in fault.text) == ("keys", name, True)


def test_a_key_of_another_user_is_no_lost_one_and_the_way_out_gives_it_back(
    used: Platform, environment: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = used.settings.data_dir / "secrets.key"
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == key:
            raise PermissionError
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert _states(used) == [(key.name, "unreadable")]
    (fault,) = faults.find(used)
    assert main(["backup", str(key.parent / "backup.tar.gz")]) == 1
    for message in (fault.text, capsys.readouterr().err):
        assert f"chown --reference={key.parent} {key}" in message
        assert "forget-key" not in message


@EACH_KEY
def test_a_lost_key_is_not_replaced_until_an_operator_allows_it(
    used: Platform, environment: None, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = used.settings.data_dir / name
    old_key = path.read_bytes()
    path.unlink()
    assert _states(used) == [(name, "lost")]
    with pytest.raises(KeyUnusable, match=name):
        _use(used, name)
    assert not path.exists()
    path.write_bytes(old_key)
    assert _states(used) == []
    _use(used, name)
    path.unlink()
    assert _states(used) == [(name, "lost")]
    assert main(["forget-key", name]) == 0
    assert _states(used) == []
    _use(build_platform(used.settings), name)
    assert path.exists()


@EACH_KEY
def test_another_key_than_before_is_named(used: Platform, settings: Settings, tmp_path: Path, name: str) -> None:
    other_platform = build_platform(settings.model_copy(update={"data_dir": tmp_path / "other"}))
    _use(other_platform, name)
    other_platform.database.dispose()
    shutil.copy(tmp_path / "other" / name, settings.data_dir / name)
    assert _states(used) == [(name, "foreign")]


def test_another_update_key_beside_the_first_is_no_foreign_one(used: Platform) -> None:
    updates.public_key(used.settings, renew=True)
    assert _states(used) == []


@EACH_KEY
def test_without_good_keys_a_backup_fails_and_keeps_the_one_before(
    used: Platform, environment: None, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.tar.gz"
    assert main(["backup", str(file)]) == 0
    backup_before = file.read_bytes()
    (used.settings.data_dir / name).write_bytes(b"")
    capsys.readouterr()
    assert main(["backup", "--force", str(file)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{name} is damaged or empty" in line
    assert file.read_bytes() == backup_before
    assert main(["backup", "--force", "--without-keys", str(file)]) == 0


def test_a_command_that_needs_a_lost_or_damaged_key_names_it_and_the_way_out(
    used: Platform, environment: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["update-key"]) == 0
    key = used.settings.data_dir / "update.key"
    key.write_bytes(b"")
    _assert_refused(capsys, f"{key} is damaged or empty")
    key.unlink()
    mark_lost(key)
    _assert_refused(capsys, f"{key} is missing")
    assert not key.exists()


def test_no_foreign_update_key_is_printed_nor_renewed_and_a_printed_one_is_known_at_once(
    settings: Settings, platform: Platform, environment: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["update-key"]) == 0
    key = settings.data_dir / "update.key"
    other_settings = settings.model_copy(update={"data_dir": tmp_path / "other"})
    updates.public_key(other_settings, renew=False)
    foreign = shutil.copy(other_settings.data_dir / key.name, key).read_bytes()
    _assert_refused(capsys, f"{key} is another key than this installation has used")
    _assert_refused(capsys, f"{key} is another key than this installation has used", "--new")
    assert key.read_bytes() == foreign
    key.unlink()
    _assert_refused(capsys, f"{key} is missing")
    assert not key.exists()


def _assert_refused(capsys: pytest.CaptureFixture[str], beginning: str, *options: str) -> None:
    capsys.readouterr()
    assert main(["update-key", *options]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(beginning)
    assert "forget-key update.key" in line


def test_a_restore_leaves_a_damaged_key_out_and_says_so(
    used: Platform,
    environment: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "backup.tar.gz"
    folder = used.settings.data_dir
    (folder / "push.key").write_bytes(b"")
    assert main(["backup", "--without-keys", str(file)]) == 0
    with tarfile.open(file) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (tmp_path / "unpacked" / "files").mkdir()
    for name in KEYS:
        shutil.copy(folder / name, tmp_path / "unpacked" / "files" / name)
    with tarfile.open(file, "w:gz") as archive:
        for part in ("manifest.json", "tables", "files"):
            archive.add(tmp_path / "unpacked" / part, part)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "new"))
    capsys.readouterr()
    assert main(["restore", "--replace", str(file)]) == 1
    stderr = capsys.readouterr().err
    assert "holds no key in them: push.key." in stderr
    assert f"{tmp_path / 'new' / 'push.key'} is missing" in stderr
    assert {path.name for path in (tmp_path / "new").iterdir() if path.suffix == ".key"} == KEYS.keys() - {"push.key"}


def test_pages_say_what_is_wrong_and_health_names_the_file(app: FastAPI, firm: Firm, settings: Settings) -> None:
    settings.data_dir.mkdir(exist_ok=True)
    (settings.data_dir / "statement.key").write_bytes(b"")
    with TestClient(create_app(settings, clock=firm.world.platform.clock), raise_server_exceptions=False) as client:
        keys = client.get("/.well-known/stempelwerk-keys.json")
        health = client.get("/api/health")
    assert (keys.status_code, "Schlüsseldatei" in keys.json()["detail"]) == (503, True)
    assert (health.status_code, health.json()["status"]) == (200, "degraded")
    assert [fault["subject"] for fault in health.json()["faults"]] == ["statement.key"]
