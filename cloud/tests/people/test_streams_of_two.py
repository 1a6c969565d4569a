"""Two processes on one PostgreSQL: a session that ends in one ends its streams in the other."""

import asyncio
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.live import relay

from cloud.tests.kit.test_relay import cut
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening, running
from cloud.tests.world import Firm

pytestmark = pytest.mark.usefixtures("relayed")


@pytest.fixture
def database_url(postgres_url: str) -> str:
    """Uses PostgreSQL only: one process serves SQLite."""
    return postgres_url


@pytest.fixture
def other_app(settings: Settings, clock: SettableClock) -> Iterator[FastAPI]:
    app = create_app(settings, clock=clock)
    yield app
    app.state.platform.database.dispose()


def test_a_session_that_ends_in_one_process_ends_its_stream_in_the_other(other_app: FastAPI, firm: Firm) -> None:
    async def story() -> None:
        async with (
            running(other_app),
            listening(other_app, f"/api/users/{firm.anna.id}/times/stream", firm.anna.headers) as listener,
        ):
            assert (await asyncio.to_thread(firm.anna.post, "/api/logout")).status_code == 204
            await listener.end()

    asyncio.run(story())


def test_an_end_that_the_connection_between_them_lost_is_found(
    other_app: FastAPI, firm: Firm, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "RETRY_S", 0.02)

    async def story() -> None:
        async with (
            running(other_app),
            listening(other_app, f"/api/users/{firm.anna.id}/times/stream", firm.anna.headers) as listener,
        ):
            other_app.state.platform.live.relay._receive = lambda _payload: None  # the notification is lost on the way
            await asyncio.to_thread(firm.anna.post, "/api/logout")
            await asyncio.to_thread(cut, postgres_url, "LISTEN%")
            with pytest.raises(EOFError):
                await listener.next()

    asyncio.run(story())
