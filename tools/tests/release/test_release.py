"""Signing releases: the tool's refusals, and a cloud that takes the signed releases."""

import getpass
import io
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.updates import commands as updates
from stempelwerk_cloud.fleet.updates.intake import publishing
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.directory.tables import FOUNDER
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_edge.cloud.wire import LARGEST_FILE
from stempelwerk_edge.updates.trust import MOST_WHEELS
from stempelwerk_tools.release import command, disk, keys
from stempelwerk_tools.release.cloud import Cloud, Refused
from stempelwerk_tools.release.keys import Keys, NoKey
from stempelwerk_tools.release.repository import NotSigned, Repository
from tuf.api.metadata import Metadata, Root

from cloud.tests.mailbox import Mailbox

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


def open_repository(folder: Path, clock: Clock, *media: str) -> Repository:
    """Returns the repository with the keys in these folders."""
    folders = [folder / medium for medium in media or ("keys",)]
    return Repository(folder, Keys(folders, lambda name: f"passphrase of {name}"), clock)


@pytest.fixture
def begun(folder: Path, clock: Clock) -> Repository:
    repository = open_repository(folder, clock)
    repository.begin("11" * 32)
    return repository


def add_release(repository: Repository, version: str, channel: str = "beta", **wheels: bytes) -> None:
    repository.notes(version).parent.mkdir(exist_ok=True)
    repository.notes(version).write_text(f"Neu in {version}.\n", "utf-8")
    source = repository.folder / "wheels"
    source.mkdir(exist_ok=True)
    for name, content in ({"own": version.encode(), "other": b"other"} | wheels).items():
        (source / f"{name}-py3-none-any.whl").write_bytes(content)
    repository.add(channel, version, PLATFORM, source.glob("*.whl"))


def test_a_short_or_wrong_passphrase_and_a_second_ceremony_are_refused(begun: Repository, folder: Path) -> None:
    with pytest.raises(NoKey, match="12 Zeichen"):
        Keys([], lambda _: "short").make("root-9", folder / "more")
    with pytest.raises(NotSigned, match="schon ein Root"):
        begun.begin("22" * 32)
    with pytest.raises(NoKey, match="stimmt nicht"):
        Repository(folder, Keys([folder / "keys"], lambda _: "another passphrase")).sign("stable")
    with pytest.raises(NoKey, match="kein öffentlicher Schlüssel"):
        keys.online("xyz")
    assert b"ENCRYPTED" in (folder / "keys" / "root-1.pem").read_bytes()
    assert (folder / "keys" / "root-1.pem").stat().st_mode & 0o777 == 0o600


def test_without_its_key_nothing_is_signed_and_one_of_root_is_too_few(
    begun: Repository, folder: Path, clock: Clock
) -> None:
    (folder / "stick").mkdir()
    for name in ("root-1", "targets"):
        (folder / "keys" / f"{name}.pem").rename(folder / "stick" / f"{name}.pem")
    files_before = sorted((folder / "metadata").iterdir())
    with pytest.raises(NotSigned, match="braucht den Schlüssel stable"):
        open_repository(folder, clock, "stick").sign("stable")
    add_release(begun, "1.0.0")
    with pytest.raises(NotSigned, match="braucht den Schlüssel stable"):
        open_repository(folder, clock, "stick").promote("1.0.0")
    assert not begun.channel("stable").exists()
    with pytest.raises(NotSigned, match="2 Root-Schlüssel"):
        open_repository(folder, clock, "stick").rotate({})
    with pytest.raises(NotSigned, match="root-7 war hier nie"):
        begun.rotate({"root-7": None})
    assert sorted((folder / "metadata").iterdir()) == files_before


def test_a_wheel_that_is_there_stays_so_that_older_releases_are_what_they_were(begun: Repository) -> None:
    add_release(begun, "1.0.0")
    add_release(begun, "1.1.0", other=b"built again")
    manifests = [json.loads(path.read_text()) for path in sorted(begun.channel("beta").glob("*.json"))]
    shared = [wheel for manifest in manifests for wheel in manifest["wheels"] if "other" in wheel["target"]]
    assert shared[0] == shared[1]


def test_a_wheel_that_no_clock_would_fetch_is_not_laid_into_a_release(begun: Repository) -> None:
    with pytest.raises(NotSigned, match="32 MB"):
        add_release(begun, "1.0.0", other=bytes(LARGEST_FILE + 1))
    assert not list(begun.channel("beta").glob("*.json"))


def test_the_cloud_refuses_what_a_clock_refuses_to_fetch() -> None:
    assert publishing.LARGEST_FILE == LARGEST_FILE
    assert publishing.MOST_WHEELS == MOST_WHEELS


def test_versions_go_up_also_where_the_time_stands_still(begun: Repository, clock: Clock) -> None:
    first = begun.sign("stable")
    clock.now -= timedelta(days=1)
    assert begun.sign("stable") == first + 1


def test_a_bundle_has_no_files_that_the_cloud_has(begun: Repository) -> None:
    add_release(begun, "1.0.0")
    add_release(begun, "1.1.0")
    begun.sign("beta")
    names = zipfile.ZipFile(io.BytesIO(begun.bundle([("beta", "1.0.0", PLATFORM)]))).namelist()
    targets = [name for name in names if name.startswith("targets/")]
    assert f"targets/beta/stempelwerk-edge-1.1.0-{PLATFORM}.json" in targets
    assert not any("1.0.0" in name for name in targets)


def test_a_new_root_is_signed_by_the_old_threshold_and_by_the_new(
    begun: Repository, folder: Path, clock: Clock
) -> None:
    for medium in ("new", "newer"):
        (folder / medium).mkdir()
    assert begun.rotate({"root-1": folder / "new", "beta": None}, "22" * 32) == ["beta-2", "root-4"]
    old, new = (Metadata[Root].from_bytes((folder / "metadata" / f"{n}.root.json").read_bytes()) for n in (1, 2))
    for root in (old, new):
        root.signed.verify_delegate("root", new.signed_bytes, new.signatures)
    (folder / "keys" / "root-1.pem").unlink()  # it is no longer needed
    assert open_repository(folder, clock, "keys", "new").rotate({"root-2": folder / "newer"}) == ["root-5"]


@pytest.fixture
def parted(begun: Repository, folder: Path) -> Path:
    """Returns the folder after the ceremony: `root-1`, `root-2`, `root-3` and `targets` are media with a key each,
    `new` and `newer` are empty ones.
    """
    for name in ("new", "newer"):
        (folder / name).mkdir()
    for name in ("root-1", "root-2", "root-3", "targets"):
        (folder / name).mkdir()
        (folder / "keys" / f"{name}.pem").rename(folder / name / f"{name}.pem")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("media", "drop", "why"),
    [
        (("root-1",), {"root-2": "new"}, "hier fehlen root-2, root-3"),
        (("root-1", "root-3"), {"stable": "keys"}, "braucht den Schlüssel targets"),
        (("root-1", "root-3"), {"root-2": "new", "stable": None}, "braucht den Schlüssel targets"),
        (("root-1", "root-3"), {"root-2": None}, "root-4 braucht einen eigenen Ordner"),
        (("root-1", "root-3"), {"root-2": "root-1"}, "root-1, dort liegt schon: root-1"),
        (("root-1", "root-3"), {"root-1": "new", "root-3": "new"}, "ein anderer neuer Root-Schlüssel"),
        (("root-1", "root-3"), {"root-2": "keys"}, "die Schlüssel der Kanäle"),
        (("root-1", "root-3"), {"root-2": "not-mounted"}, "Ist der Datenträger eingehängt"),
    ],
)
def test_a_rotation_that_cannot_be_ended_makes_no_key_and_signs_nothing(
    media: tuple[str, ...], drop: dict[str, str | None], why: str, parted: Path, clock: Clock
) -> None:
    files_before = files(parted)
    with pytest.raises(NotSigned, match=why):
        open_repository(parted, clock, *media, "keys").rotate(
            {name: parted / into if into else None for name, into in drop.items()}
        )
    assert files(parted) == files_before


def test_the_key_of_a_channel_is_replaced_by_targets_alone(parted: Path, clock: Clock) -> None:
    repository = open_repository(parted, clock, "targets", "keys")
    assert repository.rotate({"stable": None}) == ["stable-2"]
    assert repository.fingerprint()[0] == 1
    repository.check_whole()
    (parted / "keys" / "stable.pem").unlink()
    open_repository(parted, clock, "keys").sign("stable")


def test_a_name_of_a_dropped_key_is_never_given_again(parted: Path, clock: Clock) -> None:
    for dropped, new, medium in (("root-2", "root-4", "new"), ("root-4", "root-5", "newer")):
        repository = open_repository(parted, clock, "root-1", "root-3")
        assert repository.rotate({dropped: parted / medium}) == [new]


def test_a_rotation_that_is_cut_off_anywhere_is_whole_and_is_ended_by_the_same_call(
    parted: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sync and each renaming is once the last one."""

    class PowerCut(BaseException):
        pass

    def rotate() -> list[str]:
        repository = open_repository(parted, clock, "root-1", "root-3", "targets", "keys")
        return repository.rotate({"root-2": parted / "new", "stable": None})

    start, roots, steps = parted.with_name("start"), set(), 0
    parted.rename(start)
    while True:
        shutil.rmtree(parted, ignore_errors=True)
        shutil.copytree(start, parted)
        remaining_steps = iter(range(steps))

        def step(do: Any, remaining_steps: Iterator[int] = remaining_steps) -> Any:
            def count_call(*arguments: Any) -> Any:
                if next(remaining_steps, None) is None:
                    raise PowerCut
                return do(*arguments)

            return count_call

        with monkeypatch.context() as patched, suppress(PowerCut):
            patched.setattr(os, "fsync", step(os.fsync))
            patched.setattr(Path, "replace", step(Path.replace))
            rotate()
            break
        reopened = open_repository(parted, clock)
        reopened.check_whole()
        roots.add(reopened.fingerprint()[0])
        if reopened.fingerprint()[0] == 1:
            assert rotate() == ["root-4", "stable-2"]
        with pytest.raises(NotSigned, match="root-2, stable wurde schon ersetzt"):
            rotate()
        open_repository(parted, clock, "new", "root-3", "targets", "keys").rotate({})
        steps += 1
    assert (roots, steps > 12) == ({1, 2}, True)


def test_a_folder_with_half_of_a_rotation_is_not_published(parted: Path, clock: Clock) -> None:
    newest = max((parted / "metadata").glob("*.targets.json"))
    half = newest.read_bytes()
    repository = open_repository(parted, clock, "targets", "keys")
    clock.now += timedelta(seconds=10)
    repository.rotate({"stable": None})
    (max((parted / "metadata").glob("*.targets.json"))).write_bytes(half)
    with pytest.raises(NotSigned, match="stable ist nicht mit dem Schlüssel unterschrieben, den targets nennt"):
        repository.bundle()


@pytest.mark.parametrize("command_name", ["sign", "rotate", "withdraw"])
def test_a_folder_without_the_files_of_a_signed_version_signs_nothing(
    command_name: str, begun: Repository, folder: Path, clock: Clock
) -> None:
    """A cloud withdraws for good what a channel no longer lists."""
    add_release(begun, "1.0.0")
    add_release(begun, "1.1.0")
    begun.sign("beta")
    shutil.rmtree(begun.channel("beta"))
    files_before = files(folder)
    act = {
        "sign": lambda: begun.sign("beta"),
        "rotate": lambda: begun.rotate({"beta": None}),
        "withdraw": lambda: begun.withdraw(["1.1.0"], "beta"),
    }[command_name]
    with pytest.raises(NotSigned, match=r"Dateien von 1\.0\.0.* fehlen in"):
        act()
    assert files(folder) == files_before
    begun.withdraw(["1.0.0", "1.1.0"], "beta")  # they are lost for good
    assert begun.rotate({"beta": None}) == ["beta-2"]


def test_a_folder_that_lacks_the_manifest_of_one_platform_signs_nothing(begun: Repository) -> None:
    add_release(begun, "1.0.0")
    wheels = list((begun.folder / "wheels").glob("*.whl"))
    other_manifest = begun.add("beta", "1.0.0", "cp311-aarch64", wheels)
    begun.sign("beta")
    other_manifest.unlink()
    with pytest.raises(NotSigned, match=r"Dateien von 1\.0\.0 fehlen in"):
        begun.sign("beta")


def test_a_wheel_that_is_signed_is_not_replaced_by_another_build(begun: Repository) -> None:
    add_release(begun, "1.0.0")
    begun.sign("beta")
    add_release(begun, "1.0.0", own=b"built again")
    assert (begun.channel("beta") / "own-py3-none-any.whl").read_bytes() == b"1.0.0"


def test_a_wheel_whose_copy_was_cut_off_is_copied_again_and_a_damaged_one_is_refused(begun: Repository) -> None:
    begun.channel("beta").mkdir(parents=True)
    (begun.channel("beta") / "own-py3-none-any.whl").write_bytes(b"")
    add_release(begun, "1.0.0")
    assert (begun.channel("beta") / "own-py3-none-any.whl").read_bytes() == b"1.0.0"
    (begun.channel("beta") / "other-py3-none-any.whl").write_bytes(b"")
    with pytest.raises(NotSigned, match="muss den Inhalt haben"):
        add_release(begun, "1.1.0")
    (begun.channel("beta") / "other-py3-none-any.whl").unlink()
    with pytest.raises(NotSigned, match="muss den Inhalt haben"):
        add_release(begun, "1.1.0", other=b"another build")
    assert not (begun.channel("beta") / "other-py3-none-any.whl").exists()
    add_release(begun, "1.1.0")
    assert (begun.channel("beta") / "other-py3-none-any.whl").read_bytes() == b"other"


def test_two_commands_never_work_in_one_folder(begun: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    with disk.locked(begun.folder):
        assert command.main(["--dir", str(begun.folder), "sign", "--channel", "beta"]) == 1
    assert "arbeitet schon ein anderer Aufruf" in capsys.readouterr().out


def test_an_empty_passphrase_and_foreign_files_on_a_medium_are_no_crash(begun: Repository, folder: Path) -> None:
    (folder / "metadata" / "._1.root.json").write_bytes(b"Mac OS X")
    with pytest.raises(NoKey, match="Passphrase von stable stimmt nicht"):
        Repository(folder, Keys([folder / "keys"], lambda _: "")).sign("stable")


def test_a_withdrawal_that_was_cut_off_is_ended_by_the_same_call(begun: Repository, folder: Path, clock: Clock) -> None:
    add_release(begun, "1.0.0")
    begun.sign("beta")
    manifest = next(begun.channel("beta").glob("*1.0.0*.json"))
    (folder / "keys" / "beta.pem").rename(folder / "beta.pem")
    with pytest.raises(NotSigned, match="braucht den Schlüssel beta"):
        open_repository(folder, clock).withdraw(["1.0.0"], "beta")
    manifest.unlink()
    (folder / "beta.pem").rename(folder / "keys" / "beta.pem")
    reopened = open_repository(folder, clock)
    reopened.withdraw(["1.0.0"], "beta")
    with pytest.raises(NotSigned, match="keine Version"):
        reopened.withdraw(["1.0.0"], "beta")


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[tuple[Cloud, str]]:
    """Yields a cloud with a founder, and its signing key."""
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'cloud.db'}", data_dir=tmp_path / "cloud")
    app = create_app(settings)
    schema.migrate(app.state.platform.database)
    with unit_of_work(app.state.platform, SYSTEM) as work:
        commands.create(work, LOGIN["username"], passwords.hash_password(LOGIN["password"]), FOUNDER)
    with TestClient(app) as client, Cloud(cast(httpx.Client, client), LOGIN.__getitem__) as session:
        yield session, updates.public_key(settings, renew=False)


def test_a_cloud_takes_what_was_signed_from_the_ceremony_to_the_rotation(
    cloud: tuple[Cloud, str], folder: Path, clock: Clock
) -> None:
    session, cloud_key = cloud
    repository = open_repository(folder, clock)
    repository.begin(cloud_key)

    def publish() -> dict[str, Any]:
        answer = session.publish(repository.bundle(session.offered_releases()))
        assert (answer["root"]["version"], answer["root"]["fingerprint"]) == repository.fingerprint()
        return {f"{row['channel']} {row['version']}": row["withdrawn"] for row in answer["releases"]}

    add_release(repository, "1.0.0", "stable")
    add_release(repository, "1.1.0")
    repository.sign("stable")
    repository.sign("beta")
    assert publish() == {"stable 1.0.0": False, "beta 1.1.0": False}
    with pytest.raises(NotSigned, match=r"keine Version 9\.9"):
        repository.promote("9.9")
    repository.promote("1.1.0")
    assert publish()["stable 1.1.0"] is False
    session.withdraw("1.1.0", "verliert Stempel")
    session.withdraw("1.1.0", "verliert Stempel")  # again, after a lost answer or a withdrawal on the page
    with pytest.raises(Refused, match="404"):
        session.withdraw("9.9.9", "verliert Stempel")
    for channel in repository.channels_of("1.1.0"):
        repository.withdraw(["1.1.0"], channel)
    assert publish() == {"stable 1.0.0": False, "beta 1.1.0": True, "stable 1.1.0": True}
    (folder / "new").mkdir()
    repository.rotate({"root-3": folder / "new", "targets": None, "stable": None})
    publish()
    repository.rotate({}, "33" * 32)
    with pytest.raises(Refused, match="kennt den Schlüssel dieser Cloud nicht"):
        publish()


def test_an_administrator_whose_second_step_is_a_mails_code_hands_in_too(tmp_path: Path) -> None:
    mailbox, address = Mailbox(), "gruender@example.org"
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'cloud.db'}",
        data_dir=tmp_path / "cloud",
        smtp_url=mailbox.url,
        mail_from="Stempelwerk <zeit@example.org>",
    )
    app = create_app(settings)
    schema.migrate(app.state.platform.database)
    with unit_of_work(app.state.platform, SYSTEM) as work:
        commands.create(work, LOGIN["username"], passwords.hash_password(LOGIN["password"]), FOUNDER)
    mailbox.start()
    try:
        with TestClient(app) as client:
            login = client.post("/api/login", json=LOGIN).json()
            wish = {"temp_token": login["temp_token"], "email": address}
            assert client.post("/api/auth/email/start", json=wish).is_success
            code = {"temp_token": login["temp_token"], "code": mailbox.codes(address)[-1], "rememberDevice": False}
            assert client.post("/api/auth/email/verify", json=code).is_success
            client.cookies.clear()

            def answers(name: str) -> str:
                return mailbox.codes(address)[-1] if name == "code" else LOGIN[name]

            with Cloud(cast(httpx.Client, client), answers) as session:
                assert session.offered_releases() == set()
            assert len(mailbox.codes(address)) == 2
    finally:
        mailbox.stop()


def test_the_command_says_what_it_cannot_do(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit) as refused:
        command.main([])
    assert refused.value.code == 2
    assert command.main(["--dir", str(folder), "sign", "--channel", "stable"]) == 1
    assert "Beginne mit init" in capsys.readouterr().out
    init = ["--dir", str(folder), "init", "--cloud-key", "11" * 32]

    def without_terminal(_: str) -> str:
        raise getpass.GetPassWarning

    monkeypatch.setattr(getpass, "getpass", without_terminal)
    assert command.main(init) == 1
    assert "Kein Terminal, um nach root-1 zu fragen: Setze RELEASE_ROOT_1" in capsys.readouterr().out
    typed = iter(["a long passphrase", "a long passphrasf"] * 3)
    monkeypatch.setattr(getpass, "getpass", lambda _: next(typed))
    assert command.main(init) == 1
    assert capsys.readouterr().out.count("Die Passphrasen von root-1 sind verschieden") == 3
    for name in ("ROOT_1", "ROOT_2", "ROOT_3", "TARGETS", "STABLE", "BETA"):
        monkeypatch.setenv(f"RELEASE_{name}", "a long passphrase")
    assert command.main(init) == 0
    assert "Root 1, Fingerabdruck" in capsys.readouterr().out
    monkeypatch.setenv("RELEASE_STABLE_2", "a long passphrase")
    (folder / "stick").mkdir()
    assert command.main(["--dir", str(folder), "rotate", "--drop", f"stable={folder / 'stick'}"]) == 0
    assert "Neuer Schlüssel stable-2" in capsys.readouterr().out
    assert (folder / "stick" / "stable-2.pem").is_file()


@pytest.mark.prove
def test_a_rehearsal_goes_as_it_must(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--rehearse"]) == 0, capsys.readouterr().out
