"""Several processes on one PostgreSQL: what one commits, the browsers at another hear."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from fastapi import FastAPI, Request
from sqlalchemy import make_url
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live import relay
from stempelwerk_cloud.kit.live.hub import Event, EventStream, Live
from stempelwerk_cloud.kit.live.relay import CHANNEL, PAYLOAD_LIMIT, PostgresRelay
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.streams import listening, running

pytestmark = pytest.mark.usefixtures("relayed")

RELOAD = {"type": "times_update"}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "RETRY_S", 0.02)


@pytest.fixture
def two_apps(postgres_url: str, tmp_path: Path) -> Iterator[tuple[FastAPI, FastAPI]]:
    settings = Settings(database_url=postgres_url, data_dir=tmp_path, web_dir=tmp_path)
    apps = create_app(settings), create_app(settings)
    for app in apps:
        _with_stream(app, app.state.platform)
    yield apps
    for app in apps:
        app.state.platform.database.dispose()


def _with_stream(app: FastAPI, platform: Platform) -> None:
    @app.get("/stream")
    async def stream(request: Request) -> EventStream:
        return EventStream(platform.live, platform.clock, ["topic"], catch_up=RELOAD, resumed_by=request)


def _tell(app: FastAPI, number: int, **more: object) -> None:
    platform: Platform = app.state.platform
    with platform.database.write(SYSTEM) as session:
        platform.live.publish(session, ["topic"], {"type": "told", "n": number, **more})


def test_what_one_process_tells_arrives_in_the_other_and_once_in_its_own(two_apps: tuple[FastAPI, FastAPI]) -> None:
    one, other = two_apps

    async def story() -> None:
        async with (
            running(one),
            running(other),
            listening(one, "/stream") as near,
            listening(other, "/stream") as far,
        ):
            await asyncio.to_thread(_tell, one, 1)
            first = await far.next()
            assert first.data["n"] == 1
            assert (await near.next()).id == first.id
            await asyncio.to_thread(_tell, other, 2)
            assert (await near.next()).data["n"] == 2
            assert (await far.next()).data["n"] == 2

    asyncio.run(story())


def test_an_id_from_one_process_resumes_at_the_other(two_apps: tuple[FastAPI, FastAPI]) -> None:
    one, other = two_apps

    async def story() -> None:
        async with running(one), running(other):
            async with listening(one, "/stream") as near, listening(other, "/stream") as far:
                await asyncio.to_thread(_tell, one, 1)
                last = (await near.next()).id
                await asyncio.to_thread(_tell, one, 2)
                await far.next()
                await far.next()
            assert last is not None
            async with listening(other, "/stream", {"Last-Event-ID": last}) as resumed:
                assert (await resumed.next()).data["n"] == 2

    asyncio.run(story())


def test_an_event_too_large_for_the_database_still_says_that_something_happened(
    two_apps: tuple[FastAPI, FastAPI],
) -> None:
    one, other = two_apps

    async def story() -> None:
        async with running(one), running(other), listening(other, "/stream") as far:
            await asyncio.to_thread(_tell, one, 1, text="x" * PAYLOAD_LIMIT)
            assert (await far.next()).data == {"type": "told"}

    asyncio.run(story())


def test_a_lost_connection_is_mended_and_every_listener_told_to_reload(
    two_apps: tuple[FastAPI, FastAPI], postgres_url: str
) -> None:
    one, other = two_apps

    async def story() -> None:
        async with running(one), running(other), listening(other, "/stream") as far:
            await asyncio.to_thread(cut, postgres_url, "LISTEN%")
            assert (await far.next()).data == RELOAD
            await asyncio.to_thread(_tell, one, 5)
            assert (await far.next()).data["n"] == 5

    asyncio.run(story())


def test_what_could_not_be_sent_makes_the_others_reload(two_apps: tuple[FastAPI, FastAPI], postgres_url: str) -> None:
    one, other = two_apps

    async def story() -> None:
        async with running(one), running(other), listening(other, "/stream") as far:
            await asyncio.to_thread(_tell, one, 1)
            assert (await far.next()).data["n"] == 1
            await asyncio.to_thread(cut, postgres_url, "SELECT pg_notify%")
            await asyncio.to_thread(_tell, one, 2)
            assert (await far.next()).data == RELOAD

    asyncio.run(story())


def test_nonsense_on_the_channel_stops_nobody(two_apps: tuple[FastAPI, FastAPI], postgres_url: str) -> None:
    one, other = two_apps

    async def story() -> None:
        async with running(one), running(other), listening(other, "/stream") as far:
            with psycopg.connect(_conninfo(postgres_url), autocommit=True) as connection:
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "no JSON"))
            await asyncio.to_thread(_tell, one, 1)
            assert (await far.next()).data["n"] == 1

    asyncio.run(story())


def test_without_a_database_events_are_told_here_and_stopping_does_not_hang() -> None:
    class Numbers:
        def new(self) -> str:
            return "1"

        def token(self, nbytes: int) -> str:
            return "t" * nbytes

        def below(self, _limit: int) -> int:
            return 0

    lonely = PostgresRelay("host=/nowhere connect_timeout=1", Live(Numbers()), "me")
    lonely.start(timeout_s=0.1)
    lonely.send(["topic"], Event("1", {}))
    lonely.stop()


def _conninfo(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def cut(url: str, query: str) -> None:
    with psycopg.connect(_conninfo(url), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE %s",
            [query],
        )
