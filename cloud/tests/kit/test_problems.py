"""Every failure is a problem document with a German sentence, without the sender's values."""

from datetime import date
from typing import Annotated

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import Field
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from stempelwerk_cloud.kit.http.problems import Problem, too_many
from stempelwerk_cloud.kit.http.request_life import WriteTx
from stempelwerk_cloud.kit.http.routing import WebRoute
from stempelwerk_cloud.kit.http.schemas import WRITTEN_DAY, DayField, IdField, InstantField, Wire


class Body(Wire):
    some_name: str = Field(min_length=2, max_length=5)
    count: int = Field(default=1, ge=1, le=9)
    day: DayField | None = None
    at: InstantField | None = None
    other_id: IdField | None = None
    since: Annotated[date, Field(ge=date(1900, 1, 1)), *WRITTEN_DAY] | None = None
    note: str | None = None
    path: str | None = None


@pytest.fixture
def probe(app: FastAPI, client: TestClient) -> TestClient:
    def endpoint(body: Body) -> Body:
        return body

    app.router.add_api_route("/api/probe", endpoint, methods=["POST"], route_class_override=WebRoute)

    @app.get("/api/teapot")
    def teapot() -> None:
        raise Problem(
            409, "cold", "Der Tee ist kalt.", errors=[{"field": "tea", "message": "kalt"}], extra={"ok": False}
        )

    @app.get("/api/slow")
    def slow() -> None:
        raise too_many(7)

    @app.get("/api/bug")
    def bug() -> None:
        raise LookupError("a secret detail")

    @app.get("/api/outage")
    def outage() -> None:
        raise OperationalError("SELECT 1", {}, OSError("connection refused"))

    @app.post("/api/race")
    def race(tx: WriteTx) -> None:
        for _ in range(2):
            tx.execute(text("INSERT INTO counters (kind, last) VALUES ('x', 1)"))

    return client


OTHER = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def test_a_problem_carries_all_members(probe: TestClient) -> None:
    answer = probe.get("/api/teapot")
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "Der Tee ist kalt.",
        "code": "cold",
        "message": "Der Tee ist kalt.",
        "errors": [{"field": "tea", "message": "kalt"}],
        "ok": False,
    }


def test_throttling_says_when_to_come_again(probe: TestClient) -> None:
    answer = probe.get("/api/slow")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")


def test_a_bug_tells_nothing_of_itself(probe: TestClient) -> None:
    answer = probe.get("/api/bug")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert "secret" not in answer.text


def test_an_outage_of_the_database_is_a_503_to_try_again(probe: TestClient) -> None:
    answer = probe.get("/api/outage")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert "refused" not in answer.text


def test_a_race_that_a_constraint_decides_is_a_409(probe: TestClient) -> None:
    answer = probe.post("/api/race")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


MALFORMED: list[tuple[dict[str, object], str, str]] = [
    ({}, "someName", "Pflichtfeld fehlt."),
    ({"someName": 7}, "someName", "Text erwartet."),
    ({"someName": "a"}, "someName", "Zu kurz (mindestens 2 Zeichen)."),
    ({"someName": "abcdef"}, "someName", "Zu lang (höchstens 5 Zeichen)."),
    ({"someName": "a\0b"}, "someName", "Ungültiger Wert."),
    ({"someName": "ab", "since": "1899-12-31"}, "since", "Zu klein (mindestens 01.01.1900)."),
    ({"someName": "ab", "count": 0}, "count", "Zu klein (mindestens 1)."),
    ({"someName": "ab", "count": 10}, "count", "Zu groß (höchstens 9)."),
    ({"someName": "ab", "count": "x"}, "count", "Ganze Zahl erwartet."),
    ({"someName": "ab", "day": "2026-02-30"}, "day", "Ungültiger Wert."),
    ({"someName": "ab", "day": 20260201}, "day", "Ungültiger Wert."),
    ({"someName": "ab", "at": "2026-02-01T00:00:00"}, "at", "Ungültiger Wert."),
    ({"someName": "ab", "path": 7}, "path", "Text erwartet."),
]
NO_OBJECTS = [
    b"",
    b"{",
    b"nonsense",
    b"[1,2]",
    b'"text"',
    b"\xff\xfe",
    b'{"someName": "\\ud800"}',
    b'{"someName": "ab", "note": "\\ud800"}',
    b'{"someName": "ab", "\\ud800": 1}',
    b'{"someName": "ab", "unknown": [["\\u0000"]]}',
]


def test_malformed_input_names_the_field_in_german(probe: TestClient) -> None:
    for body, field, sentence in MALFORMED:
        answer = probe.post("/api/probe", json=body)
        assert answer.status_code == 422, body
        assert answer.json()["errors"] == [{"field": field, "message": sentence}]
        assert answer.json()["message"] == f"Ungültige Eingabe. {field}: {sentence}"


def test_a_body_that_is_no_json_object_is_a_422(probe: TestClient) -> None:
    for content in NO_OBJECTS:
        answer = probe.post("/api/probe", content=content, headers={"content-type": "application/json"})
        assert answer.status_code == 422, content
        assert answer.json()["message"].startswith("Ungültige Eingabe. ")
        assert not any(error["field"].isdigit() for error in answer.json()["errors"])


def test_a_body_that_nothing_can_read_is_a_422(probe: TestClient) -> None:
    headers = {"content-type": "application/json"}
    for content in (b"[" * 50_000, b'{"someName": "' + b"\xff\xfe" + b'"}'):
        answer = probe.post("/api/probe", content=content, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["code"] == "invalid"


def test_unknown_members_are_ignored_and_both_spellings_read(probe: TestClient) -> None:
    answer = probe.post("/api/probe", json={"some_name": "ab", "later": True})
    assert answer.status_code == 200
    assert answer.json()["someName"] == "ab"


def test_an_id_that_cannot_be_ours_is_unknown(probe: TestClient) -> None:
    assert probe.post("/api/probe", json={"someName": "ab", "otherId": "nonsense"}).status_code == 404
    assert probe.post("/api/probe", json={"someName": "ab", "otherId": OTHER.upper()}).status_code == 404
    assert probe.post("/api/probe", json={"someName": "ab", "otherId": OTHER}).json()["otherId"] == OTHER


def test_an_unknown_call_and_an_unknown_method_are_problems_too(probe: TestClient) -> None:
    unknown = probe.get("/api/nothing")
    assert (unknown.status_code, unknown.json()["message"]) == (404, "Endpoint nicht gefunden (404).")
    method = probe.delete("/api/probe")
    assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")


def test_a_refused_method_is_told_of_all_that_its_path_takes(client: TestClient) -> None:
    """Each of its calls has its own route."""
    assert client.patch("/api/companies").headers["allow"] == "GET, POST"
