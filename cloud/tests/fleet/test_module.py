"""The module "Geräte verwalten" can be taken from a company, and then its administrators cannot reach its devices."""

from cloud.tests.stamping import Site


def test_the_system_administrator_is_not_limited_by_a_companys_modules(site: Site) -> None:
    site.founder.put(f"/api/companies/{site.firm.id}/features", json={"featureIds": []})
    assert len(site.founder.get(f"/api/companies/{site.firm.id}/clocks").json()) == 1
    answer = site.founder.put(f"/api/devices/{site.device.device_id}", json={"name": " Halle\u202e\r\n 2\x1b"})
    assert answer.json()["name"] == "Halle 2"
