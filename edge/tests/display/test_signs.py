"""A page's signs of life, and the rule that restarts its browser."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.display.kiosk import FIRST_PATIENCE_S, LONGEST_PATIENCE_S, LOST_S, Report, Vigil
from stempelwerk_edge.display.pages import Pages
from stempelwerk_edge.display.server import Display
from stempelwerk_edge.display.signs import SignsOfLife
from stempelwerk_edge.display.state import ScreenState

LOOK_S = 5.0
UP_FOR_LONG = 1_000_000.0


def ask(screen: ScreenState, calls: Callable[[httpx.AsyncClient], Any]) -> Any:
    async def go() -> Any:
        transport = httpx.ASGITransport(Display(screen, None, Pages(None)).app())  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8090") as client:
            return await calls(client)

    return asyncio.run(go())


@pytest.mark.parametrize("body", [b"", b"[]", b'{"page": 5}', b"{}"])
def test_a_sign_of_no_page_is_refused(screen: ScreenState, body: bytes) -> None:
    assert ask(screen, lambda client: client.post("/alive", content=body)).status_code == 422


def test_a_foreign_page_shows_no_life(screen: ScreenState) -> None:
    elsewhere = {"origin": "http://elsewhere.example"}
    assert ask(screen, lambda client: client.post("/alive", json={"page": "a"}, headers=elsewhere)).status_code == 403


def test_the_agent_reports_each_page_by_its_name(screen: ScreenState, times: Any) -> None:
    async def calls(client: httpx.AsyncClient) -> list[Any]:
        reports = [(await client.get("/alive?page=a")).json()]
        times.pass_by(3)
        await client.post("/alive", json={"page": "a"})
        times.pass_by(4)
        return [*reports, *[(await client.get(f"/alive?page={page}")).json() for page in ("a", "b")]]

    assert ask(screen, calls) == [
        {"heardS": None, "upS": 0.0},
        {"heardS": 4.0, "upS": 7.0},
        {"heardS": None, "upS": 7.0},
    ]


def test_the_newest_pages_are_remembered_and_no_more() -> None:
    signs = SignsOfLife(lambda: 0.0)
    for number in range(100):
        signs.note(f"page-{number}")
        signs.note("the kiosk's")
    remembered = [number for number in range(100) if signs.report(f"page-{number}")["heardS"] is not None]
    assert remembered == list(range(100 - len(remembered), 100))
    assert 0 < len(remembered) < 20
    assert signs.report("the kiosk's")["heardS"] == 0.0


def test_an_agent_that_is_away_condemns_no_page() -> None:
    vigil = Vigil(0.0)
    assert not vigil.is_lost(Report(1.0, UP_FOR_LONG), 10.0)
    assert not vigil.is_lost(None, 10_000.0)


def test_after_the_agents_start_a_page_has_time_to_show_itself_again() -> None:
    vigil = Vigil(0.0)
    vigil.is_lost(Report(1.0, UP_FOR_LONG), 10.0)
    assert not vigil.is_lost(Report(None, 2.0), 10_000.0)
    assert not vigil.is_lost(Report(None, LOST_S), 10_030.0)
    assert vigil.is_lost(Report(None, LOST_S + 1), 10_031.0)


def test_a_browser_that_starts_slowly_is_given_more_time_each_time() -> None:
    patience_s, given_s = FIRST_PATIENCE_S, []
    for _ in range(6):
        vigil = Vigil(100.0, patience_s)
        assert not vigil.is_lost(Report(None, UP_FOR_LONG), 100.0 + patience_s)
        assert vigil.is_lost(Report(None, UP_FOR_LONG), 100.1 + patience_s)
        given_s.append(patience_s)
        patience_s = vigil.next_patience_s
    assert given_s == [60, 120, 240, 480, LONGEST_PATIENCE_S, LONGEST_PATIENCE_S]
    assert not vigil.is_lost(Report(1.0, UP_FOR_LONG), 900.0)
    assert vigil.next_patience_s == FIRST_PATIENCE_S


@given(
    first_sign_s=st.integers(0, int(FIRST_PATIENCE_S) * 8).map(lambda eighths: eighths / 8),
    gaps_s=st.lists(st.integers(8, int(LOST_S) * 8).map(lambda eighths: eighths / 8), max_size=40),
)
def test_a_page_that_shows_life_is_never_lost_and_one_that_stops_is_within_a_minute(
    first_sign_s: float, gaps_s: list[float]
) -> None:
    """The kiosk looks every five seconds, and ends the browser at the first look that finds the page lost."""
    signs = [first_sign_s]
    for gap_s in gaps_s:
        signs.append(signs[-1] + gap_s)
    vigil, now = Vigil(0.0), 0.0
    lost_at = None
    while lost_at is None:
        now += LOOK_S
        past_signs = [sign for sign in signs if sign <= now]
        if vigil.is_lost(Report(now - past_signs[-1] if past_signs else None, UP_FOR_LONG), now):
            lost_at = now
    assert signs[-1] + LOST_S < lost_at <= signs[-1] + LOST_S + LOOK_S
