"""Remembered devices: they skip the second factor, never the password, with a new token each time, until they end."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import remembered
from stempelwerk_cloud.people.access.tables import RememberedDevice

from cloud.tests.logging_in import LoginClient, authenticate, link
from cloud.tests.mailbox import Mailbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm, Somebody, World

ANNA = "anna@holzmann.de"


@pytest.fixture
def known_browser(login: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox) -> LoginClient:
    """Returns a browser that remembers anna."""
    link(platform, firm.anna, ANNA)
    _remember(login, firm.anna, mailbox)
    return login


def _remember(login: LoginClient, person: Somebody, mailbox: Mailbox) -> None:
    token = login.step(person, "email_otp")
    login.start(token)
    assert login.mail_code(token, mailbox.codes(ANNA)[-1], rememberDevice=True).status_code == 200


def _is_known(login: LoginClient, person: Somebody) -> bool:
    answer = login.log_in(person).json()
    return "token" in answer


def _token(login: LoginClient, person: Somebody) -> str:
    return login.browser.cookies[remembered.cookie_name(person.id)]


def test_a_remembered_device_is_spared_the_second_factor(known_browser: LoginClient, app: FastAPI, firm: Firm) -> None:
    assert _is_known(known_browser, firm.anna)
    assert not _is_known(LoginClient(app, firm), firm.anna), "another browser at the same address is not"


def test_it_is_not_spared_the_password(known_browser: LoginClient, firm: Firm) -> None:
    assert known_browser.log_in(firm.anna, "falsch").status_code == 401


def test_nothing_is_remembered_that_was_not_wished(
    login: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    done = login.mail_code(token, mailbox.codes(ANNA)[0])
    assert "set-cookie" not in done.headers
    assert not _is_known(login, firm.anna)


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_no_script_and_no_other_call_sees_the_cookie(
    app: FastAPI, firm: Firm, platform: Platform, scheme: str, secure: bool
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    login = LoginClient(app, firm, scheme=scheme)
    token = login.step(firm.anna, "totp")
    done = login.app_code(token, totp.at(platform.clock.now()), rememberDevice=True)
    name, _, attributes = done.headers["set-cookie"].partition("=")
    parts = {part.strip().lower() for part in attributes.split(";")[1:]}
    expected = {"httponly", "samesite=strict", "path=/api/login", "max-age=2592000"}
    assert parts == expected | ({"secure"} if secure else set())
    assert firm.anna.id not in name
    assert "anna" not in name


def test_the_token_is_another_after_each_login_that_used_it(
    known_browser: LoginClient, app: FastAPI, firm: Firm, platform: Platform
) -> None:
    first = _token(known_browser, firm.anna)
    assert _is_known(known_browser, firm.anna)
    second = _token(known_browser, firm.anna)
    assert first != second
    thief = LoginClient(app, firm)
    thief.browser.cookies.set(remembered.cookie_name(firm.anna.id), first, path=remembered.PATH)
    assert not _is_known(thief, firm.anna), "a copy of the old one is worth nothing"
    assert _is_known(known_browser, firm.anna)
    with platform.database.read(SYSTEM) as tx:
        rows = tx.execute(select(RememberedDevice.__table__)).all()
    assert len(rows) == 1
    assert second not in str(rows)


def test_a_wrong_password_does_not_move_the_token(known_browser: LoginClient, firm: Firm) -> None:
    old_token = _token(known_browser, firm.anna)
    known_browser.log_in(firm.anna, "falsch")
    assert _token(known_browser, firm.anna) == old_token


def test_one_person_s_device_is_not_another_s(
    known_browser: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.ben, ANNA)
    known_browser.browser.cookies.set(
        remembered.cookie_name(firm.ben.id), _token(known_browser, firm.anna), path=remembered.PATH
    )
    assert not _is_known(known_browser, firm.ben)
    known_browser.browser.cookies.delete(remembered.cookie_name(firm.ben.id))
    _remember(known_browser, firm.ben, mailbox)
    assert _is_known(known_browser, firm.ben)
    assert _is_known(known_browser, firm.anna), "both are remembered in one browser"


def test_thirty_days_count_from_the_remembering(
    known_browser: LoginClient, firm: Firm, clock: SettableClock, platform: Platform
) -> None:
    clock.advance(days=29, hours=23)
    assert _is_known(known_browser, firm.anna)
    clock.advance(hours=1)
    assert not _is_known(known_browser, firm.anna)
    jobs.run_once(platform, next(job for job in JOBS if job.name == "purge_remembered_devices"))
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(RememberedDevice)).all() == []


def _change_password(firm: Firm, world: World, platform: Platform) -> None:
    body = {"currentPassword": PASSWORD, "newPassword": "ein anderes Passwort"}
    path = f"/api/users/{firm.anna.id}/change-password"
    assert firm.anna.put(path, json=body).status_code == 200
    assert world.again(firm.anna).put(path, json=_turned(body)).status_code == 200


def _turned(body: dict[str, str]) -> dict[str, str]:
    return {"currentPassword": body["newPassword"], "newPassword": body["currentPassword"]}


def _change_role(firm: Firm, world: World, platform: Platform) -> None:
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}).status_code == 200


def _enable(firm: Firm, world: World, platform: Platform) -> None:
    with platform.database.read(SYSTEM):
        secret = firm.anna.post("/api/auth/2fa/setup/start").json()["secret"]
    import pyotp

    code = pyotp.TOTP(secret).at(platform.clock.now())
    assert firm.anna.post("/api/auth/2fa/setup/verify", json={"code": code}).status_code == 200


def _sign_out_everywhere(firm: Firm, world: World, platform: Platform) -> None:
    assert firm.anna.delete("/api/auth/sessions").status_code == 204


def _remove_factor(firm: Firm, world: World, platform: Platform) -> None:
    assert world.founder.delete(f"/api/users/{firm.anna.id}/second-factor").status_code == 204


Ending = Callable[[Firm, World, Platform], None]


@pytest.mark.parametrize("end", [_change_password, _change_role, _enable, _sign_out_everywhere, _remove_factor])
def test_what_changes_the_account_forgets_the_device(
    known_browser: LoginClient, firm: Firm, world: World, platform: Platform, end: Ending
) -> None:
    end(firm, world, platform)
    assert not _is_known(known_browser, firm.anna)


@pytest.mark.parametrize("act", ["lock", "password-reset"])
def test_locking_and_resetting_forget_the_device(
    known_browser: LoginClient, firm: Firm, world: World, platform: Platform, act: str
) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/{act}").status_code == 200
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(RememberedDevice)).all() == []


def test_logging_out_forgets_nothing(known_browser: LoginClient, firm: Firm) -> None:
    firm.anna.post("/api/logout")
    assert _is_known(known_browser, firm.anna)
