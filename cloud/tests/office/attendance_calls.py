"""The call of the room `attendance`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/companies/{id}/attendance": "company or council with present"})
