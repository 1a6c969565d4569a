"""The calls of the room `employment`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/employment": "company with hours_config",
        "PUT /api/users/{userId}/employment": "company with hours_config",
        "GET /api/companies/{companyId}/personnel-numbers": "company with hours_config",
        "PUT /api/companies/{companyId}/personnel-numbers": "company with hours_config",
    },
    bodies={
        "PUT /api/users/{userId}/employment": lambda _scene, _: {"personnelNumber": "0042", "limits": "youth"},
        "PUT /api/companies/{companyId}/personnel-numbers": lambda scene, _: {
            "items": [{"userId": scene.firm.anna.id, "personnelNumber": "0043"}]
        },
    },
)
