"""Accounts: the own password and sessions, locks and resets, and what each of them ends."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.limits.fair_semaphore import OF_PERSON
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.access.guards import StreamOfSelf
from stempelwerk_cloud.people.access.identity.streams import stream_to
from stempelwerk_cloud.people.access.tables import RecoveryCode, SecondFactor
from stempelwerk_cloud.people.directory.tables import User

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.logging_in import LoginClient, authenticate, link
from cloud.tests.mailbox import Mailbox
from cloud.tests.meeting import all_at_once
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.world import FIRM, PASSWORD, Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
NEW = "ein anderes Passwort"
ADMINS_CALLS = [("PUT", "password-reset"), ("PUT", "lock"), ("DELETE", "second-factor")]


def _change(person: Somebody, current: str = PASSWORD, new: str = NEW, of: Somebody | None = None) -> Any:
    body = {"currentPassword": current, "newPassword": new}
    return person.put(f"/api/users/{(of or person).id}/change-password", json=body)


def _alive(person: Somebody) -> bool:
    return person.get("/api/auth/sessions").status_code == 200


def _actions(world: World, company_id: str) -> list[str]:
    return [row["action"] for row in world.founder.get(f"/api/companies/{company_id}/audit").json()]


@pytest.mark.parametrize("body", [{}, {"currentPassword": "x"}, {"currentPassword": "", "newPassword": NEW}])
def test_a_change_of_password_with_an_empty_field_is_refused_in_the_forms_own_words(
    firm: Firm, body: dict[str, str]
) -> None:
    refused = firm.anna.put(f"/api/users/{firm.anna.id}/change-password", json=body)
    assert (refused.status_code, refused.json()["message"]) == (422, "Bitte alle Felder ausfüllen.")
    assert firm.anna.get("/api/messages").status_code == 200


def test_nobody_changes_another_s_password(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    for person in (firm.ben, firm.boss, world.admin(), world.founder):
        assert _change(person, of=firm.anna).status_code == 403
    for stranger in (other_firm.anna, other_firm.boss):
        assert _change(stranger, of=firm.anna).status_code == 404
    assert firm.anna.put(f"/api/users/{UNKNOWN}/change-password", json={}).status_code == 404
    assert _alive(firm.anna)


def test_a_wrong_current_password_changes_nothing(firm: Firm, login: LoginClient) -> None:
    refused = _change(firm.anna, current="falsch")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "currentPassword")
    assert _alive(firm.anna)
    assert login.log_in(firm.anna).status_code == 200


@ON_SQLITE
@pytest.mark.parametrize("new", ["", "kurz", "x" * 257, PASSWORD])
def test_a_password_that_is_unfit_or_the_same_is_refused(firm: Firm, login: LoginClient, new: str) -> None:
    refused = _change(firm.anna, new=new)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "newPassword")
    assert _alive(firm.anna)


GUESSABLE = ["Passwort1!", "anna2026!", "Stempelwerk", f"{FIRM}123"]


@ON_BOTH
@pytest.mark.parametrize("new", GUESSABLE)
def test_a_chosen_password_that_is_guessed_first_is_refused(
    world: World, firm: Firm, login: LoginClient, new: str
) -> None:
    refused = _change(firm.anna, new=new)
    assert (refused.status_code, refused.json()["code"]) == (422, "password_guessable")
    assert refused.json()["errors"] == [{"field": "newPassword", "message": passwords.GUESSABLE.sentence}]
    assert _alive(firm.anna)
    reset = world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()
    token = login.step(firm.anna, "password_change", reset["password"])
    refused = login.choose(token, new)
    assert (refused.status_code, refused.json()["code"]) == (422, "password_guessable")
    assert refused.json()["errors"][0]["field"] == "newPassword"
    assert login.choose(token, NEW).status_code == 200


@ON_BOTH
def test_an_administrators_password_is_held_to_the_same_rule(world: World) -> None:
    founder = world.admin()
    assert _change(founder, new="Plattform1").json()["code"] == "password_guessable"


def test_a_changed_password_ends_every_session_and_answers_a_new_one(
    firm: Firm, world: World, login: LoginClient, client: TestClient
) -> None:
    other_session = world.again(firm.anna)
    answer = _change(firm.anna)
    assert answer.status_code == 200
    token = answer.json()["token"]
    assert answer.json() == {
        "message": "Passwort erfolgreich geändert.",
        "token": token,
        "role": "user",
        "username": "anna",
        "companyId": firm.id,
        "userId": firm.anna.id,
    }
    assert not _alive(firm.anna)
    assert not _alive(other_session)
    fresh = client.get("/api/auth/sessions", headers={"Authorization": f"Bearer {token}"}).json()
    assert [row["current"] for row in fresh] == [True]
    assert login.log_in(firm.anna).status_code == 401
    assert login.log_in(firm.anna, NEW).status_code == 200
    assert "user.password_changed" in _actions(world, firm.id)


def test_guessing_the_current_password_is_slowed(firm: Firm, clock: SettableClock, login: LoginClient) -> None:
    answers = [_change(firm.anna, current="falsch") for _ in range(12)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 2
    assert login.log_in(firm.anna).status_code == 200, "the login is another matter"
    clock.advance(seconds=int(answers[-1].headers["retry-after"]))
    assert _change(firm.anna).status_code == 200


def test_an_eleventh_session_ends_the_oldest_with_its_stream_and_nobody_elses(
    app: FastAPI, world: World, firm: Firm, clock: SettableClock
) -> None:
    path = f"/api/users/{firm.anna.id}/times/stream"

    async def story() -> None:
        async with listening(app, path, firm.anna.headers) as listener:
            await listener.some_comments(1)
            later = []
            for _ in range(9):
                clock.advance(minutes=1)
                later.append(await asyncio.to_thread(world.again, firm.anna))
            assert len((await asyncio.to_thread(firm.anna.get, "/api/auth/sessions")).json()) == 10
            later.append(await asyncio.to_thread(world.again, firm.anna))
            await listener.end()
            assert not await asyncio.to_thread(_alive, firm.anna)
            assert [await asyncio.to_thread(_alive, person) for person in [*later, firm.ben]] == [True] * 11

    asyncio.run(story())


def test_sessions_that_are_over_are_not_among_the_ten(world: World, firm: Firm, clock: SettableClock) -> None:
    for _ in range(9):
        world.again(firm.anna)
    clock.advance(hours=1, minutes=59)
    youngest = world.again(firm.anna)
    assert not _alive(firm.anna)
    clock.advance(minutes=1)
    later = [world.again(firm.anna) for _ in range(9)]
    assert all(_alive(person) for person in [youngest, *later])


def test_logins_at_once_leave_ten_sessions(world: World, firm: Firm, platform: Platform) -> None:
    wish = {"company": firm.name, "username": "anna", "password": PASSWORD}
    for _ in range(9):
        world.again(firm.anna)
    # An address has a limit of parallel logins: a third would wait for the two, and they for the third to meet them.
    answers = all_at_once(platform, *[lambda: world.client.post("/api/login", json=wish)] * OF_PERSON)
    tokens = [answer.json()["token"] for answer in answers]
    rows = world.client.get("/api/auth/sessions", headers={"Authorization": f"Bearer {tokens[0]}"}).json()
    assert len(rows) == 10


def test_own_sessions_are_listed_newest_first_and_named(firm: Firm, login: LoginClient, clock: SettableClock) -> None:
    clock.advance(minutes=10)
    login.browser.headers["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"
    token = login.log_in(firm.anna).json()["token"]
    rows = login.browser.get("/api/auth/sessions", headers={"Authorization": f"Bearer {token}"}).json()
    assert [(row["device"], row["current"]) for row in rows] == [
        ("Firefox auf Windows", True),
        ("Unbekanntes Gerät", False),
    ]
    assert set(rows[0]) == {"id", "createdAt", "lastSeen", "device", "current"}
    assert rows[0]["createdAt"] == format_instant(clock.now())
    clock.advance(hours=1, minutes=50)
    assert len(login.browser.get("/api/auth/sessions", headers={"Authorization": f"Bearer {token}"}).json()) == 1


def test_an_own_session_is_ended_alone_and_another_s_is_unknown(firm: Firm, world: World) -> None:
    other_session = world.again(firm.anna)
    row = next(row for row in firm.anna.get("/api/auth/sessions").json() if not row["current"])
    for stranger in (firm.ben, firm.boss, world.founder):
        assert stranger.delete(f"/api/auth/sessions/{row['id']}").status_code == 404
    assert _alive(other_session)
    assert firm.anna.delete(f"/api/auth/sessions/{row['id']}").status_code == 204
    assert not _alive(other_session)
    assert _alive(firm.anna)
    assert firm.anna.delete(f"/api/auth/sessions/{row['id']}").status_code == 404
    assert firm.anna.delete("/api/auth/sessions/nonsense").json()["ok"] is False


def test_signing_out_everywhere_leaves_nothing_open(
    firm: Firm, world: World, login: LoginClient, mailbox: Mailbox
) -> None:
    other_session, token = world.again(firm.anna), login.step(firm.anna, "email_input")
    assert firm.anna.delete("/api/auth/sessions").status_code == 204
    assert not _alive(firm.anna)
    assert not _alive(other_session)
    assert _alive(firm.ben)
    assert login.start(token, "anna@holzmann.de").json()["code"] == "login_expired"
    assert "user.signed_out_everywhere" in _actions(world, firm.id)


@pytest.mark.parametrize(("method", "call"), ADMINS_CALLS)
def test_only_system_administrators_take_a_login_in_hand(world: World, firm: Firm, method: str, call: str) -> None:
    path = f"/api/users/{firm.anna.id}/{call}"
    assert world.client.request(method, path).status_code == 401
    for person in (firm.anna, firm.ben, firm.boss):
        assert person.request(method, path).status_code == 403
    admin = world.admin()
    for user_id in (UNKNOWN, "nonsense", world.admin("zweiter").id):
        assert admin.request(method, f"/api/users/{user_id}/{call}").status_code == 404
    refused = admin.request(method, f"/api/users/{admin.id}/{call}")
    assert (refused.status_code, refused.json()["code"]) == (409, "own_user")
    assert admin.request(method, f"/api/users/{world.founder.id}/{call}").status_code == 404
    assert world.founder.request(method, f"/api/users/{admin.id}/{call}").status_code in {200, 204}


@pytest.mark.parametrize(("method", "call"), ADMINS_CALLS)
def test_protected_people_are_left_alone(world: World, firm: Firm, platform: Platform, method: str, call: str) -> None:
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == firm.anna.id).values(protected_as="IT"))
    refused = world.founder.request(method, f"/api/users/{firm.anna.id}/{call}")
    assert (refused.status_code, refused.json()["message"]) == (
        403,
        "Dieser Nutzer kann nicht bearbeitet werden (IT).",
    )
    answer = world.founder.request(method, f"/api/users/{world.founder.id}/{call}")
    assert answer.json()["message"] == "Dieser Nutzer kann nicht bearbeitet werden (FOUNDER)."
    assert _alive(firm.anna)


def test_a_lock_makes_one_token_and_ends_what_was_open(
    world: World, firm: Firm, login: LoginClient, mailbox: Mailbox
) -> None:
    token = login.step(firm.anna, "email_input")
    locked = world.founder.put(f"/api/users/{firm.anna.id}/lock")
    assert locked.status_code == 200
    assert re.fullmatch("[0-9a-f]{64}", locked.json()["token"])
    assert world.admin().put(f"/api/users/{firm.anna.id}/lock").json() == locked.json()
    assert not _alive(firm.anna)
    assert login.start(token, "anna@holzmann.de").json()["code"] == "login_expired"
    assert login.log_in(firm.anna).json()["message"] == "Account locked (TOS Violation/ Safety)"
    row = next(row for row in world.founder.get(f"/api/companies/{firm.id}/users").json() if row["username"] == "anna")
    assert (row["isLocked"], row["lockToken"]) == (True, locked.json()["token"])
    assert _actions(world, firm.id).count("user.locked") == 1


def test_a_lock_s_token_opens_nothing(world: World, firm: Firm, client: TestClient) -> None:
    token = world.founder.put(f"/api/users/{firm.anna.id}/lock").json()["token"]
    assert client.get("/api/auth/sessions", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_a_reset_unlocks_and_leads_to_a_password_of_one_s_own(
    world: World, firm: Firm, login: LoginClient, clock: SettableClock
) -> None:
    world.founder.put(f"/api/users/{firm.anna.id}/lock")
    reset = world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()
    assert reset["expiresAt"] == format_instant(clock.now() + timedelta(hours=24))
    assert re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", reset["password"])
    row = next(row for row in world.founder.get(f"/api/companies/{firm.id}/users").json() if row["username"] == "anna")
    assert (row["isLocked"], row["lockToken"], row["resetExpiresAt"]) == (False, None, reset["expiresAt"])
    assert login.log_in(firm.anna).status_code == 401
    token = login.step(firm.anna, "password_change", reset["password"])
    for unfit in ("kurz", "x" * 257, reset["password"]):
        refused = login.choose(token, unfit)
        assert (refused.status_code, refused.json()["ok"]) == (422, False)
        assert refused.json()["errors"][0]["field"] == "newPassword"
    done = login.choose(token, NEW)
    assert done.status_code == 200
    assert (done.json()["ok"], done.json()["username"]) == (True, "anna")
    assert login.choose(token, "noch ein anderes").json()["code"] == "login_expired"
    assert login.log_in(firm.anna, reset["password"]).status_code == 401
    assert "token" in login.log_in(firm.anna, NEW).json()
    assert {"user.locked", "user.password_reset", "user.password_changed"} <= set(_actions(world, firm.id))


def test_after_the_new_password_the_second_factor_is_asked_for(
    world: World, firm: Firm, login: LoginClient, platform: Platform, mailbox: Mailbox
) -> None:
    app, _ = authenticate(platform, firm.anna)
    link(platform, firm.ben, "ben@holzmann.de")
    for person, next_step in ((firm.anna, "totp"), (firm.ben, "email_otp"), (firm.boss, "email_input")):
        password = world.founder.put(f"/api/users/{person.id}/password-reset").json()["password"]
        token = login.step(person, "password_change", password)
        answer = login.choose(token, NEW).json()
        assert (answer["ok"], answer["next"]) == (True, next_step)
        assert answer["temp_token"] != token
        assert "token" not in answer
        assert answer.get("emailHint") == ("b…@holzmann.de" if next_step == "email_otp" else None)
    token = login.step(firm.anna, "totp", NEW)
    assert login.app_code(token, app.at(platform.clock.now())).status_code == 200


def test_a_reset_password_holds_a_day_and_then_is_a_wrong_one(
    world: World, firm: Firm, login: LoginClient, clock: SettableClock
) -> None:
    password = world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()["password"]
    clock.advance(hours=23, minutes=59)
    token = login.step(firm.anna, "password_change", password)
    clock.advance(minutes=1)
    assert login.choose(token, NEW).json()["code"] == "login_expired"
    late = login.log_in(firm.anna, password)
    assert late.status_code == 401
    assert late.json() == login.log_in(firm.anna, "falsch").json()


def test_the_installation_s_default_password_is_given_if_it_has_one(
    world: World, firm: Firm, platform: Platform, login: LoginClient
) -> None:
    platform.settings = platform.settings.model_copy(update={"reset_password": "Willkommen2026"})
    assert world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()["password"] == "Willkommen2026"
    token = login.step(firm.anna, "password_change", "Willkommen2026")
    assert login.choose(token, "Willkommen2026").json()["errors"][0]["field"] == "newPassword"
    everybody = world.founder.put(f"/api/companies/{firm.id}/password-reset-all").json()
    assert all(row["password"] != "Willkommen2026" for row in everybody)


def test_resetting_everybody_leaves_out_the_locked_and_the_protected(
    world: World, firm: Firm, platform: Platform, login: LoginClient
) -> None:
    path = f"/api/companies/{firm.id}/password-reset-all"
    assert [person.put(path).status_code for person in (firm.anna, firm.boss)] == [403, 403]
    assert world.founder.put(f"/api/companies/{UNKNOWN}/password-reset-all").status_code == 404
    extra = world.user(firm.id, "edv")
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == extra.id).values(protected_as="IT"))
    locked = world.founder.put(f"/api/users/{firm.ben.id}/lock").json()["token"]
    rows = world.admin().put(path).json()
    assert [row["username"] for row in rows] == ["anna", "chefin"]
    assert [row["userId"] for row in rows] == [firm.anna.id, firm.boss.id]
    assert len({row["password"] for row in rows}) == 2
    assert not _alive(firm.anna)
    assert _alive(extra)
    login.step(firm.boss, "password_change", rows[1]["password"])
    assert world.founder.put(f"/api/users/{firm.ben.id}/lock").json()["token"] == locked
    assert _actions(world, firm.id).count("user.password_reset_all") == 1


def test_system_administrators_are_reset_by_founders_alone_and_nobody_resets_themselves(world: World) -> None:
    admin, helper = world.admin(), world.user(world.operator_id, "bürokraft")
    path = f"/api/companies/{world.operator_id}/password-reset-all"
    assert [row["username"] for row in admin.put(path).json()] == ["bürokraft"]
    assert _alive(admin)
    assert not _alive(helper)
    assert [row["username"] for row in world.founder.put(path).json()] == ["admin", "bürokraft"]
    assert _alive(world.founder)


def test_a_lost_phone_s_factor_is_taken_away_whole(
    world: World, firm: Firm, login: LoginClient, platform: Platform, mailbox: Mailbox
) -> None:
    link(platform, firm.anna, "anna@holzmann.de")
    authenticate(platform, firm.anna)
    rows = world.founder.get(f"/api/companies/{firm.id}/users").json()
    assert {row["username"]: row["secondFactor"] for row in rows} == {
        "anna": "authenticator",
        "ben": None,
        "chefin": None,
    }
    login.step(firm.anna, "totp")
    assert world.founder.delete(f"/api/users/{firm.anna.id}/second-factor").status_code == 204
    assert not _alive(firm.anna)
    login.step(firm.anna, "email_input")
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(SecondFactor)).all() == []
        assert tx.scalars(select(RecoveryCode)).all() == []
    assert "user.second_factor_removed" in _actions(world, firm.id)


def test_administrators_of_a_company_see_neither_factors_nor_resets(world: World, firm: Firm) -> None:
    row = firm.boss.get(f"/api/companies/{firm.id}/users").json()[0]
    assert set(row) == {"id", "username", "tagId", "role", "isLocked"}


ENDINGS = [
    ("PUT", "/api/users/{id}/lock"),
    ("PUT", "/api/users/{id}/password-reset"),
    ("PUT", "/api/companies/{company}/password-reset-all"),
    ("DELETE", "/api/users/{id}/second-factor"),
    ("DELETE", "/api/users/{id}"),
    ("DELETE", "/api/companies/{company}"),
]


@pytest.mark.parametrize(("method", "path"), ENDINGS)
def test_what_ends_access_ends_sessions_tickets_streams_and_unfinished_logins(
    app: FastAPI, world: World, firm: Firm, login: LoginClient, mailbox: Mailbox, method: str, path: str
) -> None:
    @app.get("/api/p/users/{userId}/stream")
    async def stream(caller: StreamOfSelf, request: Request) -> EventStream:
        return stream_to(caller, request, "topic", catch_up={"type": "times_update"})

    ways = f"/api/p/users/{firm.anna.id}/stream"
    ticket = firm.anna.post("/api/tickets", json={"path": ways}).json()["ticket"]
    token = login.step(firm.anna, "email_input")

    async def story() -> None:
        async with listening(app, ways, firm.anna.headers) as listener:
            call = path.format(id=firm.anna.id, company=firm.id)
            answer = await asyncio.to_thread(world.founder.request, method, call)
            assert answer.status_code in {200, 204}
            await listener.end()

    asyncio.run(story())
    assert not _alive(firm.anna)
    assert world.client.get(f"{ways}?token={ticket}").status_code == 401
    assert login.start(token, "anna@holzmann.de").json()["code"] == "login_expired"


def test_a_new_role_ends_an_unfinished_login(firm: Firm, login: LoginClient, mailbox: Mailbox) -> None:
    token = login.step(firm.anna, "email_input")
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}).status_code == 200
    assert login.start(token, "anna@holzmann.de").json()["code"] == "login_expired"
