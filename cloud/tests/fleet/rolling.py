"""Fixtures of rollout tests: published versions, a fleet with a history, and clocks that report their version."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from stempelwerk_cloud.domain.instants import DAY, HOUR
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceBeat, DeviceMoment
from stempelwerk_cloud.fleet.rollouts import advancing, service
from stempelwerk_cloud.fleet.rollouts.tables import Rollout
from stempelwerk_cloud.fleet.updates.tables import UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.room import logged
from cloud.tests.stamping import Site
from cloud.tests.world import Somebody

RUNS_ON = "cp311-x86_64"
ROLLOUTS = "/api/updates/rollouts"
ALL = {"percent": 100}
SIZE = 12


def published(platform: Platform, version: str, channel: str = "stable", runs_on: str = RUNS_ON) -> None:
    now = platform.clock.now()
    release = UpdateRelease(channel=channel, version=version, notes="Leiser.", published_at=now, reason="")
    target = UpdateTarget(
        path=f"{channel}/stempelwerk-edge-{version}-{runs_on}.json",
        version=version,
        channel=channel,
        platform=runs_on,
        sha256="0" * 64,
        length=1,
    )
    with platform.database.write(SYSTEM) as tx:
        tx.add(release)
        tx.flush()
        tx.add(target)


def platform_added(platform: Platform, version: str, runs_on: str, channel: str = "stable") -> None:
    """Publishes the version for another platform as well."""
    name = f"{channel}/stempelwerk-edge-{version}-{runs_on}.json"
    with platform.database.write(SYSTEM) as tx:
        tx.add(UpdateTarget(path=name, version=version, channel=channel, platform=runs_on, sha256="1" * 64, length=1))


def withdrawn(site: Site, version: str) -> None:
    answer = site.founder.post(f"/api/updates/releases/{version}/withdraw", json={"reason": "verliert Stempel"})
    assert answer.status_code == 200, answer.text


def rollout_of(platform: Platform, version: str, state: str) -> str:
    """Creates a rollout with a single stage of all clocks, in this state."""
    rollout = Rollout(
        id=platform.ids.new(),
        channel="stable",
        version=version,
        state=state,
        stages='[{"clocks": null, "percent": 100}]',
        stage_days=1,
        stage=0,
        days=0,
        looked=0,
        started_at=platform.clock.now(),
        platforms=json.dumps([RUNS_ON]),
    )
    with platform.database.write(SYSTEM) as tx:
        tx.add(rollout)
    return rollout.id


class Fleet:
    """`count` clocks in addition to that of the site, each heard for a week and now. They are written to the database
    and send no requests.
    """

    def __init__(self, site: Site, count: int) -> None:
        self.site = site
        self.platform = site.world.platform
        now = self.platform.clock.now()
        with self.platform.database.write(SYSTEM) as tx:
            devices = [_device(self.platform.ids.new(), no, now) for no in range(count)]
            tx.add_all(devices)
            tx.flush()
            self.ids = {device.no: device.id for device in devices}
            for no in self.ids:
                tx.add(_beat(no, now))
                tx.add_all(_moment(no, now - back * DAY) for back in range(8))

    def heard(self, numbers: Sequence[int] | None = None, **beat_fields: Any) -> None:
        """Writes a heartbeat of these clocks (all) at this moment, with these fields."""
        now = self.platform.clock.now()
        with self.platform.database.write(SYSTEM) as tx:
            for no in sorted(self.ids if numbers is None else numbers):
                beat = tx.get_one(DeviceBeat, no)
                beat.seen_at = now
                for name, value in beat_fields.items():
                    setattr(beat, name, value)
                tx.merge(_moment(no, now))

    def start(self, version: str = "1.6.0", **options: Any) -> dict[str, Any]:
        body = {"version": version, "channel": "stable", "stages": [{"clocks": 4}, ALL], "stageDays": 0} | options
        answer = self.site.founder.post(ROLLOUTS, json=body)
        assert answer.status_code == 201, answer.text
        advancing.advance(self.platform)
        return self.row()

    def advance(self, **later: float) -> dict[str, Any]:
        """Lets time pass and runs the round. All clocks were heard."""
        if later:
            self.site.clock.advance(**later)
        advancing.advance(self.platform)
        return self.row()

    def row(self) -> dict[str, Any]:
        newest_row: dict[str, Any] = self.site.founder.get(ROLLOUTS).json()[0]
        return newest_row

    def told_nos(self) -> list[int]:
        """Returns the clocks that are offered a version now."""
        return sorted(self.target_versions())

    def target_versions(self) -> dict[int, str]:
        """Returns the version offered to each clock."""
        with self.platform.database.read(SYSTEM) as tx:
            targets = {no: service.target_release(tx, no) for no in self.ids}
        return {no: target[0].version for no, target in targets.items() if target is not None}

    def move(self, transition: str, caller: Somebody | None = None) -> Any:
        return (caller or self.site.founder).post(f"{ROLLOUTS}/{self.row()['id']}/{transition}")


def channel_of(platform: Platform, no: int, channel: str) -> None:
    with platform.database.write(SYSTEM) as tx:
        tx.scalars(select(Device).where(Device.no == no)).one().channel = channel


def _device(id_: str, no: int, enrolled_at: Any) -> Device:
    return Device(
        id=id_,
        keyid=f"key-{no}",
        public_key=bytes(32),
        claim_code="",
        serial=f"SW-F-{no}",
        hardware_id="",
        mac="",
        profile="core",
        version="1.0.0",
        identity_conflict=False,
        enrolled_at=enrolled_at,
    )


def _beat(no: int, seen_at: Any) -> DeviceBeat:
    return DeviceBeat(
        device_no=no,
        seen_at=seen_at,
        boot="01927a00-52aa-7c11-8f2e-1d0c5b9a7e33",
        boottime_ms=1,
        wall="",
        quality="ntp",
        ip="",
        mac="",
        profile="core",
        version="1.0.0",
        reader="ok",
        platform=RUNS_ON,
    )


def _moment(no: int, moment: Any) -> DeviceMoment:
    return DeviceMoment(
        device_no=no, at=moment, online=True, queue_depth=0, quality="ntp", reader="ok", version="1.0.0", disk_free_mb=1
    )


def a_week_before(fleet: Fleet, numbers: Sequence[int], offset: timedelta = HOUR) -> None:
    """Writes that these clocks were heard at this offset from now, on each of the last days."""
    now = fleet.platform.clock.now()
    with fleet.platform.database.write(SYSTEM) as tx:
        for no in numbers:
            for back in range(1, 9):
                tx.merge(_moment(no, now + offset - back * DAY))


def log_of(fleet: Fleet) -> list[str]:
    return logged(fleet.site.world, fleet.site.world.operator_id, "rollout.")
