"""Choices and browsers that are named in parallel: each counts once, and a session's end removes its browsers."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.people import lock_people
from stempelwerk_cloud.people.notices.tables import NoticeChoice, PushSubscription

from cloud.tests.meeting import all_at_once
from cloud.tests.people.notices_calls import browser
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, Somebody, World

CHOICES, SUBSCRIPTIONS = "/api/notifications", "/api/push/subscriptions"


def _subscribed(platform: Platform) -> list[tuple[str, str]]:
    with platform.database.read(SYSTEM) as session:
        return [(row.id, row.user_id) for row in session.scalars(select(PushSubscription))]


def _subscribe(person: Somebody, name: str) -> Response:
    return person.post(SUBSCRIPTIONS, json=browser(name))


def test_two_pages_choose_the_same_at_once(firm: Firm, platform: Platform, client: TestClient) -> None:
    body = {"push": {"schedule": True, "handoff": True}}
    answers = all_at_once(platform, *[lambda: firm.anna.put(CHOICES, json=body)] * 3)
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    with platform.database.read(SYSTEM) as session:
        assert sorted(session.scalars(select(NoticeChoice.kind))) == ["handoff", "schedule"]
    answers = all_at_once(platform, *[lambda: firm.anna.put(CHOICES, json={"push": {"schedule": False}})] * 2)
    assert [answer.status_code for answer in answers] == [200, 200]


def test_one_browser_named_at_once_is_one_subscription(firm: Firm, platform: Platform, client: TestClient) -> None:
    answers = all_at_once(
        platform,
        lambda: _subscribe(firm.anna, "x"),
        lambda: _subscribe(firm.anna, "x"),
        lambda: _subscribe(firm.ben, "x"),
        lambda: _subscribe(firm.boss, "x"),
    )
    assert [answer.status_code for answer in answers] == [201] * 4
    ((row, _),) = _subscribed(platform)
    assert {answer.json()["id"] for answer in answers} == {row}


def test_two_people_who_swap_browsers_at_once_do_not_wait_in_a_circle(
    firm: Firm, platform: Platform, client: TestClient
) -> None:
    for number in range(20):
        for person in (firm.anna, firm.ben):
            assert _subscribe(person, f"{person.username}-{number}").status_code == 201
    answers = all_at_once(platform, lambda: _subscribe(firm.anna, "ben-0"), lambda: _subscribe(firm.ben, "anna-0"))
    assert [answer.status_code for answer in answers] == [201, 201]
    owners = [owner for _, owner in _subscribed(platform)]
    assert {owners.count(firm.anna.id), owners.count(firm.ben.id)} <= {19, 20}


def test_no_more_than_twenty_however_many_at_once(firm: Firm, platform: Platform, client: TestClient) -> None:
    for number in range(19):
        assert _subscribe(firm.anna, str(number)).status_code == 201
    answers = all_at_once(platform, *[lambda name=name: _subscribe(firm.anna, name) for name in "abc"])  # type: ignore[misc]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len(_subscribed(platform)) == 20


class OnPostgres:
    """PostgreSQL shows which transaction waits for which; SQLite has one writer."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url


class TestLogout(OnPostgres):
    def test_a_browser_that_is_named_while_its_session_ends_is_not_left(
        self, firm: Firm, world: World, platform: Platform
    ) -> None:
        subscribed, logged_out = one_after_the_other(
            platform,
            lambda session: lock_people(session, firm.id, [firm.anna.id]),
            lambda: _subscribe(firm.anna, "x"),
            lambda: firm.anna.delete("/api/auth/sessions"),
        )
        assert (subscribed.status_code, logged_out.is_success) == (201, True)
        assert _subscribed(platform) == []

    def test_a_logout_and_a_browser_of_the_same_session_never_wait_in_a_circle(
        self, firm: Firm, world: World, platform: Platform
    ) -> None:
        for number in range(10):
            anna = world.again(firm.anna)
            gate = threading.Barrier(3)

            first = _subscribe(anna, f"first-{number}").json()["id"]
            calls = {
                "names": lambda anna=anna, number=number: _subscribe(anna, str(number)),
                "leaves": lambda anna=anna: anna.post("/api/logout"),
                "takes back": lambda anna=anna, first=first: anna.delete(f"{SUBSCRIPTIONS}/{first}"),
            }

            def met(call_name: str, calls: Any = calls, gate: threading.Barrier = gate) -> int:
                gate.wait(60)
                return int(calls[call_name]().status_code)

            with ThreadPoolExecutor(3) as pool:
                subscribed, logged_out, taken_back = pool.map(met, calls)
            assert logged_out == 204
            assert subscribed in {201, 401}
            assert taken_back in {204, 401}
            assert _subscribed(platform) == []
