"""The calls of the room `exports`, for the matrix."""

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.office.exporting import an_export

COMPANY = "company with monthly_mail"
MONTH = {"month": "2026-10"}


def _export(scene: Scene) -> str:
    return an_export(scene.firm.boss)


SAMPLES = Samples(
    who=dict.fromkeys(
        (
            "GET /api/companies/{id}/payroll-mapping",
            "PUT /api/companies/{id}/payroll-mapping",
            "GET /api/companies/{id}/months/{month}/lock",
            "PUT /api/companies/{id}/months/{month}/lock",
            "GET /api/companies/{id}/export-check",
            "GET /api/companies/{id}/export",
            "GET /api/companies/{id}/exports",
            "POST /api/companies/{id}/exports",
            "GET /api/companies/{id}/exports/{exportId}",
            "GET /api/companies/{id}/exports/{exportId}/file",
            "GET /api/companies/{id}/exports/{exportId}/difference",
            "GET /api/companies/{id}/inspection",
        ),
        COMPANY,
    ),
    rates={
        "POST /api/companies/{id}/exports": "30/minute",
        "GET /api/companies/{id}/export": "120/minute",
        "GET /api/companies/{id}/inspection": "120/minute",
    },
    bodies={
        "PUT /api/companies/{id}/payroll-mapping": lambda _scene, _: {
            "adviserNumber": "28547",
            "clientNumber": "90909",
            "wageTypes": {"hours": "101", "vacation": "102"},
        },
        "PUT /api/companies/{id}/months/{month}/lock": lambda _scene, _: {},
        "POST /api/companies/{id}/exports": lambda _scene, _: MONTH | {"format": "csv"},
    },
    queries={
        "GET /api/companies/{id}/export-check": lambda _scene, _: MONTH,
        "GET /api/companies/{id}/export": lambda _scene, _: MONTH | {"format": "csv"},
        "GET /api/companies/{id}/inspection": lambda _scene, _: {
            "from": "2026-10-01",
            "to": "2026-10-31",
            "format": "csv",
        },
    },
    parameters={
        "exports/{exportId}": lambda scene, _: scene.once(_export),
        "months/{month}": lambda _scene, _: "2026-10",
    },
    lists={"GET /api/companies/{id}/exports": lambda person, _n: an_export(person)},
)
