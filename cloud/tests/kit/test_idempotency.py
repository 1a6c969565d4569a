"""Idempotency-Key: the same key and body give the same answer, and one effect."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI
from fastapi import Response as Answer
from fastapi.routing import APIRoute
from httpx2 import Response
from sqlalchemy import insert, select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http import idempotency
from stempelwerk_cloud.kit.http.idempotency import StoredAnswer
from stempelwerk_cloud.kit.http.request_life import WriteTx
from stempelwerk_cloud.kit.http.routing import WebRoute, room_router, who_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.guards import AnySession

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

KEY = {"Idempotency-Key": "0f6f1a52-1"}


def _names(world: World) -> list[str]:
    return [company["name"] for company in world.founder.get("/api/companies").json()]


def test_the_same_key_and_body_make_one_thing_and_one_answer(world: World) -> None:
    first = world.founder.post("/api/companies", json={"name": "A"}, headers=KEY)
    repeated = world.founder.post("/api/companies", json={"name": "A"}, headers=KEY)
    assert first.status_code == repeated.status_code == 201
    assert first.json() == repeated.json()
    assert _names(world) == ["A", "Plattform"]


def test_the_same_key_with_another_body_or_path_is_refused(world: World) -> None:
    world.founder.post("/api/companies", json={"name": "A"}, headers=KEY)
    for path, body in (("/api/companies", {"name": "B"}), ("/api/logout", None)):
        refused = world.founder.post(path, json=body, headers=KEY)
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert _names(world) == ["A", "Plattform"]


def test_a_key_belongs_to_its_user(world: World) -> None:
    other_admin = world.admin()
    assert world.founder.post("/api/companies", json={"name": "A"}, headers=KEY).status_code == 201
    assert other_admin.post("/api/companies", json={"name": "B"}, headers=KEY).status_code == 201


def test_a_refusal_is_not_kept(world: World, firm: Firm) -> None:
    assert world.founder.post("/api/companies", json={"name": firm.name}, headers=KEY).status_code == 409
    world.founder.delete(f"/api/companies/{firm.id}")
    assert world.founder.post("/api/companies", json={"name": firm.name}, headers=KEY).status_code == 201


def test_a_key_is_forgotten_after_thirty_days(world: World, clock: SettableClock, platform: Platform) -> None:
    world.founder.post("/api/companies", json={"name": "A"}, headers=KEY)
    clock.advance(days=29)
    for job in JOBS:
        jobs.run_once(platform, job)
    founder = world.again(world.founder)
    assert founder.post("/api/companies", json={"name": "A"}, headers=KEY).status_code == 201
    clock.advance(days=1)
    founder = world.again(founder)
    assert founder.post("/api/companies", json={"name": "A"}, headers=KEY).status_code == 409
    assert founder.post("/api/companies", json={"name": "B"}, headers=KEY).status_code == 201
    clock.advance(days=30)
    for job in JOBS:
        jobs.run_once(platform, job)
    assert world.again(founder).post("/api/companies", json={"name": "C"}, headers=KEY).status_code == 201


def test_a_password_cannot_be_guessed_from_what_is_kept_of_the_body(
    world: World, firm: Firm, platform: Platform
) -> None:
    person = {
        "companyId": firm.id,
        "username": "Neu",
        "password": "drei nasse Hunde",
        "tagId": "04112233",
        "role": "user",
    }
    created = world.founder.post("/api/users", json=person, headers=KEY)
    assert created.status_code == 201
    with platform.database.read(SYSTEM) as session:
        stored_digest = session.scalars(select(StoredAnswer.digest)).one()
    assert stored_digest != hashlib.sha256(b"POST /api/users?\n" + created.request.content).digest()


def _store(platform: Platform, person: Somebody, count: int, body: bytes = b"{}") -> None:
    """Stores answers as if they had been given now."""
    row = {"company_id": person.company_id, "user_id": person.id, "digest": b"", "created_at": platform.clock.now()}
    with platform.database.write(SYSTEM) as session:
        session.execute(insert(StoredAnswer), [row | {"key": f"k{number}", "body": body} for number in range(count)])


def _with_key(person: Somebody, name: str, key: str) -> Response:
    return person.post("/api/companies", json={"name": name}, headers={"Idempotency-Key": key})


@ON_BOTH
@pytest.mark.parametrize(
    ("count", "body"),
    [(idempotency.KEYS_A_DAY - 1, b"{}"), (3, b"x" * (idempotency.BYTES_A_DAY // 3))],
    ids=["keys", "bytes"],
)
def test_a_person_has_so_many_keys_a_day_and_what_was_accepted_is_still_answered(
    world: World, platform: Platform, clock: SettableClock, count: int, body: bytes
) -> None:
    other_admin, founder = world.admin(), world.founder
    accepted = _with_key(founder, "A", "a")
    clock.advance(hours=1)
    _store(platform, founder, count, body)
    refused = _with_key(founder, "B", "b")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_keys")
    assert 0 < int(refused.headers["retry-after"]) <= 24 * 3600
    assert "Gespeichert ist alles, was bestätigt wurde." in refused.json()["message"]
    assert _with_key(founder, "A", "a").json() == accepted.json()
    assert _names(world) == ["A", "Plattform"]
    assert _with_key(other_admin, "C", "b").status_code == 201
    assert founder.post("/api/companies", json={"name": "D"}).status_code == 201
    clock.advance(hours=24)
    assert _with_key(world.again(founder), "B", "b").status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_must_be_one(world: World, key: str) -> None:
    refused = world.founder.post("/api/companies", json={"name": "A"}, headers={"Idempotency-Key": key})
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key")


def test_an_answer_without_a_body_is_repeated_too(app: FastAPI, world: World) -> None:
    done: list[str] = []
    router = room_router("p")

    @router.post("/api/p/nothing", status_code=204)
    def answer_empty(caller: AnySession, tx: WriteTx) -> Answer:
        done.append(caller.user_id)
        return Answer(status_code=204)

    app.router.routes.extend(router.routes)
    answers = [world.founder.post("/api/p/nothing", headers=KEY) for _ in range(2)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(204, b""), (204, b"")]
    assert done == [world.founder.id]


def test_many_at_once_make_one_thing(world: World) -> None:
    def ask(_: int) -> tuple[int, str]:
        answer = world.founder.post("/api/companies", json={"name": "A"}, headers=KEY)
        return answer.status_code, answer.json()["id"]

    with ThreadPoolExecutor(6) as pool:
        answers = set(pool.map(ask, range(12)))
    assert len(answers) == 1
    assert _names(world) == ["A", "Plattform"]


def test_every_post_of_the_web_honours_the_key(app: FastAPI) -> None:
    posts = [
        route
        for route in app.routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ()) and "device" not in who_of(route.dependant)
    ]
    assert len(posts) >= 5
    assert [route.path for route in posts if not isinstance(route, WebRoute)] == []


def test_a_guard_stands_before_the_writing_transaction(app: FastAPI) -> None:
    """Only then the transaction knows whose key it is, and strangers never hold the database's lock."""
    for route in app.routes:
        if not isinstance(route, APIRoute):
            continue
        names = [
            "guard" if who_of(part) else getattr(part.call, "__name__", "") for part in route.dependant.dependencies
        ]
        for transaction in ("_write_tx", "_read_tx"):
            if transaction in names:
                assert names.index("guard") < names.index(transaction), route.path
