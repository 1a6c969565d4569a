"""Logging out while offline: the token's hash ends the session later, and permits nothing else."""

import asyncio
import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Select, func, select, update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.tables import Ticket, WebSession
from structlog.testing import capture_logs

from cloud.tests.databases import ON_SQLITE
from cloud.tests.logging_in import LoginClient, authenticate
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.waiting import one_after_the_other, until_waiting
from cloud.tests.world import PASSWORD, Firm, Somebody, World

PATH = "/api/logout"


def _hash(person: Somebody) -> str:
    return hashlib.sha256(person.token.encode()).hexdigest()


def _leave(client: TestClient, *hashes: str) -> Response:
    return client.post(PATH, json={"sessions": list(hashes)})


def _alive(person: Somebody) -> bool:
    return person.get("/api/auth/sessions").status_code == 200


def _rows(platform: Platform, table: type[WebSession] | type[Ticket]) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(table)) or 0


@ON_SQLITE
@pytest.mark.parametrize("extra", [{}, {"json": {}}, {"json": {"sessions": []}}, {"json": None}])
def test_who_has_no_session_and_names_none_is_refused(client: TestClient, firm: Firm, extra: dict[str, Any]) -> None:
    refused = client.post(PATH, **extra)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
    assert _alive(firm.anna)


@ON_SQLITE
@pytest.mark.parametrize(
    "hashes",
    [
        ["a" * 63],
        ["a" * 65],
        ["A" * 64],
        ["g" * 64],
        [""],
        [None],
        [7],
        [["a" * 64]],
        ["a" * 64 + "\n"],
        "a" * 64,
        {"a" * 64: 1},
        [f"{number:064x}" for number in range(21)],
    ],
)
def test_what_is_no_hash_ends_nothing_and_is_not_repeated(client: TestClient, firm: Firm, hashes: Any) -> None:
    valid_hashes = [_hash(firm.anna)] if isinstance(hashes, list) else []
    refused = client.post(PATH, json={"sessions": [*valid_hashes, *hashes] if isinstance(hashes, list) else hashes})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert "aaaaaaaa" not in refused.text.lower()
    assert _alive(firm.anna)


def test_a_hash_ends_its_session_and_no_other(client: TestClient, firm: Firm, world: World) -> None:
    other_session = world.again(firm.anna)
    answer = _leave(client, _hash(firm.anna))
    assert (answer.status_code, answer.content) == (204, b"")
    assert [_alive(person) for person in (firm.anna, other_session, firm.ben)] == [False, True, True]


def test_a_hash_that_is_nobody_s_or_ended_already_is_answered_alike(client: TestClient, firm: Firm) -> None:
    answers = [_leave(client, each) for each in (_hash(firm.anna), _hash(firm.anna), "0" * 64)]
    assert len({(answer.status_code, answer.content, str(sorted(answer.headers))) for answer in answers}) == 1


def test_several_sessions_of_several_people_and_companies_end_together(
    client: TestClient, firm: Firm, world: World
) -> None:
    other_firm = world.firm("Andere")
    assert _leave(client, _hash(firm.anna), "f" * 64, _hash(other_firm.boss), _hash(world.founder)).status_code == 204
    assert [_alive(person) for person in (firm.anna, other_firm.boss, world.founder, firm.ben, other_firm.anna)] == [
        False,
        False,
        False,
        True,
        True,
    ]


def test_its_tickets_go_with_it(client: TestClient, firm: Firm, platform: Platform) -> None:
    path = f"/api/users/{firm.anna.id}/times/stream"
    ticket = firm.anna.post("/api/tickets", json={"path": path}).json()["ticket"]
    firm.ben.post("/api/tickets", json={"path": f"/api/users/{firm.ben.id}/times/stream"})
    assert _leave(client, _hash(firm.anna)).status_code == 204
    assert _rows(platform, Ticket) == 1
    assert client.get(f"{path}?token={ticket}").status_code == 401


def test_its_streams_end_and_others_go_on(app: FastAPI, client: TestClient, firm: Firm, world: World) -> None:
    other_session, path = world.again(firm.anna), f"/api/users/{firm.anna.id}/times/stream"

    async def story() -> None:
        async with (
            listening(app, path, firm.anna.headers) as ended_stream,
            listening(app, path, other_session.headers) as still_there,
        ):
            assert (await asyncio.to_thread(_leave, client, _hash(firm.anna))).status_code == 204
            await ended_stream.end()
            assert await still_there.quiet()

    asyncio.run(story())


def test_the_device_stays_remembered_as_after_any_logout(login: LoginClient, firm: Firm, platform: Platform) -> None:
    _, recovery = authenticate(platform, firm.anna)
    token = login.app_code(login.step(firm.anna, "totp"), recovery[0], rememberDevice=True).json()["token"]
    hashed = hashlib.sha256(token.encode()).hexdigest()
    assert login.browser.post(PATH, json={"sessions": [hashed]}).status_code == 204
    assert "token" in login.log_in(firm.anna).json()


def test_it_still_works_for_a_locked_user_and_after_the_session_has_expired(
    client: TestClient, firm: Firm, world: World, clock: SettableClock
) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/lock").status_code == 200
    assert _leave(client, _hash(firm.anna)).status_code == 204
    clock.advance(hours=3)
    assert _leave(client, _hash(firm.ben)).status_code == 204


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer "])
def test_a_hash_is_no_token(client: TestClient, firm: Firm, platform: Platform, scheme: str) -> None:
    platform.settings = platform.settings.model_copy(update={"query_sessions": True})
    path = f"/api/users/{firm.anna.id}/times/stream"
    hashed = _hash(firm.anna)
    for form in (hashed, bytes.fromhex(hashed).decode("latin-1")):
        headers = {"Authorization": (scheme + form).encode("latin-1")}
        assert client.get("/api/auth/sessions", headers=headers).status_code == 401
        assert client.post(PATH, headers=headers).status_code == 401
    assert client.get(f"{path}?token={hashed}").status_code == 401
    assert client.post("/api/auth/email/start", json={"temp_token": hashed}).status_code == 401
    assert client.get("/api/auth/sessions", headers={"X-Session": hashed}).status_code == 401
    assert _alive(firm.anna)


def test_hashes_of_other_tokens_end_nothing(login: LoginClient, firm: Firm, platform: Platform) -> None:
    authenticate(platform, firm.anna)
    temp = login.step(firm.anna, "totp")
    path = f"/api/users/{firm.ben.id}/times/stream"
    ticket = firm.ben.post("/api/tickets", json={"path": path}).json()["ticket"]
    hashes = [hashlib.sha256(token.encode()).hexdigest() for token in (temp, ticket)]
    assert login.browser.post(PATH, json={"sessions": hashes}).status_code == 204
    assert login.app_code(temp, "000000").json()["code"] == "wrong_code", "the login still waits"
    assert _rows(platform, Ticket) == 1


def test_who_is_logged_in_ends_the_own_session_alone(client: TestClient, firm: Firm) -> None:
    refused = firm.anna.post(PATH, json={"sessions": [_hash(firm.ben)]})
    assert (refused.status_code, refused.json()["code"]) == (422, "own_session_only")
    assert (_alive(firm.anna), _alive(firm.ben)) == (True, True)
    assert firm.anna.post(PATH, json={}).status_code == 204
    assert (_alive(firm.anna), _alive(firm.ben)) == (False, True)


def test_a_bearer_that_is_worth_nothing_is_refused_whatever_the_body_names(client: TestClient, firm: Firm) -> None:
    headers = {"Authorization": "Bearer nonsense"}
    assert client.post(PATH, json={"sessions": [_hash(firm.anna)]}, headers=headers).status_code == 401
    assert _alive(firm.anna)


def test_no_hash_reaches_a_log_or_an_answer(client: TestClient, firm: Firm, world: World) -> None:
    hashed, spoilt = _hash(firm.anna), _hash(firm.ben)[:-1] + "g"
    with capture_logs() as lines:
        answers = [_leave(client, hashed), _leave(client, hashed), _leave(client, spoilt)]
        answers += [client.post(f"{PATH}?sessions={hashed}")]
        log = world.founder.get(f"/api/companies/{firm.id}/audit")
    assert [answer.status_code for answer in answers] == [204, 204, 422, 401]
    log_text = json.dumps(lines, default=repr) + "".join(answer.text for answer in answers) + log.text
    assert hashed not in log_text
    assert spoilt[:-1] not in log_text


def test_an_idempotency_key_of_nobody_says_nothing(client: TestClient, firm: Firm) -> None:
    key = {"Idempotency-Key": "leaving"}
    for person in (firm.anna, firm.ben):
        answer = client.post(PATH, json={"sessions": [_hash(person)]}, headers=key)
        assert (answer.status_code, _alive(person)) == (204, False)


def test_many_who_end_the_same_sessions_in_any_order_all_come_through(
    client: TestClient, firm: Firm, world: World, platform: Platform
) -> None:
    draw = random.Random(1)
    for _ in range(3):
        people = [world.again(person) for person in (firm.anna, firm.ben, firm.boss, world.founder) for _ in range(5)]
        hashes = [_hash(person) for person in people]
        orders = [draw.sample(hashes, len(hashes)) for _ in range(12)]
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda order: _leave(client, *order).status_code, orders))
        assert set(answers) == {204}
        assert not any(_alive(person) for person in people)


def _end(person: Somebody, target: Somebody) -> Response:
    (ended,) = [row["id"] for row in target.get("/api/auth/sessions").json() if row["current"]]
    return person.delete(f"/api/auth/sessions/{ended}")


def _choose_password(person: Somebody) -> Response:
    body = {"currentPassword": PASSWORD, "newPassword": "ein besseres Passwort"}
    return person.put(f"/api/users/{person.id}/change-password", json=body)


class TestAtOnce:
    """Tests on PostgreSQL; SQLite has only one writer."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    def test_sessions_are_taken_in_one_order_so_that_nobody_waits_in_a_circle(
        self, client: TestClient, firm: Firm, world: World, platform: Platform
    ) -> None:
        people = [world.again(firm.anna) for _ in range(3)]
        hashes = [bytes.fromhex(_hash(person)) for person in people]
        query = select(WebSession.id).with_for_update(nowait=True)
        first = update(WebSession).where(WebSession.token_hash == hashes[0])
        with platform.database.write(SYSTEM) as tx:  # as a new row version, it follows the others
            tx.execute(first.values(user_agent="moved"))
        with ThreadPoolExecutor(1) as pool, platform.database.write(SYSTEM) as tx:
            tx.execute(first.values(user_agent="held"))
            leaving = pool.submit(_leave, client, *map(_hash, people))
            until_waiting(platform)
            assert tx.execute(query.where(WebSession.token_hash.in_(hashes[1:]))).all(), "not taken before the first"
            tx.rollback()
            assert leaving.result(60).status_code == 204
        assert not any(_alive(person) for person in people)

    def test_one_s_session_is_ended_from_the_other_while_a_browser_leaves_both(
        self, client: TestClient, firm: Firm, world: World, platform: Platform
    ) -> None:
        older, newer = firm.anna, world.again(firm.anna)
        ended, logged_out = one_after_the_other(
            platform,
            lambda tx: tx.execute(_session_query(newer)),
            lambda: _end(older, newer),
            lambda: _leave(client, _hash(older), _hash(newer)),
        )
        assert (ended.status_code, logged_out.status_code) == (204, 204)

    def test_a_password_is_chosen_in_one_session_while_a_browser_leaves_both(
        self, client: TestClient, firm: Firm, world: World, platform: Platform
    ) -> None:
        older, newer = firm.anna, world.again(firm.anna)
        logged_out, changed = one_after_the_other(
            platform,
            lambda tx: tx.execute(_session_query(newer)),
            lambda: _leave(client, _hash(older), _hash(newer)),
            lambda: _choose_password(newer),
        )
        assert (logged_out.status_code, changed.status_code) == (204, 401)


def _session_query(person: Somebody) -> Select[str]:
    """Returns the query that locks the person's session, as a call in their name does at its end."""
    query = select(WebSession.id).where(WebSession.token_hash == bytes.fromhex(_hash(person)))
    return query.with_for_update(read=True, key_share=True)
