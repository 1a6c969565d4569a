"""The calls of the room `site`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/site": "anyone"})
