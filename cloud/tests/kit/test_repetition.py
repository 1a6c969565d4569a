"""Which members repeat the path, and which contradict it."""

from typing import Any

import pytest
from fastapi.routing import APIRoute
from stempelwerk_cloud.app import CALLS
from stempelwerk_cloud.kit.http.body_checks import found_in

from cloud.tests.world import World

A = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
B = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c"

CONTRADICTIONS: list[tuple[str, dict[str, str], dict[str, Any], str]] = [
    ("/api/users/{id}", {"id": A}, {"id": B}, "id"),
    ("/api/users/{id}", {"id": A}, {"userId": B}, "userId"),
    ("/api/users/{id}", {"id": A}, {"id": False}, "id"),
    ("/api/users/{id}", {"id": A}, {"id": [A]}, "id"),
    ("/api/companies/{id}/features", {"id": A}, {"companyId": B}, "companyId"),
    ("/api/companies/{id}/settings", {"id": A}, {"companyId": B}, "companyId"),
    ("/api/vacation-requests/{id}", {"id": A}, {"requestId": B}, "requestId"),
    ("/api/companies/{companyId}/schedule", {"companyId": A}, {"companyId": B}, "companyId"),
    ("/api/devices/{id}/assign-company", {"id": A}, {"deviceId": B}, "deviceId"),
    ("/api/companies/{id}/held-stamps/{stampId}/resolve", {"id": A, "stampId": A}, {"stampId": B}, "stampId"),
    ("/api/time-corrections/{id}/approve", {"id": A}, {"approved": False}, "approved"),
    ("/api/vacation-requests/{id}/approve", {"id": A}, {"status": "declined"}, "status"),
    ("/api/vacation-requests/{id}/decline", {"id": A}, {"decision": "Approve"}, "decision"),
    ("/api/absences/{id}/excuse", {"id": A}, {"status": "declined"}, "status"),
    ("/api/absences/{id}/excuse", {"id": A}, {"decision": "x"}, "decision"),
    ("/api/schedule/swap-requests/{id}/accept", {"id": A}, {"status": 7}, "status"),
]
AGREEMENTS: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("/api/users/{id}", {"id": A}, {"id": A.upper(), "userId": A.replace("-", "")}),
    ("/api/users/{id}", {"id": A}, {"id": None, "userId": None}),
    ("/api/users/{id}", {"id": A}, {"companyId": B, "deviceId": B}),
    ("/api/devices/{id}/assign-company", {"id": A}, {"companyId": B}),
    ("/api/companies/{id}/held-stamps/{stampId}/resolve", {"id": A, "stampId": B}, {"id": B, "userId": A}),
    ("/api/companies/{companyId}/schedule", {"companyId": A}, {"id": B}),
    ("/api/users", {}, {"id": B, "companyId": B}),
    ("/api/time-corrections/{id}/approve", {"id": A}, {"approved": True, "status": "approved", "decision": None}),
    ("/api/absences/{id}/excuse", {"id": A}, {"status": "excused", "decision": "approve"}),
    ("/api/absences/{id}/message", {"id": A}, {"status": "declined"}),
    ("/api/devices/{id}/replace", {"id": A}, {"deviceId": B}),
]


def _route(path: str) -> APIRoute:
    """Returns the call of this path; if there are several, the one with a body."""
    routes = [
        route for calls in CALLS.values() for route in calls if isinstance(route, APIRoute) and route.path == path
    ]
    return next((route for route in routes if route.body_field is not None), routes[0])


@pytest.mark.parametrize(("template", "parameters", "body", "member"), CONTRADICTIONS)
def test_a_contradiction_is_named(template: str, parameters: dict[str, str], body: dict[str, Any], member: str) -> None:
    problem = found_in(body, _route(template), parameters)
    assert problem is not None
    assert (problem.status, problem.errors) == (422, [{"field": member, "message": problem.message}])


@pytest.mark.parametrize(("template", "parameters", "body"), AGREEMENTS)
def test_equal_and_unrelated_members_are_no_contradiction(
    template: str, parameters: dict[str, str], body: dict[str, Any]
) -> None:
    assert found_in(body, _route(template), parameters) is None


def test_every_call_with_a_body_asks(world: World) -> None:
    firm, other_company = world.firm(), world.company("Andere")
    calls = [
        ("PUT", f"/api/companies/{firm.id}/features", {"featureIds": [], "companyId": other_company}),
        ("PUT", f"/api/companies/{firm.id}/settings", {"maxShiftHours": 8, "companyId": other_company}),
        ("POST", f"/api/companies/{firm.id}/held-stamps/assign", {"tag": "04A1B2C3", "companyId": other_company}),
        ("PUT", f"/api/devices/{A}", {"name": "x", "id": B}),
        ("POST", f"/api/devices/{A}/assign-company", {"companyId": firm.id, "deviceId": B}),
    ]
    for method, path, body in calls:
        answer = world.founder.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "contradiction"), path
    features = world.founder.get(f"/api/companies/{firm.id}/features").json()
    assert len(features) == 11
