"""Lists of devices: content, order and paging."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, update
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment, DeviceBeat, DeviceLease
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.tables import Company

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.device_client import Clock, iso
from cloud.tests.paging import pages
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import enrolled
from cloud.tests.world import Firm, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def _serials(rows: list[Any]) -> list[str]:
    return [row["serial"] for row in rows]


def _expected(platform: Platform, device_id: str) -> dict[str, Any]:
    """Builds the row of a device once more from its parts."""
    now = platform.clock.now()
    with platform.database.read(SYSTEM) as tx:
        device = tx.scalars(select(Device).where(Device.id == device_id)).one()
        beat, lease = tx.get(DeviceBeat, device.no), tx.get_one(DeviceLease, device.no)
        history = tx.scalars(select(DeviceAssignment).where(DeviceAssignment.device_no == device.no))
        owner = next((assignment for assignment in history if assignment.ends_at is None), None)
        company = None if owner is None else tx.get(Company, owner.company_id)
        return {
            "id": device.id,
            "serial": device.serial,
            "name": device.label if owner is None else owner.name,
            "notes": device.label_notes if owner is None else owner.notes,
            "version": (beat and beat.version) or device.version,
            "ip": (beat and beat.ip) or None,
            "mac": (beat and beat.mac) or device.mac,
            "lastSeen": beat and iso(beat.seen_at),
            "isOnline": beat is not None and now - beat.seen_at < timedelta(seconds=90),
            "companyId": owner and owner.company_id,
            "companyName": company and company.name,
            "channel": device.channel,
            "claimCode": device.claim_code,
            "identityConflict": device.identity_conflict,
            "forked": lease.forked,
            "queueDepth": beat and beat.queue_depth,
            "reader": beat and beat.reader,
            "quality": beat and beat.quality,
            "scannerCount": 0,
        }


@pytest.fixture
def fleet(world: World, firm: Firm, clock: SettableClock, platform: Platform) -> list[Clock]:
    """Six clocks of all kinds, by serial: the firm's, another company's, and unassigned ones."""
    other_firm = world.firm("Bäckerei Krume")
    fleet = [enrolled(world, clock, f"SW-{number}", number) for number in (1, 2, 3, 4, 5, 5.5)]
    first, two, three, four, five, renamed = fleet
    for device, company in ((first, firm.id), (two, other_firm.id), (three, firm.id), (four, other_firm.id)):
        world.founder.post(f"/api/devices/{device.device_id}/assign-company", json={"companyId": company})
    world.founder.put(f"/api/devices/{first.device_id}", json={"name": "Tor Süd", "notes": "„links“\n\\ vom Büro"})
    first.beat(version="2.0.0", ip="10.0.0.7", queue={"depth": 3}, reader="fault")
    two.beat(version="", ip=None, mac="", queue={})
    clock.advance(seconds=90)
    three.beat()
    world.founder.post(f"/api/devices/{four.device_id}/unassign")
    world.founder.put(f"/api/devices/{four.device_id}", json={"name": "Regal", "notes": "neu"})
    renamed.enrol(serial="SW-5")
    revoked = enrolled(world, clock, "SW-0", 9)
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(Device).where(Device.id == revoked.device_id).values(revoked_at=clock.now()))
        tx.execute(update(Device).where(Device.id == two.device_id).values(channel="beta"))
        forked = select(Device.no).where(Device.id == three.device_id).scalar_subquery()
        tx.execute(update(DeviceLease).where(DeviceLease.device_no == forked).values(forked=True))
    assert five.serial == "SW-5"
    return fleet


def test_a_malformed_page_is_refused(world: World, firm: Firm) -> None:
    for path in ("/api/devices", "/api/clocks", f"/api/companies/{firm.id}/clocks"):
        for query, status in (("limit=0", 422), ("limit=1001", 422), ("limit=x", 422), ("before=x", 422)):
            assert world.founder.get(f"{path}?{query}").status_code == status
        assert world.founder.get(f"{path}?before={UNKNOWN}").status_code == 422


@ON_BOTH
def test_a_company_learns_of_no_other_companys_device_even_as_a_cursor(firm: Firm, fleet: list[Clock]) -> None:
    clocks = f"/api/companies/{firm.id}/clocks"
    for foreign in (fleet[1], fleet[3], fleet[4]):
        assert firm.boss.get(f"{clocks}?before={foreign.device_id}").status_code == 422
    assert _serials(firm.boss.get(f"{clocks}?before={fleet[0].device_id}").json()) == ["SW-3"]


def test_every_row_matches_its_parts(world: World, firm: Firm, fleet: list[Clock], platform: Platform) -> None:
    unwritten = world.founder.get("/api/devices").json()
    devices.write_beats(platform)
    expected = [_expected(platform, device.device_id) for device in fleet]
    renamed = [row | {"online": row["isOnline"], "company_id": row["companyId"]} for row in expected]
    assert {len(row) for row in expected} == {19}
    assert unwritten == expected
    assert world.founder.get("/api/devices").json() == expected
    assert world.founder.get("/api/devices?unassigned=true").json() == expected[3:]
    assert world.founder.get("/api/clocks").json() == renamed
    assert firm.boss.get(f"/api/companies/{firm.id}/clocks").json() == [renamed[0], renamed[2]]
    changed = world.founder.put(f"/api/devices/{fleet[0].device_id}", json={})
    assert changed.json() == expected[0]


@ON_BOTH
def test_pages_follow_each_other_by_link_in_the_order_of_serials(world: World, firm: Firm, fleet: list[Clock]) -> None:
    for path, reader in (
        ("/api/devices?", world.founder),
        ("/api/devices?unassigned=true&", world.founder),
        ("/api/clocks?", world.founder),
        (f"/api/companies/{firm.id}/clocks?", firm.boss),
    ):
        all_rows = reader.get(path).json()
        for limit in (1, 2, 3, 6, 1000):
            page_rows = list(pages(reader, f"{path}limit={limit}"))
            assert [row for page in page_rows for row in page] == all_rows
            assert {len(page) for page in page_rows[:-1]} <= {limit}
            assert len(page_rows[-1]) in range(1, limit + 1)
    assert _serials(world.founder.get("/api/devices").json()) == ["SW-1", "SW-2", "SW-3", "SW-4", "SW-5", "SW-5"]


@ON_BOTH
def test_a_page_continues_after_a_device_that_has_left_the_list(world: World, fleet: list[Clock], firm: Firm) -> None:
    first = world.founder.get("/api/devices?unassigned=true&limit=1")
    assert _serials(first.json()) == ["SW-4"]
    world.founder.post(f"/api/devices/{fleet[3].device_id}/assign-company", json={"companyId": firm.id})
    _, next_query = first.headers["link"].split("?")
    remaining = world.founder.get(
        "/api/devices?" + next_query.removesuffix('>; rel="next"').replace("limit=1", "limit=9")
    )
    assert _serials(remaining.json()) == ["SW-5", "SW-5"]


def test_a_list_takes_as_many_statements_for_many_devices_as_for_an_empty_one(
    world: World, clock: SettableClock, asked: list[str]
) -> None:
    def count(*paths: str) -> list[int]:
        counts = []
        for path in paths:
            asked.clear()
            assert world.founder.get(path).status_code == 200
            counts.append(len(asked))
        return counts

    paths = ("/api/devices", "/api/devices?unassigned=true", "/api/clocks", f"/api/companies/{world.company()}/clocks")
    count_before = count(*paths)
    assert all(count_before)
    for number in range(5):
        device = enrolled(world, clock, f"SW-{number}", number)
        company = {"companyId": world.company(f"Firma {number}")}
        world.founder.post(f"/api/devices/{device.device_id}/assign-company", json=company)
    assert count(*paths) == count_before


@ON_POSTGRESQL
def test_a_database_that_sorts_in_another_way_lists_devices_in_the_same_order(
    unused_database: None, world: World, clock: SettableClock, settings: Settings
) -> None:
    with Database(settings.database_url, as_owner=True) as owner, owner.engine.begin() as connection:
        connection.execute(text('ALTER TABLE devices ALTER COLUMN serial TYPE varchar(64) COLLATE "de-x-icu"'))
    serials = ["SW-10", "SW-9", "sw-1", "SW_3", "SÄ-1"]
    for number, serial in enumerate(serials):
        enrolled(world, clock, serial, number)
    assert _serials(world.founder.get("/api/devices").json()) == sorted(serials)
    sorted_rows = [row for rows in pages(world.founder, "/api/devices?limit=2") for row in rows]
    assert _serials(sorted_rows) == sorted(serials)
