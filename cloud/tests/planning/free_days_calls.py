"""The calls of the room `free_days`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/free-days": "company with hours_config",
        "PUT /api/companies/{companyId}/free-days": "company with hours_config",
    },
    bodies={
        "PUT /api/companies/{companyId}/free-days": lambda _scene, _: {
            "year": 2026,
            "days": [{"date": "2026-12-24", "name": "Heiligabend", "half": True}],
        }
    },
)
