"""Bodies: a stranger's is neither kept nor parsed, no body is waited for for ever, and a client that leaves is no
failure.
"""

import asyncio
import gc
import io
import json
import re
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from prometheus_client import generate_latest
from stempelwerk_cloud.app import Service
from stempelwerk_cloud.device_api.signed.signatures import SignedRequest
from stempelwerk_cloud.kit.http import body_checks, off_loop, request_life, requests, uploads
from stempelwerk_cloud.kit.http.requests import JSON_LIMIT
from stempelwerk_cloud.kit.http.routing import WebRoute, guards_of
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.kit.test_requests import SIGNED, json_logs
from cloud.tests.planning.illness import reported
from cloud.tests.stamping import Site
from cloud.tests.world import Firm, World

__all__ = ["json_logs"]

JSON = {"Content-Type": "application/json"}
UNREADABLE = b"{" * 1000
UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
Message = dict[str, Any]


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database does not matter here."""
    return sqlite_url


def _writes(app: FastAPI) -> list[tuple[str, str]]:
    """Returns method and path of each call of the web that takes a body, and a session."""
    return [
        (method, route.path.replace("{", "").replace("}", ""))
        for route in app.routes
        if isinstance(route, WebRoute) and isinstance(route, APIRoute) and route.body_field is not None
        for method in route.methods
        if getattr(guards_of(route.dependant)[0], "who", "") not in {"anyone", "temp", "session or its hash"}
    ]


def test_a_stranger_hears_so_whatever_they_send(app: FastAPI, client: TestClient) -> None:
    assert len(_writes(app)) > 20
    for method, path in _writes(app):
        answer = client.request(method, path, content=UNREADABLE, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized"), path


def test_callers_without_access_are_refused_before_their_body_is_parsed(
    client: TestClient, firm: Firm, world: World
) -> None:
    for person, path, status in (
        (firm.anna, f"/api/companies/{firm.id}/schedule", 403),
        (world.firm("Andere").boss, f"/api/companies/{firm.id}/schedule", 404),
        (firm.boss, f"/api/companies/{firm.id}/schedule", 422),
    ):
        answer = client.post(path, content=UNREADABLE, headers=JSON | person.headers)
        assert answer.status_code == status


async def _send_post(
    app: FastAPI, path: str, receive: Callable[[], Awaitable[Message]], host: str = "192.0.2.1", **headers: str
) -> list[Message]:
    """Returns the messages that the application sends to a POST whose messages come from `receive`."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw_headers = [(name.lower().encode(), value.encode()) for name, value in (JSON | headers).items()]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http"}
    scope |= {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": raw_headers, "root_path": ""}
    await app(scope | {"client": (host, 1), "server": ("test", 80)}, receive, send)  # type: ignore[arg-type]
    return sent


def _chunk(body: bytes, *, has_more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": has_more}


def _from(messages: AsyncIterator[Message]) -> Callable[[], Awaitable[Message]]:
    return lambda: anext(messages)  # type: ignore[return-value]


async def _pieces(*pieces: bytes) -> AsyncIterator[Message]:
    for piece in pieces[:-1]:
        yield _chunk(piece)
        for _ in range(10):  # turns of the loop, for the expired deadline to cancel
            await asyncio.sleep(0)
    yield _chunk(pieces[-1], has_more=False)


def _status_and_code(sent: list[Message]) -> tuple[int, str]:
    return sent[0]["status"], json.loads(sent[1]["body"])["code"]


@pytest.mark.parametrize("invisible", ["\u200b\u200d", " \u2060 ", "\u2800", "\x07"])
def test_invisible_text_does_not_count_as_a_sentence(firm: Firm, invisible: str) -> None:
    for path, body in (
        (f"/api/companies/{firm.id}/closures", {"startDate": "2026-12-28", "endDate": "2026-12-28", "name": invisible}),
        (f"/api/users/{firm.anna.id}/bookings", {"date": "2026-11-20", "minutes": 5, "reason": invisible}),
        ("/api/support/messages", {"subject": "Frage", "category": "question", "message": invisible}),
        (f"/api/users/{firm.anna.id}/erasure", {"comment": invisible}),
    ):
        assert firm.boss.post(path, json=body).status_code == 422, path
    absence = reported(firm.anna, "2026-11-20")[0]
    assert firm.anna.post(f"/api/absences/{absence['id']}/message", json={"message": invisible}).status_code == 422


def test_in_what_shows_something_nothing_is_changed(firm: Firm) -> None:
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
    body = {"startDate": "2026-12-28", "endDate": "2026-12-28", "name": family}
    assert firm.boss.post(f"/api/companies/{firm.id}/closures", json=body).json()["name"] == family


@pytest.mark.parametrize(
    ("path", "code", "max_bytes"),
    [("/api/users", "unauthorized", JSON_LIMIT), ("/api/devices/stamps", "bad_signature", 1024 * 1024)],
)
def test_a_strangers_body_is_drained_only_up_to_the_limit_of_the_call(
    app: FastAPI, client: TestClient, path: str, code: str, max_bytes: int
) -> None:
    came = 0

    async def endless() -> AsyncIterator[Message]:
        nonlocal came
        while True:
            came += 100_000
            yield _chunk(b" " * 100_000)

    messages = asyncio.run(_send_post(app, path, _from(endless()), **{"Transfer-Encoding": "chunked"}))
    assert _status_and_code(messages) == (401, code)
    assert came <= max_bytes + 100_000


def test_an_unsigned_call_is_refused_without_waiting_for_its_body(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_life, "PASS_OVER_S", 0.05)
    messages = asyncio.run(_send_post(app, "/api/devices/stamps", _never, **{"Content-Length": "100"}))
    assert _status_and_code(messages) == (401, "bad_signature")


def test_garbage_of_refused_bodies_is_collected_by_their_bytes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal is a reference cycle with its traceback, which holds the body: few objects for the collector."""
    monkeypatch.setattr(requests, "COLLECT_AFTER", 10_000)
    headers, _ = site.device.signed({})
    gc.disable()
    try:
        for _ in range(50):
            answer = site.device.client.post("/api/devices/stamps", content=b" " * 1000, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
        retained = [
            candidate for candidate in gc.get_objects() if isinstance(candidate, SignedRequest) and candidate.body
        ]
    finally:
        gc.enable()
    assert len(retained) < 15


async def _never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize("path", ["/api/login", "/api/devices/heartbeat", "/api/users"])
def test_a_body_that_does_not_come_is_not_waited_for(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(requests, "BODY_S", 0.05)
    monkeypatch.setattr(requests, "LARGE_BODY_S", 0.05)
    monkeypatch.setattr(request_life, "PASS_OVER_S", 0.05)
    messages = asyncio.run(_send_post(app, path, _never, **SIGNED, **{"Content-Length": "100"}))
    assert _status_and_code(messages) == ((401, "unauthorized") if path == "/api/users" else (408, "incomplete"))


@pytest.mark.parametrize("path", ["/api/devices/stamps", "/api/devices/logs", "/api/devices/answers"])
def test_a_clock_on_a_slow_line_has_minutes_for_what_it_saved_up(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The deadline of small messages expires before it begins."""
    monkeypatch.setattr(requests, "BODY_S", -1.0)
    messages = asyncio.run(_send_post(app, path, _from(_pieces(b"{", b"}")), **SIGNED, **{"Content-Length": "2"}))
    assert _status_and_code(messages)[0] == 401
    small = asyncio.run(_send_post(app, "/api/devices/heartbeat", _never, **SIGNED))
    assert _status_and_code(small) == (408, "incomplete")


def test_bodies_that_are_on_their_way_have_room_together(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "MOST_IN_FLIGHT", 1000)

    async def story() -> None:
        go_on = asyncio.Event()
        begun = asyncio.Event()

        async def slow() -> AsyncIterator[Message]:
            yield _chunk(b" " * 900)
            begun.set()
            await go_on.wait()
            yield _chunk(b"{}", has_more=False)

        async def quick() -> AsyncIterator[Message]:
            yield _chunk(b" " * 200 + b"{}", has_more=False)

        ask = {"Content-Length": "902"}
        first = asyncio.create_task(_send_post(app, "/api/login", _from(slow()), **ask))
        await begun.wait()
        assert _status_and_code(await _send_post(app, "/api/login", _from(quick()), **ask)) == (503, "unavailable")
        go_on.set()
        assert _status_and_code(await first)[0] == 422
        assert _status_and_code(await _send_post(app, "/api/login", _from(quick()), **ask))[0] == 422

    asyncio.run(story())


@pytest.mark.parametrize(
    ("neighbour", "status"), [("192.0.2.1", 503), ("2001:db8::1", 422), ("192.0.2.2", 422), ("127.0.0.1", 422)]
)
@pytest.mark.parametrize("path", ["/api/login", "/api/devices/stamps"])
def test_unfinished_bodies_of_one_address_leave_room_for_others(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, neighbour: str, status: int
) -> None:
    monkeypatch.setattr(requests, "MOST_OF_ONE", 1000)

    async def story() -> None:
        go_on, begun = asyncio.Event(), asyncio.Event()

        async def slow() -> AsyncIterator[Message]:
            yield _chunk(b" " * 900)
            begun.set()
            await go_on.wait()
            yield _chunk(b"{}", has_more=False)

        async def quick() -> AsyncIterator[Message]:
            yield _chunk(b" " * 200 + b"{}", has_more=False)

        first = asyncio.create_task(_send_post(app, path, _from(slow())))
        await begun.wait()
        messages = await _send_post(app, "/api/login", _from(quick()), neighbour)
        assert messages[0]["status"] == status
        go_on.set()
        await first
        assert _status_and_code(await _send_post(app, "/api/login", _from(quick())))[0] == 422

    asyncio.run(story())


def test_a_client_that_leaves_while_sending_is_no_failure(
    app: FastAPI, client: TestClient, firm: Firm, platform: Platform, json_logs: io.StringIO
) -> None:
    async def disconnect_early() -> AsyncIterator[Message]:
        yield _chunk(b"{")
        while True:
            yield {"type": "http.disconnect"}

    keyed = {"Idempotency-Key": "a-key", "Content-Length": "100"}
    for path, headers in (
        ("/api/login", {}),
        (f"/api/companies/{firm.id}/schedule", firm.boss.headers),
        (f"/api/companies/{firm.id}/schedule", firm.boss.headers | keyed),
        (f"/api/absences/{UNKNOWN}/message", firm.anna.headers),
        ("/api/devices/heartbeat", SIGNED),
    ):
        asyncio.run(_send_post(app, path, _from(disconnect_early()), **{"Content-Length": "100"} | headers))
    lines = [json.loads(line) for line in json_logs.getvalue().splitlines()]
    assert [line["event"] for line in lines if line["level"] in {"error", "critical"}] == []
    assert {line["status"] for line in lines if line["event"] == "request"} <= {400, 499}
    figures = generate_latest(platform.metrics.registry).decode()
    assert 'status="500"' not in figures


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """Records the size of each parsed body, and whether it was parsed on a thread instead of the event loop."""
    parsed: list[tuple[int, bool]] = []

    def beside() -> bool:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return True
        return False

    loads, form = json.loads, uploads._parsed

    def parse(body: bytes) -> Any:
        parsed.append((len(body), beside()))
        return loads(body)

    def parse_form(headers: Any, body: bytes) -> Any:
        parsed.append((len(body), beside()))
        return form(headers, body)

    monkeypatch.setattr(off_loop, "json", SimpleNamespace(loads=parse))
    monkeypatch.setattr(uploads, "_parsed", parse_form)
    return parsed


def test_a_large_body_is_parsed_once_and_off_the_event_loop(
    client: TestClient, firm: Firm, threads: list[tuple[int, bool]]
) -> None:
    for size, beside in ((100, False), (off_loop.SMALL + 1, True)):
        threads.clear()
        content = json.dumps({"username": "", "filler": "x" * size}).encode()
        answer = client.post("/api/users", content=content, headers=JSON | firm.boss.headers)
        assert answer.status_code == 422
        assert threads == [(len(content), beside)]


def test_a_form_with_a_large_file_is_too(client: TestClient, firm: Firm, threads: list[tuple[int, bool]]) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}/upload-sick-note"
    for size, beside in ((100, False), (off_loop.SMALL + 1, True)):
        threads.clear()
        client.post(path, files={"file": ("n.pdf", b"x" * size)}, headers=firm.anna.headers)
        assert threads == [(threads[0][0], beside)]


def test_a_strangers_large_body_is_parsed_nowhere(client: TestClient, threads: list[tuple[int, bool]]) -> None:
    large = b"[" + b"1," * off_loop.SMALL + b"1]"
    assert client.post("/api/users", content=large, headers=JSON).status_code == 401
    assert client.post(f"/api/absences/{UNKNOWN}/upload-sick-note", files={"file": large}).status_code == 401
    assert threads == []


STRANGERS = [
    ("POST", "/api/login"),
    ("POST", "/api/auth/email/start"),
    ("POST", "/api/auth/email/verify"),
    ("POST", "/api/auth/2fa/verify"),
    ("POST", "/api/auth/password-change"),
    ("POST", "/api/export-mails/subscription"),
]


@pytest.mark.parametrize(("method", "path"), STRANGERS)
def test_without_a_session_no_more_is_parsed_than_the_longest_login(
    client: TestClient, threads: list[tuple[int, bool]], method: str, path: str
) -> None:
    longest = json.dumps({"company": "\N{SNOWMAN}" * 1000, "username": "x" * 1000, "password": "y" * 1000})
    assert client.request(method, path, content=longest, headers=JSON).status_code in {401, 404, 422}
    threads.clear()
    answer = client.request(method, path, content=b'{"company":[' + b"0," * 8192 + b"0]}", headers=JSON)
    assert (answer.status_code, threads) == (413, [])


def test_the_longest_inquiry_is_taken_and_none_that_is_longer(client: TestClient) -> None:
    inquiry = {"kind": "contact", "name": "Anna", "email": "a@holz.de", "message": "\N{SNOWMAN}" * 5000}
    assert client.post("/api/inquiries", json=inquiry).status_code in {201, 404}
    inquiry["message"] *= 10
    assert client.post("/api/inquiries", json=inquiry).status_code == 413


def test_a_body_of_more_levels_or_members_than_any_call_takes_is_refused_as_a_whole(firm: Firm) -> None:
    nested = b"[" * off_loop.MOST_LEVELS + b"0" + b"]" * off_loop.MOST_LEVELS
    long = json.dumps([0] * (off_loop.MOST_IN_ONE + 1)).encode()
    wide = b"[" + b",".join([b"[0]"] * (off_loop.MOST_MEMBERS // 2)) + b"]"
    large = json.dumps({str(number): 0 for number in range(off_loop.MOST_IN_ONE + 1)}).encode()
    for content in (b'{"username":' + wrong + b"}" for wrong in (nested, long, wide, large)):
        answer = firm.boss.post("/api/users", content=content, headers=JSON)
        assert answer.status_code == 422
        assert answer.json()["errors"] == [
            {
                "field": "",
                "message": "Zu viele oder zu tief verschachtelte Angaben. Bitte auf mehrere Aufrufe verteilen.",
            }
        ]


def test_a_body_that_is_wrong_in_many_places_is_answered_with_one_error(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/schedule/bulk"
    field_errors = firm.boss.post(path, json={"remove": [0] * body_checks.MOST_ERRORS}).json()["errors"]
    assert [error["field"] for error in field_errors] == [f"remove.{place}" for place in range(body_checks.MOST_ERRORS)]
    answer = firm.boss.post(path, json={"remove": [0] * (body_checks.MOST_ERRORS + 1)})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"field": "", "message": "Mehr als 100 Angaben passen nicht. Bitte die Form der Anfrage prüfen."}
    ]


def test_the_bound_of_errors_holds_for_the_body_of_every_call(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_checks, "MOST_ERRORS", 0)
    routes = [route for route in app.router.routes if isinstance(route, WebRoute)]
    fields = [field for route in routes for field in route.dependant.body_params]
    assert len(fields) > 50
    for field in fields:
        assert field.validate(5, {}, loc=("body",)) == (None, [{"type": body_checks.TOO_MANY, "loc": ("body",)}]), field


def test_no_call_takes_a_list_that_is_refused_for_its_length(app: Service) -> None:
    described = json.dumps(app.openapi())
    lengths = [int(length) for length in re.findall(r'"max(?:Items|Properties)": (\d+)', described)]
    assert max(lengths) == off_loop.MOST_IN_ONE


def test_brackets_within_each_other_cost_no_more_memory_than_brackets_beside_each_other() -> None:
    depth = off_loop.MOST_LEVELS - 2
    row = b",".join([b"[]"] * off_loop.MOST_IN_ONE)
    bodies = [b"[" * depth + row + b"]" * depth, b"[" + row + b"]"]
    deep, flat = map(_peak, bodies)
    assert deep < 1.2 * flat


def _peak(body: bytes) -> int:
    """Returns the maximum of memory that reading the body takes, in bytes."""
    tracemalloc.start()
    try:
        off_loop._read(body)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
