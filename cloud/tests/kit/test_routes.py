"""Every call says who may make it; the declarations are what the API's own list says."""

import json
import re
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Route
from stempelwerk_cloud.app import Service, declarations, modules
from stempelwerk_cloud.kit.http.routing import who_of

WHO = {
    "POST /api/devices/enroll": "device",
    "POST /api/devices/heartbeat": "device",
    "POST /api/devices/stamps": "device",
    "POST /api/devices/logs": "device",
    "GET /api/devices/people": "device",
    "GET /api/health": "anyone",
    "POST /api/login": "anyone",
    "POST /api/auth/email/start": "temp",
    "POST /api/auth/email/verify": "temp",
    "POST /api/auth/2fa/verify": "temp",
    "POST /api/auth/password-change": "temp",
    "POST /api/logout": "session or its hash",
    "POST /api/tickets": "session",
    "GET /api/auth/2fa/status": "session",
    "POST /api/auth/2fa/setup/start": "session",
    "POST /api/auth/2fa/setup/verify": "session",
    "POST /api/auth/2fa/disable": "session",
    "GET /api/auth/sessions": "session",
    "DELETE /api/auth/sessions/{id}": "session",
    "DELETE /api/auth/sessions": "session",
    "PUT /api/users/{userId}/change-password": "that user",
    "PUT /api/users/{id}/password-reset": "admin",
    "PUT /api/users/{id}/lock": "admin",
    "PUT /api/companies/{id}/password-reset-all": "admin",
    "DELETE /api/users/{id}/second-factor": "admin",
    "GET /api/companies": "admin",
    "POST /api/companies": "admin",
    "DELETE /api/companies/{id}": "admin",
    "GET /api/features": "admin",
    "GET /api/companies/{id}/features": "member",
    "PUT /api/companies/{id}/features": "admin",
    "GET /api/companies/{id}/settings": "company",
    "PUT /api/companies/{id}/settings": "company",
    "GET /api/companies/{companyId}/users": "member",
    "POST /api/users": "company with manage_employees",
    "PUT /api/users/{id}": "company with manage_employees",
    "DELETE /api/users/{id}": "company with manage_employees",
    "GET /api/companies/{id}/audit": "company",
    "GET /api/companies/{id}/audit/kinds": "company",
    "GET /api/devices": "admin",
    "GET /api/clocks": "admin",
    "GET /api/companies/{companyId}/clocks": "company with devices",
    "PUT /api/devices/{id}": "company with devices",
    "POST /api/devices/{id}/assign-company": "admin",
    "POST /api/devices/{id}/unassign": "admin",
    "GET /api/companies/{id}/held-stamps": "company",
    "POST /api/companies/{id}/held-stamps/assign": "company with manage_employees",
    "POST /api/companies/{id}/held-stamps/{stampId}/resolve": "company",
    "GET /api/held-stamps": "admin",
    "POST /api/held-stamps/release": "admin",
    "GET /api/users/{userId}/times": "self",
    "GET /api/users/{userId}/times/stream": "self",
    "GET /api/companies/{id}/review": "company",
}
"""The list of the API: who may make a call, and with which module. The matrix shows that declarations are kept to."""


def test_no_call_is_without_exactly_one_declaration(app: FastAPI) -> None:
    assert [(path, method) for path, method, who in declarations(app) if who is None] == []
    assert [route for route in app.routes if isinstance(route, Route) and not isinstance(route, APIRoute)] == []


def test_a_call_without_a_declaration_is_found(app: FastAPI) -> None:
    @app.get("/api/forgotten")
    def forgotten() -> None:
        return None

    assert ("/api/forgotten", "GET", None) in declarations(app)


def test_the_declarations_are_those_of_the_list(app: FastAPI) -> None:
    belongs = {(path, method): f" with {module}" for path, method, module in modules(app)}
    declared = {
        f"{method} {path}": f"{who}{belongs.get((path, method), '')}" for path, method, who in declarations(app)
    }
    assert declared == WHO


def test_every_call_stands_under_api(app: FastAPI) -> None:
    assert [path for path, _, _ in declarations(app) if not path.startswith("/api/")] == []


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
