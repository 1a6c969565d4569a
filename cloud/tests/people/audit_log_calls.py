"""The calls of the room `audit_log`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/audit": "company",
        "GET /api/companies/{id}/audit/kinds": "company",
    },
    grows=frozenset({"audit_entries"}),
)
