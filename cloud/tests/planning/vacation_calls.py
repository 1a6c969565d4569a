"""The calls of the room `vacation`, for the matrix."""

from typing import Any

from stempelwerk_cloud.planning.facts.tables import VacationRequest

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given
from cloud.tests.world import Somebody

WISH = {"kind": "wish", "startDate": "2026-12-24", "endDate": "2026-12-24"}


def _waiting_request(scene: Scene) -> str:
    """A request of anna's that waits."""
    return _make_request(scene, status="pending")


def _approved(scene: Scene) -> str:
    return _make_request(scene, status="approved")


def _wished(scene: Scene) -> str:
    """Approved leave that anna wishes to be cancelled."""
    return _make_request(scene, status="approved", cancel_requested_at=scene.world.platform.clock.now())


def _make_request(scene: Scene, **fields: Any) -> str:
    return _asks(scene.firm.anna, **fields)


def _asks(person: Somebody, number: int = 0, status: str = "pending", **fields: Any) -> str:
    day = f"2026-12-0{7 + number}"
    wish = {"kind": "wish", "start_date": day, "end_date": day, "status": status}
    return given(person, VacationRequest, created_by=person.id, **wish, **fields)


def _wish(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """An employee's own, or an administrator's for anna."""
    employees = {scene.firm.anna.id, scene.firm.ben.id, scene.elsewhere.anna.id}
    return WISH if caller is not None and caller.id in employees else WISH | {"userId": scene.firm.anna.id}


SAMPLES = Samples(
    who={
        "GET /api/vacation-requests/mine": "user",
        "GET /api/vacation-requests/preview": "user or company with absences",
        "POST /api/vacation-requests": "user or company with absences",
        "DELETE /api/vacation-requests/{id}": "user",
        "POST /api/vacation-requests/{id}/approve": "company with absences",
        "POST /api/vacation-requests/{id}/decline": "company with absences",
        "PUT /api/vacation-requests/{id}": "company with absences",
        "POST /api/vacation-requests/{id}/cancel": "company with absences",
        "POST /api/vacation-requests/{id}/cancel-request": "user",
        "POST /api/vacation-requests/{id}/keep": "company with absences",
        "GET /api/companies/{companyId}/vacation-requests": "company with absences or schedule",
        "GET /api/vacation-policy/mine": "user",
        "GET /api/companies/{companyId}/vacation-policy": "company with absences",
        "PUT /api/companies/{companyId}/vacation-policy": "company with absences",
    },
    tells={
        "POST /api/vacation-requests": {"messages_update", "plan_update"},
        "DELETE /api/vacation-requests/{id}": {"plan_update"},
        "POST /api/vacation-requests/{id}/approve": {"messages_update", "plan_update"},
        "POST /api/vacation-requests/{id}/decline": {"messages_update", "plan_update"},
        "PUT /api/vacation-requests/{id}": {"messages_update", "plan_update"},
        "POST /api/vacation-requests/{id}/cancel": {"messages_update", "plan_update"},
        "POST /api/vacation-requests/{id}/cancel-request": {"messages_update", "plan_update"},
        "POST /api/vacation-requests/{id}/keep": {"messages_update", "plan_update"},
        "PUT /api/companies/{companyId}/vacation-policy": {"plan_update"},
    },
    bodies={
        "POST /api/vacation-requests": _wish,
        "POST /api/vacation-requests/{id}/approve": lambda _scene, _: {"comment": "Schöne Tage!"},
        "POST /api/vacation-requests/{id}/decline": lambda _scene, _: {"comment": "Da fehlen schon zwei."},
        "PUT /api/vacation-requests/{id}": lambda _scene, _: {
            "startDate": "2026-12-08",
            "endDate": "2026-12-08",
            "comment": "Der Kunde kommt am Montag.",
        },
        "POST /api/vacation-requests/{id}/cancel": lambda _scene, _: {"comment": "Auf deinen Wunsch."},
        "POST /api/vacation-requests/{id}/cancel-request": lambda _scene, _: {"reason": "Die Reise fällt aus."},
        "POST /api/vacation-requests/{id}/keep": lambda _scene, _: {"comment": "Da ist alles schon geplant."},
        "PUT /api/companies/{companyId}/vacation-policy": lambda scene, _: {
            "mode": "perUser",
            "uniformDays": 30,
            "perUser": {scene.firm.anna.id: 27.5},
        },
    },
    once={
        "POST /api/vacation-requests/{id}/approve": "already_decided",
        "POST /api/vacation-requests/{id}/decline": "already_decided",
        "DELETE /api/vacation-requests/{id}": "already_decided",
    },
    queries={"GET /api/vacation-requests/preview": _wish},
    parameters={
        "vacation-requests/{id}": lambda scene, _: scene.once(_waiting_request),
        "PUT /api/vacation-requests/{id}": lambda scene, _: scene.once(_approved),
        "POST /api/vacation-requests/{id}/cancel": lambda scene, _: scene.once(_approved),
        "POST /api/vacation-requests/{id}/cancel-request": lambda scene, _: scene.once(_approved),
        "POST /api/vacation-requests/{id}/keep": lambda scene, _: scene.once(_wished),
    },
    grows=frozenset({"vacation_requests"}),
    lists=dict.fromkeys(("GET /api/vacation-requests/mine", "GET /api/companies/{companyId}/vacation-requests"), _asks),
)
