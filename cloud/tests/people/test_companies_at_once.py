"""A change that waited for another one of the same company reads again. SQLite has only one writer."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.companies import features_of, lock_rules_shared
from stempelwerk_cloud.people.directory.tables import Company

from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, World


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def _at_once(platform: Platform, company_id: str, *calls: Callable[[], Response]) -> list[int]:
    row = select(Company.id).where(Company.id == company_id).with_for_update()
    return [answer.status_code for answer in one_after_the_other(platform, lambda tx: tx.execute(row), *calls)]


def _logged(platform: Platform, company_id: str, action: str) -> list[AuditEntry]:
    query = select(AuditEntry).where(AuditEntry.company_id == company_id, AuditEntry.action == action)
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(query.order_by(AuditEntry.no)))


def test_of_two_choices_of_modules_the_later_holds_whole(world: World, firm: Firm, platform: Platform) -> None:
    def choose(*keys: str) -> Response:
        return world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": list(keys)})

    calls = [lambda: choose("schedule"), lambda: choose("devices"), lambda: choose("devices")]
    assert _at_once(platform, firm.id, *calls) == [200, 200, 200]
    with platform.database.read(SYSTEM) as tx:
        assert [feature.key for feature in features_of(tx, firm.id)] == ["devices"]
    assert [(entry.before, entry.after) for entry in _logged(platform, firm.id, "company.features")][1:] == [
        ('{"features":["schedule"]}', '{"features":["devices"]}')
    ]


def test_a_company_is_deleted_once(world: World, firm: Firm, platform: Platform) -> None:
    def delete() -> Response:
        return world.founder.delete(f"/api/companies/{firm.id}")

    assert _at_once(platform, firm.id, delete, delete) == [204, 404]
    assert len(_logged(platform, world.operator_id, "company.deleted")) == 1


def test_a_change_from_today_on_means_today_in_the_zone_that_was_just_chosen(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    clock.set(clock.now().replace(hour=23, minute=30))  # in Berlin it is already the 21st, on the Azores it is not
    boss, path = firm.world.again(firm.boss), f"/api/companies/{firm.id}/settings"
    moved, changed = one_after_the_other(
        platform,
        lambda tx: lock_rules_shared(tx, firm.id),
        lambda: boss.put(path, json={"timeZone": "Atlantic/Azores", "validFrom": "2026-01-01"}),
        lambda: boss.put(path, json={"doubleTapSeconds": 90}),
    )
    assert (moved.status_code, changed.status_code) == (200, 200)
    assert changed.json()["validFrom"] == "2026-11-20"
