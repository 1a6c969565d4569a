"""The calls of the room `costs`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/compensation-config": "company with costs",
        "PUT /api/companies/{companyId}/compensation-config": "company with costs",
        "GET /api/companies/{companyId}/compensation-costs": "company with costs",
    },
    bodies={
        "PUT /api/companies/{companyId}/compensation-config": lambda scene, _: {
            "mode": "perUserHourly",
            "defaultHourlyCents": 1500,
            "userHourlyCents": {scene.firm.anna.id: 1800},
        }
    },
)
