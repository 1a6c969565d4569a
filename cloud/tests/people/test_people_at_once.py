"""A change that waited for another one of the same person reads again. SQLite has only one writer."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules_shared
from stempelwerk_cloud.people.directory.people import find_user

from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, World


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def _at_once(platform: Platform, company_id: str, *calls: Callable[[], Response]) -> list[Response]:
    return one_after_the_other(platform, lambda tx: lock_rules_shared(tx, company_id), *calls)


def test_a_tag_for_somebody_who_is_being_deleted_stays_free(firm: Firm, platform: Platform) -> None:
    path = f"/api/users/{firm.anna.id}"
    deleted, changed = _at_once(
        platform,
        firm.id,
        lambda: firm.boss.delete(path),
        lambda: firm.boss.put(path, json={"tagId": "04999999"}),
    )
    assert (deleted.status_code, changed.status_code) == (204, 404)
    assert firm.boss.put(f"/api/users/{firm.ben.id}", json={"tagId": "04999999"}).status_code == 200


def test_who_is_being_made_a_system_administrator_is_out_of_an_administrators_reach(
    world: World, platform: Platform
) -> None:
    admin = world.admin()
    staff = world.user(world.operator_id, "staff", tag="04123456")
    path = f"/api/users/{staff.id}"
    promoted, demoted = _at_once(
        platform,
        world.operator_id,
        lambda: world.founder.put(path, json={"role": "admin"}),
        lambda: admin.put(path, json={"role": "companyAdmin"}),
    )
    assert (promoted.status_code, demoted.status_code) == (200, 404)
    with platform.database.read(SYSTEM) as tx:
        assert find_user(tx, world.operator_id, staff.id).role == "admin"


def test_two_who_want_the_same_name_do_not_wait_in_a_circle(firm: Firm, platform: Platform) -> None:
    new = {"username": "carla", "password": "lang genug", "tagId": "04112233", "role": "user"}
    renamed, created = _at_once(
        platform,
        firm.id,
        lambda: firm.boss.put(f"/api/users/{firm.ben.id}", json={"username": "carla"}),
        lambda: firm.boss.post("/api/users", json=new),
    )
    assert (renamed.status_code, created.status_code) == (200, 409)
    assert created.json()["code"] == "username_taken"
