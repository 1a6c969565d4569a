"""The calls that the kit answers itself, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/health": "anyone"})
