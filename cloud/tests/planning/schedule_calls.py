"""The calls of the room `schedule`, for the matrix."""

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.planning.rosters import kept

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/schedule": "member with schedule",
        "POST /api/companies/{companyId}/schedule": "company with schedule",
        "POST /api/companies/{companyId}/schedule/bulk": "company with schedule",
        "DELETE /api/companies/{companyId}/schedule/{id}": "company with schedule",
    },
    once={"DELETE /api/companies/{companyId}/schedule/{id}": ""},
    tells={
        "POST /api/companies/{companyId}/schedule": {"messages_update", "plan_update"},
        "POST /api/companies/{companyId}/schedule/bulk": {"messages_update", "plan_update"},
        "DELETE /api/companies/{companyId}/schedule/{id}": {"messages_update", "plan_update"},
    },
    bodies={
        "POST /api/companies/{companyId}/schedule": lambda scene, _: {
            "date": "2026-12-01",
            "userId": scene.firm.anna.id,
        },
        "POST /api/companies/{companyId}/schedule/bulk": lambda scene, _: {
            "add": [{"date": "2026-12-02", "userId": scene.firm.anna.id, "start": "08:00", "end": "16:00"}],
            "remove": [],
        },
    },
    parameters={"schedule/{id}": lambda scene, _: scene.once(_duty)},
    grows=frozenset({"duties"}),
)


def _duty(scene: Scene) -> str:
    return kept(scene.firm.anna, "2026-12-03")
