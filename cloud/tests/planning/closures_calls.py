"""The calls of the room `closures`, for the matrix."""

from stempelwerk_cloud.planning.facts.tables import Closure

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given

CLOSED = {"startDate": "2026-12-28", "endDate": "2026-12-30", "name": "Betriebsferien"}

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/closures": "company with absences or schedule",
        "POST /api/companies/{companyId}/closures": "company with absences",
        "DELETE /api/companies/{companyId}/closures/{closureId}": "company with absences",
    },
    bodies={"POST /api/companies/{companyId}/closures": lambda _scene, _: CLOSED},
    tells={
        "POST /api/companies/{companyId}/closures": {"plan_update"},
        "DELETE /api/companies/{companyId}/closures/{closureId}": {"plan_update"},
    },
    once={"DELETE /api/companies/{companyId}/closures/{closureId}": ""},
    parameters={"closures/{closureId}": lambda scene, _: scene.once(_closed)},
)


def _closed(scene: Scene) -> str:
    days = {"start_date": "2027-03-01", "end_date": "2027-03-05"}
    return given(scene.firm.anna, Closure, name="Umbau", **days)
