"""The calls of the room `statement`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/statement": "self",
        "GET /.well-known/stempelwerk-keys.json": "anyone",
    },
    rates={"GET /api/users/{userId}/statement": "120/minute"},
    grows=frozenset({"statements"}),
)
