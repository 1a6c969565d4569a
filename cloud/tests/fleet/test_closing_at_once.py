"""Decisions for a company are refused after its end, however close both come. On SQLite there is one writer anyway."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.fleet.devices.changes.assignments import find_locked
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit import queries as audit
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import Company

from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import PASSWORD

SINCE = "2026-11-20T06:00:00Z"
NEW = {"username": "clara", "password": PASSWORD, "tagId": "04ABCDEF", "role": "user"}
Decision = Callable[[Site, str, str], Response]
"""(site, a held stamp, a clock in stock) -> the answer."""

DECISIONS: dict[str, Decision] = {
    "a person is made": lambda site, *_: site.firm.boss.post("/api/users", json=NEW),
    "a person is changed": lambda site, *_: site.firm.boss.put(
        f"/api/users/{site.firm.anna.id}", json={"role": "companyAdmin"}
    ),
    "a person is deleted": lambda site, *_: site.firm.boss.delete(f"/api/users/{site.firm.anna.id}"),
    "an account is locked": lambda site, *_: site.world.founder.put(f"/api/users/{site.firm.anna.id}/lock"),
    "a password is reset": lambda site, *_: site.world.founder.put(f"/api/users/{site.firm.anna.id}/password-reset"),
    "all passwords are reset": lambda site, *_: site.world.founder.put(
        f"/api/companies/{site.firm.id}/password-reset-all"
    ),
    "a second factor is removed": lambda site, *_: site.world.founder.delete(
        f"/api/users/{site.firm.anna.id}/second-factor"
    ),
    "settings are changed": lambda site, *_: site.firm.boss.put(
        f"/api/companies/{site.firm.id}/settings", json={"maxShiftHours": 12}
    ),
    "modules are chosen": lambda site, *_: site.world.founder.put(
        f"/api/companies/{site.firm.id}/features", json={"featureIds": ["costs"]}
    ),
    "a tag is given": lambda site, *_: site.firm.boss.post(
        f"/api/companies/{site.firm.id}/held-stamps/assign",
        json={"tag": NOBODY, "userId": site.firm.anna.id, "from": SINCE},
    ),
    "a held stamp is discarded": lambda site, stamp, _: site.firm.boss.post(
        f"/api/companies/{site.firm.id}/held-stamps/{stamp}/resolve", json={"action": "discard"}
    ),
    "a clock is named": lambda site, *_: site.firm.boss.put(
        f"/api/devices/{site.device.device_id}", json={"name": "Werkstatt"}
    ),
    "a clock is assigned": lambda site, _, stock: site.world.founder.post(
        f"/api/devices/{stock}/assign-company", json={"companyId": site.firm.id}
    ),
    "stamps are released": lambda site, _, stock: site.world.founder.post(
        "/api/held-stamps/release",
        json={"deviceId": stock, "from": SINCE, "to": SINCE, "companyId": site.firm.id},
    ),
}


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def _log(platform: Platform, company_id: str) -> list[str]:
    statement = select(AuditEntry.action).where(AuditEntry.company_id == company_id).order_by(AuditEntry.no)
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(statement))


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS.keys())
def test_decisions_during_the_deletion_of_the_company_are_refused(
    site: Site, platform: Platform, decision: Decision
) -> None:
    stock = enrolled(site.world, site.clock, "SW-T-9", 9).device_id
    site.device.deliver(site.device.tap(NOBODY, MORNING))
    (stamp,) = site.held()
    founder = site.founder
    row = select(Company.id).where(Company.id == site.firm.id).with_for_update()
    closed, decided = one_after_the_other(
        platform,
        lambda tx: tx.execute(row),
        lambda: founder.delete(f"/api/companies/{site.firm.id}"),
        lambda: decision(site, stamp["id"], stock),
    )
    assert (closed.status_code, decided.status_code) == (204, 404)
    assert _log(platform, site.firm.id)[-1] == "company.deleted"


def test_a_clock_that_went_to_another_company_stays_there_when_its_former_one_is_deleted(
    site: Site, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    founder = site.founder
    assigned, closed = one_after_the_other(
        platform,
        lambda tx: find_locked(tx, site.device.device_id),
        lambda: founder.post(f"/api/devices/{site.device.device_id}/assign-company", json={"companyId": other_id}),
        lambda: founder.delete(f"/api/companies/{site.firm.id}"),
    )
    assert (assigned.status_code, closed.status_code) == (200, 204)
    assert site.listed()["companyId"] == other_id


@pytest.mark.parametrize("how", ["a reset", "a session"])
def test_no_password_is_chosen_once_the_company_is_being_deleted(site: Site, platform: Platform, how: str) -> None:
    founder, anna = site.founder, site.somebody(site.firm.anna)
    body, call = {"currentPassword": PASSWORD, "newPassword": "ein besseres Passwort"}, anna.put
    path = f"/api/users/{anna.id}/change-password"
    if how == "a reset":
        password = founder.put(f"/api/users/{anna.id}/password-reset").json()["password"]
        login = {"company": site.firm.name, "username": "anna", "password": password}
        token = site.world.client.post("/api/login", json=login).json()["temp_token"]
        body, call = {"temp_token": token, "newPassword": "ein besseres Passwort"}, anna.post
        path = "/api/auth/password-change"
    closed, password_change = one_after_the_other(
        platform,
        lambda tx: audit.lock(tx, site.firm.id),  # the last lock of a decision
        lambda: founder.delete(f"/api/companies/{site.firm.id}"),
        lambda: call(path, json=body),
    )
    assert (closed.status_code, password_change.status_code) == (204, 401)
    assert _log(platform, site.firm.id)[-1] == "company.deleted"
