"""The calls of the room `operator_log`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/operator-log": "admin"}, grows=frozenset({"operator_log"}))
