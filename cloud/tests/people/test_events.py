"""One stream carries all events that concern a caller, and no others."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live import hub
from stempelwerk_cloud.kit.live.topics import Subscriber, TopicResolver, heard_by
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.callers import Caller

from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.world import Firm, Somebody, World

EVENTS = "/api/events"
CATCH_UP = {"type": "catch_up"}


def _own_topics(hearer: Subscriber, _modules: Collection[str]) -> Sequence[str]:
    return [f"notes:{hearer.company_id}:{hearer.user_id}"]


def _company(hearer: Subscriber, _modules: Collection[str]) -> Sequence[str]:
    return [f"board:{hearer.company_id}"] if hearer.role == "companyAdmin" else []


@pytest.fixture
def rooms(platform: Platform) -> None:
    """Registers two rooms with live topics: one for each person, the other for administrators."""
    platform.hears += [_own_topics, _company]


def _tell(platform: Platform, topics: Sequence[str], number: int) -> None:
    with platform.database.write(SYSTEM) as tx:
        platform.live.publish(tx, topics, {"type": "told", "n": number})


async def _publish(platform: Platform, number: int, *topics: str) -> None:
    await asyncio.to_thread(_tell, platform, topics, number)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nonsense"}])
def test_without_a_session_nothing_is_heard(client: TestClient, platform: Platform, headers: dict[str, str]) -> None:
    refused = client.get(EVENTS, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
    assert platform.live.listeners == 0


def test_an_ended_session_hears_nothing(firm: Firm) -> None:
    assert firm.anna.post("/api/logout").status_code == 204
    assert firm.anna.get(EVENTS).status_code == 401


def test_neither_a_token_nor_a_ticket_in_the_address_opens_it(client: TestClient, firm: Firm) -> None:
    ticket = firm.anna.post("/api/tickets", json={"path": EVENTS}).json()["ticket"]
    for token in (ticket, firm.anna.token):
        assert client.get(f"{EVENTS}?token={token}").status_code == 401


def test_what_two_rooms_tell_comes_on_one_stream_in_order(
    app: FastAPI, firm: Firm, platform: Platform, rooms: None
) -> None:
    async def story() -> None:
        async with listening(app, EVENTS, firm.boss.headers) as boss:
            assert boss.status == 200
            assert boss.headers["content-type"].startswith("text/event-stream")
            for number in range(4):
                topic = f"board:{firm.id}" if number % 2 else f"notes:{firm.id}:{firm.boss.id}"
                await _publish(platform, number, topic)
            events = [await boss.next() for _ in range(4)]
            assert [event.data["n"] for event in events] == [0, 1, 2, 3]

    asyncio.run(story())


def test_what_is_told_on_several_topics_of_a_listener_is_heard_once(
    app: FastAPI, firm: Firm, platform: Platform, rooms: None
) -> None:
    own_topic = f"notes:{firm.id}:{firm.boss.id}"

    async def story() -> None:
        async with listening(app, EVENTS, firm.boss.headers) as boss:
            await _publish(platform, 1, own_topic, f"board:{firm.id}")
            await _publish(platform, 2, own_topic)
            assert [(await boss.next()).data["n"] for _ in range(2)] == [1, 2]

    asyncio.run(story())


def test_what_concerns_others_is_not_heard(
    app: FastAPI, world: World, firm: Firm, platform: Platform, rooms: None
) -> None:
    other_firm = world.firm("Andere")

    async def story() -> None:
        async with listening(app, EVENTS, firm.anna.headers) as anna:
            for stranger in (firm.ben, firm.boss, other_firm.anna, other_firm.boss, world.founder):
                await _publish(platform, 1, f"notes:{stranger.company_id}:{stranger.id}")
                await _publish(platform, 1, f"times:{stranger.company_id}:{stranger.id}")
                await _publish(platform, 1, f"board:{stranger.company_id}")
            await _publish(platform, 1, f"notes:{other_firm.id}:{firm.anna.id}")
            await _publish(platform, 2, f"notes:{firm.id}:{firm.anna.id}")
            assert (await anna.next()).data["n"] == 2

    asyncio.run(story())


def _hearer(user_id: str = "anna", company_id: str = "firm") -> Caller:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    return Caller(user_id, company_id, "user", "session", "Anna", now, now, company_id)


@pytest.mark.parametrize("topic", ["times", "times:other", "times:firm:ben", "times:other:anna", "times:firm:anna:x"])
def test_a_room_that_names_what_is_not_the_callers_is_wrong(topic: str) -> None:
    rooms: list[TopicResolver] = [lambda *_: [topic]]
    with pytest.raises(ValueError, match=topic):
        heard_by(rooms, _hearer(), ())


def test_what_two_rooms_name_is_heard_once_and_a_room_may_name_nothing() -> None:
    rooms: list[TopicResolver] = [lambda *_: ["a:firm", "b:firm:anna"], lambda *_: [], lambda *_: ["a:firm", "c:firm"]]
    assert heard_by(rooms, _hearer(), ()) == ("a:firm", "b:firm:anna", "c:firm")


def test_logging_out_ends_it(app: FastAPI, firm: Firm) -> None:
    async def story() -> None:
        async with listening(app, EVENTS, firm.anna.headers) as listener:
            assert (await asyncio.to_thread(firm.anna.post, "/api/logout")).status_code == 204
            await listener.end()

    asyncio.run(story())


def test_it_does_not_outlive_its_session(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock, rooms: None
) -> None:
    async def story() -> None:
        async with listening(app, EVENTS, firm.anna.headers) as listener:
            clock.advance(hours=2)
            await _publish(platform, 1, f"notes:{firm.id}:{firm.anna.id}")
            with pytest.raises(EOFError):
                await listener.next()

    asyncio.run(story())


def test_it_beats_while_nothing_happens(app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 0.01)

    async def story() -> None:
        async with listening(app, EVENTS, firm.anna.headers) as listener:
            await listener.some_comments(3)

    asyncio.run(story())


def test_who_may_have_missed_something_is_told_to_catch_up(
    app: FastAPI, firm: Firm, platform: Platform, rooms: None
) -> None:
    async def story() -> None:
        async with listening(app, EVENTS, firm.anna.headers) as listener:
            platform.live.missed()
            assert (await listener.next()).data == CATCH_UP
            await _publish(platform, 1, f"notes:{firm.id}:{firm.anna.id}")
            assert (await listener.next()).data["n"] == 1

    asyncio.run(story())


def test_nobody_resumes_and_so_events_have_no_ids(app: FastAPI, firm: Firm, platform: Platform, rooms: None) -> None:
    topic = f"notes:{firm.id}:{firm.anna.id}"

    async def story() -> None:
        await _publish(platform, 1, topic)
        async with listening(app, EVENTS, firm.anna.headers | {"Last-Event-ID": "long ago"}) as listener:
            assert await listener.quiet()
            await _publish(platform, 2, topic)
            event = await listener.next()
            assert (event.id, event.data["n"]) == (None, 2)

    asyncio.run(story())


def test_it_counts_among_the_streams_of_its_person(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "STREAMS_OF_ONE", 2)

    async def status_of(person: Somebody, path: str) -> tuple[int, Any]:
        async with listening(app, path, person.headers) as listener:
            return listener.status, listener.headers.get("retry-after")

    async def story() -> None:
        async with AsyncExitStack() as open_streams:
            for path in (EVENTS, f"/api/users/{firm.anna.id}/times/stream"):
                await open_streams.enter_async_context(listening(app, path, firm.anna.headers))
            assert await status_of(firm.anna, EVENTS) == (429, str(hub.COME_AGAIN_S))
            assert await status_of(firm.ben, EVENTS) == (200, None)
            platform.live.most = 2
            assert await status_of(firm.ben, EVENTS) == (503, "2")
        assert await status_of(firm.anna, EVENTS) == (200, None)

    asyncio.run(story())


def test_who_may_hear_something_else_meanwhile_is_sent_to_listen_anew(
    app: FastAPI, world: World, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the company gets a module, or loses it."""

    def with_module(hearer: Subscriber, modules: Collection[str]) -> Sequence[str]:
        return [f"logs:{hearer.company_id}"] if "error_log" in modules else []

    platform.hears.append(with_module)
    monkeypatch.setattr(hub, "BEAT_S", 0.01)

    async def story() -> None:
        async with listening(app, EVENTS, firm.boss.headers) as listener:
            await _publish(platform, 1, f"logs:{firm.id}")
            assert (await listener.next()).data["n"] == 1
            path = f"/api/companies/{firm.id}/features"
            await asyncio.to_thread(world.founder.put, path, json={"featureIds": []})
            await listener.end()
        async with listening(app, EVENTS, firm.boss.headers) as listener:
            await listener.some_comments(2)
            await _publish(platform, 2, f"logs:{firm.id}")
            await listener.some_comments(2)

    asyncio.run(story())


def test_a_system_administrator_hears_what_concerns_themselves(
    app: FastAPI, world: World, firm: Firm, platform: Platform, rooms: None
) -> None:
    founder = world.founder

    async def story() -> None:
        async with listening(app, EVENTS, founder.headers) as listener:
            await _publish(platform, 1, f"notes:{firm.id}:{firm.anna.id}")
            await _publish(platform, 2, f"notes:{founder.company_id}:{founder.id}")
            assert (await listener.next()).data["n"] == 2

    asyncio.run(story())
