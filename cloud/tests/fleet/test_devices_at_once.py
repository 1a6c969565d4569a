"""Concurrent assignments of a clock leave it with one company, and concurrent deliveries are stored once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from httpx2 import Response
from sqlalchemy import delete, func, select
from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment, Installation
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry

from cloud.tests.meeting import all_at_once
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import Site

ROUNDS = range(4)


def _logged(platform: Platform, action: str) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.action == action)) or 0


def _open_assignments(platform: Platform) -> int:
    with platform.database.read(SYSTEM) as tx:
        running = select(func.count()).select_from(DeviceAssignment).where(DeviceAssignment.ends_at.is_(None))
        return tx.scalar(running) or 0


def test_a_clock_assigned_to_two_companies_at_once_belongs_to_one(site: Site, platform: Platform) -> None:
    first_id, another, founder = site.world.company("Eine"), site.world.company("Andere"), site.founder

    def assign(company_id: str) -> Response:
        return founder.post(f"/api/devices/{site.device.device_id}/assign-company", json={"companyId": company_id})

    for _ in ROUNDS:
        answers = all_at_once(platform, lambda: assign(first_id), lambda: assign(another))
        assert [answer.status_code for answer in answers] == [200, 200]
        assert _open_assignments(platform) == 1


def test_a_clock_that_is_taken_away_twice_at_once_is_taken_away_once(site: Site, platform: Platform) -> None:
    founder = site.founder

    def unassign() -> Response:
        return founder.post(f"/api/devices/{site.device.device_id}/unassign")

    assert [answer.status_code for answer in all_at_once(platform, unassign, unassign)] == [200, 200]
    assert (_open_assignments(platform), _logged(platform, "device.unassigned")) == (0, 1)


def test_a_clock_assigned_and_unassigned_at_once_has_one_owner_or_no_owner(site: Site, platform: Platform) -> None:
    other_id, founder = site.world.company("Andere"), site.founder
    path = f"/api/devices/{site.device.device_id}"
    for _ in ROUNDS:
        answers = all_at_once(
            platform,
            lambda: founder.post(f"{path}/assign-company", json={"companyId": other_id}),
            lambda: founder.post(f"{path}/unassign"),
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        assert _open_assignments(platform) == int(site.listed()["companyId"] is not None)


def test_processes_that_start_at_once_are_one_server_to_the_clocks(
    platform: Platform, settings: Settings, clock: SettableClock
) -> None:
    platforms = [build_platform(settings, clock=clock) for _ in range(3)]
    gate = Barrier(4)

    def ask(process: Platform) -> str:
        gate.wait(60)
        with process.database.write(DEVICES) as tx:
            return devices.server_id(tx, process)

    try:
        for _ in ROUNDS:
            with platform.database.write(SYSTEM) as tx:
                tx.execute(delete(Installation))
            for process in (platform, *platforms):
                devices.SERVER_ID.pop(process)
            with ThreadPoolExecutor(4) as pool:
                assert len(set(pool.map(ask, (platform, *platforms)))) == 1
    finally:
        for process in platforms:
            process.database.dispose()


def test_lines_that_come_twice_at_once_in_another_order_are_kept_once(site: Site, platform: Platform) -> None:
    now = platform.clock.now()
    with platform.database.read(DEVICES) as tx:
        device_no = devices.find(tx, site.device.device_id).no
    gate = Barrier(2)

    def keep(ids: list[str]) -> int:
        gate.wait(60)
        line = {"device_no": device_no, "at": now, "received_at": now, "level": "info", "code": "c", "message": ""}
        with platform.database.write(DEVICES) as tx:
            return len(device_logs.store_lines(tx, platform, [DeviceLog(id=id_, **line) for id_ in ids]))

    for _ in ROUNDS:
        ids = [platform.ids.new() for _ in range(300)]
        with ThreadPoolExecutor(2) as pool:
            assert sum(pool.map(keep, (ids, ids[::-1]))) == len(ids)
