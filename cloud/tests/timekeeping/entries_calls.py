"""The calls of the room `entries`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/times": "self or council",
        "GET /api/users/{userId}/times/stream": "self",
        "GET /api/companies/{id}/review": "company or council",
    },
    grows=frozenset({"entries"}),
)
