"""The calls of the room `advances`, for the matrix."""

from datetime import UTC, datetime
from typing import Any

from stempelwerk_cloud.planning.advances.tables import Advance

from cloud.tests.matrix.samples import Samples
from cloud.tests.room import given
from cloud.tests.world import Somebody

ADVANCE = {"cents": 25_000, "reason": "Waschmaschine"}


def asked(whose: Somebody, **values: Any) -> str:
    """Creates a pending advance of the person; returns its id."""
    return given(whose, Advance, **(ADVANCE | values))


def decided(whose: Somebody, **values: Any) -> str:
    """Creates a declined advance of the person; returns its id."""
    decision = {"decided_at": datetime(2026, 11, 19, 8, tzinfo=UTC), "approved": False}
    return asked(whose, **(decision | values))


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/advances": "that user",
        "POST /api/users/{userId}/advances": "that user",
        "GET /api/companies/{id}/advances": "company",
        "POST /api/advances/{id}/approve": "company",
        "POST /api/advances/{id}/decline": "company",
    },
    bodies={"POST /api/users/{userId}/advances": lambda _scene, _: ADVANCE},
    parameters={"advances/{id}": lambda scene, _: scene.once(lambda known: asked(known.firm.anna))},
    once=dict.fromkeys(("POST /api/advances/{id}/approve", "POST /api/advances/{id}/decline"), "already_decided"),
    tells={
        "POST /api/users/{userId}/advances": {"advances_update"},
        "POST /api/advances/{id}/approve": {"advances_update", "messages_update"},
        "POST /api/advances/{id}/decline": {"advances_update", "messages_update"},
    },
    lists={"GET /api/users/{userId}/advances": lambda person, n: decided(person, cents=100 + n)},
    grows=frozenset({"advances"}),
)
