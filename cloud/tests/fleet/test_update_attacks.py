"""Attacks between the repository and a clock: none of the forged files is installed.

The clock is the reference client, whose requests are signed and answered by the real service. The attacker is in
between, has stolen keys, and replaces answers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select
from stempelwerk_cloud.fleet.updates import commands, service
from stempelwerk_cloud.fleet.updates.signed import keys, signing
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadError,
    DownloadHTTPError,
    DownloadLengthMismatchError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import Metadata, Root
from tuf.ngclient import Updater
from tuf.ngclient.fetcher import FetcherInterface

from cloud.tests.fleet.ceremony import Ceremony, ceremony_at, online_files, release, zipped
from cloud.tests.fleet.test_updates import awake, published
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import Site
from cloud.tests.world import Somebody

BASE = "/api/updates/"
OLD, NEW = release("1.0.0"), release("1.1.0", wheel=b"the new wheel")
TABLES: tuple[type[Base], ...] = (UpdateTarget, UpdateRelease, UpdateMetadata)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database plays no part here."""
    return sqlite_url


@dataclass
class Road(FetcherInterface):
    """The way to the service. `instead`: forged answers, by the end of the path."""

    site: Site
    instead: dict[str, bytes | Iterator[bytes]] = field(default_factory=dict)
    seen_files: dict[str, bytes] = field(default_factory=dict)

    def _fetch(self, url: str) -> Iterator[bytes]:
        for end, answer in self.instead.items():
            if url.endswith(end):
                return iter([answer]) if isinstance(answer, bytes) else answer
        answer = self.site.device.send("GET", url)
        if answer.status_code != 200:
            raise DownloadHTTPError(answer.text, answer.status_code)
        self.seen_files[url.rpartition("/")[2]] = answer.content
        return iter([answer.content])


@dataclass
class Fleet:
    """A repository, its clock, and the publishing administrator."""

    platform: Platform
    clock: SettableClock
    admin: Somebody
    ceremony: Ceremony
    road: Road
    folder: Path
    shipped: bytes

    def publish(self, metadata: Mapping[str, bytes], files: Mapping[str, bytes] | None = None) -> None:
        published(self.admin, zipped(metadata, files or {}))

    def later(self, **duration: float) -> None:
        self.clock.advance(**duration)
        self.ceremony.now = self.clock.now()
        signing.sign_daily(self.platform)

    def release_new(self) -> None:
        self.later(days=1)
        self.publish({"stable": self.ceremony.channel("stable", {**OLD, **NEW})}, NEW)

    def install(self, version: str, channel: str = "stable", *, time_off: timedelta = timedelta()) -> dict[str, bytes]:
        """Returns the files that the clock would install, by target. Raises RepositoryError or DownloadError if it
        would refuse.
        """
        targets = self.folder / "targets"
        targets.mkdir(parents=True, exist_ok=True)
        updater = Updater(
            str(self.folder),
            f"{BASE}metadata/",
            str(targets),
            f"{BASE}targets/",
            self.road,
            bootstrap=self.shipped,
        )
        updater._trusted_set.reference_time = self.clock.now() + time_off
        installed = {}
        names = [path for path in release(version, channel=channel) if path.endswith(".json")]
        for path in [*names, f"{channel}/stempelwerk_edge-{version}-py3-none-any.whl"]:
            target = updater.get_targetinfo(path)
            if target is None:
                raise RepositoryError(f"nobody vouches for {path}")
            installed[path] = Path(updater.download_target(target)).read_bytes()
        return installed


@pytest.fixture
def fleet(platform: Platform, clock: SettableClock, site: Site, tmp_path: Path) -> Fleet:
    """A clock that has installed 1.0.0."""
    ceremony = ceremony_at(platform)
    root = ceremony.root()
    update_fleet = Fleet(platform, clock, site.founder, ceremony, Road(site), tmp_path / "clock", root)
    published(update_fleet.admin, ceremony.bundle(OLD, metadata={"root": root}))
    assert update_fleet.install("1.0.0") == OLD
    return update_fleet


def _read_in_force(fleet: Fleet) -> dict[str, bytes]:
    with fleet.platform.database.read(SYSTEM) as tx:
        return {role: row.content for role, row in signing.newest(tx).items()}


def _refused(fleet: Fleet, *wrong: type[Exception], version: str = "1.1.0") -> None:
    with pytest.raises(wrong):
        fleet.install(version)


def test_without_an_attack_the_new_release_installs(fleet: Fleet) -> None:
    fleet.release_new()
    assert fleet.install("1.1.0") == NEW


def test_arbitrary_files_do_not_install(fleet: Fleet) -> None:
    fleet.release_new()
    for content in (b"not the wheel", b"the bad wheel", b""):
        fleet.road.instead = {".whl": content}
        _refused(fleet, LengthOrHashMismatchError, DownloadError)
    fleet.road.instead = {".whl": iter(lambda: b"x" * 10_000, b"")}
    _refused(fleet, DownloadLengthMismatchError)


def test_a_clock_accepts_no_older_timestamp_again(fleet: Fleet) -> None:
    old_timestamp = fleet.road.seen_files["timestamp.json"]
    fleet.release_new()
    fleet.install("1.1.0")
    fleet.road.instead = {"timestamp.json": old_timestamp}
    _refused(fleet, BadVersionNumberError)


def test_old_metadata_freezes_a_clock_for_no_longer_than_two_weeks(fleet: Fleet) -> None:
    fleet.road.instead.update(fleet.road.seen_files)
    fleet.release_new()
    _refused(fleet, RepositoryError)  # the channel that it knows has no such version
    fleet.later(days=14)
    _refused(fleet, ExpiredMetadataError)


def test_old_and_new_metadata_do_not_mix(fleet: Fleet) -> None:
    old_files = dict(fleet.road.seen_files)
    fleet.release_new()
    for role in ("snapshot", "stable"):
        (old,) = (content for name, content in old_files.items() if name.endswith(f"{role}.json"))
        fleet.road.instead = {f".{role}.json": old}
        _refused(fleet, LengthOrHashMismatchError, BadVersionNumberError)


def test_metadata_by_a_wrong_key_do_not_install(fleet: Fleet) -> None:
    files = {role: content for role, content in _read_in_force(fleet).items() if role in signing.DELEGATED}
    forged = online_files(files, "somebody", fleet.ceremony.seconds + 10, fleet.ceremony.now)
    fleet.road.instead = {name: forged[name] for name in forged}
    _refused(fleet, UnsignedMetadataError)
    for role, signer_name in (("targets", "somebody"), ("stable", "beta")):
        fleet.ceremony.signs[role] = (signer_name,)
    _with_stolen_online_key(fleet, {"stable": fleet.ceremony.channel("stable", NEW)}, NEW)
    _refused(fleet, UnsignedMetadataError)
    _with_stolen_online_key(fleet, {"targets": fleet.ceremony.targets()}, NEW)
    _refused(fleet, UnsignedMetadataError)


def _with_stolen_online_key(fleet: Fleet, forged: Mapping[str, bytes], targets: Mapping[str, bytes]) -> None:
    """Signs forged snapshot and timestamp files with the cloud's own key, and serves them: the attacker has the cloud
    itself.
    """
    in_force = _read_in_force(fleet)
    files = {role: in_force[role] for role in signing.DELEGATED} | dict(forged)
    signer = keys.signer(fleet.platform, Metadata[Root].from_bytes(in_force["root"]).signed)
    assert signer is not None
    online = signing.sign(signer, files, fleet.ceremony.seconds + 1, fleet.ceremony.now)
    fleet.road.instead = {"timestamp.json": online.timestamp, ".snapshot.json": online.snapshot}
    fleet.road.instead |= {f".{role}.json": content for role, content in forged.items()}
    fleet.road.instead |= {path.partition("/")[2]: content for path, content in targets.items()}
    fleet.ceremony.now += timedelta(seconds=5)


def test_the_cloud_s_own_key_makes_no_release(fleet: Fleet) -> None:
    fleet.ceremony.signs["stable"] = ("snapshot",)
    _with_stolen_online_key(fleet, {"stable": fleet.ceremony.channel("stable", NEW)}, NEW)
    _refused(fleet, UnsignedMetadataError)


def test_the_key_of_beta_signs_nothing_of_stable(fleet: Fleet) -> None:
    _with_stolen_online_key(fleet, {"beta": fleet.ceremony.channel("beta", NEW)}, NEW)
    _refused(fleet, RepositoryError)


@pytest.mark.parametrize("signers", [("root-1",), ("root-1", "root-1"), ("root-4", "root-5"), ("root-1", "root-4")])
def test_a_root_under_the_threshold_is_refused(fleet: Fleet, signers: tuple[str, ...]) -> None:
    fleet.ceremony.signs["root"] = signers
    fleet.road.instead = {"2.root.json": fleet.ceremony.root(2, roots=("root-1", "root-4", "root-5"))}
    _refused(fleet, UnsignedMetadataError, version="1.0.0")


@pytest.mark.parametrize("name", ["2.root.json", "timestamp.json", ".snapshot.json", ".targets.json", ".stable.json"])
def test_an_endless_file_is_read_no_further_than_a_file_may_be(fleet: Fleet, name: str) -> None:
    fleet.release_new()
    if name == ".targets.json":
        fleet.publish({"targets": fleet.ceremony.targets()})
    came = 0

    def endless() -> Iterator[bytes]:
        nonlocal came
        while True:
            came += 100_000
            yield b" " * 100_000

    fleet.road.instead = {name: endless()}
    _refused(fleet, DownloadLengthMismatchError)
    assert came <= 5_100_000


def test_a_channel_that_is_over_installs_nothing(fleet: Fleet) -> None:
    fleet.later(days=400)
    _refused(fleet, ExpiredMetadataError, version="1.0.0")


def test_a_clock_with_a_wrong_time_installs_nothing_that_its_time_forbids(fleet: Fleet) -> None:
    fleet.release_new()
    with pytest.raises(ExpiredMetadataError):
        fleet.install("1.1.0", time_off=timedelta(days=730))
    ahead = fleet.road.site.device.send(
        "GET", f"{BASE}metadata/timestamp.json", created=fleet.ceremony.seconds + 86_400
    )
    assert (ahead.status_code, ahead.json()["code"]) == (401, "clock_skew")
    assert fleet.install("1.1.0") == NEW


def test_after_a_restored_cloud_a_clock_takes_nothing_old_and_goes_on_once_it_is_published_again(fleet: Fleet) -> None:
    rows_before = _rows(fleet.platform)
    fleet.release_new()
    fleet.install("1.1.0")
    _restore(fleet.platform, rows_before)
    _refused(fleet, BadVersionNumberError, version="1.0.0")  # its timestamp is older
    fleet.later(days=2)
    _refused(fleet, BadVersionNumberError, version="1.0.0")  # its timestamp is newer, and its channel older
    fleet.publish({"stable": fleet.ceremony.channel("stable", {**OLD, **NEW})}, NEW)
    assert fleet.install("1.1.0") == NEW


def _rows(platform: Platform) -> dict[type[Base], list[dict[str, Any]]]:
    with platform.database.read(SYSTEM) as tx:
        return {table: [dict(row) for row in tx.execute(select(table.__table__)).mappings()] for table in TABLES}


def _restore(platform: Platform, rows: Mapping[type[Base], list[dict[str, Any]]]) -> None:
    with platform.database.write(SYSTEM) as tx:
        for table in TABLES:
            tx.execute(delete(table))
        for table in reversed(TABLES):
            if rows[table]:
                tx.execute(insert(table), rows[table])


def test_a_withdrawn_release_installs_no_more(fleet: Fleet) -> None:
    fleet.release_new()
    awake(fleet.admin).post("/api/updates/releases/1.1.0/withdraw", json={"reason": "verliert Stempel"})
    _refused(fleet, DownloadError)
    fleet.later(days=1)
    fleet.publish({"stable": fleet.ceremony.channel("stable", OLD)})
    _refused(fleet, RepositoryError)
    assert fleet.install("1.0.0") == OLD


def test_stolen_online_keys_that_wound_versions_up_are_got_rid_of_by_a_root_with_new_ones(fleet: Fleet) -> None:
    fleet.ceremony.now += timedelta(days=300 * 365)
    _with_stolen_online_key(fleet, {}, {})
    fleet.install("1.0.0")
    fleet.road.instead = {}
    fleet.release_new()
    _refused(fleet, BadVersionNumberError)
    new = commands.public_key(fleet.platform.settings, renew=True)
    fleet.publish({"root": fleet.ceremony.root(2, online=[new])})
    assert fleet.install("1.1.0") == NEW


def test_a_clock_that_was_off_for_two_years_updates_at_once(fleet: Fleet) -> None:
    for number, roots in ((2, ("root-2", "root-3", "root-4")), (3, ("root-3", "root-4", "root-5"))):
        fleet.later(days=365)
        new = commands.public_key(fleet.platform.settings, renew=True)
        fleet.ceremony.signs["root"] = ("root-2", "root-3", "root-4")
        fleet.publish(
            {
                "root": fleet.ceremony.root(number, roots=roots, online=[new]),
                "targets": fleet.ceremony.targets(),
                "stable": fleet.ceremony.channel("stable", NEW),
                "beta": fleet.ceremony.channel("beta"),
            },
            NEW,
        )
    assert fleet.install("1.1.0") == NEW
    with fleet.platform.database.read(SYSTEM) as tx:
        assert service.metadata(tx, "1.root.json") == fleet.shipped
