"""The calls of the room `access`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/events": "session"})
