"""Batches that meet their lock holders: they wait for one another in turn, without deadlocks.

On PostgreSQL; SQLite has one writer anyway. A table is locked until all participants wait, each with the locks it
holds.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, as_call, hours
from cloud.tests.waiting import until_waiting
from cloud.tests.world import PASSWORD


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


def _while_held(platform: Platform, table: str, *calls: Callable[[], Any]) -> list[Any]:
    """Returns the results of the calls, each begun while the table was locked against writes and the calls before
    waited.
    """
    with ThreadPoolExecutor(len(calls)) as pool:
        with platform.database.write(SYSTEM) as session:
            session.execute(text(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))
            answers = []
            for number, call in enumerate(calls, 1):
                answers.append(pool.submit(call))
                until_waiting(platform, number)
        return [answer.result(60) for answer in answers]


def _merging(platform: Platform, clock: Clock, *stamps: dict[str, Any], **changes: Any) -> Callable[[], object]:
    """A batch in a transaction of its own, as another process would merge it."""
    call = as_call(clock, clock.batch(*stamps, **changes))

    def done() -> object:
        (outcome,) = merge(platform, [call])
        return type(outcome)

    return done


def test_two_clocks_whose_anchors_move_each_other_s_people_are_both_merged(site: Site, platform: Platform) -> None:
    gate = site.another_clock()
    gate.booted = site.device.booted
    site.device.deliver(site.device.tap(BEN, MORNING, quality="none"))
    gate.deliver(gate.tap(ANNA, MORNING, quality="none"))
    calls = [
        _merging(platform, clock, clock.tap(tag, MORNING + hours(4)), anchors=[clock.anchor(MORNING)])
        for clock, tag in ((site.device, ANNA), (gate, BEN))
    ]
    assert _while_held(platform, "entries", *calls) == [bytes, bytes]
    assert site.spans(site.firm.anna) == site.spans(site.firm.ben) == [("2026-11-20", "07:00", "11:00")]


def test_a_company_is_deleted_while_its_second_clock_delivers(site: Site, platform: Platform) -> None:
    gate = site.another_clock()
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(12)))
    site.clock.set(site.clock.now() - timedelta(hours=1))  # so what was delivered is after the end
    founder = site.founder
    closed, merged = _while_held(
        platform,
        "entries",
        lambda: founder.delete(f"/api/companies/{site.firm.id}").status_code,
        _merging(platform, gate, gate.tap(ANNA, MORNING)),
    )
    assert (closed, merged) == (204, bytes)


def test_a_person_is_made_while_a_tag_is_stamped_that_nobody_ever_saw(site: Site, platform: Platform) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    boss = site.boss
    body = {"username": "clara", "password": PASSWORD, "tagId": "04ABCDEF", "role": "user"}
    person, merged = _while_held(
        platform,
        "tag_holdings",
        lambda: boss.post("/api/users", json=body).status_code,
        _merging(platform, site.device, site.device.tap(NOBODY, MORNING + hours(1))),
    )
    assert (person, merged) == (201, bytes)
