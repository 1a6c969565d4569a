"""Login: equal refusals, throttled guesses, a session of five parts, logout."""

import re
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select, update
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.access.tables import WebSession
from stempelwerk_cloud.people.directory.tables import User

from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm, World


def _log_in(client: TestClient, company: str, username: str, password: str = PASSWORD, **extra: object) -> Response:
    body = {"company": company, "username": username, "password": password, **extra}
    return client.post("/api/login", json=body)


def _wrong(client: TestClient, firm: Firm, times: int) -> list[int]:
    return [_log_in(client, firm.name, "anna", "falsch").status_code for _ in range(times)]


def test_unknown_company_unknown_user_and_wrong_password_answer_alike(client: TestClient, firm: Firm) -> None:
    answers = [
        _log_in(client, "Niemand", "anna"),
        _log_in(client, firm.name, "niemand"),
        _log_in(client, firm.name, "anna", "falsch"),
        _log_in(client, "", ""),
        _log_in(client, "Plattform", "anna"),
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    body = answers[0].json()
    assert body["success"] is False
    assert body["message"] == "Firma, Benutzername oder Passwort ist falsch."
    assert body["code"] == "login_failed"
    assert "token" not in body


def test_every_refusal_costs_the_comparison_of_a_password(
    client: TestClient, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []
    original = passwords.verify

    def verify_counted(password_hash: str | None, password: str) -> bool:
        compared.append(password_hash is None)
        return original(password_hash, password)

    monkeypatch.setattr(passwords, "verify", verify_counted)
    _log_in(client, "Niemand", "anna")
    _log_in(client, firm.name, "niemand")
    _log_in(client, firm.name, "anna", "falsch")
    assert compared == [True, True, False]


def test_a_letter_is_the_same_however_a_keyboard_composes_it(client: TestClient, world: World) -> None:
    company = world.company("Sägewerk")
    body = {"companyId": company, "username": "Jörg", "password": "Kreissäge 9", "tagId": "04AABBCC", "role": "user"}
    assert world.founder.post("/api/users", json=body).status_code == 201
    apart = [unicodedata.normalize("NFD", word) for word in ("Sägewerk", "Jörg", "Kreissäge 9")]
    assert _log_in(client, *apart).status_code == 200
    assert _log_in(client, "Sägewerk", "Jörg", "Kreissage 9").status_code == 401


def test_a_malformed_login_is_a_422_with_success_false(client: TestClient) -> None:
    answer = client.post("/api/login", json={"company": "x", "password": 7})
    assert answer.status_code == 422
    assert answer.json()["success"] is False
    assert {error["field"] for error in answer.json()["errors"]} == {"username", "password"}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("SELECT 1", {}, OSError("refused")), 503),
        (IntegrityError("INSERT", {}, ValueError()), 409),
        (DataError("INSERT", {}, ValueError()), 422),
        (LookupError(), 500),
    ],
)
def test_what_fails_below_a_login_says_too_that_nothing_came_of_it(
    client: TestClient, firm: Firm, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(throttle, "count", fail)
    login = _log_in(client, firm.name, "anna")
    assert (login.status_code, login.json().get("success")) == (status, False)
    monkeypatch.setattr(second_factor, "begin_setup", fail)
    setup = firm.anna.post("/api/auth/2fa/setup/start")
    assert (setup.status_code, setup.json().get("ok")) == (status, False)


def test_the_right_password_opens_a_session_of_five_parts(client: TestClient, firm: Firm) -> None:
    answer = _log_in(client, firm.name, "anna")
    assert answer.status_code == 200
    token = answer.json()["token"]
    assert answer.json() == {
        "success": True,
        "message": "Angemeldet.",
        "token": token,
        "role": "user",
        "username": "anna",
        "companyId": firm.id,
        "userId": firm.anna.id,
    }
    assert re.fullmatch(r"[\w-]{43}", token)
    features = client.get(f"/api/companies/{firm.id}/features", headers={"Authorization": f"Bearer {token}"})
    assert features.status_code == 200


def test_names_are_compared_without_case_and_outer_space(client: TestClient, firm: Firm) -> None:
    assert _log_in(client, f"  {firm.name.upper()} ", " ANNA ").status_code == 200
    assert _log_in(client, firm.name, "anna", PASSWORD.upper()).status_code == 401


def test_the_database_holds_no_token(client: TestClient, firm: Firm, platform: Platform) -> None:
    token = _log_in(client, firm.name, "anna").json()["token"]
    with platform.database.read(SYSTEM) as tx:
        rows = tx.execute(select(WebSession.__table__)).all()
    assert rows
    assert token not in str(rows)


def test_a_session_lives_two_hours_and_does_not_stretch(firm: Firm, clock: SettableClock) -> None:
    path = f"/api/companies/{firm.id}/features"
    clock.advance(hours=1, minutes=59)
    assert firm.anna.get(path).status_code == 200
    clock.advance(minutes=1)
    ended = firm.anna.get(path)
    assert (ended.status_code, ended.json()["message"]) == (401, "Nicht autorisiert. Bitte neu einloggen.")


def test_logging_out_ends_this_session_and_no_other(client: TestClient, firm: Firm, world: World) -> None:
    other_session = world.again(firm.anna)
    path = f"/api/companies/{firm.id}/features"
    assert firm.anna.post("/api/logout").status_code == 204
    assert firm.anna.get(path).status_code == 401
    assert firm.anna.post("/api/logout").status_code == 401
    assert other_session.get(path).status_code == 200


def _lock(platform: Platform, user_id: str) -> None:
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == user_id).values(is_locked=True, lock_token="t" * 64))


def test_a_locked_account_is_told_so_only_with_the_right_password(
    client: TestClient, firm: Firm, platform: Platform
) -> None:
    _lock(platform, firm.anna.id)
    assert _log_in(client, firm.name, "anna", "falsch").status_code == 401
    locked = _log_in(client, firm.name, "anna")
    assert locked.status_code == 403
    assert locked.json()["success"] is False
    assert locked.json()["message"] == "Account locked (TOS Violation/ Safety)"
    assert firm.anna.get(f"/api/companies/{firm.id}/features").status_code == 401


def test_people_of_a_deleted_company_and_deleted_people_are_unknown(
    client: TestClient, firm: Firm, world: World
) -> None:
    firm.boss.delete(f"/api/users/{firm.ben.id}")
    assert _log_in(client, firm.name, "ben").status_code == 401
    world.founder.delete(f"/api/companies/{firm.id}")
    assert _log_in(client, firm.name, "anna").status_code == 401
    assert firm.anna.get(f"/api/companies/{firm.id}/features").status_code == 401


def test_guessing_one_account_is_slowed_and_says_for_how_long(
    client: TestClient, firm: Firm, clock: SettableClock
) -> None:
    assert _wrong(client, firm, throttle.PAIR.free) == [401] * throttle.PAIR.free
    slowed = _log_in(client, firm.name, "anna")
    assert slowed.status_code == 429
    assert slowed.json()["success"] is False
    assert 0 < int(slowed.headers["retry-after"]) <= 31
    clock.advance(seconds=int(slowed.headers["retry-after"]))
    assert _log_in(client, firm.name, "anna").status_code == 200


def test_the_pause_grows_with_each_further_failure_up_to_a_limit(
    client: TestClient, firm: Firm, clock: SettableClock
) -> None:
    _wrong(client, firm, throttle.PAIR.free)
    pauses = []
    for _ in range(8):
        slowed = _log_in(client, firm.name, "anna", "falsch")
        pauses.append(int(slowed.headers["retry-after"]))
        clock.advance(seconds=pauses[-1])
        assert _log_in(client, firm.name, "anna", "falsch").status_code == 401
    assert pauses == sorted(pauses)
    assert pauses[1] > pauses[0]
    assert pauses[-1] <= throttle.PAIR.longest.total_seconds() + 1


def test_attempts_during_the_pause_do_not_lengthen_it(client: TestClient, firm: Firm, clock: SettableClock) -> None:
    _wrong(client, firm, throttle.PAIR.free)
    pause_before = int(_log_in(client, firm.name, "anna", "falsch").headers["retry-after"])
    _wrong(client, firm, 20)
    clock.advance(seconds=pause_before)
    assert _log_in(client, firm.name, "anna").status_code == 200


def test_the_right_password_starts_the_count_anew(client: TestClient, firm: Firm) -> None:
    for _ in range(3):
        assert _wrong(client, firm, throttle.PAIR.free - 1) == [401] * (throttle.PAIR.free - 1)
        assert _log_in(client, firm.name, "anna").status_code == 200


def test_a_colleague_is_not_slowed_with_the_guessed_account(client: TestClient, firm: Firm) -> None:
    _wrong(client, firm, throttle.PAIR.free + 5)
    assert _log_in(client, firm.name, "ben").status_code == 200


def _from(client: TestClient, address: str) -> TestClient:
    return QuickClient(client.app, client=(address, 1))


def test_guessing_from_many_addresses_slows_strangers_but_not_the_owner(client: TestClient, firm: Firm) -> None:
    home = _from(client, "192.0.2.1")
    assert _log_in(home, firm.name, "anna").status_code == 200
    for number in range(throttle.ACCOUNT.free):
        _log_in(_from(client, f"198.51.100.{number}"), firm.name, "anna", "falsch")
    assert _log_in(_from(client, "203.0.113.7"), firm.name, "anna").status_code == 429
    assert _log_in(home, firm.name, "anna").status_code == 200


def test_an_account_is_never_locked_for_good(client: TestClient, firm: Firm, clock: SettableClock) -> None:
    for number in range(throttle.ACCOUNT.free + 30):
        _log_in(_from(client, f"198.51.100.{number}"), firm.name, "anna", "falsch")
    slowed = _log_in(_from(client, "203.0.113.7"), firm.name, "anna")
    assert int(slowed.headers["retry-after"]) <= throttle.ACCOUNT.longest.total_seconds() + 1
    clock.advance(seconds=int(slowed.headers["retry-after"]))
    assert _log_in(_from(client, "203.0.113.7"), firm.name, "anna").status_code == 200


def test_an_address_that_tries_many_accounts_is_slowed(client: TestClient, firm: Firm) -> None:
    answers = [_log_in(client, firm.name, f"name{number}").status_code for number in range(throttle.ADDRESS.free + 1)]
    assert answers[: throttle.ADDRESS.free] == [401] * throttle.ADDRESS.free
    assert answers[-1] == 429
    assert _log_in(_from(client, "192.0.2.9"), firm.name, "anna").status_code == 200


def test_failures_are_forgotten_after_a_quiet_while(client: TestClient, firm: Firm, clock: SettableClock) -> None:
    _wrong(client, firm, throttle.PAIR.free - 1)
    clock.advance(minutes=16)
    assert _wrong(client, firm, throttle.PAIR.free - 1) == [401] * (throttle.PAIR.free - 1)
    assert _log_in(client, firm.name, "anna").status_code == 200


def test_many_guesses_at_once_gain_nothing(client: TestClient, firm: Firm) -> None:
    gate = threading.Barrier(8)

    def guess(_: int) -> list[int]:
        gate.wait(60)
        return _wrong(client, firm, 3)

    with ThreadPoolExecutor(8) as pool:
        answers = [status for part in pool.map(guess, range(8)) for status in part]
    assert answers.count(401) == throttle.PAIR.free
    assert answers.count(429) == len(answers) - throttle.PAIR.free, answers


def test_who_guesses_at_once_is_counted_or_refused_and_waits_for_nobody_in_a_circle(
    client: TestClient, firm: Firm
) -> None:
    def guess(username: str) -> list[int]:
        return [_log_in(client, firm.name, username, "falsch").status_code for _ in range(3)]

    with ThreadPoolExecutor(8) as pool:
        for number in range(6):  # each name's counters are created again, and removed by the refusal
            answers = [status for part in pool.map(guess, [f"niemand {number}"] * 8) for status in part]
            assert set(answers) <= {401, 429}


def test_a_password_that_was_changed_in_the_meantime_opens_nothing(
    client: TestClient, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = passwords.verify

    def changing(password_hash: str | None, password: str) -> bool:
        with platform.database.write(SYSTEM) as tx:
            tx.execute(update(User).where(User.id == firm.anna.id).values(password_hash="another"))
        return original(password_hash, password)

    monkeypatch.setattr(passwords, "verify", changing)
    assert _log_in(client, firm.name, "anna").status_code == 401
