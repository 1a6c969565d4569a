"""Heartbeats that meet: sent twice at once, heard by two processes, written by both in the same moment."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.reported import beats
from stempelwerk_cloud.fleet.devices.reported.beats import Heard
from stempelwerk_cloud.fleet.devices.tables import DeviceBeat, DeviceBoot
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.device_client import uuid7
from cloud.tests.stamping import Site, enrolled
from cloud.tests.waiting import until_waiting

ROUNDS = 40


@pytest.fixture
def other_platform(settings: Settings, site: Site) -> Iterator[Platform]:
    """A second process on the same database."""
    app = create_app(settings, clock=site.clock)
    yield app.state.platform
    app.state.platform.database.dispose()


def heard(site: Site, device_no: int, boot: str, boottime_ms: int, **changes: Any) -> Heard:
    values: dict[str, Any] = {
        "device_no": device_no,
        "seen_ms": ms_of(site.clock.now()),
        "boot": boot,
        "boottime_ms": boottime_ms,
        **dict.fromkeys(("wall", "quality", "ip", "mac", "profile", "version"), ""),
        **dict.fromkeys(("uptime_s", "queue_depth", "queue_oldest", "disk_free_mb", "reader"), None),
        **dict.fromkeys(("update_state", "update_version"), None),
    }
    return Heard(**values | changes)


def note(platform: Platform, beat: Heard) -> None:
    with platform.database.read(DEVICES) as tx:
        stored = tx.get(DeviceBeat, beat.device_no)
        is_boot_known = tx.get(DeviceBoot, (beat.device_no, beat.boot)) is not None
    if not devices.note_beat(platform, beat, stored and (stored.boot, stored.boottime_ms), is_known_boot=is_boot_known):
        devices.note_next_beat(platform, beat)


def stored_beats(platform: Platform) -> dict[int, tuple[str, int]]:
    with platform.database.read(SYSTEM) as tx:
        return {beat.device_no: (beat.boot, beat.boottime_ms) for beat in tx.scalars(select(DeviceBeat))}


def boots(platform: Platform) -> set[str]:
    with platform.database.read(SYSTEM) as tx:
        return set(tx.scalars(select(DeviceBoot.boot)))


def test_a_heartbeat_of_a_new_boot_sent_twice_at_once_is_answered_twice(site: Site) -> None:
    known_boots = set()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(ROUNDS):
            site.device.start_system()
            known_boots.add(site.device.boot)
            site.clock.advance(seconds=1)
            answers = list(pool.map(lambda _: site.device.beat(), range(2)))
            assert [answer.status_code for answer in answers] == [200, 200]
    devices.write_beats(site.world.platform)
    assert known_boots <= boots(site.world.platform)


def test_of_two_processes_the_newer_heartbeat_stays_whoever_writes_last(site: Site, other_platform: Platform) -> None:
    platform = site.world.platform
    devices.write_beats(platform)
    ((no, (boot, boottime_ms)),) = stored_beats(platform).items()
    note(platform, heard(site, no, boot, boottime_ms + 2))
    note(other_platform, heard(site, no, boot, boottime_ms + 1))
    devices.write_beats(platform)
    devices.write_beats(other_platform)
    assert stored_beats(platform) == {no: (boot, boottime_ms + 2)}
    note(platform, heard(site, no, boot, boottime_ms + 3))
    later = uuid7(site.clock.now(), site.device.rng)
    note(other_platform, heard(site, no, later, 1))
    devices.write_beats(other_platform)
    devices.write_beats(platform)
    assert stored_beats(platform) == {no: (later, 1)}


def test_of_two_starts_within_a_second_both_stay_known(site: Site) -> None:
    platform = site.world.platform
    first = site.device.boot
    site.device.start_system()
    second = site.device.boot
    site.clock.advance(seconds=0.2)
    site.device.beat()
    site.device.start_system()
    site.clock.advance(seconds=0.2)
    site.device.beat()
    last_seen = site.listed()["lastSeen"]
    site.clock.advance(seconds=0.2)
    for past in (first, second):
        clock = {"wall": "x", "boot": past, "boottimeMs": 10**9, "quality": "ntp"}
        assert site.device.beat(clock=clock).status_code == 200
    assert site.listed()["lastSeen"] == last_seen
    devices.write_beats(platform)
    assert {first, second, site.device.boot} <= boots(platform)
    assert [boot for boot, _ in stored_beats(platform).values()] == [site.device.boot]


def test_two_processes_that_write_the_same_devices_at_once_do_not_wait_in_a_circle(
    site: Site, other_platform: Platform
) -> None:
    platforms = (site.world.platform, other_platform)
    for number in range(2, 30):
        enrolled(site.world, site.clock, f"SW-T-{number}", number)
    devices.write_beats(site.world.platform)
    numbers = range(1, 30)
    boot = {no: uuid7(site.clock.now(), site.device.rng) for no in numbers}
    with ThreadPoolExecutor(2) as pool:
        for turn in range(1, 20):
            for index, platform in enumerate(platforms):
                for no in numbers:
                    if (no + turn + index) % 3 == 0:  # a new start here, the old one there
                        boot[no] = uuid7(site.clock.now() + timedelta(seconds=turn), site.device.rng)
                    note(platform, heard(site, no, boot[no], turn * 2 + index))
            list(pool.map(devices.write_beats, platforms))
            assert [beats.BEATS.of(platform).unwritten() for platform in platforms] == [{}, {}]
    assert set(stored_beats(other_platform)) == set(numbers)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)  # SQLite has no locks of rows
def test_a_heartbeat_does_not_wait_for_who_writes_the_same_device(site: Site) -> None:
    platform = site.world.platform
    devices.write_beats(platform)
    site.clock.advance(seconds=30)
    with ThreadPoolExecutor(2) as pool:
        with platform.database.write(SYSTEM) as tx:
            tx.execute(select(DeviceBeat).with_for_update())
            assert site.device.beat().status_code == 200
            writing = pool.submit(devices.write_beats, platform)
            until_waiting(platform)
            site.clock.advance(seconds=30)
            assert site.device.beat().status_code == 200
            assert site.listed()["lastSeen"] == site.clock.now().isoformat(timespec="milliseconds").replace(
                "+00:00", "Z"
            )
        writing.result(60)
    devices.write_beats(platform)
    assert [boottime for _, boottime in stored_beats(platform).values()] == [site.device.boottime(site.clock.now())]
