"""The calls of the room `schedule`, for the matrix."""

from stempelwerk_cloud.planning.facts.tables import Duty

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.planning.rosters import add_duty
from cloud.tests.room import given

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/schedule": "member with schedule",
        "POST /api/companies/{companyId}/schedule": "company with schedule",
        "POST /api/companies/{companyId}/schedule/bulk": "company with schedule",
        "GET /api/companies/{companyId}/schedule/warnings": "company with schedule",
        "GET /api/companies/{companyId}/schedule/changes": "company with schedule",
        "GET /api/companies/{companyId}/schedule/days-off": "company with schedule",
        "POST /api/companies/{companyId}/schedule/publish": "company with schedule",
        "DELETE /api/companies/{companyId}/schedule/{id}": "company with schedule",
    },
    once={"DELETE /api/companies/{companyId}/schedule/{id}": ""},
    tells={
        "POST /api/companies/{companyId}/schedule": {"plan_update"},
        "POST /api/companies/{companyId}/schedule/bulk": {"plan_update"},
        "POST /api/companies/{companyId}/schedule/publish": {"messages_update", "plan_update"},
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
        "POST /api/companies/{companyId}/schedule/publish": lambda scene, _: {
            "from": "2026-12-01",
            "to": scene.once(_duty) and "2026-12-31",
            "message": "Der Dezember steht.",
        },
    },
    parameters={"schedule/{id}": lambda scene, _: scene.once(_duty)},
    grows=frozenset({"duties", "told_duties"}),
    lists={
        "GET /api/companies/{companyId}/schedule": lambda person, n: given(person, Duty, date=f"2026-12-1{n}"),
    },
)


def _duty(scene: Scene) -> str:
    return add_duty(scene.firm.anna, "2026-12-03")
