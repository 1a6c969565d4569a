"""Protective headers of every answer, of pages, errors and streams alike; limits of size and frequency of calls."""

import asyncio
import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.requests import JSON_LIMIT
from stempelwerk_cloud.kit.http.routing import DeviceOnly, bearer, guards_of
from stempelwerk_cloud.kit.limits import rates
from stempelwerk_cloud.kit.limits.rates import Rates

from cloud.tests.streams import PATIENCE_S, listening, running
from cloud.tests.world import Firm

DAY_S, SECOND_NS = 86_400, 1_000_000_000
PROTECTION = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database does not matter here."""
    return sqlite_url


def _wears_it(headers: Mapping[str, str]) -> None:
    assert {name: headers.get(name) for name in PROTECTION} == PROTECTION
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert policy["base-uri"] == policy["form-action"] == "'self'"
    assert not any(word in headers["content-security-policy"] for word in ("unsafe-eval", "http:", "https:", "*"))
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["permissions-policy"].split(", "))


def test_pages_scripts_errors_and_streams_are_protected_alike(
    app: FastAPI, client: TestClient, settings: Settings, firm: Firm
) -> None:
    (settings.web_dir / "assets").mkdir(parents=True)
    (settings.web_dir / "index.html").write_text("<!doctype html>")
    (settings.web_dir / "assets" / "index-1.js").write_text("1")

    @app.get("/api/bug")
    def bug() -> None:
        raise LookupError

    times = f"/api/users/{firm.anna.id}/times"
    statuses = {
        "/": 200,
        "/mein/times": 200,
        "/assets/index-1.js": 200,
        "/assets/missing.js": 404,
        "/api/health": 200,
        "/api/nothing": 404,
        "/api/features": 401,
        "/api/bug": 500,
        times: 401,
    }
    for path, status in statuses.items():
        answer = client.get(path)
        assert answer.status_code == status, path
        _wears_it(answer.headers)
    _wears_it(client.delete("/api/health").headers)
    _wears_it(client.post("/api/login", content=b"x" * (JSON_LIMIT + 1)).headers)
    _wears_it(firm.anna.get(f"{times}?from=gestern").headers)

    async def stream(path: str) -> dict[str, str]:
        async with listening(app, path, firm.anna.headers) as listener:
            assert listener.status == 200
            return listener.headers

    for path in (f"{times}/stream", "/api/events"):
        _wears_it(asyncio.run(stream(path)))


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing"])
def test_a_browser_keeps_to_tls_once_it_was_there(settings: Settings, path: str) -> None:
    """Directly, and through a trusted proxy; over plain HTTP the header would have no effect."""
    app = create_app(settings.model_copy(update={"trusted_proxies": (ip_network("10.0.0.1"),)}))
    forwarded = {"X-Forwarded-Proto": "https"}
    with TestClient(app, base_url="https://testserver") as client:
        assert client.get(path).headers["strict-transport-security"] == "max-age=31536000"
    with TestClient(app, client=("10.0.0.1", 1)) as client:
        assert client.get(path, headers=forwarded).headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in client.get(path).headers
    with TestClient(app, client=("10.0.0.2", 1)) as client:
        assert "strict-transport-security" not in client.get(path, headers=forwarded).headers


@pytest.mark.parametrize("announced", [True, False])
def test_a_page_sends_a_mebibyte_at_most_whatever_it_calls_it(client: TestClient, announced: bool) -> None:
    body = b" " * (JSON_LIMIT + 1)
    json = {"Content-Type": "application/json"}
    refused = client.post("/api/inquiries", content=body if announced else iter([body]), headers=json)
    assert (refused.status_code, refused.json()["message"]) == (413, "Die Anfrage ist zu groß.")
    upload = {"Content-Type": "multipart/form-data; boundary=x"}
    called_a_form = client.post("/api/inquiries", content=body if announced else iter([body]), headers=upload)
    assert called_a_form.status_code == 413, "what a header calls itself makes nothing larger"


def _guards(app: FastAPI) -> dict[str, Any]:
    """Returns the guards by method and path."""
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    return {f"{method} {route.path}": guards_of(route.dependant)[0] for route in routes for method in route.methods}


class Moment:
    """The stopped clock of the limits, in nanoseconds, which tests move. It starts 20 s after a full minute."""

    def __init__(self) -> None:
        self.ns = 1_795_161_620 * SECOND_NS  # the morning of 20 November 2026, as of the other clock (`START`)

    def time_ns(self) -> int:
        return self.ns


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    moment = Moment()
    monkeypatch.setattr(rates, "time", moment)
    return moment


@pytest.fixture
def narrow(app: FastAPI, moment: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits each sort of call to two a minute."""
    guards = _guards(app)
    monkeypatch.setattr(guards["POST /api/login"], "rate", "2/minute")
    monkeypatch.setattr(guards["POST /api/tickets"], "rate", "1/minute")
    app.state.platform.rates = Rates(pages="2/minute", strangers="2/minute")


def test_too_frequent_calls_learn_when_to_retry(narrow: None, firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/users"
    answers = [firm.anna.get(path) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["message"] == "Zu viele Versuche. Bitte später erneut versuchen."
    assert int(answers[2].headers["retry-after"]) == 40
    assert firm.ben.get(path).status_code == 200  # another person, from the same address
    assert firm.anna.post("/api/tickets", json={"path": "/api/x"}).status_code == 200  # has a separate limit
    assert firm.anna.post("/api/tickets", json={"path": "/api/x"}).status_code == 429


def test_without_a_session_the_address_counts(narrow: None, client: TestClient, app: FastAPI) -> None:
    nonsense = {"Authorization": "Bearer nonsense"}
    assert [client.get("/api/features", headers=nonsense).status_code for _ in range(3)] == [401, 401, 429]
    body = {"company": "x", "username": "y", "password": "z"}
    answers = [client.post("/api/login", json=body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert answers[2].json()["success"] is False
    elsewhere = TestClient(app, client=("203.0.113.9", 1))
    assert elsewhere.get("/api/features").status_code == 401


def test_a_call_may_have_several_limits(narrow: None, moment: Moment, app: FastAPI, client: TestClient) -> None:
    guard = _guards(app)["POST /api/login"]
    guard.rate = "3/minute; 2/day"
    body = {"company": "x", "username": "y", "password": "z"}
    answers = [client.post("/api/login", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [401, 401, 429, 429]
    left_of_the_day = DAY_S - moment.ns // SECOND_NS % DAY_S  # it is UTC's
    assert int(answers[2].headers["retry-after"]) == left_of_the_day, "the day's limit is the one that was met"


def _retry_after(limited: Rates, limits: str) -> int | None:
    """Calls once; returns the seconds to wait, or None."""
    scope = {"type": "http", "method": "GET", "endpoint": _retry_after, "client": ("203.0.113.9", 1)}
    try:
        limited.spend(Request(scope), None, limits)
    except Problem as problem:
        return int(problem.headers["Retry-After"])
    return None


def test_in_every_minute_of_a_day_the_ends_of_minute_and_day_are_told_to_the_second(moment: Moment) -> None:
    midnight = moment.ns - moment.ns % (DAY_S * SECOND_NS)
    for second in range(20, DAY_S, 60):
        limited, by_day = Rates(), Rates()
        moment.ns = midnight + second * SECOND_NS
        assert [_retry_after(by_day, "3/minute; 2/day") for _ in range(3)] == [None, None, DAY_S - second], second
        assert [_retry_after(limited, "2/minute") for _ in range(3)] == [None, None, 40], second
        moment.ns += 40 * SECOND_NS
        assert [_retry_after(limited, "2/minute") for _ in range(2)] == [None, 30], second


@given(
    limits=st.sets(st.tuples(st.integers(1, 40), st.sampled_from(["minute", "hour", "day"])), min_size=1, max_size=3),
    begin_s=st.integers(0, 4 * DAY_S),
    pauses=st.lists(
        st.one_of(st.just(0), st.integers(0, 90).map(lambda s: s * SECOND_NS), st.integers(0, 2 * 3600 * SECOND_NS)),
        max_size=60,
    ),
)
def test_a_retry_at_the_given_time_finds_a_place_and_a_second_earlier_none(
    limits: set[tuple[int, str]], begin_s: int, pauses: list[int]
) -> None:
    limit_text, moment, limited = "; ".join(f"{amount}/{of}" for amount, of in limits), Moment(), Rates()
    moment.ns = begin_s * SECOND_NS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rates, "time", moment)
        for pause in pauses:
            moment.ns += pause
            wait_s = _retry_after(limited, limit_text)
            if wait_s is not None:
                moment.ns += (wait_s - 1) * SECOND_NS
                assert _retry_after(limited, limit_text) == 1
                moment.ns += SECOND_NS
                assert _retry_after(limited, limit_text) is None


def test_addresses_of_one_line_count_together(narrow: None, app: FastAPI) -> None:
    neighbours = [TestClient(app, client=(f"2001:db8:1:2::{number:x}", 1)) for number in range(3)]
    assert [neighbour.get("/api/features").status_code for neighbour in neighbours] == [401, 401, 429]
    assert TestClient(app, client=("2001:db8:1:3::1", 1)).get("/api/features").status_code == 401


def test_clocks_are_not_counted(narrow: None, client: TestClient, app: FastAPI) -> None:
    @app.get("/api/p/device")
    async def device(_: DeviceOnly, request: Request) -> bool:
        return bearer(request) is None

    assert {client.get("/api/p/device").status_code for _ in range(20)} == {200}
    assert {client.post("/api/devices/stamps", content=b"{}").status_code for _ in range(20)} == {401}


def test_one_script_alone_stands_in_the_built_page_itself() -> None:
    """The policy allows it by its hash (`test_web.py`) and would stop scripts in attributes."""
    page = Path(__file__).parents[3] / "web" / "index.html"
    text = page.read_text(encoding="utf-8")
    assert text.count("<script>") == 1
    assert text.count("<script") == 1 + text.count('<script type="module" src=')
    assert not re.search(r"<[^>]*\son\w+=", text)


def _post(path: str, kind: bytes) -> dict[str, object]:
    """Returns a call that announces ten bytes."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", kind), (b"content-length", b"10")],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x"])
def test_a_body_that_never_comes_takes_no_turn(settings: Settings, kind: bytes) -> None:
    app = create_app(settings.model_copy(update={"database_pool": 2}))  # so that there is one turn
    waiting, never = asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, str]:
        waiting.set()
        await never.wait()
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, int]) -> None:
        return None

    async def story() -> int:
        async with running(app) as client, asyncio.timeout(PATIENCE_S):
            slow_request = asyncio.ensure_future(app(_post("/api/inquiries", kind), receive, send))
            await waiting.wait()
            try:
                return (await client.get("/api/features")).status_code
            finally:
                never.set()
                await slow_request

    assert asyncio.run(story()) == 401


def test_a_client_that_hangs_up_before_its_body_is_no_failure_of_ours(app: FastAPI) -> None:
    sent: list[int] = []

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, int]) -> None:
        if "status" in message:
            sent.append(message["status"])

    asyncio.run(app(_post("/api/inquiries", b"application/json"), receive, send))
    assert sent == [499]
