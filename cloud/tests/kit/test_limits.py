"""Limits: whose allowance a call takes, and which allowances all processes of an installation share."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from functools import partial

import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.device_api.signed.budgets import Budgets
from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits import rates
from stempelwerk_cloud.kit.limits.rates import LONGEST_WINDOW, Rates, RateWindow
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.device_client import Clock
from cloud.tests.logging_in import LoginClient
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled
from cloud.tests.world import Firm, Somebody, World

SECOND_NS = 1_000_000_000
MAILED = "/api/inquiries"
RECIPIENT = "anfragen@stempelwerk.example"
CONTACT = {"kind": "contact", "fields": {"name": "Ina", "email": "ina@ilm.example", "nachricht": "Guten Tag"}}
LIMIT = "10/minute; 100/day"


class Moment:
    """The stopped clock of the limits, in nanoseconds, which tests move. It starts 20 s after a full minute."""

    def __init__(self) -> None:
        self.ns = 1_795_161_620 * SECOND_NS

    def time_ns(self) -> int:
        return self.ns


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    moment = Moment()
    monkeypatch.setattr(rates, "time", moment)
    return moment


@pytest.fixture
def neighbour(app: FastAPI, settings: Settings, clock: SettableClock) -> Iterator[TestClient]:
    """A second process of the same installation."""
    with_inquiries = settings.model_copy(update={"inquiry_email": RECIPIENT})
    app.state.platform.settings = with_inquiries
    second_app = create_app(with_inquiries, clock=clock)
    second_app.state.platform.refusal_pause_s = 0
    with QuickClient(second_app, raise_server_exceptions=False) as client:
        yield client


def _retry_after(spend: Callable[[], None]) -> int | None:
    """Returns the seconds to wait; None if the call is admitted."""
    try:
        spend()
    except Problem as problem:
        return int(problem.headers["Retry-After"])
    return None


# Two processes


@ON_BOTH
def test_two_processes_share_the_allowance_of_an_anonymous_form(client: TestClient, neighbour: TestClient) -> None:
    answers = [(client, neighbour)[number % 2].post(MAILED, json=CONTACT) for number in range(12)]
    assert [answer.status_code for answer in answers] == [201] * 10 + [429] * 2
    assert answers[10].json()["message"] == "Zu viele Versuche. Bitte später erneut versuchen."
    assert int(answers[10].headers["Retry-After"]) == 40


@ON_BOTH
def test_two_processes_share_a_person_s_messages_and_another_company_has_its_own(
    world: World, firm: Firm, neighbour: TestClient
) -> None:
    message = {"category": "question", "priority": "normal", "subject": "Frage", "message": "Wie geht das?"}

    def ask(person: Somebody, process: TestClient | None = None) -> int:
        headers = person.headers
        return (process or world.client).post("/api/support/messages", json=message, headers=headers).status_code

    elsewhere = world.firm("Anders GmbH")
    codes = [ask(firm.boss, (None, neighbour)[number % 2]) for number in range(31)]
    assert codes.count(429) == 1, codes
    assert codes[-1] == 429
    assert ask(firm.boss, neighbour) == 429
    assert ask(elsewhere.boss) == ask(elsewhere.boss, neighbour) == codes[0]


@ON_BOTH
def test_calls_at_once_in_two_processes_take_the_allowance_once(platform: Platform, settings: Settings) -> None:
    with ExitStack() as stack:
        neighbour = create_app(settings).state.platform
        stack.callback(neighbour.database.dispose)
        limited = [Rates(database=platform.database), Rates(database=neighbour.database)]
        with ThreadPoolExecutor(6) as pool:
            waits = list(
                pool.map(
                    lambda number: _retry_after(partial(limited[number % 2].spend_shared, LIMIT, "somebody")), range(24)
                )
            )
    assert waits.count(None) == 10
    assert set(waits) == {None, 40}


@ON_BOTH
def test_a_shared_window_answers_as_one_in_memory(platform: Platform, moment: Moment) -> None:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 100)), max_size=40), st.integers(0, 10**6))
    def agree(calls: list[tuple[int, int]], begin_s: int) -> None:
        moment.ns, names = begin_s * SECOND_NS, ("3/minute; 7/hour", platform.ids.new())
        shared, in_memory = Rates(database=platform.database), Rates()
        for caller_no, pause_s in calls:
            moment.ns += pause_s * SECOND_NS
            spending = (
                partial(shared.spend_shared, *names, str(caller_no)),
                partial(in_memory.spend_shared, *names, str(caller_no)),
            )
            assert _retry_after(spending[0]) == _retry_after(spending[1])

    agree()


@ON_BOTH
def test_a_machine_whose_clock_is_late_counts_in_the_same_window(platform: Platform, moment: Moment) -> None:
    limited = Rates(database=platform.database)
    moment.ns += 40 * SECOND_NS
    for _ in range(5):
        limited.spend_shared("6/minute", "somebody")
    moment.ns -= SECOND_NS
    assert _retry_after(lambda: limited.spend_shared("6/minute", "somebody")) is None
    assert _retry_after(lambda: limited.spend_shared("6/minute", "somebody")) is not None


# Cost and storage


@ON_BOTH
def test_a_shared_limit_takes_one_statement_and_an_ordinary_read_none(
    firm: Firm, platform: Platform, asked: list[str]
) -> None:
    with structlog.contextvars.bound_contextvars(request_id="direct"):
        platform.rates.spend_shared(LIMIT, "somebody")
    assert len([statement for statement in asked if "rate_windows" in statement]) == 1, "of both windows"
    assert len(asked) <= 3, "besides what begins a transaction"
    asked.clear()
    assert firm.boss.get(f"/api/companies/{firm.id}/users").status_code == 200
    assert asked
    assert not any("rate_windows" in statement for statement in asked)


@ON_BOTH
def test_a_refused_call_and_a_rolled_back_action_count_nothing(platform: Platform, moment: Moment) -> None:
    limited, database = Rates(database=platform.database), platform.database

    def act(*, fails: bool = False) -> None:
        with database.write(SYSTEM) as session:
            limited.spend_at_commit(session, "2/minute", "somebody")
            limited.spend_at_commit(session, "2/minute", "somebody else")
            with session.begin_nested():  # a savepoint is no commit
                pass
            if fails:
                raise LookupError

    for _ in range(5):
        with pytest.raises(LookupError):
            act(fails=True)
    assert [_retry_after(act) for _ in range(4)] == [None, None, 40, 40]
    moment.ns += 40 * SECOND_NS
    assert [_retry_after(act) for _ in range(2)] == [None, 30], "the refused ones are not in the window before"


@ON_BOTH
def test_a_window_expires_two_windows_after_it_began(platform: Platform, moment: Moment) -> None:
    Rates(database=platform.database).spend_shared(LIMIT, "somebody")
    with platform.database.read(SYSTEM) as session:
        expiries = list(session.scalars(select(RateWindow.expires_at).order_by(RateWindow.expires_at)))
    now = EPOCH + timedelta(microseconds=moment.ns // 1000)
    assert expiries[0] - now == timedelta(seconds=100)
    assert now < expiries[1] <= now + 2 * LONGEST_WINDOW


# Keys


@ON_SQLITE
def test_another_session_of_the_same_person_has_no_allowance_of_its_own(
    app: FastAPI, firm: Firm, platform: Platform
) -> None:
    platform.rates = Rates(pages="3/minute", database=platform.database)
    path = f"/api/companies/{firm.id}/users"
    tokens = []
    for number in range(2):
        answer = LoginClient(app, firm, f"192.0.2.{number}").log_in(firm.anna)
        tokens.append(answer.json()["token"])
    codes = [
        firm.world.client.get(path, headers={"Authorization": f"Bearer {tokens[number % 2]}"}).status_code
        for number in range(5)
    ]
    assert codes[3:] == [429, 429]
    assert 429 not in codes[:3]
    assert firm.ben.get(path).status_code != 429
    assert firm.world.firm("Anders GmbH").boss.get("/api/auth/sessions").status_code == 200


@ON_SQLITE
def test_one_call_has_one_allowance_however_its_path_is_spelled(firm: Firm, platform: Platform) -> None:
    calls = [
        lambda: firm.world.client.get("/api/calendar/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ics"),
        lambda: firm.world.client.get("/api/calendar/b%62bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.ics?x=1"),
        lambda: firm.world.client.head("/api/calendar/cccccccccccccccccccccccccccccccc.ics"),
    ]
    codes = [calls[number % 3]().status_code for number in range(303)]
    assert codes[300:] == [429] * 3
    assert 429 not in codes[:300]


def test_devices_of_one_ipv6_line_share_a_budget_and_another_line_has_its_own() -> None:
    budgets = Budgets()
    count = 0
    while not budgets.enrol(f"2001:db8:1:2::{count:x}", START):
        count += 1
        assert count < 500
    assert count == 120, "as many as one address"
    assert budgets.enrol("2001:db8:1:3::1", START) == 0
    while not budgets.unassigned(f"device {count}", f"2001:db8:1:2::{count:x}", 400, START):
        count += 1
        assert count < 2000
    assert budgets.unassigned("device", "2001:db8:1:3::1", 400, START) == 0


def test_a_device_that_changes_its_address_keeps_its_budget(site: Site) -> None:
    stranger: Clock = enrolled(site.world, site.clock, "SW-X", 9)
    batch = stranger.batch(stranger.tap(NOBODY, MORNING))
    codes = [stranger.post("/api/devices/stamps", batch).status_code for _ in range(200)]
    assert codes[-1] == 429
    assert site.device.beat().status_code == 200
