"""Renaming a clock while it changes its company. On SQLite there is one writer anyway."""

import pytest
from sqlalchemy import select
from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.stamping import Wall
from cloud.tests.waiting import one_after_the_other


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def test_a_company_that_loses_the_clock_while_naming_it_is_refused(wall: Wall, platform: Platform) -> None:
    other_firm, founder, boss = wall.world.firm("Bäckerei Krume"), wall.founder, wall.boss
    device = f"/api/devices/{wall.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    assigned, naming = one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: founder.post(f"{device}/assign-company", json={"companyId": other_firm.id}),
        lambda: boss.put(device, json={"name": "Pforte"}),
    )
    assert (assigned.status_code, naming.status_code) == (200, 404)
    assert wall.listed()["name"] == ""


def test_a_system_administrator_names_the_clock_for_its_new_company(wall: Wall, platform: Platform) -> None:
    other_firm, founder = wall.world.firm("Bäckerei Krume"), wall.founder
    device = f"/api/devices/{wall.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    assigned, naming = one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: founder.post(f"{device}/assign-company", json={"companyId": other_firm.id}),
        lambda: founder.put(device, json={"name": "Halle"}),
    )
    assert (assigned.status_code, naming.status_code) == (200, 200)
    assert (naming.json()["companyId"], naming.json()["name"]) == (other_firm.id, "Halle")


def test_name_and_notes_that_are_given_at_once_both_stand(wall: Wall, platform: Platform) -> None:
    boss = wall.boss
    device = f"/api/devices/{wall.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: boss.put(device, json={"name": "Halle"}),
        lambda: boss.put(device, json={"notes": "beim Tor"}),
    )
    assert (wall.listed()["name"], wall.listed()["notes"]) == ("Halle", "beim Tor")
    second, first = wall.boss.get(f"/api/companies/{wall.firm.id}/audit?action=device.changed").json()
    assert first["after"] == second["before"] == {"name": "Halle", "notes": ""}
