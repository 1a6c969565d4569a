"""The calls of the room `access_log`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={"GET /api/companies/{id}/access-log": "council"},
    grows=frozenset({"access_looks"}),
)
