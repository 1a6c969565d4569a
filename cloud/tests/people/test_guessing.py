"""Thousands of guesses: few are ever compared, also with codes, and the owner still gets in."""

import asyncio
import itertools
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.kit.database.scopes import LOGIN
from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead, Bulkheads
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.access.guessing import throttle

from cloud.tests.databases import ON_SQLITE
from cloud.tests.logging_in import HOME, LoginClient, authenticate, link, wrong
from cloud.tests.mailbox import Mailbox
from cloud.tests.many_in_one import many_in_one
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody

GUESSES = 10_000


def _admitted(platform: Platform, clock: SettableClock, firm: Firm, addresses: list[str]) -> int:
    """Returns how many of the guesses, one a second, are compared with anna's password.

    Those during a pause change nothing (`test_login.py`): only the last one of each pause is made.
    """
    compared = done = 0
    with platform.database.write(LOGIN) as session, many_in_one():

        def guess() -> timedelta | None:
            attempt = throttle.attempt(firm.name.casefold(), "anna", addresses[done % len(addresses)])
            return throttle.count(session, attempt, clock.now())

        while done < GUESSES:
            pause = guess()
            if pause is None:
                compared += 1
                done += 1
                clock.advance(seconds=1)
                continue
            in_vain = int(pause.total_seconds())
            done += in_vain
            clock.advance(seconds=in_vain - 1)
            assert guess() is not None
            clock.advance(seconds=1)
    return compared


MANY = [f"198.51.{number // 250}.{number % 250}" for number in range(1000)]
ONE_NETWORK = [f"2001:db8:1:2::{number:x}" for number in range(1000)]


@ON_SQLITE
@pytest.mark.parametrize(
    ("addresses", "maximum"),
    [(["198.51.100.7"], 30), (MANY, 190), (ONE_NETWORK, 30)],
    ids=["one address", "a thousand addresses", "a thousand addresses of one line"],
)
def test_of_ten_thousand_guesses_in_three_hours_few_are_compared(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, addresses: list[str], maximum: int
) -> None:
    home = LoginClient(app, firm, HOME)
    assert home.log_in(firm.anna).status_code == 200
    assert _admitted(platform, clock, firm, addresses) <= maximum
    assert home.log_in(firm.anna).status_code == 200, "the owner gets in at once where they are known"


OFFICE = "203.0.113.1"


def _try(platform: Platform, clock: SettableClock, firm: Firm, name: str, *, right: bool) -> bool:
    """Returns whether an attempt from the office is admitted; takes back a right one."""
    attempt = throttle.attempt(firm.name.casefold(), name, OFFICE)
    with platform.database.write(LOGIN) as session:
        if throttle.count(session, attempt, clock.now()) is not None:
            return False
        if right:
            throttle.reset_failures(session, attempt, clock.now())
    return True


@ON_SQLITE
def test_mistypes_of_a_working_day_do_not_shut_out_an_office(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    for number in range(200):
        assert _try(platform, clock, firm, f"person{number}", right=False)
        assert _try(platform, clock, firm, f"person{number}", right=True)
        clock.advance(minutes=2)


@ON_SQLITE
def test_what_nobody_takes_back_is_forgotten_although_others_log_in(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    for number in range(100):
        assert _try(platform, clock, firm, f"slip of the finger {number}", right=False)
        for _ in range(3):
            clock.advance(minutes=2)
            assert _try(platform, clock, firm, "anna", right=True)


@ON_SQLITE
@pytest.mark.parametrize(("burst", "pause"), [(1, 10), (throttle.ADDRESS.free, 941)], ids=["evenly", "in bursts"])
def test_an_address_that_goes_through_many_accounts_gets_few_guesses(
    firm: Firm, platform: Platform, clock: SettableClock, burst: int, pause: int
) -> None:
    compared, end = 0, clock.now() + timedelta(seconds=GUESSES)
    while clock.now() < end:
        for _ in range(burst):
            compared += _try(platform, clock, firm, f"name{compared}", right=False)
        clock.advance(seconds=pause)
    assert compared <= throttle.ADDRESS.free + GUESSES // throttle.ADDRESS.window.total_seconds() + 10


@pytest.mark.parametrize("right", [False, True], ids=["whose guess is being judged", "who got in"])
def test_a_colleague_whose_clock_is_ahead_refuses_nobody(
    firm: Firm, platform: Platform, clock: SettableClock, right: bool
) -> None:
    """Nor one that reached the counters first, although it came later."""
    clock.advance(milliseconds=300)
    assert _try(platform, clock, firm, "anna", right=right)
    clock.advance(milliseconds=-300)
    assert _try(platform, clock, firm, "ben", right=False)


def test_an_address_that_another_machine_counted_at_a_moment_ago_is_not_familiar(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    for number in range(throttle.ACCOUNT.free):
        attempt = throttle.attempt(firm.name.casefold(), "anna", f"198.51.100.{number}")
        with platform.database.write(LOGIN) as session:
            assert throttle.count(session, attempt, clock.now()) is None
    clock.advance(seconds=throttle.ACCOUNT.first.total_seconds())
    assert _try(platform, clock, firm, "anna", right=False)
    clock.advance(milliseconds=-300)
    assert not _try(platform, clock, firm, "anna", right=False)


class TwoMachines:
    """The clocks of two machines, read in turn: one is ahead of the other."""

    def __init__(self, clock: SettableClock) -> None:
        self._clock = clock
        self._ahead = itertools.cycle([timedelta(seconds=2), timedelta()])

    def now(self) -> datetime:
        return self._clock.now() + next(self._ahead)


def test_an_office_that_logs_in_at_once_is_let_in(app: FastAPI, firm: Firm, platform: Platform) -> None:
    office = [firm.world.user(firm.id, f"person{number}") for number in range(20)]
    logins = [LoginClient(app, firm, OFFICE) for _ in office]
    platform.clock = TwoMachines(platform.clock)
    gate = threading.Barrier(len(office))

    def log_in(login: LoginClient, person: Somebody) -> int:
        gate.wait(60)
        return login.log_in(person).status_code

    with ThreadPoolExecutor(len(office)) as pool:
        assert list(pool.map(log_in, logins, office)) == [200] * len(office)


@ON_SQLITE
def test_logging_in_oneself_takes_back_no_guess_at_others(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    for number in range(throttle.ADDRESS.free - 1):
        assert _try(platform, clock, firm, f"name{number}", right=False)
        assert _try(platform, clock, firm, "anna", right=True)
    assert _try(platform, clock, firm, "one more", right=False)
    assert not _try(platform, clock, firm, "anna", right=True)


@ON_SQLITE
def test_a_thief_with_the_password_gets_few_tries_at_the_authenticator(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    home = LoginClient(app, firm, HOME)
    assert home.app_code(home.step(firm.anna, "totp"), totp.at(clock.now())).status_code == 200
    thief = LoginClient(app, firm, "198.51.100.7")
    comparisons = 0
    for number in range(20):
        thief.address = f"198.51.100.{number}"
        thief.__post_init__()
        token = thief.step(firm.anna, "totp")
        for _ in range(5):
            comparisons += thief.app_code(token, wrong(totp.at(clock.now()))).status_code == 401
        clock.advance(minutes=3)
    assert comparisons <= throttle.CODE_ACCOUNT.free + 8
    assert home.app_code(home.step(firm.anna, "totp"), totp.at(clock.now())).status_code == 200


@ON_SQLITE
def test_the_owner_at_a_new_address_waits_an_hour_at_most(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    attempts = [
        throttle.attempt(firm.name.casefold(), "anna", f"198.51.100.{number}", throttle.CODES) for number in range(200)
    ]
    with platform.database.write(LOGIN) as session, many_in_one():
        for attempt in attempts:
            throttle.count(session, attempt, clock.now())
            clock.advance(minutes=random.Random(attempt.account).randint(1, 60))
    new = LoginClient(app, firm, "203.0.113.9")
    waited = new.app_code(new.step(firm.anna, "totp"), totp.at(clock.now()))
    if waited.status_code == 429:
        assert int(waited.headers["retry-after"]) <= 3601
        clock.advance(seconds=int(waited.headers["retry-after"]))
        waited = new.app_code(new.step(firm.anna, "totp"), totp.at(clock.now()))
    assert waited.status_code == 200


def test_the_right_password_alone_makes_no_address_familiar(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, "anna@holzmann.de")
    thief = LoginClient(app, firm, "198.51.100.7")
    thief.step(firm.anna, "email_otp")
    with platform.database.write(LOGIN) as session, many_in_one():
        for number in range(throttle.ACCOUNT.free):
            throttle.count(
                session,
                throttle.attempt(firm.name.casefold(), "anna", f"203.0.113.{number}"),
                clock.now(),
            )
    assert thief.log_in(firm.anna).status_code == 429


def test_a_refused_guess_at_a_code_costs_the_login_no_try(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    totp, _ = authenticate(platform, firm.anna)
    login = LoginClient(app, firm)
    for _ in range(2):
        token = login.step(firm.anna, "totp")
        assert [login.app_code(token, "000000").status_code for _ in range(5)] == [401] * 5
    token = login.step(firm.anna, "totp")
    waits = [login.app_code(token, "000000") for _ in range(6)]
    assert {answer.status_code for answer in waits} == {429}
    assert all(answer.json()["ok"] is False for answer in waits)
    clock.advance(seconds=int(waits[0].headers["retry-after"]))
    assert login.app_code(token, totp.at(clock.now())).status_code == 200


def test_a_flood_of_logins_is_turned_away_before_it_is_counted(app: FastAPI, firm: Firm, platform: Platform) -> None:
    platform.bulkheads = Bulkheads(hashing=Bulkhead("hashing", threads=1, permits=0))
    login = LoginClient(app, firm)
    for _ in range(30):
        full = login.log_in(firm.anna)
        assert (full.status_code, full.json()["success"], full.headers["retry-after"]) == (503, False, "2")
    platform.bulkheads = Bulkheads()
    assert login.log_in(firm.anna).status_code == 200


def test_passwords_are_compared_beside_the_server_s_shared_threads(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    names: list[str] = []
    original = passwords.verify

    def verify_and_record(password_hash: str | None, password: str) -> bool:
        names.append(threading.current_thread().name)
        return original(password_hash, password)

    monkeypatch.setattr(passwords, "verify", verify_and_record)
    LoginClient(app, firm).log_in(firm.anna)
    assert [name.startswith("hashing") for name in names] == [True]
    assert asyncio.run(platform.bulkheads.steps.run(lambda: threading.current_thread().name)).startswith("steps")
