"""Releases: refused bundles, served files and their readers, and the service's own signatures."""

import dataclasses
import hashlib
import json
import os
import random
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.updates import commands, service
from stempelwerk_cloud.fleet.updates.intake import bundles, collecting, publishing
from stempelwerk_cloud.fleet.updates.signed import keys, signing
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import RELEASE_WITHDRAWN
from stempelwerk_cloud.kit.http import requests
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.work import UnitOfWork
from tuf.api.metadata import Metadata, Root, Snapshot, TargetFile, Targets, Timestamp

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.device_client import Clock
from cloud.tests.fleet.ceremony import PLATFORM, Ceremony, ceremony_at, release, signed, signer, zipped
from cloud.tests.meeting import all_at_once
from cloud.tests.room import logged
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import Site
from cloud.tests.world import Somebody, World

RELEASES = "/api/updates/releases"
OTHERS = "ab" * 32
"""A public key of another cloud."""


@pytest.fixture
def root(world: World) -> Somebody:
    return world.admin()


@pytest.fixture
def ceremony(platform: Platform) -> Ceremony:
    return ceremony_at(platform)


def awake(caller: Somebody) -> Somebody:
    """Gives the caller a session that has not expired."""
    with caller.world.platform.database.write(SYSTEM) as tx:
        caller.token = open_session(UnitOfWork(tx, caller.world.platform), caller.company_id, caller.id, "tests")
    return caller


def publish(caller: Somebody, bundle: bytes) -> Response:
    return awake(caller).post(RELEASES, files={"file": ("updates.zip", bundle)})


def published(caller: Somebody, bundle: bytes) -> dict[str, Any]:
    answer = publish(caller, bundle)
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    return body


def _read_repository(platform: Platform) -> tuple[Any, ...]:
    """Returns all rows and file names of the repository."""
    with platform.database.read(SYSTEM) as tx:
        rows = [
            sorted(tuple(row) for row in tx.execute(select(table.__table__)))
            for table in (UpdateMetadata, UpdateRelease, UpdateTarget)
        ]
    folder = service.folder(platform)
    return (*rows, sorted(path.name for path in folder.iterdir()) if folder.exists() else [])


def _signed_by(ceremony: Ceremony, role: str, *names: str) -> Ceremony:
    return dataclasses.replace(ceremony, signs=ceremony.signs | {role: names})


def _lying(**change: Any) -> dict[str, bytes]:
    """A release with a different value in its manifest."""
    files = dict(release("1.6.0"))
    path = service.manifest_target("1.6.0", "stable", PLATFORM)
    return files | {path: json.dumps(json.loads(files[path]) | change).encode()}


def _leading_out(ceremony: Ceremony) -> bytes:
    target = TargetFile(7, {"sha256": "../update.key"}, service.manifest_target("1.6.0", "stable", PLATFORM))
    channel = Targets(ceremony.seconds, None, ceremony.now + timedelta(days=1), {target.path: target})
    return signed(channel, "stable")


def _keyless(ceremony: Ceremony) -> bytes:
    root: Root = Metadata.from_bytes(ceremony.root()).signed
    for role in (root.roles["snapshot"], root.roles["timestamp"]):
        role.keyids = ["0" * 64]
    return signed(root, *ceremony.signs["root"])


def _before_its_beginning(bundle: bytes) -> bytes:
    """Its directory claims a larger offset than it has."""
    end = bundle.rindex(b"PK\5\6") + 16
    return bundle[:end] + (2**31).to_bytes(4, "little") + bundle[end + 4 :]


WHEEL = "stable/stempelwerk_edge-1.6.0-py3-none-any.whl"
LYING_WHEEL = [{"target": WHEEL, "sha256": "0" * 64, "length": 7}]
GOOD = release("1.6.0")
GOOD_WHEEL = json.loads(GOOD[service.manifest_target("1.6.0", "stable", PLATFORM)])["wheels"][0]
WITHOUT_WHEEL = {path: content for path, content in GOOD.items() if path != WHEEL}

REFUSED: dict[str, tuple[str, Callable[[Ceremony], bytes]]] = {
    "nothing": ("invalid", lambda _: b""),
    "another zip": ("incomplete_bundle", lambda _: zipped({}, {})),
    "packed in another way": ("invalid", lambda c: zipped({"root": c.root()}, {}, kind=zipfile.ZIP_LZMA)),
    "no JSON": ("not_trusted", lambda c: c.bundle(metadata={"1.root.json": b"{", "root": b""} | {"root": c.root(2)})),
    "a root by one": ("not_trusted", lambda c: _signed_by(c, "root", "root-1").bundle(GOOD)),
    "a root by one, twice": ("not_trusted", lambda c: _signed_by(c, "root", "root-1", "root-1").bundle(GOOD)),
    "a root that one may sign": ("not_ours", lambda c: c.bundle(GOOD, metadata={"root": c.root(threshold=1)})),
    "a root without consistency": ("not_ours", lambda c: c.bundle(GOOD, metadata={"root": c.root(consistent=False)})),
    "a root that is over": ("not_trusted", lambda c: c.bundle(GOOD, metadata={"root": c.root(years=-1)})),
    "a root that names a key that it has not": (
        "unknown_key",
        lambda c: c.bundle(GOOD, metadata={"root": _keyless(c)}),
    ),
    "an offset before the beginning": ("invalid", lambda c: _before_its_beginning(c.bundle(GOOD))),
    "a root of another cloud": ("unknown_key", lambda c: c.bundle(GOOD, metadata={"root": c.root(online=[OTHERS])})),
    "a first root that is the third": ("incomplete_bundle", lambda c: c.bundle(GOOD, metadata={"root": c.root(3)})),
    "targets by another": ("not_trusted", lambda c: _signed_by(c, "targets", "root-1").bundle(GOOD)),
    "targets that name files": (
        "not_ours",
        lambda c: c.bundle(metadata={"targets": c.targets(targets={"x": TargetFile(1, {"sha256": "0"}, "x")})}),
    ),
    "a channel with all paths": (
        "not_ours",
        lambda c: c.bundle(metadata={"targets": c.targets(paths={"stable": ["*/*"], "beta": ["beta/*"]})}),
    ),
    "stable by beta": ("not_trusted", lambda c: _signed_by(c, "stable", "beta").bundle(GOOD)),
    "beta with files of stable": ("not_ours", lambda c: c.bundle(GOOD, metadata={"beta": c.channel("beta", GOOD)})),
    "a channel that is over": ("not_trusted", lambda c: c.bundle(metadata={"stable": c.channel("stable", years=-1)})),
    "a wrong version in the name": (
        "not_ours",
        lambda c: c.bundle(metadata={"99999999999.stable.json": c.channel("stable"), "stable": c.channel("stable")}),
    ),
    "a file missing": (
        "incomplete_bundle",
        lambda c: c.bundle(WITHOUT_WHEEL, metadata={"stable": c.channel("stable", GOOD)}),
    ),
    "another file": (
        "incomplete_bundle",
        lambda c: c.bundle({**GOOD, WHEEL: b"another"}, metadata={"stable": c.channel("stable", GOOD)}),
    ),
    "a wheel that is not signed": ("not_as_signed", lambda c: c.bundle(WITHOUT_WHEEL)),
    "a manifest of another version": ("not_as_signed", lambda c: c.bundle(_lying(version="1.7.0"))),
    "a manifest of another platform": ("not_as_signed", lambda c: c.bundle(_lying(platform="cp312-x86_64"))),
    "a manifest with another wheel": ("not_as_signed", lambda c: c.bundle(_lying(wheels=LYING_WHEEL))),
    "a manifest without wheels": ("not_as_signed", lambda c: c.bundle(_lying(wheels=[]))),
    "a wheel with a strange name": (
        "not_as_signed",
        lambda c: c.bundle(_lying(wheels=[GOOD_WHEEL | {"target": "stable/a/b"}]) | {"stable/a/b": b"a wheel"}),
    ),
    "a hash that is a path": ("not_as_signed", lambda c: c.bundle(GOOD, metadata={"stable": _leading_out(c)})),
    "a manifest that is none": ("not_as_signed", lambda c: c.bundle(_lying(wheels=7))),
}


@ON_SQLITE
def test_a_bundle_that_breaks_the_contract_is_refused_and_changes_nothing(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    state_before = _read_repository(platform)
    for name, (code, bundle) in REFUSED.items():
        answer = publish(root, bundle(ceremony))
        assert (answer.status_code, answer.json()["code"]) == (422, code), f"{name}: {answer.text}"
    assert _read_repository(platform) == state_before
    assert not logged(root.world, root.company_id, "update")


@ON_SQLITE
def test_a_file_that_no_clock_fetches_is_refused_by_its_name_and_the_limit(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    state_before = _read_repository(platform)
    answer = publish(root, ceremony.bundle(release("1.6.0", wheel=bytes(publishing.LARGEST_FILE + 1))))
    assert (answer.status_code, answer.json()["code"]) == (422, "file_too_large")
    assert answer.json()["message"] == (
        f"{WHEEL} ist größer als 32 MB, und mehr lädt keine Stempeluhr."
        " Verkleinere die Datei oder nimm sie heraus, und unterschreibe das Paket neu."
    )
    assert _read_repository(platform) == state_before
    published(root, ceremony.bundle(release("1.6.0", wheel=bytes(publishing.LARGEST_FILE))))


@ON_SQLITE
def test_a_manifest_that_is_larger_than_a_clock_reads_is_refused_unread(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    state_before = _read_repository(platform)
    manifest = service.manifest_target("1.6.0", "stable", PLATFORM)
    files = {**GOOD, manifest: GOOD[manifest] + b" " * publishing.LARGEST_MANIFEST}
    answer = publish(root, ceremony.bundle(files))
    assert (answer.status_code, answer.json()["code"]) == (422, "file_too_large")
    assert answer.json()["message"].startswith(f"{manifest} ist größer als 1 MB")
    assert _read_repository(platform) == state_before


@ON_SQLITE
def test_a_manifest_of_more_wheels_than_a_clock_reads_is_refused_by_its_name_and_the_limit(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    state_before = _read_repository(platform)
    answer = publish(root, ceremony.bundle(_lying(wheels=[GOOD_WHEEL] * (publishing.MOST_WHEELS + 1))))
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_wheels")
    manifest = service.manifest_target("1.6.0", "stable", PLATFORM)
    assert answer.json()["message"].startswith(f"{manifest} nennt mehr als 200 Wheels")
    assert _read_repository(platform) == state_before


@ON_SQLITE
def test_older_files_and_skipped_roots_are_refused_after_the_first_publication(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    published(root, ceremony.bundle(GOOD))
    state_before, c = _read_repository(platform), ceremony
    other_release = release("1.6.0", wheel=b"other")
    for name, code, bundle in (
        ("the same version", "older", {"stable": c.channel("stable")}),
        ("an older one", "older", {"stable": c.channel("stable", version=5)}),
        ("a root left out", "incomplete_bundle", {"root": c.root(3)}),
        (
            "a root of others",
            "not_trusted",
            {"root": _signed_by(c, "root", "beta", "stable").root(2, roots=["beta", "stable"])},
        ),
        ("a known name", "version_taken", {"stable": c.channel("stable", other_release, version=c.seconds + 1)}),
    ):
        answer = publish(root, zipped(bundle, other_release))
        assert answer.json().get("code") == code, f"{name}: {answer.text}"
    assert _read_repository(platform) == state_before


@ON_SQLITE
def test_more_than_a_bundle_may_have_is_refused(
    root: Somebody, ceremony: Ceremony, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced = root.post(RELEASES, headers={"Content-Length": str(200 * 1024 * 1024)}, content=b"")
    assert (announced.status_code, announced.json()["message"]) == (413, "Das Paket ist zu groß: höchstens 100 MB.")
    for limit in ("MOST_UNPACKED", "MOST_FILES", "MOST_SIGNED"):
        with monkeypatch.context() as patch:
            patch.setattr(bundles, limit, 3)
            assert publish(root, ceremony.bundle(GOOD)).json()["code"] == "invalid"
    assert root.post(RELEASES, json={}).json()["message"] == "Bitte eine Datei auswählen."


@ON_SQLITE
def test_a_bundle_takes_no_room_from_the_bodies_that_are_in_memory(
    root: Somebody, ceremony: Ceremony, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = ceremony.bundle(GOOD)
    awake(root)
    monkeypatch.setattr(requests, "MOST_IN_FLIGHT", 1000)
    assert root.post(RELEASES, files={"file": ("updates.zip", bundle)}).status_code == 201
    assert root.post("/api/companies", json={"name": "x" * 2000}).status_code == 503


@ON_SQLITE
def test_only_clocks_in_use_are_served_and_unassigned_ones_within_their_budget(
    platform: Platform, root: Somebody, site: Site, ceremony: Ceremony
) -> None:
    published(root, ceremony.bundle(GOOD))
    path = "/api/updates/metadata/timestamp.json"
    assert site.device.send("GET", path).status_code == 200
    assert site.device.send("GET", "/api/updates/metadata/timestamp.json?x").status_code == 200
    for name in ("1.timestamp.json", "root.json", "01.root.json", "1.root.json.json", "../1.root.json", "9.root.json"):
        assert site.device.send("GET", f"/api/updates/metadata/{name}").status_code == 404, name
    stranger = Clock(root.world.client, platform.clock, "SW-T-9", random.Random(9))
    stranger.enrol()
    answers = [stranger.send("GET", path).status_code for _ in range(200)]
    assert answers.count(200) >= 100
    assert answers[-1] == 429
    root.post(f"/api/devices/{site.device.device_id}/revoke", json={"reason": "gestohlen"})
    assert site.device.send("GET", path).json()["code"] == "revoked"


@ON_BOTH
def test_a_release_is_listed_served_and_withdrawn(
    platform: Platform, root: Somebody, site: Site, ceremony: Ceremony
) -> None:
    withdrawals: list[Any] = []
    platform.signals.on(RELEASE_WITHDRAWN, lambda _work, **data: withdrawals.append(data))
    answer = published(root, ceremony.bundle({**GOOD, **release("1.7.0", channel="beta")}, notes="Hört besser."))
    assert answer["root"]["version"] == 1
    site.device.beat(platform.clock.now() + timedelta(seconds=30), version="1.6.0")
    rows = {(row["channel"], row["version"]): row for row in root.get(RELEASES).json()}
    assert rows.keys() == {("stable", "1.6.0"), ("beta", "1.7.0")}
    assert rows["stable", "1.6.0"]["notes"] == "Hört besser."
    assert [row["clocks"] for row in rows.values()].count(1) == 1 == rows["stable", "1.6.0"]["clocks"]
    assert rows["stable", "1.6.0"]["platforms"] == [PLATFORM]

    with platform.database.read(SYSTEM) as tx:
        sha256 = tx.scalar(select(UpdateTarget.sha256).where(UpdateTarget.path == WHEEL))
        assert service.release(tx, "1.6.0", "beta") is None
    path = f"/api/updates/targets/stable/{sha256}.{WHEEL.partition('/')[2]}"
    assert site.device.send("GET", path).content == b"a wheel"
    assert site.device.send("GET", path.replace("/stable/", "/beta/")).status_code == 404

    withdrawn = root.post(f"{RELEASES}/1.6.0/withdraw", json={"reason": "verliert Stempel"}).json()
    assert (withdrawn["version"], withdrawn["withdrawn"], withdrawn["reason"]) == ("1.6.0", True, "verliert Stempel")
    assert withdrawals == [{"version": "1.6.0", "channel": "stable"}]
    assert site.device.send("GET", path).status_code == 404
    assert logged(root.world, root.company_id, "update") == ["update.published", "update.withdrawn"]


@ON_SQLITE
def test_a_release_that_leaves_its_channel_is_withdrawn_and_a_platform_may_be_added(
    platform: Platform, root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    published(root, ceremony.bundle(GOOD))
    both = {**GOOD, **release("1.6.0", platform="cp311-aarch64")}
    for files, platforms, withdrawn in (
        (both, {"1.6.0": ["cp311-aarch64", PLATFORM]}, set()),
        (release("1.6.1"), {"1.6.1": [PLATFORM]}, {"1.6.0"}),
        ({**both, **release("1.6.1")}, {}, {"1.6.0"}),  # and does not come back
    ):
        clock.advance(days=1)
        ceremony.now = clock.now()
        rows = published(root, zipped({"stable": ceremony.channel("stable", files)}, files))["releases"]
        assert {row["version"]: row["platforms"] for row in rows}.items() >= platforms.items()
        assert {row["version"] for row in rows if row["withdrawn"]} == withdrawn


@ON_SQLITE
def test_an_expired_channel_does_not_prevent_publishing_in_the_other(
    root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    published(root, ceremony.bundle())
    clock.advance(days=500)
    ceremony.now = clock.now()
    rows = published(root, zipped({"stable": ceremony.channel("stable", GOOD)}, GOOD))["releases"]
    assert [row["version"] for row in rows] == ["1.6.0"]


@ON_POSTGRESQL
def test_two_publications_at_once_run_one_after_another(platform: Platform, root: Somebody, ceremony: Ceremony) -> None:
    files = {"file": ("updates.zip", ceremony.bundle(GOOD))}
    answers = all_at_once(platform, *[lambda: root.post(RELEASES, files=files)] * 2)
    assert [answer.status_code for answer in answers] == [201, 201]
    assert len(root.get(RELEASES).json()) == 1


def test_it_is_signed_anew_each_day_with_a_higher_version_and_old_ones_go(
    platform: Platform, root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    published(root, ceremony.bundle(GOOD))

    def versions() -> list[int]:
        with platform.database.read(SYSTEM) as tx:
            return sorted(tx.scalars(select(UpdateMetadata.version).where(UpdateMetadata.role == "timestamp")))

    first = versions()
    signing.sign_daily(platform)
    assert versions() == first
    clock.advance(days=1)
    signing.sign_daily(platform)
    assert versions() == [*first, int(clock.now().timestamp())]
    clock.set(ceremony.now)  # as after a restore, with a wrong server clock
    signing.sign_daily(platform)
    clock.advance(days=8)
    signing.sign_daily(platform)
    assert versions() == [int(clock.now().timestamp())]


def lying_there(platform: Platform) -> set[str]:
    return {path.name for path in service.folder(platform).iterdir()}


def aged(platform: Platform, name: str, modified_at: datetime) -> None:
    """Sets the file's modification time."""
    os.utime(service.folder(platform) / name, (modified_at.timestamp(), modified_at.timestamp()))


@ON_SQLITE
def test_files_of_a_withdrawn_release_go_a_month_after_no_served_metadata_names_them(
    platform: Platform, root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    newer = release("1.7.0", wheel=b"a newer wheel")
    published(root, ceremony.bundle({**GOOD, **newer}))
    everything = lying_there(platform)
    for name in everything:
        aged(platform, name, clock.now())
    awake(root).post(f"{RELEASES}/1.6.0/withdraw", json={"reason": "verliert Stempel"})
    clock.advance(days=40)
    signing.sign_daily(platform)
    collecting.collect(platform)
    assert lying_there(platform) == everything, "the channel still names it"
    ceremony.now = clock.now()
    published(root, zipped({"stable": ceremony.channel("stable", newer)}, newer))
    collecting.collect(platform)
    assert lying_there(platform) == everything, "so does a snapshot that is still served"
    clock.advance(days=8)
    signing.sign_daily(platform)
    collecting.collect(platform)
    assert lying_there(platform) == {hashlib.sha256(content).hexdigest() for content in newer.values()}
    assert {row["version"]: row["missing"] for row in awake(root).get(RELEASES).json()} == {
        "1.6.0": False,
        "1.7.0": False,
    }


@ON_SQLITE
def test_leftovers_of_an_upload_are_removed_after_a_month(
    platform: Platform, root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    collecting.collect(platform)  # without any publication
    published(root, ceremony.bundle(GOOD))
    everything = lying_there(platform)
    for name, days in (("0" * 64, 31), (".draft.x", 31), ("1" * 64, 29)):
        (service.folder(platform) / name).write_bytes(b"x")
        aged(platform, name, clock.now() - timedelta(days=days))
    collecting.collect(platform)
    assert lying_there(platform) == everything | {"1" * 64}


@ON_POSTGRESQL
def test_files_of_a_running_publication_are_not_collected(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    folder = service.folder(platform)
    folder.mkdir(parents=True)
    for content in GOOD.values():  # an old leftover of an upload, which is about to be used
        name = hashlib.sha256(content).hexdigest()
        (folder / name).write_bytes(content)
        aged(platform, name, platform.clock.now() - timedelta(days=99))
    files = {"file": ("updates.zip", ceremony.bundle(GOOD))}
    answer, _ = all_at_once(platform, lambda: root.post(RELEASES, files=files), lambda: collecting.collect(platform))
    assert answer.status_code == 201
    assert [row["missing"] for row in root.get(RELEASES).json()] == [False]


@ON_SQLITE
def test_a_release_whose_files_are_not_there_is_missing_until_it_is_published_again(
    platform: Platform, root: Somebody, ceremony: Ceremony
) -> None:
    bundle = ceremony.bundle({**GOOD, **release("1.7.0", wheel=b"another wheel")})
    published(root, bundle)
    (service.folder(platform) / hashlib.sha256(b"a wheel").hexdigest()).unlink()
    assert {row["version"]: row["missing"] for row in root.get(RELEASES).json()} == {"1.6.0": True, "1.7.0": False}
    assert [row["missing"] for row in published(root, bundle)["releases"]] == [False, False]


@ON_SQLITE
def test_a_version_on_clocks_that_a_restored_cloud_lacks_is_listed_as_missing(
    platform: Platform, root: Somebody, site: Site, ceremony: Ceremony
) -> None:
    site.device.beat(platform.clock.now() + timedelta(seconds=30), version="1.7.0")
    devices.write_beats(platform)
    assert awake(root).get(RELEASES).json() == [], "where nothing was ever published it came with a package"
    (clock_release,) = published(root, ceremony.bundle(GOOD))["releases"][1:]
    assert (clock_release["version"], clock_release["missing"]) == ("1.6.0", False)
    (lost, _) = root.get(RELEASES).json()
    assert lost == {
        **{"version": "1.7.0", "channel": "stable", "publishedAt": None, "notes": "", "withdrawn": False},
        **{"reason": "", "platforms": [], "clocks": 1, "missing": True},
    }
    assert root.post(f"{RELEASES}/1.7.0/withdraw", json={"reason": "x"}).status_code == 404


@given(st.lists(st.integers(-10_000_000, 10_000_000), max_size=8))
@settings(max_examples=50, deadline=None)
def test_each_signature_has_a_higher_version_at_any_time(offsets: list[int]) -> None:
    ceremony = Ceremony(START, OTHERS)
    files = {"targets": ceremony.targets(), "stable": ceremony.channel("stable"), "beta": ceremony.channel("beta")}
    last = 0
    for offset in offsets:
        online = signing.sign(signer("cloud"), files, last, START + timedelta(seconds=offset))
        timestamp = Metadata[Timestamp].from_bytes(online.timestamp).signed
        snapshot = Metadata[Snapshot].from_bytes(online.snapshot).signed
        assert timestamp.version == snapshot.version == timestamp.snapshot_meta.version == online.version > last
        last = online.version


@ON_SQLITE
def test_a_new_key_is_used_once_a_root_names_it(
    platform: Platform, root: Somebody, ceremony: Ceremony, clock: SettableClock
) -> None:
    published(root, ceremony.bundle())
    old, new = ceremony.online, commands.public_key(platform.settings, renew=True)
    clock.advance(days=1)
    signing.sign_daily(platform)  # still with the old key
    for public in (old, new):
        if public == new:
            published(root, zipped({"root": ceremony.root(2, online=[new])}, {}))
        with platform.database.read(SYSTEM) as tx:
            first_root = Metadata[Root].from_bytes(service.metadata(tx, "1.root.json") or b"").signed
            assert service.metadata(tx, "2.root.json") is None or public == new
        signer = keys.signer(platform, first_root)
        assert signer is not None
        assert signer.public_key.keyval["public"] == old
    timestamp = Metadata[Any].from_bytes(_newest(platform, "timestamp"))
    assert [*timestamp.signatures] == [new[:16]]


def _newest(platform: Platform, role: str) -> bytes:
    with platform.database.read(SYSTEM) as tx:
        return signing.newest(tx)[role].content


@ON_SQLITE
def test_a_backup_has_the_files_and_only_with_its_keys_the_key(
    platform: Platform,
    root: Somebody,
    ceremony: Ceremony,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    published(root, ceremony.bundle(GOOD))
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", platform.settings.database_url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(platform.settings.data_dir))
    for name, how in (("all", []), ("keyless", ["--without-keys"])):
        assert main(["backup", *how, str(tmp_path / name)]) == 0
    assert "update.key" in capsys.readouterr().out
    platform.database.dispose()
    files = {path.name for path in service.folder(platform).iterdir()}
    for name, has_key in (("all", True), ("keyless", False)):
        monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{tmp_path / name}.db")
        monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / f"{name}-data"))
        assert main(["restore", str(tmp_path / name)]) == 0
        assert "Publish again what was published or withdrawn of updates since 2026-11-20" in capsys.readouterr().out
        folder = tmp_path / f"{name}-data"
        assert {path.name for path in (folder / "updates").iterdir()} == files
        assert (folder / "update.key").exists() is has_key
    assert main(["update-key"]) == 0
    assert len(capsys.readouterr().out.strip()) == 64


@ON_BOTH
def test_only_a_newly_accepted_root_has_a_row_in_the_operator_log(root: Somebody, ceremony: Ceremony) -> None:
    def accepted() -> list[str]:
        rows = root.get("/api/operator-log", params={"action": "update.root_accepted"}).json()
        return [row["subjectName"] for row in rows]

    published(root, ceremony.bundle(GOOD))
    assert accepted() == ["1.root.json"]
    published(root, ceremony.bundle(GOOD))
    assert accepted() == ["1.root.json"]
    published(root, zipped({"root": ceremony.root(2)}, {}))
    assert accepted() == ["2.root.json", "1.root.json"]
