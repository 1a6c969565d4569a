"""Touches, and the stream of view models on a real server."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from stempelwerk_edge.configuration import DisplaySettings
from stempelwerk_edge.display.pages import Pages
from stempelwerk_edge.display.server import Display, DisplayServer
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.errors import SettingsError
from stempelwerk_edge.ports import Direction, Question
from stempelwerk_edge.version import program_version


def post(screen: ScreenState, finger: Any, path: str, content: Any) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(Display(screen, finger, Pages(None)).app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8090") as client:
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            return await client.post(path, content=raw)

    return asyncio.run(go())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        {},
        {"direction": "auto"},
        {"direction": 1},
        {"direction": ["in"]},
        {"x": "y" * 9000},
        {"direction": "in", "after": 7},
        b"[" * 3000 + b"]" * 3000,
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(screen: ScreenState, finger: Any, content: Any) -> None:
    response = post(screen, finger, "/choice", content)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert finger.chosen == []


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"stampId": "s1"},
        {"stampId": 5, "direction": "in"},
        {"direction": "in"},
        {"stampId": "s1", "direction": "auto"},
        {"stampId": "s1", "newEnd": 1700},
        {"stampId": "s1", "direction": "in", "newEnd": "17:00"},
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(screen: ScreenState, finger: Any, content: Any) -> None:
    assert post(screen, finger, "/answer", content).status_code == 422
    assert finger.answered == []


def test_an_answer_to_a_question_that_is_no_longer_open_is_told(screen: ScreenState, finger: Any) -> None:
    finger.question_open = False
    response = post(screen, finger, "/answer", {"stampId": "s1", "newEnd": "17:00"})
    assert (response.status_code, response.json()["code"]) == (409, "no_question")


def test_touches_reach_the_agent(screen: ScreenState, finger: Any, times: Any) -> None:
    screen.show(times.answer())
    for content in ({"direction": "in"}, {"direction": "out"}, {"direction": None}):
        assert post(screen, finger, "/choice", content).status_code == 204
    assert post(screen, finger, "/answer", {"stampId": "s1", "direction": "out"}).status_code == 204
    assert post(screen, finger, "/answer", {"stampId": "s2", "newEnd": "17:00"}).status_code == 204
    assert post(screen, finger, "/dismiss", b"").status_code == 204
    assert finger.chosen == [Direction.IN, Direction.OUT, None]
    assert finger.answered == [("s1", Direction.OUT, None), ("s2", None, "17:00")]
    assert screen.snapshot().answer is None


def test_a_press_that_has_scanners_adopted_takes_the_answer_away_if_it_counts(
    screen: ScreenState, finger: Any, times: Any
) -> None:
    assert post(screen, finger, "/adopt", {}).status_code == 422
    assert post(screen, finger, "/adopt", {"stampId": 5}).status_code == 422
    screen.show(times.answer(key="s1", stamp_id="s1", steward=True))
    finger.question_open = False
    assert post(screen, finger, "/adopt", {"stampId": "s1", "at": 999_000}).json()["code"] == "too_late"
    assert screen.snapshot().answer is not None
    finger.question_open = True
    assert post(screen, finger, "/adopt", {"stampId": "s1"}).status_code == 204
    assert screen.snapshot().answer is None
    assert post(screen, finger, "/adopt", {"stampId": None}).status_code == 204
    assert finger.adopted == [("s1", 1_000), ("s1", 0), (None, 0)]


def test_a_press_that_has_a_scanner_forgotten_reaches_the_agent(screen: ScreenState, finger: Any) -> None:
    assert post(screen, finger, "/forget", {}).status_code == 422
    assert post(screen, finger, "/forget", {"serial": 5}).status_code == 422
    assert post(screen, finger, "/forget", {"serial": "SW-1"}).status_code == 204
    finger.question_open = False
    assert post(screen, finger, "/forget", {"serial": "SW-2"}).json()["code"] == "not_forgotten"
    assert finger.forgotten == ["SW-1", "SW-2"]


def test_a_choice_that_is_too_late_is_refused(screen: ScreenState, finger: Any) -> None:
    finger.question_open = False
    response = post(screen, finger, "/choice", {"direction": "in", "after": "k1"})
    assert (response.status_code, response.json()["code"]) == (409, "too_late")


@pytest.mark.parametrize(
    ("at", "late_ms"), [(1_000_000, 0), (988_000, 12_000), (2_000_000, 0), (None, 0), ("988000", 0)]
)
def test_a_press_says_when_it_was_made_and_before_whom(
    screen: ScreenState, finger: Any, at: object, late_ms: int
) -> None:
    post(screen, finger, "/choice", {"direction": "in", "after": "k1", "at": at})
    post(screen, finger, "/answer", {"stampId": "s1", "newEnd": "17:00", "at": at})
    assert finger.pressed == [("k1", late_ms), ("s1", late_ms)]


def test_a_dismissal_is_of_what_it_was_pressed_on(screen: ScreenState, finger: Any, times: Any) -> None:
    screen.show(times.answer(key="k2"))
    post(screen, finger, "/dismiss", {"key": "k1"})
    assert screen.snapshot().answer is not None
    post(screen, finger, "/dismiss", {"key": "k2"})
    assert screen.snapshot().answer is None


@pytest.mark.parametrize("open_still", [True, False])
def test_a_question_goes_once_its_answer_is_taken(
    screen: ScreenState, finger: Any, times: Any, open_still: bool
) -> None:
    finger.question_open = open_still
    screen.show(times.answer(for_s=60, stamp_id="s1", question=Question.GONE))
    post(screen, finger, "/answer", {"stampId": "s1", "newEnd": "17:00"})
    answer = screen.snapshot().answer
    assert answer is not None
    assert answer.question is (None if open_still else Question.GONE)


def test_only_the_loopback_interface_is_listened_on(screen: ScreenState, finger: Any) -> None:
    for host in ("0.0.0.0", "192.168.1.20", "clock.example", "::"):
        server = DisplayServer(screen, finger, DisplaySettings(host=host, port=0))
        with pytest.raises(SettingsError, match="localhost"):
            asyncio.run(server.start())


def test_a_taken_port_is_an_error_of_the_system_that_names_it(screen: ScreenState, finger: Any) -> None:
    async def go() -> None:
        first = DisplayServer(screen, finger, DisplaySettings(port=0))
        await first.start()
        try:
            with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1, port {first.port}: Address already in use"):
                await DisplayServer(screen, finger, DisplaySettings(port=first.port)).start()
        finally:
            await first.stop()

    asyncio.run(go())


class Page:
    """One open stream as a browser would hold it."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines
        self.commented = asyncio.Event()

    async def next(self) -> dict[str, Any] | None:
        """The next view model; None at the stream's end."""
        async for line in self._lines:
            if line.startswith(":"):
                self.commented.set()
            assert not line.startswith("event:")
            if line.startswith("data: "):
                model: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return model
        return None


def stream(server: DisplayServer, story: Callable[[Page], Awaitable[None]]) -> None:
    """Run `story` with a page that holds the stream of a running server; the server is stopped afterwards."""

    async def go() -> None:
        await server.start()
        try:
            async with (
                httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client,
                client.stream("GET", "/events") as response,
            ):
                assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
                await story(Page(response.aiter_lines()))
        finally:
            await server.stop()

    asyncio.run(go())


@pytest.fixture
def running(finger: Any, times: Any) -> tuple[ScreenState, DisplayServer]:
    """Returns a screen on real time, so that answers expire."""
    screen = ScreenState(now=lambda: times.instant)
    return screen, DisplayServer(screen, finger, DisplaySettings(port=0))


def test_the_stream_begins_with_the_state_and_tells_each_change(
    running: tuple[ScreenState, DisplayServer], times: Any
) -> None:
    screen, server = running
    screen.set_status(assigned=True, clock_name="Werkstatt")

    async def story(page: Page) -> None:
        first = await page.next()
        assert first is not None
        assert (first["screen"], first["clockName"]) == ("idle", "Werkstatt")
        await asyncio.to_thread(screen.show, times.answer(for_s=60, name="Jürgen"))
        event = await page.next()
        assert event is not None
        assert event["answer"]["name"] == "Jürgen"
        screen.dismiss()
        last = await page.next()
        assert last is not None
        assert last["screen"] == "idle"

    stream(server, story)


def test_an_answer_that_has_ended_is_taken_off_without_a_further_change(
    screen: ScreenState, finger: Any, times: Any
) -> None:
    server = DisplayServer(screen, finger, DisplaySettings(port=0))
    screen.set_status(assigned=True)
    screen.show(times.answer(for_s=0.2))

    async def story(page: Page) -> None:
        model = await page.next()
        assert model is not None
        assert model["screen"] == "answer"
        # The answer's time stops until a page has it, however late that is: a page that came after its end would never
        # see it.
        times.pass_by(0.2)
        model = await page.next()
        assert model is not None
        assert model["screen"] == "idle"

    stream(server, story)


def test_a_silent_stream_gives_signs_of_life(finger: Any, times: Any) -> None:
    screen = ScreenState(now=lambda: times.instant)
    server = DisplayServer(screen, finger, DisplaySettings(port=0))
    server._display = Display(screen, finger, Pages(None), keep_alive_s=0.02)

    async def story(page: Page) -> None:
        await page.next()

        async def change_after_a_comment() -> None:
            await page.commented.wait()
            screen.set_status(queued=1)

        change = asyncio.create_task(change_after_a_comment())
        model = await page.next()
        await change
        assert model is not None
        assert model["queued"] == 1

    stream(server, story)


def test_a_server_that_ends_by_itself_is_noticed(running: tuple[ScreenState, DisplayServer]) -> None:
    _, server = running

    async def story(page: Page) -> None:
        assert await page.next() is not None
        assert server._server is not None
        waiting = asyncio.create_task(server.wait())
        server._display.close_streams()
        server._server.should_exit = True
        async with asyncio.timeout(60):
            await waiting

    stream(server, story)


def test_who_waits_for_the_server_may_be_cancelled_and_the_server_lives(
    running: tuple[ScreenState, DisplayServer],
) -> None:
    screen, server = running

    async def story(page: Page) -> None:
        assert await page.next() is not None
        waiting = asyncio.create_task(server.wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        screen.set_status(queued=7)
        model = await page.next()
        assert model is not None
        assert model["queued"] == 7

    stream(server, story)


def test_stopping_ends_the_streams(running: tuple[ScreenState, DisplayServer]) -> None:
    _, server = running

    async def story(page: Page) -> None:
        assert await page.next() is not None
        stopping = asyncio.create_task(server.stop())
        assert await page.next() is None
        await stopping

    stream(server, story)


def test_a_choice_shown_ends_on_every_open_page(screen: ScreenState, finger: Any, times: Any) -> None:
    server = DisplayServer(screen, finger, DisplaySettings(port=0))
    screen.set_status(chosen="in", chosen_until=times.instant + timedelta(seconds=0.2))

    async def story(page: Page) -> None:
        model = await page.next()
        assert model is not None
        assert model["chosen"] == "in"
        times.pass_by(0.2)
        model = await page.next()
        assert model is not None
        assert model["chosen"] is None

    stream(server, story)


def test_each_view_names_the_agents_version(running: tuple[ScreenState, DisplayServer]) -> None:
    async def story(page: Page) -> None:
        for _ in range(2):
            model = await page.next()
            assert model is not None
            assert model["version"] == program_version()
            running[0].set_status(queued=1)

    stream(running[1], story)
