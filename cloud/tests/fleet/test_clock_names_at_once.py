"""Renaming a clock while it changes its company. On SQLite there is one writer anyway."""

import pytest
from sqlalchemy import select
from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.stamping import Site
from cloud.tests.waiting import one_after_the_other


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def test_a_company_that_loses_the_clock_while_naming_it_is_refused(site: Site, platform: Platform) -> None:
    other_firm, founder, boss = site.world.firm("Bäckerei Krume"), site.founder, site.boss
    device = f"/api/devices/{site.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    assigned, naming = one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: founder.post(f"{device}/assign-company", json={"companyId": other_firm.id}),
        lambda: boss.put(device, json={"name": "Pforte"}),
    )
    assert (assigned.status_code, naming.status_code) == (200, 404)
    assert site.listed()["name"] == ""


def test_a_system_administrator_names_the_clock_for_its_new_company(site: Site, platform: Platform) -> None:
    other_firm, founder = site.world.firm("Bäckerei Krume"), site.founder
    device = f"/api/devices/{site.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    assigned, naming = one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: founder.post(f"{device}/assign-company", json={"companyId": other_firm.id}),
        lambda: founder.put(device, json={"name": "Halle"}),
    )
    assert (assigned.status_code, naming.status_code) == (200, 200)
    assert (naming.json()["companyId"], naming.json()["name"]) == (other_firm.id, "Halle")


def test_name_and_notes_that_are_given_at_once_both_stand(site: Site, platform: Platform) -> None:
    boss = site.boss
    device = f"/api/devices/{site.device.device_id}"
    assignments = select(DeviceAssignment).with_for_update()
    one_after_the_other(
        platform,
        lambda tx: tx.execute(assignments),
        lambda: boss.put(device, json={"name": "Halle"}),
        lambda: boss.put(device, json={"notes": "beim Tor"}),
    )
    assert (site.listed()["name"], site.listed()["notes"]) == ("Halle", "beim Tor")
    second, first = site.boss.get(f"/api/companies/{site.firm.id}/audit?action=device.changed").json()
    assert first["after"] == second["before"] == {"name": "Halle", "notes": ""}
