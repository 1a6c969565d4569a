"""The kit's own calls, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/health": "anyone"})
