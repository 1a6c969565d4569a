"""Streams end with the session that opened them."""

import asyncio
import io
import json
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI, Request
from sqlalchemy import delete
from sqlalchemy.exc import OperationalError
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live import hub
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.guards import StreamOfSelf
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.access.identity.streams import stream_to
from stempelwerk_cloud.people.access.tables import WebSession

from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import PATIENCE_S, Listener, listening
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
        with platform.database.write(SYSTEM) as tx:
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
            with platform.database.write(SYSTEM) as tx:
                platform.live.publish(tx, ["topic"], {"type": "times_update"})

        await asyncio.to_thread(tell)
        with pytest.raises(EOFError):
            await listener.next()

    async def run() -> None:
        async with listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener:
            await story(listener)

    asyncio.run(run())


@pytest.mark.parametrize("opened", ["before", "after"])
def test_a_stream_does_not_outlive_the_day_of_exit(
    app: FastAPI, world: World, firm: Firm, platform: Platform, clock: SettableClock, opened: str
) -> None:
    _with_stream(app)
    clock.set(datetime(2026, 11, 20, 22, 30, tzinfo=UTC))
    boss, anna = world.again(firm.boss), world.again(firm.anna)

    def leaves() -> None:
        answer = boss.put(f"/api/users/{anna.id}/employment", json={"exitDate": "2026-11-20"})
        assert answer.status_code == 200

    async def run() -> None:
        if opened == "after":
            await asyncio.to_thread(leaves)
        async with listening(app, f"/api/p/users/{anna.id}/stream", anna.headers) as listener:
            if opened == "before":
                await asyncio.to_thread(leaves)
            clock.set(datetime(2026, 11, 20, 23, tzinfo=UTC))
            platform.live.missed()  # checks every stream, as its beat does
            with pytest.raises(EOFError):
                await listener.next()

    asyncio.run(run())


def _forget_sessions(platform: Platform, person: Somebody) -> None:
    """Ends the person's sessions without notifying the service."""
    with platform.database.write(SYSTEM) as tx:
        tx.execute(delete(WebSession).where(WebSession.user_id == person.id))


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
            listening(app, f"/api/p/users/{firm.ben.id}/stream", firm.ben.headers) as other_stream,
        ):
            await asyncio.to_thread(_forget_sessions, platform, firm.anna)
            platform.live.missed()
            with pytest.raises(EOFError):
                await listener.next()
            assert (await other_stream.next()).data == {"type": "times_update"}

    asyncio.run(story())


def test_an_end_that_nobody_told_is_found_at_the_next_beat_however_much_is_told(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_stream(app)
    monkeypatch.setattr(hub, "BEAT_S", 0.01)

    async def hear_more(listener: Listener) -> None:
        platform.live.deliver(["topic"], hub.Event(platform.ids.new(), {"type": "times_update"}))
        await listener.next()

    async def hear_all(listener: Listener) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await hear_more(listener)

    async def story() -> None:
        async with listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener:
            await hear_more(listener)
            await asyncio.to_thread(_forget_sessions, platform, firm.anna)
            with pytest.raises(EOFError):
                await hear_all(listener)

    asyncio.run(story())


@pytest.mark.usefixtures("relayed")
@pytest.mark.parametrize("command", [["reset-protected", "--password-stdin"], ["remove-protected"]])
def test_a_command_beside_the_service_ends_streams(
    app: FastAPI, world: World, platform: Platform, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """PostgreSQL notifies the service; an embedded database does not, and the next beat detects the end."""
    _with_stream(app)
    if platform.database.dialect != "postgresql":
        monkeypatch.setattr(hub, "BEAT_S", 0.01)
    for name in ("DATABASE_URL", "DATA_DIR"):
        monkeypatch.setenv(f"STEMPELWERK_{name}", str(getattr(platform.settings, name.lower())))
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
    another = ["create-founder", "--username", "Zweite", "--password-stdin"]
    assert main(another) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))

    async def story() -> None:
        path = f"/api/p/users/{world.founder.id}/stream"
        async with listening(app, path, world.founder.headers) as listener:
            await listener.some_comments(1)
            assert await asyncio.to_thread(main, [*command, "--username", world.founder.username]) == 0
            async with asyncio.timeout(PATIENCE_S):
                await listener.end()

    asyncio.run(story())


def test_a_stream_whose_session_cannot_be_looked_at_ends_without_a_failure(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_stream(app)

    def out_of_reach(*_: object) -> bool:
        raise OperationalError("SELECT", None, Exception("gone"))

    async def story() -> None:
        async with listening(app, f"/api/p/users/{firm.anna.id}/stream", firm.anna.headers) as listener:
            await listener.some_comments(1)
            monkeypatch.setattr(sessions, "live_among", out_of_reach)
            platform.live.missed()
            await listener.end()

    asyncio.run(story())


def test_one_person_opens_so_many_streams_and_no_more(app: FastAPI, firm: Firm) -> None:
    _with_stream(app)
    path = f"/api/p/users/{firm.anna.id}/stream"

    async def story() -> None:
        async with AsyncExitStack() as open_streams:
            for _ in range(hub.STREAMS_OF_ONE - 1):
                await open_streams.enter_async_context(listening(app, path, firm.anna.headers))
            async with listening(app, path, firm.anna.headers) as last:
                assert last.status == 200
                async with listening(app, path, firm.anna.headers) as one_too_many:
                    assert one_too_many.status == 429
                    assert int(one_too_many.headers["retry-after"]) > 0
                    assert json.loads(await one_too_many.body())["code"] == "too_many_requests"
                async with listening(app, path, firm.boss.headers) as another:
                    assert another.status == 200
            async with listening(app, path, firm.anna.headers) as second_stream:
                assert second_stream.status == 200

    asyncio.run(story())


def test_a_company_leaves_half_of_the_streams_and_all_together_leave_files_to_open(
    app: FastAPI, world: World, firm: Firm, platform: Platform
) -> None:
    _with_stream(app)
    other_firm = world.firm("Andere")
    path, elsewhere = (f"/api/p/users/{person.id}/stream" for person in (firm.anna, other_firm.anna))
    platform.live.most = 4

    async def story() -> None:
        async with listening(app, path, firm.anna.headers), listening(app, path, firm.boss.headers):
            async with listening(app, path, firm.boss.headers) as one_too_many:
                assert one_too_many.status == 429
                assert json.loads(await one_too_many.body())["code"] == "too_many_requests"
            async with (
                listening(app, elsewhere, other_firm.anna.headers),
                listening(app, elsewhere, other_firm.boss.headers),
                listening(app, elsewhere, other_firm.boss.headers) as none_left,
            ):
                assert none_left.status == 503
                assert json.loads(await none_left.body())["code"] == "unavailable"
            assert (await asyncio.to_thread(firm.boss.get, f"/api/users/{firm.boss.id}/times")).status_code == 200
        async with listening(app, path, firm.boss.headers) as second_stream:
            assert second_stream.status == 200

    asyncio.run(story())
