"""Clocks of a company that is deleted."""

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import states
from cloud.tests.stamping import ANNA, MORNING, Site, hours


@ON_BOTH
def test_a_deleted_companys_clock_is_unassigned_and_forgets_the_people(site: Site) -> None:
    assert site.founder.delete(f"/api/companies/{site.firm.id}").status_code == 204
    heard = site.device.beat()
    assert heard.json()["assignment"] is None
    people = site.device.send("GET", "/api/devices/people").json()
    assert people["people"] == []
    row = site.listed()
    assert (row["companyId"], row["companyName"]) == (None, None)
    assert site.device.device_id in {row["id"] for row in site.founder.get("/api/devices?unassigned=true").json()}


def test_a_deleted_companys_clock_can_go_to_another_company(site: Site) -> None:
    site.founder.delete(f"/api/companies/{site.firm.id}")
    other_firm = site.world.firm("Andere GmbH")
    site.assign(site.device, other_firm.id)
    assert site.listed()["companyId"] == other_firm.id


def test_stamps_from_before_the_deletion_still_arrive(site: Site) -> None:
    earlier_tap = site.device.tap(ANNA, MORNING + hours(1))
    site.founder.delete(f"/api/companies/{site.firm.id}")
    assert states(site.device.deliver(earlier_tap)) == ["booked"]
