"""Signing releases: what the tool refuses, and that a cloud takes what it has signed."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.fleet.updates import commands as updates
from stempelwerk_cloud.fleet.updates import publishing
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.directory.tables import FOUNDER
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import working
from stempelwerk_cloud.settings import Settings
from stempelwerk_edge.cloud.wire import LARGEST_FILE
from stempelwerk_edge.updates.trust import MOST_WHEELS
from stempelwerk_tools.release import command, keys
from stempelwerk_tools.release.cloud import Cloud, Refused
from stempelwerk_tools.release.keys import Keys, NoKey
from stempelwerk_tools.release.repository import NotSigned, Repository
from tuf.api.metadata import Metadata, Root

LOGIN = {"company": "Plattform", "username": "gründer", "password": "ein langes Passwort"}
PLATFORM = "cp311-x86_64"


class Clock:
    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "release"


def at(folder: Path, clock: Clock, *media: str) -> Repository:
    """The repository with the keys that are in these folders."""
    folders = [folder / medium for medium in media or ("keys",)]
    return Repository(folder, Keys(folders, lambda name: f"passphrase of {name}"), clock)


@pytest.fixture
def begun(folder: Path, clock: Clock) -> Repository:
    repository = at(folder, clock)
    repository.begin("11" * 32)
    return repository


def laid(repository: Repository, version: str, channel: str = "beta", **wheels: bytes) -> None:
    repository.notes(version).parent.mkdir(exist_ok=True)
    repository.notes(version).write_text(f"Neu in {version}.\n", "utf-8")
    source = repository.folder / "wheels"
    source.mkdir(exist_ok=True)
    for name, content in ({"own": version.encode(), "other": b"other"} | wheels).items():
        (source / f"{name}-py3-none-any.whl").write_bytes(content)
    repository.add(channel, version, PLATFORM, source.glob("*.whl"))


def test_a_short_or_wrong_passphrase_and_a_second_ceremony_are_refused(begun: Repository, folder: Path) -> None:
    with pytest.raises(NoKey, match="12 characters"):
        Keys([folder / "more"], lambda _: "short").make("root-9")
    with pytest.raises(NotSigned, match="root already"):
        begun.begin("22" * 32)
    with pytest.raises(NoKey, match="wrong"):
        Repository(folder, Keys([folder / "keys"], lambda _: "another passphrase")).sign("stable")
    with pytest.raises(NoKey, match="no public key"):
        keys.online("xyz")
    assert b"ENCRYPTED" in (folder / "keys" / "root-1.pem").read_bytes()
    assert (folder / "keys" / "root-1.pem").stat().st_mode & 0o777 == 0o600


def test_without_its_key_nothing_is_signed_and_one_of_root_is_too_few(
    begun: Repository, folder: Path, clock: Clock
) -> None:
    (folder / "stick").mkdir()
    for name in ("root-1", "targets"):
        (folder / "keys" / f"{name}.pem").rename(folder / "stick" / f"{name}.pem")
    before = sorted((folder / "metadata").iterdir())
    with pytest.raises(NotSigned, match="needs the key stable"):
        at(folder, clock, "stick").sign("stable")
    with pytest.raises(NotSigned, match="2 keys of root"):
        at(folder, clock, "stick").rotate([])
    with pytest.raises(NotSigned, match="no key root-7"):
        begun.rotate(["root-7"])
    assert sorted((folder / "metadata").iterdir()) == before


def test_a_wheel_that_is_there_stays_so_that_older_releases_are_what_they_were(begun: Repository) -> None:
    laid(begun, "1.0.0")
    laid(begun, "1.1.0", other=b"built again")
    manifests = [json.loads(path.read_text()) for path in sorted(begun.channel("beta").glob("*.json"))]
    shared = [wheel for one in manifests for wheel in one["wheels"] if "other" in wheel["target"]]
    assert shared[0] == shared[1]


def test_a_wheel_that_no_clock_would_fetch_is_not_laid_into_a_release(begun: Repository) -> None:
    with pytest.raises(NotSigned, match="32 MB"):
        laid(begun, "1.0.0", other=bytes(LARGEST_FILE + 1))
    assert not list(begun.channel("beta").glob("*.json"))


def test_the_cloud_refuses_what_a_clock_refuses_to_fetch() -> None:
    assert publishing.LARGEST_FILE == LARGEST_FILE
    assert publishing.MOST_WHEELS == MOST_WHEELS


def test_versions_go_up_also_where_the_time_stands_still(begun: Repository, clock: Clock) -> None:
    first = begun.sign("stable")
    clock.now -= timedelta(days=1)
    assert begun.sign("stable") == first + 1


def test_a_bundle_has_no_files_that_the_cloud_has(begun: Repository) -> None:
    laid(begun, "1.0.0")
    laid(begun, "1.1.0")
    begun.sign("beta")
    names = zipfile.ZipFile(io.BytesIO(begun.bundle([("beta", "1.0.0", PLATFORM)]))).namelist()
    targets = [name for name in names if name.startswith("targets/")]
    assert f"targets/beta/stempelwerk-edge-1.1.0-{PLATFORM}.json" in targets
    assert not any("1.0.0" in name for name in targets)


def test_a_new_root_is_signed_by_the_old_threshold_and_by_the_new(
    begun: Repository, folder: Path, clock: Clock
) -> None:
    assert begun.rotate(["root-1", "beta"], "22" * 32) == ["beta-2", "root-4"]
    old, new = (Metadata[Root].from_bytes((folder / "metadata" / f"{n}.root.json").read_bytes()) for n in (1, 2))
    for root in (old, new):
        root.signed.verify_delegate("root", new.signed_bytes, new.signatures)
    (folder / "keys" / "root-1.pem").unlink()  # it is needed no more
    assert begun.rotate(["root-2"]) == ["root-5"]


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[tuple[Cloud, str]]:
    """A cloud with a founder, and the key that it signs by."""
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'cloud.db'}", data_dir=tmp_path / "cloud")
    app = create_app(settings)
    schema.migrate(app.state.platform.database)
    with working(app.state.platform, SYSTEM) as work:
        commands.create(work, LOGIN["username"], passwords.hash_password(LOGIN["password"]), FOUNDER)
    with TestClient(app) as client, Cloud(cast(httpx.Client, client), LOGIN.__getitem__) as session:
        yield session, updates.public_key(settings, renew=False)


def test_a_cloud_takes_what_was_signed_from_the_ceremony_to_the_rotation(
    cloud: tuple[Cloud, str], folder: Path, clock: Clock
) -> None:
    session, cloud_key = cloud
    repository = at(folder, clock)
    repository.begin(cloud_key)

    def publish() -> dict[str, Any]:
        answer = session.publish(repository.bundle(session.known()))
        assert (answer["root"]["version"], answer["root"]["fingerprint"]) == repository.fingerprint()
        return {f"{row['channel']} {row['version']}": row["withdrawn"] for row in answer["releases"]}

    laid(repository, "1.0.0", "stable")
    laid(repository, "1.1.0")
    repository.sign("stable")
    repository.sign("beta")
    assert publish() == {"stable 1.0.0": False, "beta 1.1.0": False}
    with pytest.raises(NotSigned, match=r"no version 9\.9"):
        repository.promote("9.9")
    repository.promote("1.1.0")
    assert publish()["stable 1.1.0"] is False
    session.withdraw("1.1.0", "verliert Stempel")
    with pytest.raises(Refused, match="schon zurückgezogen"):
        session.withdraw("1.1.0", "verliert Stempel")
    for channel in repository.channels_of("1.1.0"):
        repository.withdraw("1.1.0", channel)
    assert publish() == {"stable 1.0.0": False, "beta 1.1.0": True, "stable 1.1.0": True}
    repository.rotate(["root-3", "targets", "stable"])
    publish()
    repository.rotate([], "33" * 32)
    with pytest.raises(Refused, match="kennt den Schlüssel dieser Cloud nicht"):
        publish()


def test_the_command_says_what_it_cannot_do(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit) as refused:
        command.main([])
    assert refused.value.code == 2
    assert command.main(["--dir", str(folder), "sign", "--channel", "stable"]) == 1
    assert "begin with init" in capsys.readouterr().out
    for name in ("ROOT_1", "ROOT_2", "ROOT_3", "TARGETS", "STABLE", "BETA"):
        monkeypatch.setenv(f"RELEASE_{name}", "a long passphrase")
    assert command.main(["--dir", str(folder), "init", "--cloud-key", "11" * 32]) == 0
    assert "root 1, fingerprint" in capsys.readouterr().out


@pytest.mark.prove
def test_a_rehearsal_goes_as_it_must(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--rehearse"]) == 0, capsys.readouterr().out
