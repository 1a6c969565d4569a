"""A held stamp is decided once, a tag given once, a period released once, whoever comes at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select
from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices.changes.assignments import find_locked
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules_shared
from stempelwerk_cloud.timekeeping.ledger.tables import Release, Resolution

from cloud.tests.device_client import iso
from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled, hours
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, Somebody

Call = Callable[[], Response]
ROUNDS = 8


class OnPostgres:
    """A transaction that waited for a lock checks again. SQLite has one writer anyway."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url


def conflicting(site: Site, count: int = 1) -> list[dict[str, Any]]:
    """Stamps of Anna's that wait because their clock sent two versions of each."""
    taps = [site.device.tap("04A1B2C3", MORNING + hours(n / 2)) for n in range(count)]
    site.device.deliver(*taps)
    site.device.deliver(*(tap | {"direction": "in"} for tap in taps))
    held_stamps = site.held()
    assert [stamp["state"] for stamp in held_stamps] == ["conflict"] * count
    return held_stamps


def resolve(boss: Somebody, site: Site, stamp: str, action: str) -> Call:
    path = f"/api/companies/{site.firm.id}/held-stamps/{stamp}/resolve"
    return lambda: boss.post(path, json={"action": action})


def give(boss: Somebody, site: Site, employee: Somebody) -> Call:
    body = {"tag": NOBODY, "userId": employee.id, "from": iso(MORNING - hours(1))}
    return lambda: boss.post(f"/api/companies/{site.firm.id}/held-stamps/assign", json=body)


def release(founder: Somebody, device_id: str, company_id: str) -> Call:
    body = {"deviceId": device_id, "from": iso(MORNING), "to": iso(MORNING + hours(8)), "companyId": company_id}
    return lambda: founder.post("/api/held-stamps/release", json=body)


def decided(platform: Platform, stamp: str) -> list[str]:
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(Resolution.action).where(Resolution.stamp_id == stamp)))


def clock_of(site: Site) -> Callable[[Session], object]:
    return lambda tx: find_locked(tx, site.device.device_id)


def statuses(answers: list[Response]) -> list[int]:
    return [answer.status_code for answer in answers]


def together(*calls: Call) -> list[Response]:
    """The calls' answers, all begun in the same moment."""
    start = Barrier(len(calls))

    def begin(call: Call) -> Response:
        start.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def test_of_two_decisions_at_once_about_one_stamp_one_counts(site: Site, platform: Platform) -> None:
    boss = site.boss
    for number, stamp in enumerate(conflicting(site, ROUNDS)):
        actions = ["book", "discard"][:: 1 if number % 2 else -1]
        answers = together(*(resolve(boss, site, stamp["id"], action) for action in actions))
        assert sorted(statuses(answers)) == [200, 409]
        (deciding_action,) = [
            action for action, answer in zip(actions, answers, strict=True) if answer.status_code == 200
        ]
        assert decided(platform, stamp["id"]) == [deciding_action]
    assert site.held() == []


def test_two_stamps_decided_at_once_are_both_decided(site: Site) -> None:
    boss, held_stamps = site.boss, conflicting(site, 2 * ROUNDS)
    for first_stamp, second_stamp in zip(held_stamps[::2], held_stamps[1::2], strict=True):
        answers = together(
            resolve(boss, site, first_stamp["id"], "book"), resolve(boss, site, second_stamp["id"], "discard")
        )
        assert statuses(answers) == [200, 200]
    assert site.held() == []


class TestInTheWorstOrder(OnPostgres):
    @pytest.mark.parametrize("first", ["book", "discard"])
    def test_the_second_of_two_decisions_is_refused(self, site: Site, platform: Platform, first: str) -> None:
        (stamp,) = conflicting(site)
        second = {"book": "discard", "discard": "book"}[first]
        boss = site.boss
        answers = one_after_the_other(
            platform,
            clock_of(site),
            *(resolve(boss, site, stamp["id"], action) for action in (first, second)),
        )
        assert statuses(answers) == [200, 409]
        assert answers[1].json()["code"] == "not_held"
        assert decided(platform, stamp["id"]) == [first]

    def test_a_stamp_is_decided_as_it_stands_after_its_tag_was_given(self, site: Site, platform: Platform) -> None:
        site.device.deliver(site.device.tap(NOBODY, MORNING))
        (stamp,) = site.held()
        boss = site.boss
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            give(boss, site, site.firm.anna),
            resolve(boss, site, stamp["id"], "discard"),
        )
        assert statuses(answers) == [200, 409]
        assert site.spans() == [("2026-11-20", "07:00", None)], "what was booked in the meantime stays"

    def test_a_stamp_whose_clock_goes_to_another_company_is_no_longer_decided(
        self, site: Site, platform: Platform
    ) -> None:
        site.clock.set(MORNING + hours(4))
        site.device.deliver(site.device.tap(NOBODY, MORNING + hours(4)))
        (stamp,) = site.held()
        founder, boss, other_company = site.founder, site.boss, site.world.company("Andere GmbH")
        path = f"/api/devices/{site.device.device_id}/assign-company"
        answers = one_after_the_other(
            platform,
            clock_of(site),
            lambda: founder.post(path, json={"companyId": other_company}),
            resolve(boss, site, stamp["id"], "discard"),
        )
        assert statuses(answers) == [200, 404]
        assert decided(platform, stamp["id"]) == []
        assert [stamp["id"] for stamp in site.unassigned()] == [stamp["id"]]

    def test_a_tag_is_given_to_one_of_two_people(self, site: Site, platform: Platform) -> None:
        site.device.deliver(site.device.tap(NOBODY, MORNING))
        boss = site.boss
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            give(boss, site, site.firm.anna),
            give(boss, site, site.firm.ben),
        )
        assert statuses(answers) == [200, 409]
        assert (len(site.spans(site.firm.anna)), site.spans(site.firm.ben)) == (1, [])

    def test_a_tag_given_twice_to_one_person_books_its_stamps_once(self, site: Site, platform: Platform) -> None:
        site.device.deliver(site.device.tap(NOBODY, MORNING))
        boss = site.boss
        calls = [give(boss, site, site.firm.anna)] * 2
        answers = one_after_the_other(platform, lambda tx: lock_rules_shared(tx, site.firm.id), *calls)
        assert [answer.json() for answer in answers] == [{"booked": 1}, {"booked": 0}]

    def test_a_period_is_released_to_one_of_two_companies(
        self, site: Site, platform: Platform, firms: tuple[Firm, str]
    ) -> None:
        own_firm, other_firm = firms
        stock = enrolled(site.world, site.clock, "SW-T-9", 9)
        stock.deliver(stock.tap(NOBODY, MORNING))
        founder = site.founder
        answers = one_after_the_other(
            platform,
            lambda tx: find_locked(tx, stock.device_id),
            release(founder, stock.device_id, own_firm.id),
            release(founder, stock.device_id, other_firm),
        )
        assert statuses(answers) == [200, 409]
        with platform.database.read(SYSTEM) as tx:
            assert tx.scalars(select(Release.company_id)).all() == [own_firm.id]

    @pytest.fixture
    def firms(self, site: Site) -> tuple[Firm, str]:
        return site.firm, site.world.company("Andere GmbH")
