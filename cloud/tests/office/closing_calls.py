"""The calls of the room `closing`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/archive": "companyAdmin",
        "GET /api/companies/{id}/archives": "companyAdmin",
        "GET /api/companies/{id}/closing": "admin",
        "GET /api/closed-companies": "admin",
    },
    rates={"GET /api/companies/{id}/archive": "10/minute"},
)
