"""The calls of the room `trips`, for the matrix. Anna asks, and her company's administrators decide."""

from stempelwerk_cloud.office.trips.tables import Trip

from cloud.tests.matrix.samples import Samples
from cloud.tests.room import given
from cloud.tests.world import Somebody

TRIP = {"date": "2026-11-19", "destination": "Baumarkt Süd", "kilometres": 42, "purpose": "Beschläge geholt"}


def asked(somebody: Somebody, number: int = 0, **more: object) -> str:
    """A trip of theirs that waits."""
    trip = TRIP | {"date": f"2026-11-0{number + 1}", "status": "pending"} | more
    return given(somebody, Trip, **trip)


SAMPLES = Samples(
    who={
        "POST /api/trips": "user",
        "GET /api/companies/{id}/trips": "company",
        "POST /api/trips/{id}/decide": "company",
    },
    tells={
        "POST /api/trips": {"messages_update", "plan_update"},
        "POST /api/trips/{id}/decide": {"messages_update", "plan_update"},
    },
    bodies={
        "POST /api/trips": lambda _scene, _: TRIP,
        "POST /api/trips/{id}/decide": lambda _scene, _: {"status": "declined", "comment": "Dafür gibt es den Bus."},
    },
    once={"POST /api/trips/{id}/decide": "already_decided"},
    parameters={"trips/{id}": lambda scene, _: scene.once(lambda known: asked(known.firm.anna))},
    lists={"GET /api/companies/{id}/trips": asked},
    grows=frozenset({"trips"}),
)
