"""Setting up an authenticator proves presence: an older session needs the password, and activating ends the others."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import delete, func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.tables import WebSession
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.credentials import authenticator
from stempelwerk_cloud.people.credentials.authenticator import FRESH
from stempelwerk_cloud.people.directory.people import lock_people

from cloud.tests.databases import ON_BOTH
from cloud.tests.logging_in import LoginClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import PASSWORD, Firm, Somebody, World

START = "/api/auth/2fa/setup/start"
VERIFY = "/api/auth/2fa/setup/verify"
NEW = "ein anderes Passwort"


@pytest.fixture
def stale(firm: Firm, clock: SettableClock) -> Somebody:
    """Returns Anna with an older login."""
    clock.advance(minutes=5, milliseconds=1)
    return firm.anna


def _start(person: Somebody, password: str | None = None) -> Response:
    return person.post(START, json={"password": password})


def _change(person: Somebody, old: str = PASSWORD, new: str = NEW) -> Response:
    return person.put(f"/api/users/{person.id}/change-password", json={"currentPassword": old, "newPassword": new})


def _code(person: Somebody, platform: Platform, **extra: Any) -> dict[str, str]:
    secret = person.post(START, json=extra).json()["secret"]
    return {"code": pyotp.TOTP(secret).at(platform.clock.now())}


def _alive(person: Somebody) -> bool:
    return person.get("/api/auth/sessions").status_code == 200


def _times_logged(platform: Platform, action: str) -> int:
    with platform.database.read(SYSTEM) as tx:
        count = tx.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.action == action))
    return count or 0


@pytest.mark.parametrize("extra", [{}, {"json": {}}, {"json": {"password": None}}])
def test_an_older_session_is_asked_for_the_password(stale: Somebody, extra: dict[str, Any]) -> None:
    refused = stale.post(START, **extra)
    assert (refused.status_code, refused.json()["code"], refused.json()["ok"]) == (403, "password_needed", False)
    assert refused.json()["message"] == "Bitte gib dein Passwort ein: Deine Anmeldung ist schon eine Weile her."
    assert stale.post(VERIFY, json={"code": "123456"}).json()["code"] == "no_setup", "nothing has begun"


def test_asking_for_the_password_is_no_guess(stale: Somebody) -> None:
    assert {_start(stale).status_code for _ in range(15)} == {403}
    assert _start(stale, PASSWORD).status_code == 200


@pytest.mark.parametrize("wrong", ["", "falsch", PASSWORD + " ", "x" * 1000])
def test_a_wrong_password_is_refused_as_when_it_is_changed(stale: Somebody, wrong: str) -> None:
    refused = _start(stale, wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_password")
    assert refused.json()["errors"] == [{"field": "password", "message": "Das aktuelle Passwort ist falsch."}]
    assert refused.json()["message"] == _change(stale, old="falsch").json()["message"]
    assert stale.post(VERIFY, json={"code": "123456"}).json()["code"] == "no_setup"
    assert _alive(stale)


@pytest.mark.parametrize("body", [{"password": 7}, {"password": "x" * 1001}, []])
def test_what_is_no_password_is_refused(stale: Somebody, body: Any) -> None:
    refused = stale.post(START, json=body)
    assert (refused.status_code, refused.json()["ok"]) == (422, False)
    assert "x" * 20 not in refused.text


def test_the_right_password_begins_it(stale: Somebody, platform: Platform) -> None:
    code = _code(stale, platform, password=PASSWORD)
    assert stale.post(VERIFY, json=code).status_code == 200


@pytest.mark.parametrize(("age", "needed"), [(FRESH, False), (FRESH + timedelta(milliseconds=1), True)])
def test_a_session_is_fresh_for_five_minutes_to_the_millisecond(
    firm: Firm, clock: SettableClock, age: timedelta, needed: bool
) -> None:
    assert timedelta(minutes=5) == FRESH
    clock.set(clock.now() + age)
    assert _start(firm.anna).status_code == (403 if needed else 200)


def test_a_fresh_session_is_not_asked_and_tells_nothing_of_the_password(firm: Firm) -> None:
    assert {_start(firm.anna, guess).status_code for guess in ("falsch", PASSWORD)} == {200}


def test_using_a_session_keeps_it_no_fresher(firm: Firm, clock: SettableClock) -> None:
    for _ in range(3):
        clock.advance(minutes=2)
        assert _alive(firm.anna)
    assert _start(firm.anna).status_code == 403


def test_a_changed_password_was_just_given(stale: Somebody, world: World) -> None:
    stale.token = _change(stale).json()["token"]
    assert _start(stale).status_code == 200


def test_guesses_here_and_at_the_change_of_the_password_are_counted_together(
    stale: Somebody, clock: SettableClock, login: LoginClient
) -> None:
    guesses: list[Callable[[], Response]] = [
        lambda: _start(stale, "falsch"),
        lambda: _change(stale, old="falsch"),
    ]
    answers = [guesses[number % 2]() for number in range(14)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 4
    assert _start(stale, PASSWORD).status_code == 429
    assert login.log_in(stale).status_code == 200, "the login is another matter"
    clock.advance(seconds=int(answers[-1].headers["retry-after"]))
    assert _start(stale, PASSWORD).status_code == 200
    assert _change(stale, old="falsch").status_code == 422, "the right one has taken back what was counted"


def test_guesses_at_both_at_once_are_not_more_than_one_after_the_other(stale: Somebody) -> None:
    def guess(number: int) -> int:
        return (_start(stale, "falsch") if number % 2 else _change(stale, old="falsch")).status_code

    with ThreadPoolExecutor(18) as pool:
        answers = list(pool.map(guess, range(36)))
    assert answers.count(422) == throttle.CURRENT.pair.free
    assert set(answers) == {422, 429}


def test_the_right_password_takes_back_what_was_counted_also_where_one_is_active(
    stale: Somebody, platform: Platform
) -> None:
    assert stale.post(VERIFY, json=_code(stale, platform, password=PASSWORD)).status_code == 200
    for _ in range(15):
        refused = _start(stale, PASSWORD)
        assert (refused.status_code, refused.json()["code"]) == (409, "authenticator_active")


@ON_BOTH
def test_a_password_that_was_changed_meanwhile_begins_nothing(
    stale: Somebody, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = lock_people
    changes = [_change]

    def wait_for_it(session: Any, company_id: str, user_ids: list[str]) -> None:
        if changes:
            changes.pop()
            session.execute(delete(WebSession).where(WebSession.user_id.in_(user_ids)))
        lock(session, company_id, user_ids)

    monkeypatch.setattr(authenticator, "lock_people", wait_for_it)
    assert _start(stale, PASSWORD).status_code == 401


def test_activating_it_ends_the_person_s_other_sessions_and_nobody_else_s(
    stale: Somebody, firm: Firm, world: World, platform: Platform
) -> None:
    other_sessions = [world.again(stale), world.again(stale)]
    assert stale.post(VERIFY, json=_code(stale, platform, password=PASSWORD)).status_code == 200
    assert [_alive(person) for person in (stale, *other_sessions, firm.ben, firm.boss)] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert _times_logged(platform, "user.second_factor_enabled") == 1


def test_a_wrong_code_ends_nothing(firm: Firm, world: World) -> None:
    other_session = world.again(firm.anna)
    _start(firm.anna)
    assert firm.anna.post(VERIFY, json={"code": "000000"}).status_code == 422
    assert _alive(other_session)


def test_activating_it_ends_the_other_streams_and_leaves_this_one(
    app: FastAPI, firm: Firm, world: World, platform: Platform
) -> None:
    other_session, path = world.again(firm.anna), f"/api/users/{firm.anna.id}/times/stream"
    code = _code(firm.anna, platform)

    async def story() -> None:
        async with (
            listening(app, path, firm.anna.headers) as own_stream,
            listening(app, path, other_session.headers) as other_stream,
        ):
            assert (own_stream.status, other_stream.status) == (200, 200)
            assert (await asyncio.to_thread(firm.anna.post, VERIFY, json=code)).status_code == 200
            await other_stream.end()
            assert await own_stream.quiet()

    asyncio.run(story())


def test_a_ticket_of_an_ended_session_opens_nothing(firm: Firm, world: World, platform: Platform) -> None:
    other_session, path = world.again(firm.anna), f"/api/users/{firm.anna.id}/times/stream"
    ticket = other_session.post("/api/tickets", json={"path": path}).json()["ticket"]
    assert firm.anna.post(VERIFY, json=_code(firm.anna, platform)).status_code == 200
    assert world.client.get(f"{path}?token={ticket}").status_code == 401


class TestAtOnce:
    """Tests on PostgreSQL; SQLite has only one writer."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    def _activated(self, platform: Platform, firm: Firm, *people: Somebody) -> list[Response]:
        code = _code(people[0], platform)
        calls = [lambda person=person: person.post(VERIFY, json=code) for person in people]
        return one_after_the_other(platform, lambda tx: lock_people(tx, firm.id, [firm.anna.id]), *calls)

    def test_of_two_sessions_that_activate_it_the_first_ends_the_second(
        self, firm: Firm, world: World, platform: Platform
    ) -> None:
        other_session = world.again(firm.anna)
        first, second = self._activated(platform, firm, firm.anna, other_session)
        assert (first.status_code, second.status_code) == (200, 401)
        assert (_alive(firm.anna), _alive(other_session)) == (True, False)
        assert _times_logged(platform, "user.second_factor_enabled") == 1

    def test_a_session_that_activates_it_twice_gets_recovery_codes_once(self, firm: Firm, platform: Platform) -> None:
        first, second = self._activated(platform, firm, firm.anna, firm.anna)
        assert (first.status_code, second.status_code, second.json()["code"]) == (200, 409, "authenticator_active")
        assert firm.anna.get("/api/auth/2fa/status").json()["recoveryCodesLeft"] == 10

    def test_a_login_that_waited_for_the_activation_is_asked_for_the_code(
        self, firm: Firm, platform: Platform, login: LoginClient
    ) -> None:
        code = _code(firm.anna, platform)
        activated, login = one_after_the_other(
            platform,
            lambda tx: lock_people(tx, firm.id, [firm.anna.id]),
            lambda: firm.anna.post(VERIFY, json=code),
            lambda: login.log_in(firm.anna),
        )
        assert (activated.status_code, login.json().get("next")) == (200, "totp")
