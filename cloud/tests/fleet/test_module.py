"""The module "Geräte verwalten" can be taken from a company, and then its administrators cannot reach its devices."""

from cloud.tests.stamping import Wall


def test_the_system_administrator_is_not_limited_by_a_companys_modules(wall: Wall) -> None:
    wall.founder.put(f"/api/companies/{wall.firm.id}/features", json={"featureIds": []})
    assert len(wall.founder.get(f"/api/companies/{wall.firm.id}/clocks").json()) == 1
    answer = wall.founder.put(f"/api/devices/{wall.device.device_id}", json={"name": " Halle\u202e\r\n 2\x1b"})
    assert answer.json()["name"] == "Halle 2"
