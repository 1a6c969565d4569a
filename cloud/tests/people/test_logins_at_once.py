"""Parallel locks, resets, logins and tickets: each is used once, and an ended one opens nothing."""

from concurrent.futures import ThreadPoolExecutor

import pyotp
import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import LOGIN, SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import remembered, sessions
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.people import find_user, lock_people
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.logging_in import LoginClient, authenticate, link
from cloud.tests.mailbox import Mailbox
from cloud.tests.meeting import all_at_once
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, Somebody, World

ROUNDS = range(4)


def _logged(platform: Platform, action: str) -> int:
    with platform.database.read(SYSTEM) as tx:
        return len(tx.scalars(select(AuditEntry).where(AuditEntry.action == action)).all())


def test_two_locks_at_once_are_one(world: World, firm: Firm, platform: Platform) -> None:
    def lock() -> Response:
        return world.founder.put(f"/api/users/{firm.anna.id}/lock")

    answers = all_at_once(platform, lock, lock)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert len({answer.json()["token"] for answer in answers}) == 1
    assert _logged(platform, "user.locked") == 1


def test_a_lock_and_a_reset_at_once_leave_the_account_locked_or_not(
    world: World, firm: Firm, platform: Platform
) -> None:
    for _ in ROUNDS:
        answers = all_at_once(
            platform,
            lambda: world.founder.put(f"/api/users/{firm.anna.id}/lock"),
            lambda: world.founder.put(f"/api/users/{firm.anna.id}/password-reset"),
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        with platform.database.read(SYSTEM) as tx:
            anna = find_user(tx, firm.id, firm.anna.id)
        assert anna.is_locked == (anna.lock_token is not None)


def test_of_two_passwords_that_are_given_at_once_one_opens_the_choice(
    world: World, firm: Firm, platform: Platform, login: LoginClient
) -> None:
    def reset() -> Response:
        return world.founder.put(f"/api/users/{firm.anna.id}/password-reset")

    new_passwords = [answer.json()["password"] for answer in all_at_once(platform, reset, reset)]
    assert sorted(login.log_in(firm.anna, password).status_code for password in new_passwords) == [200, 401]


def test_a_password_that_is_changed_twice_at_once_is_changed_once(
    world: World, firm: Firm, platform: Platform, login: LoginClient
) -> None:
    def change(new: str) -> Response:
        body = {"currentPassword": "ein gutes Passwort", "newPassword": new}
        return firm.anna.put(f"/api/users/{firm.anna.id}/change-password", json=body)

    new_passwords = ("ein besseres Passwort", "das beste Passwort")
    answers = all_at_once(platform, *(lambda new=new: change(new) for new in new_passwords))  # type: ignore[misc]
    # The other finds its session ended; or, if it compares passwords only then, its own password wrong.
    assert sorted(answer.status_code for answer in answers) in ([200, 401], [200, 422])
    for new, answer in zip(new_passwords, answers, strict=True):
        assert (login.log_in(firm.anna, new).status_code == 200) == (answer.status_code == 200)


def test_a_ticket_that_is_brought_twice_at_once_is_good_once(firm: Firm, platform: Platform) -> None:
    path = f"/api/users/{firm.anna.id}/times/stream"
    for _ in ROUNDS:
        ticket = firm.anna.post("/api/tickets", json={"path": path}).json()["ticket"]

        def redeem(_: int) -> bool:
            with platform.database.write(LOGIN) as tx:
                now = platform.clock.now()
                return sessions.caller_of_ticket(tx, ticket, path, now) is not None  # noqa: B023

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(redeem, range(4))).count(True) == 1


def test_a_remembered_device_s_token_is_good_for_one_of_two_logins_at_once(
    app: FastAPI, login: LoginClient, firm: Firm, platform: Platform
) -> None:
    authenticate(platform, firm.anna)
    with platform.database.write(SYSTEM) as tx:
        cookie = remembered.remember(UnitOfWork(tx, platform), firm.id, firm.anna.id)
    logins = [login, LoginClient(app, firm, "198.51.100.7")]
    for browser in logins:
        browser.browser.cookies.set(cookie.name, cookie.token)
    answers = all_at_once(platform, *(lambda browser=browser: browser.log_in(firm.anna) for browser in logins))  # type: ignore[misc]
    assert sorted("token" in answer.json() for answer in answers) == [False, True]
    assert sorted(str(answer.json().get("next")) for answer in answers) == ["None", "totp"]


def test_a_recovery_code_that_is_brought_twice_at_once_opens_one_session(
    app: FastAPI, login: LoginClient, firm: Firm, platform: Platform
) -> None:
    _, recovery = authenticate(platform, firm.anna)
    logins = [login, LoginClient(app, firm, "198.51.100.7")]
    tokens = [browser.step(firm.anna, "totp") for browser in logins]
    answers = all_at_once(
        platform,
        lambda: logins[0].app_code(tokens[0], recovery[0]),
        lambda: logins[1].app_code(tokens[1], recovery[0]),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 401]


def test_an_authenticator_is_confirmed_once_and_switched_off_once(firm: Firm, platform: Platform) -> None:
    def act(action: str, code: str) -> Response:
        return firm.anna.post(f"/api/auth/2fa/{action}", json={"code": code})

    secret = firm.anna.post("/api/auth/2fa/setup/start").json()["secret"]
    code = pyotp.TOTP(secret).at(platform.clock.now())
    confirmed = all_at_once(platform, *[lambda: act("setup/verify", code)] * 2)
    assert sorted(answer.status_code for answer in confirmed) == [200, 409]
    (recovery,) = (answer.json()["recoveryCodes"] for answer in confirmed if not answer.is_error)
    calls = [lambda code=code: act("disable", code) for code in recovery[:2]]  # type: ignore[misc]
    assert sorted(answer.status_code for answer in all_at_once(platform, *calls)) == [200, 409]


def test_who_leaves_everywhere_twice_at_once_has_left_once(firm: Firm, platform: Platform) -> None:
    def leave() -> Response:
        return firm.anna.delete("/api/auth/sessions")

    assert sorted(answer.status_code for answer in all_at_once(platform, leave, leave)) == [204, 401]
    assert _logged(platform, "user.signed_out_everywhere") == 1


def test_of_two_wishes_for_a_mail_at_once_one_is_sent(
    login: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, "anna@holzmann.de")
    token = login.step(firm.anna, "email_otp")
    answers = all_at_once(platform, lambda: login.start(token), lambda: login.start(token))
    assert sorted(answer.status_code for answer in answers) == [200, 429]
    assert len(mailbox.codes("anna@holzmann.de")) == 1


def test_one_key_for_two_wishes_at_once_is_one_wish_s(world: World, platform: Platform) -> None:
    def make(name: str) -> Response:
        return world.founder.post("/api/companies", json={"name": name}, headers={"Idempotency-Key": "0f6f1a52-1"})

    answers = all_at_once(platform, lambda: make("Eine"), lambda: make("Andere"))
    assert sorted(answer.status_code for answer in answers) == [201, 422]


class TestOnPostgreSQL:
    """Tests with several parallel writers."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    @pytest.mark.parametrize("owner", ["one", "all"])
    @pytest.mark.parametrize("first", ["login", "reset"])
    def test_a_login_beside_a_reset_opens_nothing_that_lasts(
        self, world: World, firm: Firm, platform: Platform, login: LoginClient, owner: str, first: str
    ) -> None:
        path = f"/api/users/{firm.anna.id}/password-reset" if owner == "one" else _all(firm)
        calls = {"login": lambda: login.log_in(firm.anna), "reset": lambda: world.founder.put(path)}
        order = sorted(calls, key=lambda name: name != first)
        answers = one_after_the_other(
            platform, lambda tx: lock_people(tx, firm.id, [firm.anna.id]), *(calls[name] for name in order)
        )
        login_answer = answers[order.index("login")]
        assert login_answer.status_code == (200 if first == "login" else 401)
        if login_answer.status_code == 200:
            anna = Somebody(world, firm.anna.id, firm.id, "anna", login_answer.json()["token"])
            assert anna.get("/api/auth/sessions").status_code == 401
        assert login.log_in(firm.anna).status_code == 401


def _all(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/password-reset-all"
