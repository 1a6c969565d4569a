"""Live events: told after the commit, resumed by id, ended with the session and with the server."""

import asyncio
import resource
from datetime import timedelta

import pytest
from fastapi import FastAPI, Request
from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live import hub
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening, running

RELOAD = {"type": "times_update"}


def _with_stream(app: FastAPI, platform: Platform) -> None:
    @app.get("/stream")
    async def stream(request: Request) -> EventStream:
        until = platform.clock.now() + timedelta(hours=2)
        return EventStream(
            platform.live,
            platform.clock,
            ["topic"],
            catch_up=RELOAD,
            resumed_by=request,
            ends_with=("over",),
            until=until,
        )


def _tell(platform: Platform, number: int, topic: str = "topic") -> None:
    with platform.database.write(SYSTEM) as session:
        platform.live.publish(session, [topic], {"type": "told", "n": number})


def test_a_listener_hears_in_order_what_is_told_after_it_came(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app), listening(app, "/stream") as listener:
            assert listener.headers["content-type"].startswith("text/event-stream")
            for number in range(3):
                await asyncio.to_thread(_tell, platform, number)
            assert [(await listener.next()).data["n"] for _ in range(3)] == [0, 1, 2]

    asyncio.run(story())


def test_nothing_is_told_of_a_transaction_that_fails(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    def fail() -> None:
        try:
            with platform.database.write(SYSTEM) as session:
                platform.live.publish(session, ["topic"], {"type": "told", "n": 1})
                raise LookupError
        except LookupError:
            return

    async def story() -> None:
        async with running(app), listening(app, "/stream") as listener:
            await asyncio.to_thread(fail)
            await asyncio.to_thread(_tell, platform, 2)
            assert (await listener.next()).data["n"] == 2

    asyncio.run(story())


def test_other_topics_are_not_heard(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app), listening(app, "/stream") as listener:
            await asyncio.to_thread(_tell, platform, 1, "elsewhere")
            await asyncio.to_thread(_tell, platform, 2)
            assert (await listener.next()).data["n"] == 2

    asyncio.run(story())


def test_who_resumes_hears_what_was_missed_once(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app):
            async with listening(app, "/stream") as listener:
                await asyncio.to_thread(_tell, platform, 1)
                last = (await listener.next()).id
            assert last is not None
            await asyncio.to_thread(_tell, platform, 2)
            async with listening(app, "/stream", {"Last-Event-ID": last}) as listener:
                assert (await listener.next()).data["n"] == 2
                await asyncio.to_thread(_tell, platform, 3)
                assert (await listener.next()).data["n"] == 3

    asyncio.run(story())


def test_who_resumes_from_an_unknown_id_is_told_to_reload_at_once(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app), listening(app, "/stream", {"Last-Event-ID": "long ago"}) as listener:
            assert (await listener.next()).data == RELOAD

    asyncio.run(story())


def test_who_comes_for_the_first_time_is_told_nothing(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app):
            await asyncio.to_thread(_tell, platform, 1)
            async with listening(app, "/stream") as listener:
                assert await listener.quiet()

    asyncio.run(story())


def test_who_falls_behind_is_told_to_reload(app: FastAPI, platform: Platform) -> None:
    async def story() -> None:
        subscription = platform.live.subscribe("topic")
        for number in range(hub.QUEUE_LIMIT + 1):
            subscription.offer("topic", hub.Event(str(number), {}))
        await asyncio.sleep(0)
        await subscription.next(5)
        assert subscription.missed()
        assert not subscription.missed()
        subscription.close()

    asyncio.run(story())


def test_a_full_queue_drops_no_end(platform: Platform) -> None:
    async def story() -> None:
        subscription = platform.live.subscribe("topic", ends_with=("over",))
        for number in range(hub.QUEUE_LIMIT + 1):
            subscription.offer("topic", hub.Event(str(number), {}))
        subscription.offer("over", hub.Event("end", {}))
        await asyncio.sleep(0)
        assert await subscription.next(5) is None
        subscription.close()

    asyncio.run(story())


def test_a_comment_comes_while_nothing_happens(
    app: FastAPI, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_stream(app, platform)
    monkeypatch.setattr(hub, "BEAT_S", 0.01)

    async def story() -> None:
        async with running(app), listening(app, "/stream") as listener:
            await listener.some_comments(3)

    asyncio.run(story())


def test_the_stream_ends_with_its_last_word_and_with_its_time(
    app: FastAPI, platform: Platform, clock: SettableClock
) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app):
            async with listening(app, "/stream") as listener:
                await asyncio.to_thread(_tell, platform, 0, "over")
                await listener.end()
            async with listening(app, "/stream") as listener:
                clock.advance(hours=3)
                await asyncio.to_thread(_tell, platform, 1)
                with pytest.raises(EOFError):
                    await listener.next()

    asyncio.run(story())


def test_a_stream_that_hears_nothing_ends_with_its_time_too(
    app: FastAPI, platform: Platform, clock: SettableClock
) -> None:
    until = clock.now() + timedelta(milliseconds=20)

    @app.get("/stream")
    async def stream() -> EventStream:
        return EventStream(platform.live, clock, ["topic"], catch_up=RELOAD, until=until)

    async def story() -> None:
        async with running(app), listening(app, "/stream") as listener:
            clock.set(until)
            await listener.end()

    asyncio.run(story())


def test_stopping_ends_every_stream_and_a_new_one_at_once(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app):
            async with listening(app, "/stream") as listener:
                platform.live.close()
                await listener.end()
            async with listening(app, "/stream") as listener:
                await listener.end()

    asyncio.run(story())


def test_a_listener_that_left_is_forgotten(app: FastAPI, platform: Platform) -> None:
    _with_stream(app, platform)

    async def story() -> None:
        async with running(app):
            async with listening(app, "/stream"):
                assert platform.live.listeners == 1
            assert platform.live.listeners == 0

    asyncio.run(story())


def test_streams_take_half_of_the_files_that_a_process_may_open(settings: Settings) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1000, before[1]))
    try:
        platform = build_platform(settings)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    platform.database.dispose()
    assert platform.live.most == 500
