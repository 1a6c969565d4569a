"""Every call says who may make it, and the description says the same. `matrix/test_lists.py` holds both to lists."""

import json
import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Route
from stempelwerk_cloud.app import Service, declarations
from stempelwerk_cloud.kit.bulkheads import Turns
from stempelwerk_cloud.kit.http.routing import guards_of, who_of

from cloud.tests.matrix import samples
from cloud.tests.world import Firm

WHO = samples.all_of("who")


def test_no_call_is_without_exactly_one_declaration(app: FastAPI) -> None:
    assert [(path, method) for path, method, who in declarations(app) if who is None] == []
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
    found = {
        f"{method.upper()} {path}": call["x-who"] + (f" with {call['x-module']}" if "x-module" in call else "")
        for path, calls in app.openapi()["paths"].items()
        for method, call in calls.items()
    }
    assert found == WHO


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
    written = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"
    assert json.loads(written.read_text(encoding="utf-8")) == json.loads(json.dumps(app.openapi()))


def test_the_description_names_every_part_of_a_path(app: Service) -> None:
    for path, calls in app.openapi()["paths"].items():
        for method, call in calls.items():
            named = sorted(each["name"] for each in call.get("parameters", ()) if each["in"] == "path")
            assert named == sorted(re.findall(r"{(\w+)}", path)), f"{method} {path}"


class Noted(Turns):
    """Turns that know whose they were."""

    def __init__(self) -> None:
        super().__init__(1)
        self.names: list[str] = []

    def of(self, name: str) -> AbstractAsyncContextManager[None]:
        self.names.append(name)
        return super().of(name)


def test_what_reads_much_of_a_company_waits_for_that_companys_turn(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Noted()
    monkeypatch.setattr(app.state.platform, "heavy_turns", turns)
    path = f"/api/companies/{firm.id}/accounts"
    assert firm.boss.get(path).status_code == 200
    assert firm.boss.get(path.replace(firm.id, firm.id.upper())).status_code == 200
    assert firm.ben.get(path).status_code == 403
    assert firm.boss.get(f"/api/companies/{firm.id}/users").status_code == 200
    assert turns.names == [firm.id] * 2  # who is refused keeps nobody waiting


def test_every_call_waits_for_the_turn_of_its_session_and_a_strangers_for_their_address(
    app: FastAPI, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Noted()
    monkeypatch.setattr(app.state.platform, "page_turns", turns)
    for who in firm.boss, firm.ben, firm.ben:
        assert who.get(f"/api/companies/{firm.id}").status_code == 200
    assert firm.world.client.get("/api/messages").status_code == 401
    assert turns.names == [
        *(who.headers["Authorization"].split()[1] for who in (firm.boss, firm.ben, firm.ben)),
        "testclient",
    ]


def test_only_reading_calls_about_a_company_are_taken_in_turns(app: FastAPI) -> None:
    taken = [
        route
        for route in app.routes
        if isinstance(route, APIRoute) and any(getattr(one, "in_turns", False) for one in guards_of(route.dependant))
    ]
    assert taken
    assert all(route.methods == {"GET"} for route in taken)
    assert all(route.path.startswith(("/api/companies/{companyId}/", "/api/companies/{id}/")) for route in taken)
