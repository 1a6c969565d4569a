"""Guesses lock out no other person: neither an account's owner nor, for good, a newcomer at the same address."""

import itertools
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import LOGIN, SYSTEM
from stempelwerk_cloud.kit.limits.backoff import FailureCounter
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import remembered
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.conftest import SettableClock
from cloud.tests.databases import ON_SQLITE
from cloud.tests.logging_in import HOME, LoginClient, authenticate
from cloud.tests.many_in_one import many_in_one
from cloud.tests.world import PASSWORD, Firm, Somebody

DAY = timedelta(days=1)
AWAY = "198.51.100.7"


def _remember(login: LoginClient, person: Somebody, platform: Platform) -> str:
    """Makes the browser a remembered device of this person. Returns the token."""
    with platform.database.write(SYSTEM) as tx:
        cookie = remembered.remember(UnitOfWork(tx, platform), person.company_id, person.id)
    login.browser.cookies.set(cookie.name, cookie.token, path=remembered.PATH)
    return cookie.token


class Machine:
    """A client that tries a wrong password every two minutes: at one account, or at another one each time."""

    def __init__(
        self, platform: Platform, clock: SettableClock, firm: Firm, username: str | None, interval: int = 120
    ) -> None:
        self._platform, self._clock, self._firm, self._at = platform, clock, firm.name.casefold(), username
        self._every, self._next, self._number = timedelta(seconds=interval), clock.now(), itertools.count()

    def go_on(self, duration: timedelta) -> None:
        """Continues to guess for this time."""
        end = self._clock.now() + duration
        with self._platform.database.write(LOGIN) as session, many_in_one():
            while self._next <= end:
                self._clock.set(max(self._next, self._clock.now()))
                name = self._at or f"name{next(self._number)}"
                throttle.count(session, throttle.attempt(self._firm, name, HOME), self._clock.now())
                self._next += self._every
        self._clock.set(end)


@ON_SQLITE
@pytest.mark.parametrize("username", [None, "anna"], ids=["at everybody", "at the owner's account"])
def test_the_owner_s_remembered_device_is_let_in_at_once_whatever_is_tried_beside_it(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, username: str | None
) -> None:
    owner, machine = LoginClient(app, firm, HOME), Machine(platform, clock, firm, username)
    _remember(owner, firm.anna, platform)
    machine.go_on(timedelta(hours=4))
    for _ in range(6):
        machine.go_on(timedelta(hours=3, minutes=20))
        assert owner.log_in(firm.anna, "verschrieben").status_code == 401
        assert owner.log_in(firm.anna).status_code == 200


@ON_SQLITE
def test_the_owner_at_home_is_let_in_at_once_whatever_is_tried_at_others_there(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    owner, machine = LoginClient(app, firm, HOME), Machine(platform, clock, firm, None)
    assert owner.log_in(firm.anna).status_code == 200
    machine.go_on(timedelta(hours=4))
    for _ in range(6):
        machine.go_on(timedelta(hours=3, minutes=20))
        assert owner.log_in(firm.anna, "verschrieben").status_code == 401
        assert owner.log_in(firm.anna).status_code == 200


def _wait_of(newcomer: str, platform: Platform, clock: SettableClock, firm: Firm, machine: Machine) -> timedelta:
    """Returns how long a newcomer with the right password waits who retries when the answer allows it."""
    began = clock.now()
    attempt = throttle.attempt(firm.name.casefold(), newcomer, HOME)
    while True:
        with platform.database.write(LOGIN) as session:
            wait = throttle.count(session, attempt, clock.now())
            if wait is None:
                throttle.reset_failures(session, attempt, clock.now())
                return clock.now() - began
        machine.go_on(timedelta(seconds=int(wait.total_seconds()) + 1))


@ON_SQLITE
@pytest.mark.parametrize(
    ("interval", "half", "maximum"), [(120, 10, 30), (60, 20, 90)], ids=["every two minutes", "every minute"]
)
def test_newcomers_at_an_address_where_a_machine_guesses_wait_and_get_in(
    firm: Firm, platform: Platform, clock: SettableClock, interval: int, half: int, maximum: int
) -> None:
    machine = Machine(platform, clock, firm, None, interval)
    machine.go_on(timedelta(hours=4))
    waits = []
    for number in range(12):
        machine.go_on(timedelta(seconds=random.Random(number).randint(600, 1200)))
        waits.append(_wait_of(f"newcomer{number}", platform, clock, firm, machine))
    assert sorted(waits)[6] <= timedelta(minutes=half)
    assert max(waits) <= timedelta(minutes=maximum)


@pytest.mark.parametrize("interval", [5, 30, 60, 120, 300])
def test_a_newcomer_who_comes_when_the_refusal_says_so_gets_in_before_a_machine(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, interval: int
) -> None:
    """The pause is no multiple of the machine's interval, so the machine rarely tries in the second of its end."""
    machine, newcomer = Machine(platform, clock, firm, None, interval), LoginClient(app, firm, HOME)
    machine.go_on(timedelta(hours=4))
    answers = [newcomer.log_in(firm.anna)]
    while answers[-1].status_code == 429 and len(answers) < 6:
        machine.go_on(timedelta(seconds=int(answers[-1].headers["retry-after"])))
        answers.append(newcomer.log_in(firm.anna))
    assert answers[-1].status_code == 200


def test_a_pause_ends_at_one_instant_and_the_next_attempt_is_the_first(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    def attempt(name: str) -> timedelta | None:
        with platform.database.write(LOGIN) as session:
            return throttle.count(session, throttle.attempt(firm.name.casefold(), name, HOME), clock.now())

    for number in range(throttle.ADDRESS.free):
        assert attempt(f"name{number}") is None
    for name in ("early", "middle", "late"):
        assert attempt(name) == throttle.ADDRESS.first, "attempts in the pause do not lengthen it"
    clock.advance(seconds=throttle.ADDRESS.first.total_seconds(), milliseconds=-1)
    assert attempt("early") == timedelta(milliseconds=1)
    clock.advance(milliseconds=1)
    assert attempt("late") is None
    assert attempt("early") == 2 * throttle.ADDRESS.first


def test_who_is_refused_at_a_full_address_leaves_no_counters(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    _fill(platform, clock, firm)

    def rows() -> int:
        with platform.database.read(SYSTEM) as tx:
            return tx.scalar(select(func.count()).select_from(FailureCounter)) or 0

    rows_before = rows()
    for _ in range(3):
        assert LoginClient(app, firm, HOME).log_in(firm.anna).status_code == 429
        assert LoginClient(app, firm, HOME).log_in(firm.ben).status_code == 429
    assert rows() == rows_before


Source = tuple[str, str | None]
STRANGERS = [f"203.0.{number // 250}.{number % 250}" for number in range(1000)]


def _compared(platform: Platform, clock: SettableClock, firm: Firm, sources: dict[str, Iterator[Source]]) -> int:
    """Counts the guesses at anna's password compared in 10,000 s from these sources, each as soon as it may."""
    compared, end = 0, clock.now() + timedelta(seconds=10_000)
    due = dict.fromkeys(sources, clock.now())
    with platform.database.write(LOGIN) as session, many_in_one():
        while min(due.values()) < end:
            which = min(due, key=due.__getitem__)
            clock.set(due[which])
            address, device = next(sources[which])
            attempt = throttle.attempt(firm.name.casefold(), "anna", address, device_id=device)
            wait = throttle.count(session, attempt, clock.now())
            compared += wait is None
            due[which] += max(wait or timedelta(), timedelta(seconds=1))
    return compared


def _from(addresses: list[str], device: str | None = None) -> Iterator[Source]:
    return itertools.cycle((address, device) for address in addresses)


@ON_SQLITE
@pytest.mark.parametrize("devices", [0, 1, 3])
def test_home_and_stolen_cookies_buy_no_guesses_at_an_account(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, devices: int
) -> None:
    """30 from the address where it is known and 190 from all others: as many as without any cookie."""
    assert LoginClient(app, firm, HOME).log_in(firm.anna).status_code == 200
    stolen = {f"device {number}": _from(STRANGERS[number:], f"device {number}") for number in range(devices)}
    sources = {**stolen, "home": _from([HOME]), "strangers": _from(STRANGERS)}
    assert _compared(platform, clock, firm, sources) <= 30 + 190


def test_a_stolen_cookie_alone_gets_no_more_guesses_than_one_address(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    assert _compared(platform, clock, firm, {"device": _from(STRANGERS, "stolen")}) <= 30


def test_a_thief_of_one_device_keeps_out_no_other_nor_the_owner_at_home(
    app: FastAPI, firm: Firm, platform: Platform
) -> None:
    thief, other_login, home = (
        LoginClient(app, firm, AWAY),
        LoginClient(app, firm, "203.0.113.5"),
        LoginClient(app, firm, HOME),
    )
    assert home.log_in(firm.anna).status_code == 200
    _remember(thief, firm.anna, platform)
    _remember(other_login, firm.anna, platform)
    answers = [thief.log_in(firm.anna, "geraten").status_code for _ in range(throttle.KNOWN.free + 1)]
    assert answers == [401] * throttle.KNOWN.free + [429]
    assert other_login.log_in(firm.anna).status_code == 200
    assert home.log_in(firm.anna).status_code == 200


def test_guesses_at_once_with_one_cookie_gain_nothing(app: FastAPI, firm: Firm, platform: Platform) -> None:
    logins = [LoginClient(app, firm, f"203.0.113.{number}") for number in range(8)]
    token = _remember(logins[0], firm.anna, platform)
    for login in logins:
        login.browser.cookies.set(remembered.cookie_name(firm.anna.id), token, path=remembered.PATH)
    gate = threading.Barrier(len(logins))

    def guess(login: LoginClient) -> list[int]:
        gate.wait(60)
        return [login.log_in(firm.anna, "geraten").status_code for _ in range(3)]

    with ThreadPoolExecutor(len(logins)) as pool:
        answers = [status for part in pool.map(guess, logins) for status in part]
    assert answers.count(401) == throttle.KNOWN.free
    assert answers.count(429) == len(answers) - throttle.KNOWN.free


@pytest.mark.parametrize("brought", ["made up", "another's", "expired", "forgotten", "used before"])
def test_a_cookie_that_is_not_good_for_the_account_now_counts_as_none(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, brought: str
) -> None:
    login = LoginClient(app, firm, "203.0.113.5")
    token = "x" * 43
    if brought != "made up":
        token = _remember(login, firm.ben if brought == "another's" else firm.anna, platform)
    if brought == "expired":
        clock.advance(days=30)
    if brought == "forgotten":
        assert firm.anna.delete("/api/auth/sessions").status_code == 204
    if brought == "used before":
        assert login.log_in(firm.anna).status_code == 200
    stranger = LoginClient(app, firm, AWAY)
    _fill(platform, clock, firm, AWAY)
    stranger.browser.cookies.set(remembered.cookie_name(firm.anna.id), token, path=remembered.PATH)
    assert stranger.log_in(firm.anna).status_code == 429


def test_every_refusal_asks_the_database_the_same_whatever_cookie_is_brought(
    app: FastAPI, firm: Firm, asked: list[str]
) -> None:
    def statements(company: str, username: str, *, cookie: str | None = None) -> list[str]:
        login = LoginClient(app, firm, f"203.0.113.{len(statement_lists)}")
        if cookie is not None:
            login.browser.cookies.set(remembered.cookie_name(firm.anna.id), cookie, path=remembered.PATH)
        asked.clear()
        body = {"company": company, "username": username, "password": "falsch"}
        assert login.browser.post("/api/login", json=body).status_code == 401
        return [statement for statement in asked if statement.startswith("SELECT")]

    statement_lists: list[list[str]] = []
    statements("Niemand", "anna")  # queries that a process runs once
    for cookie in (None, "made up"):
        for company, username in (("Niemand", "anna"), (firm.name, "niemand"), (firm.name, "anna")):
            statement_lists.append(statements(company, username, cookie=cookie))
    assert "remembered_devices" in " ".join(statement_lists[0])
    assert statement_lists == [statement_lists[0]] * len(statement_lists)


def _fill(platform: Platform, clock: SettableClock, firm: Firm, address: str = HOME) -> None:
    """Sends wrong passwords from the address until it is blocked."""
    with platform.database.write(LOGIN) as session, many_in_one():
        for number in range(throttle.ADDRESS.free):
            attempt = throttle.attempt(firm.name.casefold(), f"name{number}", address)
            assert throttle.count(session, attempt, clock.now()) is None


def test_who_has_given_the_password_is_not_stopped_from_the_code_by_wrong_passwords_there(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    newcomer = LoginClient(app, firm, HOME)
    token = newcomer.step(firm.anna, "totp")
    _fill(platform, clock, firm)
    assert newcomer.log_in(firm.ben).status_code == 429
    assert newcomer.app_code(token, totp.at(clock.now())).status_code == 200


def test_who_is_logged_in_changes_the_password_at_a_full_address(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    _fill(platform, clock, firm, "testclient")
    body = {"currentPassword": PASSWORD, "newPassword": "ein anderes Passwort"}
    assert firm.anna.put(f"/api/users/{firm.anna.id}/change-password", json=body).status_code == 200


def test_logging_in_at_home_lifts_no_pause_that_others_brought_upon_the_address(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    accomplice = LoginClient(app, firm, HOME)
    assert accomplice.log_in(firm.anna).status_code == 200
    _fill(platform, clock, firm)
    for _ in range(3):
        assert accomplice.log_in(firm.anna, "falsch").status_code == 401
        assert accomplice.log_in(firm.anna).status_code == 200
    assert LoginClient(app, firm, HOME).log_in(firm.ben).status_code == 429
    clock.advance(seconds=throttle.ADDRESS.first.total_seconds() - 1)
    assert LoginClient(app, firm, HOME).log_in(firm.ben).status_code == 429


def test_a_remembered_device_lifts_no_pause_that_others_brought_upon_the_address(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    accomplice = LoginClient(app, firm, HOME)
    assert accomplice.log_in(firm.anna, "falsch").status_code == 401
    for number in range(throttle.ADDRESS.free - 1):
        attempt = throttle.attempt(firm.name.casefold(), f"name{number}", HOME)
        with platform.database.write(LOGIN) as session:
            assert throttle.count(session, attempt, clock.now()) is None
    _remember(accomplice, firm.anna, platform)
    assert accomplice.log_in(firm.anna).status_code == 200
    assert LoginClient(app, firm, HOME).log_in(firm.ben).status_code == 429


def test_who_is_refused_at_switching_off_the_authenticator_is_admitted_after_the_pause(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    app, _ = authenticate(platform, firm.anna)
    for number in range(throttle.ADDRESS.free):
        attempt = throttle.attempt(firm.name.casefold(), f"name{number}", "testclient", throttle.CODES)
        with platform.database.write(LOGIN) as session:
            assert throttle.count(session, attempt, clock.now()) is None
    body = {"code": app.at(clock.now())}
    refused = firm.anna.post("/api/auth/2fa/disable", json=body)
    assert refused.status_code == 429
    clock.advance(seconds=int(refused.headers["retry-after"]))
    body = {"code": app.at(clock.now())}
    assert firm.anna.post("/api/auth/2fa/disable", json=body).status_code == 200
