"""Access to the screen's server: its own page gets in, and no other page of a browser on the machine."""

import asyncio
from typing import Any

import httpx
import pytest
from stempelwerk_edge.display.door import host_is_own
from stempelwerk_edge.display.pages import Pages
from stempelwerk_edge.display.server import Display
from stempelwerk_edge.display.state import ScreenState

FOREIGN_HOSTS = [
    "evil.example",
    "evil.example:8090",
    "127.0.0.1.evil.example",
    "localhost.evil.example:8090",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "192.168.1.20:8090",
    "0.0.0.0:8090",
    "[::",
    "",
]
OWN_HOSTS = ["127.0.0.1:8090", "localhost:8090", "LOCALHOST", "[::1]:8090", "127.0.0.1"]
FOREIGN_ORIGINS = [
    "https://evil.example",
    "http://evil.example:8090",
    "http://127.0.0.1:9999",
    "https://127.0.0.1:8090",
    "http://localhost:8090",
    "null",
    "",
]


def ask(screen: ScreenState, finger: Any, method: str, path: str, headers: Any, json: Any = None) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(Display(screen, finger, Pages(None)).app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8090") as client:
            return await client.request(method, path, headers=headers, json=json)

    return asyncio.run(go())


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize("path", ["/", "/events", "/choice", "/assets/x.js"])
def test_a_foreign_name_for_this_machine_is_refused(screen: ScreenState, finger: Any, host: str, path: str) -> None:
    method = "POST" if path == "/choice" else "GET"
    response = ask(screen, finger, method, path, {"host": host}, {"direction": "in"})
    assert response.status_code == 421
    assert response.json()["code"] == "foreign_host"
    assert finger.chosen == []


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_the_machines_own_names_are_let_in(screen: ScreenState, finger: Any, host: str) -> None:
    assert host_is_own(host)
    assert ask(screen, finger, "GET", "/", {"host": host}).status_code == 200


def test_two_hosts_are_no_host(screen: ScreenState, finger: Any) -> None:
    headers = [("host", "127.0.0.1:8090"), ("host", "evil.example")]
    assert ask(screen, finger, "GET", "/", headers).status_code == 421


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("path", ["/choice", "/answer", "/dismiss"])
def test_a_foreign_page_cannot_touch_the_screen(
    screen: ScreenState, finger: Any, times: Any, origin: str, path: str
) -> None:
    screen.show(times.answer())
    body = {"direction": "out", "stampId": "s1"}
    response = ask(screen, finger, "POST", path, {"origin": origin}, body)
    assert response.status_code == 403
    assert response.headers["content-type"] == "application/problem+json"
    assert finger.chosen == []
    assert finger.answered == []
    assert screen.snapshot().answer is not None


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_browser_calls_another_site_is_refused(screen: ScreenState, finger: Any, site: str) -> None:
    assert ask(screen, finger, "POST", "/dismiss", {"sec-fetch-site": site}).status_code == 403


def test_a_link_elsewhere_may_open_the_page_but_not_embed_or_post_to_it(screen: ScreenState, finger: Any) -> None:
    opened = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert ask(screen, finger, "GET", "/", opened).status_code == 200
    assert ask(screen, finger, "GET", "/", {**opened, "sec-fetch-dest": "iframe"}).status_code == 403
    assert ask(screen, finger, "POST", "/dismiss", opened).status_code == 403


def test_a_foreign_page_cannot_read_the_stream(screen: ScreenState, finger: Any) -> None:
    assert ask(screen, finger, "GET", "/events", {"origin": "https://evil.example"}).status_code == 403


def test_the_clocks_own_page_may(screen: ScreenState, finger: Any) -> None:
    headers = {"origin": "http://127.0.0.1:8090", "sec-fetch-site": "same-origin"}
    assert ask(screen, finger, "POST", "/dismiss", headers).status_code == 204


def test_every_answer_carries_the_pages_policy(screen: ScreenState, finger: Any) -> None:
    for response in (
        ask(screen, finger, "GET", "/", {}),
        ask(screen, finger, "GET", "/missing.js", {}),
        ask(screen, finger, "GET", "/", {"host": "evil.example"}),
    ):
        policy = response.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in response.headers
