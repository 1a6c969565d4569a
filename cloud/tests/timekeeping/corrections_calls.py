"""The calls of the room `corrections`, for the matrix."""

from datetime import date, timedelta
from typing import Any

from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given
from cloud.tests.world import Somebody

DAY = date(2026, 11, 19)


def _request(scene: Scene) -> str:
    """An open request of Anna's."""
    return _asks(scene.firm.anna)


def _asks(employee: Somebody, number: int = 0) -> str:
    day, times = DAY - timedelta(days=number), {"new_start": 8 * 60, "new_end": 16 * 60}
    return given(employee, CorrectionRequest, date=day, status="pending", created_by=employee.id, **times)


def _entry(scene: Scene) -> str:
    """A complete entry of Anna's."""
    platform = scene.world.platform
    now = platform.clock.now()
    start = now - timedelta(hours=20)
    with platform.database.write(SYSTEM) as tx:
        correction = Correction(platform.ids.new(), start.date(), start, start + timedelta(hours=4), None, now, now)
        deciding.correct(UnitOfWork(tx, platform), scene.firm.id, scene.firm.anna.id, correction)
    return correction.id


def _wish(scene: Scene, caller: Somebody | None) -> dict[str, Any]:
    body = {"date": DAY.isoformat(), "newStart": "08:00", "newEnd": "16:00", "reason": "Vergessen"}
    is_employee = caller is None or caller.username in {"anna", "ben"}
    return body if is_employee else body | {"userId": scene.firm.anna.id}


SAMPLES = Samples(
    who={
        "POST /api/time-corrections": "user or company with absences",
        "GET /api/time-corrections/mine": "stamping",
        "GET /api/companies/{companyId}/time-corrections": "company with absences",
        "GET /api/time-corrections/{id}/preview": "company with absences",
        "POST /api/time-corrections/{id}/approve": "company with absences",
        "POST /api/time-corrections/{id}/decline": "company with absences",
        "DELETE /api/time-corrections/{id}": "user",
        "DELETE /api/work-times/{id}": "user or company with absences",
    },
    tells={
        "POST /api/time-corrections": {"messages_update", "plan_update", "times_update"},
        "POST /api/time-corrections/{id}/approve": {"messages_update", "plan_update", "times_update"},
        "POST /api/time-corrections/{id}/decline": {"messages_update", "plan_update", "times_update"},
        "DELETE /api/time-corrections/{id}": {"plan_update", "times_update"},
        "DELETE /api/work-times/{id}": {"messages_update", "plan_update", "times_update"},
    },
    bodies={
        "POST /api/time-corrections": _wish,
        "POST /api/time-corrections/{id}/approve": lambda _scene, _: {"decision": "approved"},
        "POST /api/time-corrections/{id}/decline": lambda _scene, _: {"approved": False},
    },
    once={
        "DELETE /api/work-times/{id}": "",
        "POST /api/time-corrections/{id}/approve": "already_decided",
        "POST /api/time-corrections/{id}/decline": "already_decided",
        "DELETE /api/time-corrections/{id}": "already_decided",
    },
    parameters={
        "time-corrections/{id}": lambda scene, _: scene.once(_request),
        "work-times/{id}": lambda scene, _: scene.once(_entry),
    },
    grows=frozenset({"correction_requests"}),
    lists=dict.fromkeys(("GET /api/time-corrections/mine", "GET /api/companies/{companyId}/time-corrections"), _asks),
)
