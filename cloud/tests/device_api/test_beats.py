"""The effects of heartbeats: seen at once, written soon, and answered from the commits of every process."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, text
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.devices import queries
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.reported import beats
from stempelwerk_cloud.fleet.devices.room import ROOM
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceBeat
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock, iso
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, add_clock, enrolled, hours
from cloud.tests.world import World


@pytest.fixture
def other_world(settings: Settings, site: Site) -> Iterator[World]:
    """A second process on the same database, and what people do there."""
    app = create_app(settings, clock=site.clock)
    with QuickClient(app, raise_server_exceptions=False) as client:
        yield World(client, app.state.platform, site.founder)


def seen_at(database: Database) -> list[datetime]:
    with database.read(SYSTEM) as tx:
        return list(tx.scalars(select(DeviceBeat.seen_at)))


def in_lists(site: Site) -> set[str]:
    site.somebody(site.firm.boss)
    (row,) = site.firm.boss.get(f"/api/companies/{site.firm.id}/clocks").json()
    (two,) = site.founder.get("/api/clocks").json()
    return {row["lastSeen"], two["lastSeen"], site.listed()["lastSeen"]}


def unwritten(platform: Platform) -> int:
    return len(beats.BEATS.of(platform).unwritten())


def test_every_list_shows_a_heartbeat_before_and_after_it_is_written(site: Site) -> None:
    platform = site.world.platform
    for _ in range(3):
        site.clock.advance(seconds=30)
        site.device.beat()
        assert in_lists(site) == {iso(site.clock.now())}
        devices.write_beats(platform)
        assert seen_at(platform.database) == [site.clock.now()]
        assert in_lists(site) == {iso(site.clock.now())}


@ON_BOTH
def test_a_clock_counts_as_online_before_its_heartbeat_is_written(site: Site) -> None:
    platform = site.world.platform
    online = ROOM.gauges["online_clocks"]
    site.clock.advance(minutes=10)
    assert online(platform) == 0
    site.device.beat()
    assert online(platform) == 1


@ON_BOTH
def test_a_companys_clock_counts_as_silent_for_a_week_unless_it_is_taken_away(site: Site) -> None:
    platform, silent = site.world.platform, ROOM.gauges["silent_clocks"]
    assert silent(platform) == 0  # never heard
    site.device.beat()
    assert silent(platform) == 0
    site.clock.advance(minutes=10)
    assert silent(platform) == 1
    site.clock.advance(days=6)
    assert silent(platform) == 1
    site.clock.advance(days=1)
    assert silent(platform) == 0
    site.device.beat()
    site.clock.advance(minutes=10)
    assert silent(platform) == 1
    founder = site.world.again(site.founder)
    assert founder.post(f"/api/devices/{site.device.device_id}/unassign").status_code in (200, 204)
    assert silent(platform) == 0


def test_an_older_heartbeat_is_not_shown_while_the_newer_waits_nor_after(site: Site) -> None:
    platform = site.world.platform
    site.clock.advance(seconds=30)
    newest = site.clock.now()
    site.device.beat()
    for write in (False, True):
        if write:
            devices.write_beats(platform)
        site.clock.advance(seconds=1)
        assert site.device.beat(newest).status_code == 200
        assert site.device.beat(MORNING).status_code == 200
        assert in_lists(site) == {iso(newest)}
    devices.write_beats(platform)
    assert seen_at(platform.database) == [newest]


def test_a_heartbeat_is_answered_while_somebody_writes(site: Site) -> None:
    platform = site.world.platform
    site.device.beat()
    with platform.database.write(SYSTEM) as tx:
        tx.execute(text("UPDATE devices SET label_notes = 'x'"))
        site.clock.advance(seconds=30)
        assert site.device.beat().status_code == 200


def test_what_cannot_be_written_fails_no_heartbeat_and_is_written_later(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = site.world.platform

    def full(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(queries, "write_beats", full)
        devices.write_beats(platform)
        for _ in range(3):
            site.clock.advance(seconds=30)
            assert site.device.beat().status_code == 200
            devices.write_beats(platform)
        assert in_lists(site) == {iso(site.clock.now())}
        assert unwritten(platform) == 1
        site.device.start_system()
        assert site.device.beat().status_code == 200
        assert unwritten(platform) == 1
    devices.write_beats(platform)
    assert seen_at(platform.database) == [site.clock.now()]
    assert unwritten(platform) == 0


def test_of_each_device_one_heartbeat_waits_however_many_it_sends(site: Site) -> None:
    platform = site.world.platform
    clocks = [site.device, *(site.another_clock(f"SW-T-{number}", number) for number in range(2, 5))]
    for _ in range(5):
        site.clock.advance(seconds=1)
        for clock in clocks:
            clock.beat()
        assert unwritten(platform) <= len(clocks)


def test_what_waits_is_written_when_the_service_stops(settings: Settings, clock: SettableClock) -> None:
    app: FastAPI = create_app(settings, clock=clock)
    with QuickClient(app) as client:
        site = add_clock(World(client, app.state.platform), clock)
        site.clock.advance(seconds=30)
        site.device.beat()
    with Database(settings.database_url) as database:
        assert seen_at(database) == [site.clock.now()]


def test_what_waits_is_written_without_anybody_asking(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = site.world.platform
    monkeypatch.setattr(devices, "write_beats", lambda _: None)  # a job that wants it written would ask
    site.clock.advance(seconds=30)
    site.device.beat()
    while unwritten(platform):
        site.world.client.get("/api/health")
    assert seen_at(platform.database) == [site.clock.now()]


def test_a_heartbeat_of_an_unassigned_clock_beyond_its_budget_leaves_nothing(site: Site) -> None:
    stranger = enrolled(site.world, site.clock, "SW-T-9", 9)
    answers = []
    while not answers or answers[-1].status_code == 200:
        site.clock.advance(milliseconds=1)
        answers.append(stranger.beat())
    assert answers[-1].status_code == 429
    assert site.listed(stranger)["lastSeen"] < iso(site.clock.now())


def send_beat(device: Clock) -> dict[str, Any]:
    answer = device.beat()
    assert answer.status_code == 200, answer.text
    beat_answer: dict[str, Any] = answer.json()
    return beat_answer


def test_what_another_process_has_committed_is_answered_at_once(site: Site, other_world: World) -> None:
    device, boss = site.device, other_world.again(site.firm.boss)
    answer_before = send_beat(device)
    boss.put(f"/api/companies/{site.firm.id}/settings", json={"doubleTapSeconds": 30, "timeZone": "Europe/Lisbon"})
    config = send_beat(device)["config"]
    assert (config["doubleTapSeconds"], config["timeZone"]) == (30, "Europe/Lisbon")
    boss.put(f"/api/users/{site.firm.ben.id}", json={"username": "benjamin"})
    assert send_beat(device)["peopleRevision"] != answer_before["peopleRevision"]
    boss.put(f"/api/devices/{device.device_id}", json={"name": "Tor 3"})
    assert send_beat(device)["name"] == "Tor 3"
    other_device = Clock(other_world.client, site.clock)
    other_device.__dict__.update({**device.__dict__, "client": other_world.client})
    other_device.deliver(other_device.tap(ANNA, MORNING), other_device.tap(ANNA, MORNING + hours(1), seq=5))
    site.clock.advance(hours=1)  # the answer to the batch has asked already
    answer_now = send_beat(device)
    assert answer_now["lease"] == other_device.lease
    assert {"replay": {"epoch": device.epoch, "from": 2, "to": 4}} in answer_now["actions"]
    other_world.founder.post(f"/api/devices/{device.device_id}/unassign")
    assert send_beat(device)["assignment"] is None
    assert send_beat(device)["peopleRevision"] == "0"
    with other_world.platform.database.write(SYSTEM) as tx:
        tx.execute(text("UPDATE devices SET revoked_at = 1"))
        assert tx.scalar(select(Device.revoked_at)) is not None
    assert (device.beat().status_code, device.beat().json()["code"]) == (403, "revoked")


def test_a_setting_with_a_day_to_come_holds_from_that_day(site: Site) -> None:
    body = {"doubleTapSeconds": 20, "validFrom": "2026-11-21"}
    assert site.boss.put(f"/api/companies/{site.firm.id}/settings", json=body).status_code == 200
    assert send_beat(site.device)["config"]["doubleTapSeconds"] == 60
    site.clock.set(datetime(2026, 11, 20, 23, 0, tzinfo=UTC))
    assert send_beat(site.device)["config"]["doubleTapSeconds"] == 20
