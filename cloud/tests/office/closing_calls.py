"""The calls of the room `closing`, for the matrix."""

from cloud.tests.matrix.samples import Samples
from cloud.tests.world import Somebody


def _closed(person: Somebody, number: int) -> None:
    world = person.world
    company_id = world.company(f"{person.company_id} {number}")
    assert world.founder.delete(f"/api/companies/{company_id}").status_code == 204


SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/archive": "companyAdmin",
        "GET /api/companies/{id}/archives": "companyAdmin",
        "GET /api/companies/{id}/closing": "admin",
        "GET /api/closed-companies": "admin",
    },
    rates={"GET /api/companies/{id}/archive": "10/minute"},
    lists={"GET /api/closed-companies": _closed},
)
