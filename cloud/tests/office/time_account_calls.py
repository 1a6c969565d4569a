"""The calls of the room `time_account`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={"GET /api/users/{userId}/account": "self or council", "GET /api/companies/{id}/accounts": "company"}
)
