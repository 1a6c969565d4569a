"""A change of settings or tags waits for transactions that derive entries by them. SQLite has only one writer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules_shared

from cloud.tests.waiting import until_waiting
from cloud.tests.world import Firm


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def _changes(firm: Firm) -> list[Callable[[], Response]]:
    return [
        lambda: firm.boss.put(f"/api/users/{firm.anna.id}", json={"tagId": "04999999"}),
        lambda: firm.boss.delete(f"/api/users/{firm.ben.id}"),
        lambda: firm.boss.put(f"/api/companies/{firm.id}/settings", json={"doubleTapSeconds": 90}),
    ]


def test_a_change_waits_for_who_keeps_the_rules_and_many_may_keep_them(firm: Firm, platform: Platform) -> None:
    with ThreadPoolExecutor(1) as pool:
        for change in _changes(firm):
            with platform.database.write(SYSTEM) as first, platform.database.write(SYSTEM) as another:
                lock_rules_shared(first, firm.id)
                lock_rules_shared(another, firm.id)
                answer = pool.submit(change)
                until_waiting(platform)
                assert not answer.done()
            assert answer.result(60).status_code in {200, 204}


def test_another_company_waits_for_nobody(firm: Firm, platform: Platform) -> None:
    other_firm = firm.world.firm("Andere")
    with platform.database.write(SYSTEM) as session:
        lock_rules_shared(session, firm.id)
        for change in _changes(other_firm):
            assert change().status_code in {200, 204}
