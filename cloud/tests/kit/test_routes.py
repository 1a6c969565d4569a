"""Every call declares its callers, as does the description. `matrix/test_lists.py` compares both with lists."""

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.routing import Route
from stempelwerk_cloud.app import Service, declarations
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.http.routing import guards_of, who_of
from stempelwerk_cloud.kit.limits.fair_semaphore import OF_PERSON, FairLimiter, Share

from cloud.tests.matrix import samples
from cloud.tests.streams import listening
from cloud.tests.world import Firm

WHO = samples.all_of("who")


def test_no_call_is_without_exactly_one_declaration(app: FastAPI) -> None:
    assert [(path, method) for path, method, audience in declarations(app) if audience is None] == []
    assert [route for route in app.routes if isinstance(route, Route) and not isinstance(route, APIRoute)] == []


def test_a_call_without_a_declaration_is_found(app: FastAPI) -> None:
    @app.get("/api/forgotten")
    def forgotten() -> None:
        return None

    assert ("/api/forgotten", "GET", None) in declarations(app)


def test_every_call_stands_under_api_but_where_others_look_for_keys(app: FastAPI) -> None:
    elsewhere = [path for path, _, _ in declarations(app) if not path.startswith("/api/")]
    assert elsewhere == ["/.well-known/stempelwerk-keys.json"]


def test_the_description_says_who_and_with_which_module(app: Service) -> None:
    described = {
        f"{method.upper()} {path}": call["x-who"] + (f" with {call['x-module']}" if "x-module" in call else "")
        for path, calls in app.openapi()["paths"].items()
        for method, call in calls.items()
    }
    assert described == WHO


def test_the_description_knows_how_calls_are_refused(app: Service) -> None:
    described = app.openapi()
    for calls in described["paths"].values():
        for call in calls.values():
            refusal = call["responses"]["default"]["content"]["application/problem+json"]["schema"]
            assert refusal == {"$ref": "#/components/schemas/Problem"}
    assert "HTTPValidationError" not in json.dumps(described)


def test_only_streams_and_files_take_a_token_in_the_query(app: FastAPI) -> None:
    for route in app.routes:
        if isinstance(route, APIRoute):
            guards = [part for part in route.dependant.dependencies if who_of(part)]
            takes = any(query.alias == "token" for guard in guards for query in guard.query_params)
            assert takes == route.path.endswith(("/stream", "/sick-note")), route.path


def test_the_written_description_is_the_current_one(app: Service) -> None:
    openapi_file = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"
    assert json.loads(openapi_file.read_text(encoding="utf-8")) == json.loads(json.dumps(app.openapi()))


def test_the_description_names_every_part_of_a_path(app: Service) -> None:
    for path, calls in app.openapi()["paths"].items():
        for method, call in calls.items():
            path_parameters = sorted(each["name"] for each in call.get("parameters", ()) if each["in"] == "path")
            assert path_parameters == sorted(re.findall(r"{(\w+)}", path)), f"{method} {path}"


class RecordingLimiter(FairLimiter):
    """A limiter that records the names of the taken shares."""

    def __init__(self) -> None:
        super().__init__(1)
        self.names: list[tuple[str, ...]] = []
        self.resting: set[str] = set()
        self.alone: list[tuple[Share, ...]] = []

    def slot(self, *shares: Share) -> AbstractAsyncContextManager[None]:
        self.names.append(tuple(share.name for share in shares))
        self.resting |= {share.name for share in shares if share.rests}
        return super().slot(*shares)

    def shares_only(self, *shares: Share) -> AbstractAsyncContextManager[None]:
        self.alone.append(shares)
        return super().shares_only(*shares)


def test_a_call_that_reads_much_of_a_company_takes_that_companys_place(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "heavy_turns", limiter)
    path = f"/api/companies/{firm.id}/accounts"
    assert firm.boss.get(path).status_code == 200
    assert firm.ben.get(path).status_code == 403  # a refused caller delays no other
    assert firm.boss.get(f"/api/companies/{firm.id}/users").status_code == 200
    assert limiter.names == [(f"person {firm.boss.id}", f"company {firm.id}")]


def test_a_dry_run_waits_for_its_companys_turn_and_the_change_itself_for_none(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "heavy_turns", limiter)
    calls = (
        (f"/api/companies/{firm.id}/settings", {"breakPolicy": "none"}),
        (f"/api/users/{firm.anna.id}/employment", {"workdays": [0, 1]}),
    )
    for path, body in calls:
        for value, count in (("true", 1), ("ON", 1), ("false", 0), ("0", 0)):
            limiter.names.clear()
            assert firm.boss.put(f"{path}?dryRun={value}", json=body).status_code == 200
            assert limiter.names == [(f"person {firm.boss.id}", f"company {firm.id}")] * count
        assert firm.ben.put(f"{path}?dryRun=true", json=body).status_code == 403
        assert firm.boss.put(path, json=body).status_code == 200
    assert limiter.names == []


def test_all_logins_from_an_address_take_its_resting_share(
    app: FastAPI, firm: Firm, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "page_turns", limiter)
    for company in firm.name, "unbekannt":
        answer = client.post("/api/login", json={"company": company, "username": "ben", "password": "falsch"})
        assert answer.status_code == 401
    assert limiter.alone == [(Share("address testclient", OF_PERSON, rests=True),)] * 2


def test_each_piece_of_a_download_takes_a_resting_share_of_its_companys_downloads(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "page_turns", limiter)
    assert firm.boss.get(f"/api/companies/{firm.id}/archive").status_code == 200
    pieces = [names for names in limiter.names if downloads.DOWNLOADS in names]
    assert len(pieces) > 1
    assert set(pieces) == {(f"downloads of {firm.id}", downloads.DOWNLOADS)}
    assert f"downloads of {firm.id}" in limiter.resting
    assert downloads.DOWNLOADS not in limiter.resting


def test_a_companys_event_streams_take_a_resting_share(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "page_turns", limiter)

    async def story() -> None:
        async with listening(app, "/api/events", firm.anna.headers) as listener:
            assert listener.status == 200

    asyncio.run(story())
    assert (f"streams of {firm.id}", "streams") in limiter.names
    assert f"streams of {firm.id}" in limiter.resting


@pytest.mark.parametrize("spelling", [str.upper, lambda text: text.replace("-", ""), lambda text: f"{{{text}}}"])
def test_an_id_in_another_spelling_is_unknown_and_takes_no_place(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch, spelling: Callable[[str], str]
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "heavy_turns", limiter)
    for caller in firm.boss, firm.world.founder:
        assert caller.get(f"/api/companies/{spelling(firm.id)}/accounts").status_code == 404
    assert limiter.names == []


def test_all_sessions_of_a_person_share_one_place_and_a_stranger_takes_their_addresss(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    path = f"/api/companies/{firm.id}"
    second_session = firm.world.again(firm.ben)
    for caller in firm.boss, firm.ben, second_session:
        assert caller.get(path).status_code == 200
    monkeypatch.setattr(app.state.platform, "page_turns", limiter)
    for caller in firm.boss, firm.ben, second_session:
        assert caller.get(path).status_code == 200
    assert firm.world.client.get("/api/messages").status_code == 401
    assert firm.world.client.get("/api/messages", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert limiter.names == [
        *((f"person {caller.id}", f"company {firm.id}") for caller in (firm.boss, firm.ben, firm.ben)),
        ("address testclient",),
        ("address testclient",),
    ]


def test_the_first_request_of_a_new_session_counts_for_its_address(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = RecordingLimiter()
    monkeypatch.setattr(app.state.platform, "page_turns", limiter)
    second_session = firm.world.again(firm.ben)
    limiter.names.clear()
    for _ in range(2):
        assert second_session.get("/api/messages").status_code == 200
    assert limiter.names == [("address testclient",), (f"person {firm.ben.id}", f"company {firm.id}")]


def test_only_reading_calls_about_a_company_are_taken_in_turns(app: FastAPI) -> None:
    turn_routes = [
        route
        for route in app.routes
        if isinstance(route, APIRoute)
        and any(getattr(guard, "in_turns", False) for guard in guards_of(route.dependant))
    ]
    assert turn_routes
    assert all(route.methods == {"GET"} for route in turn_routes)
    assert all(route.path.startswith(("/api/companies/{companyId}/", "/api/companies/{id}/")) for route in turn_routes)
