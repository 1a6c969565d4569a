"""Streams end with the session they were opened by."""

import asyncio

import pytest
from fastapi import FastAPI, Request
from sqlalchemy import delete
from stempelwerk_cloud.kit.live import EventStream
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.scopes import HOUSE
from stempelwerk_cloud.people.access.guards import StreamOfSelf
from stempelwerk_cloud.people.access.streams import stream_to
from stempelwerk_cloud.people.access.tables import WebSession

from cloud.tests.conftest import SettableClock
from cloud.tests.streams import Listener, listening
from cloud.tests.world import Firm, Somebody, World


def _with_stream(app: FastAPI) -> None:
    @app.get("/api/p/users/{userId}/stream")
    async def stream(caller: StreamOfSelf, request: Request) -> EventStream:
        return stream_to(caller, request, "topic", catch_up={"type": "times_update"})


def test_a_ticket_opens_the_stream_and_logging_out_ends_it(app: FastAPI, firm: Firm) -> None:
    _with_stream(app)
    path = f"/api/p/users/{firm.anna.id}/stream"
    ticket = firm.anna.post("/api/tickets", json={"path": path}).json()["ticket"]

    async def story() -> None:
        async with listening(app, f"{path}?token={ticket}") as listener:
            assert listener.status == 200
            assert (await asyncio.to_thread(firm.anna.post, "/api/logout")).status_code == 204
            await listener.end()

    asyncio.run(story())


def test_other_sessions_go_on_listening(app: FastAPI, world: World, firm: Firm, platform: Platform) -> None:
    _with_stream(app)
    path = f"/api/p/users/{firm.anna.id}/stream"

    def tell() -> None:
        with platform.database.write(HOUSE) as tx:
            platform.live.publish(tx, ["topic"], {"type": "times_update"})

    async def story() -> None:
        async with listening(app, path, firm.boss.headers) as listener:
            await asyncio.to_thread(firm.anna.post, "/api/logout")
            await asyncio.to_thread(tell)
            assert (await listener.next()).data == {"type": "times_update"}

    asyncio.run(story())


def test_deleting_a_person_or_a_company_ends_their_streams(app: FastAPI, world: World, firm: Firm) -> None:
    _with_stream(app)

    async def story() -> None:
        ben, anna = f"/api/p/users/{firm.ben.id}/stream", f"/api/p/users/{firm.anna.id}/stream"
        async with listening(app, ben, firm.ben.headers) as listener:
            await asyncio.to_thread(firm.boss.delete, f"/api/users/{firm.ben.id}")
            await listener.end()
        async with listening(app, anna, firm.anna.headers) as listener:
            await asyncio.to_thread(world.founder.delete, f"/api/companies/{firm.id}")
            await listener.end()

    asyncio.run(story())


def test_a_stream_does_not_outlive_its_session(
    app: FastAPI, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    _with_stream(app)

    async def story(listener: Listener) -> None:
        clock.advance(hours=2)

        def tell() -> None:
            with platform.database.write(HOUSE) as tx:
                platform.live.publish(tx, ["topic"], {"type": "times_update"})

        await asyncio.to_thread(tell)
        with pytest.raises(EOFError):
            await listener.next()

    async def run() -> None:
        async with listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener:
            await story(listener)

    asyncio.run(run())


def _forget_sessions(platform: Platform, who: Somebody) -> None:
    """Ends the person's sessions, and nobody is told."""
    with platform.database.write(HOUSE) as tx:
        tx.execute(delete(WebSession).where(WebSession.user_id == who.id))


def test_a_session_that_ended_before_its_stream_listened_is_missed_by_nobody(app: FastAPI, firm: Firm) -> None:
    @app.get("/api/p/users/{userId}/stream")
    async def stream(caller: StreamOfSelf, request: Request) -> EventStream:
        assert (await asyncio.to_thread(firm.anna.post, "/api/logout")).status_code == 204
        return stream_to(caller, request, "topic", catch_up={"type": "times_update"})

    async def story() -> None:
        async with listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener:
            await listener.end()

    asyncio.run(story())


def test_an_end_that_passed_unheard_is_found_with_whatever_else_was_missed(
    app: FastAPI, firm: Firm, platform: Platform
) -> None:
    _with_stream(app)

    async def story() -> None:
        async with (
            listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener,
            listening(app, f"/api/p/users/{firm.ben.id}/stream", firm.ben.headers) as other,
        ):
            await asyncio.to_thread(_forget_sessions, platform, firm.anna)
            platform.live.missed()
            with pytest.raises(EOFError):
                await listener.next()
            assert (await other.next()).data == {"type": "times_update"}

    asyncio.run(story())
