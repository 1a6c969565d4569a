"""The call of the room `today`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(who={"GET /api/companies/{id}/today": "company"})
