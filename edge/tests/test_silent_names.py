"""A name server that answers nothing: it costs the network, and neither a tap, nor a press, nor the end."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_edge.agent import Agent, Ports
from stempelwerk_edge.cloud.client import http_transport
from stempelwerk_edge.configuration import CloudSettings, DisplaySettings, Settings
from stempelwerk_edge.machine.names import AT_ONCE, run
from stempelwerk_edge.ports import Answer
from stempelwerk_edge.probe import ask, why
from stempelwerk_tools.ports import reserved_port

from edge.tests.clockwork import TAG, TestClock, TestIds, TestMachine, TestSignals, chance

SILENT = "cloud.silent.test"
MANY = 64
GUARD_S = 300  # it only ends a hang


class Resolver:
    """The system's, but that it never answers about SILENT; `stuck` look-ups wait for it."""

    def __init__(self, honest: Callable[..., Any]) -> None:
        self._honest, self._over = honest, threading.Event()
        self._changed = threading.Condition()
        self.stuck = 0

    def look_up(self, host: Any, *rest: Any, **hints: Any) -> Any:
        if host not in (SILENT, SILENT.encode()):
            return self._honest(host, *rest, **hints)
        with self._changed:
            self.stuck += 1
            self._changed.notify_all()
        self._over.wait()
        raise socket.gaierror(socket.EAI_AGAIN, "at last")

    def wait_for_stuck(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.stuck >= count, GUARD_S)

    def end(self) -> None:
        self._over.set()


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Resolver]:
    silent = Resolver(socket.getaddrinfo)
    monkeypatch.setattr(socket, "getaddrinfo", silent.look_up)
    yield silent
    silent.end()


async def on_a_thread(act: Callable[[], Answer | None]) -> Answer | None:
    """Runs it as the reader's thread does: on a thread of its own."""
    done: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    threading.Thread(target=lambda: loop.call_soon_threadsafe(done.set_result, act())).start()
    return await done


def with_stuck_calls(
    folder: Path, resolver: Resolver, story: Callable[[Agent, httpx.AsyncClient], Awaitable[None]]
) -> None:
    """A whole clock with its screen, and many calls of the network that wait for a name."""
    ports = Ports(TestClock(), TestIds(), chance(), http_transport(), TestMachine(), TestSignals(), version="1")
    settings = Settings(folder, CloudSettings(f"http://{SILENT}"), display=DisplaySettings(port=reserved_port()))
    agent = Agent(settings, ports)

    async def go() -> None:
        loop = asyncio.get_running_loop()
        running = asyncio.create_task(agent.run())
        calls = [asyncio.create_task(loop.getaddrinfo(SILENT, 443)) for _ in range(MANY)]
        await on_a_thread(lambda: resolver.wait_for_stuck(5))  # no pool of asyncio's has fewer threads
        transport = httpx.AsyncHTTPTransport(retries=1000)
        address = f"http://127.0.0.1:{settings.display.port}"
        try:
            async with httpx.AsyncClient(base_url=address, transport=transport, timeout=GUARD_S) as finger:
                await story(agent, finger)
        finally:
            resolver.end()
            for task in (running, *calls):
                task.cancel()
            await asyncio.gather(running, *calls, return_exceptions=True)

    run(go())


def test_a_press_and_a_tap_are_answered_while_names_are_not(tmp_path: Path, resolver: Resolver) -> None:
    async def story(agent: Agent, finger: httpx.AsyncClient) -> None:
        assert (await finger.post("/choice", json={"direction": "out"})).status_code == 204
        answer = await on_a_thread(lambda: agent.tap(TAG))
        assert answer is not None
        assert answer.stamp_id is not None
        late = await finger.post("/choice", json={"direction": "in", "after": ""})
        assert (late.status_code, late.json()["code"]) == (409, "too_late"), "pressed before the tag"
        assert (await finger.post("/choice", json={"direction": "in", "after": answer.key})).status_code == 204
        assert (await finger.post("/dismiss", json={"key": answer.key})).status_code == 204
        assert [row.draft.direction for row in agent.state.recent(10)] == ["out"]

    with_stuck_calls(tmp_path, resolver, story)
    assert resolver.stuck <= AT_ONCE, "threads that nobody waits for do not become more and more"


def test_beyond_the_look_ups_that_are_unanswered_the_next_is_refused_at_once(resolver: Resolver) -> None:
    async def go() -> None:
        loop = asyncio.get_running_loop()
        calls = [asyncio.create_task(loop.getaddrinfo(SILENT, 443)) for _ in range(AT_ONCE + 3)]
        over, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_EXCEPTION)
        faults = [call.exception() for call in over]
        assert all(isinstance(fault, socket.gaierror) and fault.errno == socket.EAI_AGAIN for fault in faults)
        resolver.end()
        await asyncio.gather(*calls, return_exceptions=True)
        assert (await loop.getaddrinfo("localhost", 80))[0][4][1] == 80, "and those that ended make room"

    run(go())


def test_what_the_resolver_refuses_is_the_fault_of_who_asked() -> None:
    async def go() -> None:
        with pytest.raises(socket.gaierror):
            await asyncio.get_running_loop().getaddrinfo("name.invalid", 80, flags=socket.AI_NUMERICHOST)

    run(go())


def test_check_ends_although_the_name_is_never_answered(
    tmp_path: Path, resolver: Resolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stempelwerk_edge.probe._TIMEOUT_S", 0.05)
    settings = Settings(tmp_path, CloudSettings(f"http://{SILENT}"))
    assert "antwortet nicht rechtzeitig" in why(ask(settings).fault, settings)
    assert resolver.stuck == 1
