"""The calls of the room `data_view`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={"GET /api/companies/{id}/data-dump": "company with data_view"},
    rates={"GET /api/companies/{id}/data-dump": "30/minute"},
)
