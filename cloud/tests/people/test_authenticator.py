"""The authenticator: setup, login, single use, recovery codes, deactivation."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pyotp
import pytest
from fastapi import FastAPI
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import LOGIN, SYSTEM
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import KEY_FILE, Vault
from stempelwerk_cloud.people.access.identity import second_factor, sessions
from stempelwerk_cloud.people.access.tables import RecoveryCode, SecondFactor
from stempelwerk_cloud.people.credentials import authenticator
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.people import lock_people

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.logging_in import HOME, LoginClient, authenticate, link, wrong
from cloud.tests.mailbox import Mailbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

STEP = timedelta(seconds=30)
CALLS = [
    ("GET", "/api/auth/2fa/status"),
    ("POST", "/api/auth/2fa/setup/start"),
    ("POST", "/api/auth/2fa/setup/verify"),
    ("POST", "/api/auth/2fa/disable"),
]


def _set_up(person: Somebody, platform: Platform) -> tuple[pyotp.TOTP, list[str]]:
    secret = person.post("/api/auth/2fa/setup/start").json()["secret"]
    app = pyotp.TOTP(secret)
    done = person.post("/api/auth/2fa/setup/verify", json={"code": app.at(platform.clock.now())})
    assert done.status_code == 200
    return app, done.json()["recoveryCodes"]


def test_a_setup_is_completed_by_its_first_code(firm: Firm, platform: Platform) -> None:
    assert firm.anna.get("/api/auth/2fa/status").json() == {
        "ok": True,
        "enabled": False,
        "message": "Der Authenticator ist nicht aktiv.",
        "recoveryCodesLeft": 0,
    }
    begun = firm.anna.post("/api/auth/2fa/setup/start").json()
    assert set(begun) == {"ok", "qrDataUrl", "secret"}
    assert begun["qrDataUrl"].startswith("data:image/png;base64,")
    assert firm.anna.get("/api/auth/2fa/status").json()["enabled"] is False
    code = pyotp.TOTP(begun["secret"]).at(platform.clock.now())
    refused = firm.anna.post("/api/auth/2fa/setup/verify", json={"code": wrong(code)})
    assert (refused.status_code, refused.json()["code"], refused.json()["message"]) == (
        422,
        "wrong_code",
        "Code ungültig.",
    )
    done = firm.anna.post("/api/auth/2fa/setup/verify", json={"code": code}).json()
    assert (done["ok"], done["message"]) == (True, "Authenticator erfolgreich aktiviert.")
    assert len(set(done["recoveryCodes"])) == 10
    status = firm.anna.get("/api/auth/2fa/status").json()
    assert (status["enabled"], status["recoveryCodesLeft"]) == (True, 10)


@ON_SQLITE
@pytest.mark.parametrize("path", ["setup/verify", "disable"])
@pytest.mark.parametrize("body", [{}, {"code": ""}, {"code": "  "}])
def test_a_missing_code_is_asked_for(firm: Firm, path: str, body: dict[str, str]) -> None:
    answer = firm.anna.post(f"/api/auth/2fa/{path}", json=body)
    assert (answer.status_code, answer.json()["message"]) == (422, "Bitte 6-stelligen App-Code eingeben.")
    assert answer.json()["errors"][0]["field"] == "code"


def test_an_active_authenticator_is_not_replaced(firm: Firm, platform: Platform) -> None:
    assert firm.anna.post("/api/auth/2fa/setup/verify", json={"code": "123456"}).status_code == 409
    assert firm.anna.post("/api/auth/2fa/disable", json={"code": "123456"}).status_code == 409
    app, _ = _set_up(firm.anna, platform)
    assert firm.anna.post("/api/auth/2fa/setup/start").status_code == 409
    code = app.at(platform.clock.now())
    assert firm.anna.post("/api/auth/2fa/setup/verify", json={"code": code}).status_code == 409


def test_no_answer_with_a_secret_is_kept_for_its_idempotency_key(firm: Firm) -> None:
    key = {"Idempotency-Key": "setup"}
    first = firm.anna.post("/api/auth/2fa/setup/start", headers=key).json()
    assert firm.anna.post("/api/auth/2fa/setup/start", headers=key).json()["secret"] != first["secret"]


def test_the_database_yields_no_secret_and_no_recovery_code(firm: Firm, platform: Platform) -> None:
    app, recovery = _set_up(firm.anna, platform)
    with platform.database.read(SYSTEM) as tx:
        rows = str(tx.execute(select(SecondFactor.__table__)).all()) + str(
            tx.execute(select(RecoveryCode.__table__)).all()
        )
    assert app.secret not in rows
    assert not any(code in rows for code in recovery)
    assert oct((platform.settings.data_dir / KEY_FILE).stat().st_mode & 0o777) == "0o600"


def test_the_app_s_code_completes_the_login_and_is_good_once(
    login: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, "anna@holzmann.de")
    app, _ = authenticate(platform, firm.anna)
    token = login.step(firm.anna, "totp")
    code = app.at(platform.clock.now())
    refused = login.app_code(token, wrong(code))
    assert (refused.status_code, refused.json()["code"], refused.json()["message"], refused.json()["ok"]) == (
        401,
        "wrong_code",
        "Code ungültig",
        False,
    )
    assert login.app_code(token, code).json()["username"] == "anna"
    second_token = login.step(firm.anna, "totp")
    assert login.app_code(second_token, code).status_code == 401, "somebody who looked over the shoulder gains nothing"
    assert mailbox.mails == []


def test_the_code_that_set_it_up_does_not_log_in(login: LoginClient, firm: Firm, platform: Platform) -> None:
    app, _ = _set_up(firm.anna, platform)
    token = login.step(firm.anna, "totp")
    assert login.app_code(token, app.at(platform.clock.now())).status_code == 401


@ON_SQLITE
@pytest.mark.parametrize(("off", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_that_is_half_a_minute_off_is_forgiven(
    login: LoginClient, firm: Firm, platform: Platform, off: int, good: bool
) -> None:
    app, _ = authenticate(platform, firm.anna)
    token = login.step(firm.anna, "totp")
    assert (login.app_code(token, app.at(platform.clock.now() + off * STEP)).status_code == 200) == good


def test_an_older_code_is_worth_nothing_once_a_newer_was_used(
    login: LoginClient, firm: Firm, platform: Platform
) -> None:
    app, _ = authenticate(platform, firm.anna)
    now = platform.clock.now()
    assert login.app_code(login.step(firm.anna, "totp"), app.at(now)).status_code == 200
    assert login.app_code(login.step(firm.anna, "totp"), app.at(now - STEP)).status_code == 401


def test_five_wrong_codes_end_the_login(login: LoginClient, firm: Firm, platform: Platform) -> None:
    app, _ = authenticate(platform, firm.anna)
    token = login.step(firm.anna, "totp")
    code = app.at(platform.clock.now())
    assert [login.app_code(token, wrong(code)).json()["code"] for _ in range(5)] == ["wrong_code"] * 5
    assert login.app_code(token, code).json()["code"] == "login_expired"


def test_fifty_parallel_uses_of_one_code_open_one_session(
    app: FastAPI, login: LoginClient, firm: Firm, platform: Platform
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    logins = [LoginClient(app, firm, f"198.51.100.{number}") for number in range(10)]
    tokens = [login.step(firm.anna, "totp") for _ in range(10)]
    code = totp.at(platform.clock.now())
    gate = threading.Barrier(50)

    def use(number: int) -> int:
        gate.wait(60)
        return logins[number % 10].app_code(tokens[number % 10], code).status_code

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(use, range(50)))
    assert answers.count(200) == 1
    assert set(answers) <= {200, 401, 429}


def test_a_recovery_code_stands_in_for_the_app_once(login: LoginClient, firm: Firm, platform: Platform) -> None:
    _, recovery = authenticate(platform, firm.anna)
    token = login.step(firm.anna, "totp")
    assert login.app_code(token, recovery[3].upper().replace("-", " ")).status_code == 200
    token = login.step(firm.anna, "totp")
    assert login.app_code(token, recovery[3]).status_code == 401
    assert login.app_code(token, recovery[4]).status_code == 200
    assert firm.anna.get("/api/auth/2fa/status").json()["recoveryCodesLeft"] == 8


def test_a_recovery_code_is_its_owners(login: LoginClient, firm: Firm, platform: Platform) -> None:
    _, recovery = authenticate(platform, firm.anna)
    authenticate(platform, firm.ben)
    assert login.app_code(login.step(firm.ben, "totp"), recovery[0]).status_code == 401


@ON_BOTH
def test_it_is_switched_off_by_a_code_alone(login: LoginClient, firm: Firm, platform: Platform) -> None:
    app, recovery = authenticate(platform, firm.anna)
    code = app.at(platform.clock.now())
    refused = firm.anna.post("/api/auth/2fa/disable", json={"code": wrong(code)})
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_code")
    assert firm.anna.get("/api/auth/2fa/status").json()["enabled"] is True
    done = firm.anna.post("/api/auth/2fa/disable", json={"code": code})
    assert done.json() == {"ok": True, "message": "Authenticator deaktiviert."}
    assert firm.anna.get("/api/auth/2fa/status").json()["recoveryCodesLeft"] == 0
    assert "token" in login.log_in(firm.anna).json()
    authenticator, _ = _set_up(firm.anna, platform)
    assert firm.anna.post("/api/auth/2fa/disable", json={"code": recovery[0]}).status_code == 422
    assert authenticator.secret != app.secret


def test_a_recovery_code_switches_it_off(firm: Firm, platform: Platform) -> None:
    _, recovery = authenticate(platform, firm.anna)
    assert firm.anna.post("/api/auth/2fa/disable", json={"code": recovery[9]}).status_code == 200


def test_guessing_with_a_stolen_session_is_slowed_and_never_shut(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    app, _ = authenticate(platform, firm.anna)
    bad = wrong(app.at(clock.now()))
    answers = [firm.anna.post("/api/auth/2fa/disable", json={"code": bad}) for _ in range(15)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 5
    clock.advance(seconds=int(answers[-1].headers["retry-after"]))
    right = firm.anna.post("/api/auth/2fa/disable", json={"code": app.at(clock.now())})
    assert right.status_code == 200


def test_activating_it_ends_logins_that_had_less_to_show(
    login: LoginClient, firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, "anna@holzmann.de")
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    _set_up(firm.anna, platform)
    answer = login.mail_code(token, mailbox.codes("anna@holzmann.de")[0])
    assert answer.json()["code"] == "login_expired"


def test_with_another_key_file_the_app_is_refused_and_recovery_codes_work(
    login: LoginClient, firm: Firm, platform: Platform
) -> None:
    app, recovery = authenticate(platform, firm.anna)
    (platform.settings.data_dir / KEY_FILE).unlink()
    platform.vault = Vault(platform.settings.data_dir)
    token = login.step(firm.anna, "totp")
    assert login.app_code(token, app.at(platform.clock.now())).status_code == 401
    assert login.app_code(token, recovery[0]).status_code == 200


def _past_the_guard(person: Somebody, platform: Platform) -> Caller:
    """Returns the caller as the guard passes them on; later changes happen while the call waits."""
    with platform.database.read(LOGIN) as tx:
        live_caller = sessions.caller_of(tx, person.token, platform.clock.now())
    assert live_caller is not None
    return live_caller[0]


@pytest.mark.parametrize("call", ["start", "confirm", "disable"])
def test_a_call_under_way_does_not_survive_a_reset(firm: Firm, world: World, platform: Platform, call: str) -> None:
    if call == "disable":
        app, _ = authenticate(platform, firm.anna)
    else:
        app = pyotp.TOTP(firm.anna.post("/api/auth/2fa/setup/start").json()["secret"])
    caller, code = _past_the_guard(firm.anna, platform), app.at(platform.clock.now())
    assert world.founder.put(f"/api/users/{firm.anna.id}/password-reset").status_code == 200
    calls: dict[str, Callable[[], object]] = {
        "start": lambda: authenticator.begin(platform, caller),
        "confirm": lambda: authenticator.confirm(platform, caller, code),
        "disable": lambda: authenticator.disable(platform, caller, code, HOME),
    }
    with pytest.raises(Problem) as refused:
        calls[call]()
    assert refused.value.status == 401
    with platform.database.read(SYSTEM) as tx:
        assert second_factor.has_authenticator(tx, firm.id, firm.anna.id) == (call == "disable")


@ON_BOTH
def test_a_code_that_was_spent_while_the_call_waited_switches_nothing_off(
    firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, _ = authenticate(platform, firm.anna)
    lock = lock_people

    def wait_for_it(session: Session, company_id: str, user_ids: list[str]) -> None:
        spent = update(SecondFactor).values(accepted_step=int(platform.clock.now().timestamp()) // 30)
        session.execute(spent.execution_options(synchronize_session=False))
        lock(session, company_id, user_ids)

    monkeypatch.setattr(authenticator, "lock_people", wait_for_it)
    refused = firm.anna.post("/api/auth/2fa/disable", json={"code": app.at(platform.clock.now())})
    assert refused.json()["code"] == "wrong_code"
