"""The unit of work of a use case: its caller, and changes of the company meanwhile."""

import pytest
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import PEOPLE_CHANGED
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.work import unit_of_work

from cloud.tests.world import Firm, World


def test_what_nobody_asked_for_has_no_caller(platform: Platform) -> None:
    with unit_of_work(platform, SYSTEM) as work, pytest.raises(RuntimeError):
        assert work.caller
    assert work.actor_id is None


def test_a_company_that_is_unknown_or_closed_is_404(platform: Platform, world: World) -> None:
    closed = world.company()
    world.founder.delete(f"/api/companies/{closed}")
    for company_id in (closed, platform.ids.new()):
        with unit_of_work(platform, SYSTEM) as work, pytest.raises(Problem) as refused:
            work.company(company_id)
        assert refused.value.status == 404


def test_who_has_subscribed_works_in_the_name_of_who_caused_it(platform: Platform, firm: Firm) -> None:
    names: list[str | None] = []
    platform.signals.on(PEOPLE_CHANGED, lambda work, **_: names.append(work.actor_id))
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    assert names == [firm.boss.id]
