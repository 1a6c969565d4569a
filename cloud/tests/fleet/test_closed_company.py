"""Clocks of a company that is deleted."""

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import states
from cloud.tests.stamping import ANNA, MORNING, Wall, hours


@ON_BOTH
def test_a_deleted_companys_clock_is_unassigned_and_forgets_the_people(wall: Wall) -> None:
    assert wall.founder.delete(f"/api/companies/{wall.firm.id}").status_code == 204
    heard = wall.device.beat()
    assert heard.json()["assignment"] is None
    people = wall.device.send("GET", "/api/devices/people").json()
    assert people["people"] == []
    row = wall.listed()
    assert (row["companyId"], row["companyName"]) == (None, None)
    assert wall.device.device_id in {row["id"] for row in wall.founder.get("/api/devices?unassigned=true").json()}


def test_a_deleted_companys_clock_can_go_to_another_company(wall: Wall) -> None:
    wall.founder.delete(f"/api/companies/{wall.firm.id}")
    other_firm = wall.world.firm("Andere GmbH")
    wall.assign(wall.device, other_firm.id)
    assert wall.listed()["companyId"] == other_firm.id


def test_stamps_from_before_the_deletion_still_arrive(wall: Wall) -> None:
    earlier_tap = wall.device.tap(ANNA, MORNING + hours(1))
    wall.founder.delete(f"/api/companies/{wall.firm.id}")
    assert states(wall.device.deliver(earlier_tap)) == ["booked"]
