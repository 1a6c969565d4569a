"""Around every request: ids, limits, protection, logs without secrets, proxies that are believed or not."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest
import structlog
from fastapi import BackgroundTasks, FastAPI, Request
from fastapi.testclient import TestClient
from httpx import ASGITransport, AsyncClient
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import too_many
from stempelwerk_cloud.kit.operations import logs
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.tables import Company


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database does not matter here."""
    return sqlite_url


@pytest.fixture
def json_logs() -> Iterator[io.StringIO]:
    """The service's log, as in production."""
    root = logging.getLogger()
    level = root.level
    previous_config = structlog.get_config()
    log_stream = io.StringIO()
    handler = logs.configure(stream=log_stream)
    yield log_stream
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.configure(**previous_config)


def test_every_answer_wears_the_protection_also_a_failing_one(app: FastAPI, client: TestClient) -> None:
    @app.get("/api/bug")
    def bug() -> None:
        raise LookupError

    for path, status in (("/api/health", 200), ("/api/nothing", 404), ("/api/bug", 500)):
        answer = client.get(path)
        assert answer.status_code == status
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "script-src 'self';" in answer.headers["content-security-policy"]
        assert "unsafe-eval" not in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert len(answer.headers["x-request-id"]) == 36


def test_an_id_that_the_caller_brings_is_kept_if_it_is_one(client: TestClient) -> None:
    assert client.get("/api/health", headers={"X-Request-ID": "abc-12345"}).headers["x-request-id"] == "abc-12345"
    forged = client.get("/api/health", headers={"X-Request-ID": 'a" forged="1'})
    assert "forged" not in forged.headers["x-request-id"]


SIGNED = {
    "Signature-Input": 'sig1=("@method" "@target-uri" "content-digest");created=1;nonce="n";keyid="k";alg="ed25519"',
    "Signature": f"sig1=:{'A' * 86}==:",
}
"""A clock's headers; only the body would show that no clock has signed."""


@pytest.fixture
def small(settings: Settings) -> Iterator[TestClient]:
    app = create_app(settings)

    @app.post("/api/size")
    async def size(request: Request) -> int:
        return len(await request.body())

    with TestClient(app) as client:
        yield client


def test_a_body_that_is_too_large_is_refused_announced_or_not(small: TestClient) -> None:
    limit = 1024 * 1024
    assert small.post("/api/size", content=b"x" * limit).json() == limit
    announced = small.post("/api/size", content=b"x" * (limit + 1))
    assert (announced.status_code, announced.json()["code"]) == (413, "too_large")
    streamed = small.post("/api/size", content=iter([b"x" * limit, b"x"]))
    assert (streamed.status_code, streamed.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    ("path", "code", "extra"),
    [
        ("/api/devices/stamps", "batch_too_large", {}),
        ("/api/devices/logs", "too_large", {}),
        ("/api/devices/heartbeat", "too_large", {}),
        ("/api/login", "too_large", {"success": False}),
        ("/api/auth/2fa/verify", "too_large", {"ok": False}),
        ("/api/inquiries", "too_large", {}),
    ],
)
def test_a_call_refuses_a_body_that_is_too_large_in_its_own_words(
    small: TestClient, path: str, code: str, extra: dict[str, object], announced: bool
) -> None:
    body = b" " * (1024 * 1024 + 1)
    answer = small.post(
        path, content=body if announced else iter([body]), headers=SIGNED | {"Content-Type": "application/json"}
    )
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (413, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert {name: problem.get(name) for name in ("success", "ok")} == {"success": None, "ok": None} | extra
    assert problem["detail"] == problem["message"]


def test_a_refusal_for_frequency_waits_and_keeps_no_other_request_waiting(app: FastAPI, platform: Platform) -> None:
    @app.get("/api/often")
    def often() -> None:
        raise too_many(1)

    platform.refusal_pause_s = 3600.0

    async def story() -> None:
        async with AsyncClient(transport=ASGITransport(app=app), base_url="http://test") as client:
            refused = asyncio.create_task(client.get("/api/often"))
            assert [(await client.get("/api/health")).status_code for _ in range(3)] == [200] * 3
            assert not refused.done()
            refused.cancel()
            platform.refusal_pause_s = 0.0
            assert (await client.get("/api/often")).status_code == 429

    asyncio.run(story())


def test_a_line_of_the_log_has_the_path_and_never_the_query(client: TestClient, json_logs: io.StringIO) -> None:
    client.get("/api/nothing?token=SECRET-1", headers={"Authorization": "Bearer SECRET-2"})
    client.post("/api/login", json={"company": "x", "username": "y", "password": "SECRET-3"})
    out = json_logs.getvalue()
    lines = [line for line in map(json.loads, out.splitlines()) if line["logger"] != "httpx2"]
    assert "SECRET" not in str(lines)
    request_line = next(line for line in lines if line.get("path") == "/api/nothing")
    assert (request_line["event"], request_line["method"], request_line["status"]) == ("request", "GET", 404)
    assert request_line["request_id"]
    failed = next(line for line in lines if line["event"] == "login_failed")
    login = next(line for line in lines if line.get("path") == "/api/login")
    assert failed["request_id"] == login["request_id"]


def test_a_failure_is_logged_with_its_place_and_without_its_variables(
    app: FastAPI, client: TestClient, json_logs: io.StringIO
) -> None:
    @app.get("/api/bug")
    def bug() -> None:
        password = "SECRET"
        raise LookupError(len(password))

    client.get("/api/bug")
    out = json_logs.getvalue()
    assert "SECRET" not in out.replace('password = "SECRET"', "")
    failure = next(line for line in map(json.loads, out.splitlines()) if line["event"] == "unexpected_error")
    assert "in bug" in failure["exception"]


def test_a_databases_complaint_is_logged_without_the_values(
    app: FastAPI, platform: Platform, client: TestClient, json_logs: io.StringIO
) -> None:
    @app.get("/api/complaint")
    def complaint() -> None:
        for _ in range(2):
            with platform.database.write(SYSTEM) as tx:
                tx.add(Company(id=platform.ids.new(), name="SECRET-1", name_key="SECRET-2", created_at=EPOCH))

    assert client.get("/api/complaint").status_code == 409
    out = json_logs.getvalue()
    assert "refused_by_constraint" in out
    assert "SECRET" not in out


def test_values_are_cut_out_of_whatever_a_database_says() -> None:
    error_text = "duplicate key\nDETAIL:  Key (name)=(SECRET\nmore SECRET) exists.\nHINT:  none\n[SQL: INSERT]"
    line = {
        "event": "x",
        "exception": error_text,
        "error": repr(error_text),
        "context": "CONTEXT: at the start it is none",
    }
    cut = logs.leave_values_out(None, "error", line)
    assert "SECRET" not in str(cut)
    assert cut["exception"] == "duplicate key\nDETAIL: …\nHINT:  none\n[SQL: INSERT]"
    assert "[SQL: INSERT]" in str(cut["error"])
    assert cut["context"] == "CONTEXT: at the start it is none"


def test_a_failure_that_was_answered_does_not_tear_the_connection_down(app: FastAPI) -> None:
    @app.get("/api/bug")
    def bug() -> None:
        raise LookupError

    with TestClient(app, raise_server_exceptions=True) as client:
        assert client.get("/api/bug").status_code == 500
        assert client.get("/api/health").status_code == 200


def test_a_failure_after_the_answer_is_logged(app: FastAPI, client: TestClient, json_logs: io.StringIO) -> None:
    def fail() -> None:
        raise LookupError("afterwards")

    @app.get("/api/late")
    def late(tasks: BackgroundTasks) -> str:
        tasks.add_task(fail)
        return "answered"

    assert client.get("/api/late").status_code == 200
    lines = [json.loads(line) for line in json_logs.getvalue().splitlines()]
    failure = next(line for line in lines if line["event"] == "unexpected_error")
    assert "afterwards" in failure["exception"]


def test_members_with_telling_names_are_blanked() -> None:
    line = logs.blank_secrets(None, "info", {"event": "x", "resetToken": "a", "new_password": "b", "who": "c"})
    assert line == {"event": "x", "resetToken": "…", "new_password": "…", "who": "c"}


def _behind(settings: Settings, trusted: tuple[str, ...]) -> TestClient:
    app = create_app(settings.model_copy(update={"trusted_proxies": tuple(map(ip_network, trusted))}))

    @app.get("/api/where")
    async def where(request: Request) -> list[str]:
        assert request.client is not None
        return [request.client.host, str(request.url)]

    app.state.platform.database.dispose()
    return TestClient(app, client=("10.0.0.1", 5))


FORWARDED = {
    "X-Forwarded-For": "6.6.6.6, 203.0.113.9, 10.0.0.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "zeit.example",
}


def test_headers_of_a_stranger_are_not_believed(settings: Settings) -> None:
    answer = _behind(settings, ()).get("/api/where", headers=FORWARDED)
    assert answer.json() == ["10.0.0.1", "http://testserver/api/where"]
    assert "strict-transport-security" not in answer.headers


def test_a_trusted_proxy_is_believed_up_to_the_first_stranger(settings: Settings) -> None:
    answer = _behind(settings, ("10.0.0.0/8",)).get("/api/where", headers=FORWARDED)
    assert answer.json() == ["203.0.113.9", "https://zeit.example/api/where"]
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("forwarded_for", "host"),
    [
        ("8.8.8.8:4001", "8.8.8.8"),
        ("[2001:db8::1]:4001", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8::1:4001", "2001:db8::1:4001"),
        ("6.6.6.6, 8.8.8.8:4001, 10.0.0.7:4002", "8.8.8.8"),
    ],
)
def test_a_port_that_a_proxy_adds_makes_no_other_address(settings: Settings, forwarded_for: str, host: str) -> None:
    answer = _behind(settings, ("10.0.0.0/8",)).get("/api/where", headers={"X-Forwarded-For": forwarded_for})
    assert answer.json()[0] == host


@pytest.mark.parametrize(
    ("forwarded_for", "host"),
    [
        ("unknown", "10.0.0.1"),
        ("8.8.8.8:", "10.0.0.1"),
        ("2001:db8::1]:4001", "10.0.0.1"),
        ("6.6.6.6, unknown", "10.0.0.1"),
        ("6.6.6.6, _hidden, 10.0.0.7", "10.0.0.7"),
    ],
)
def test_where_a_proxy_tells_no_address_its_own_counts(settings: Settings, forwarded_for: str, host: str) -> None:
    answer = _behind(settings, ("10.0.0.0/8",)).get(
        "/api/where", headers=FORWARDED | {"X-Forwarded-For": forwarded_for}
    )
    assert answer.json() == [host, "https://zeit.example/api/where"]


def test_trusted_proxies_are_read_from_one_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEMPELWERK_TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1")
    monkeypatch.chdir(tmp_path)
    assert Settings().trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("127.0.0.1"))
