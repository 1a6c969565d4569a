"""The calls of the room `employment`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/employment": "company with hours_config",
        "PUT /api/users/{userId}/employment": "company with hours_config",
    },
    bodies={"PUT /api/users/{userId}/employment": lambda _scene, _: {"personnelNumber": "0042", "limits": "youth"}},
)
