"""The calls of the room `access_log`, for the matrix."""

from stempelwerk_cloud.people.access.tables import AccessLook

from cloud.tests.matrix.samples import Samples
from cloud.tests.room import given

SAMPLES = Samples(
    who={"GET /api/companies/{id}/access-log": "council"},
    grows=frozenset({"access_looks"}),
    lists={
        "GET /api/companies/{id}/access-log": lambda person, _n: given(
            person, AccessLook, actor=person.id, what="times"
        )
    },
)
