"""The calls of the room `entries`, for the matrix."""

from datetime import timedelta

from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding as entries

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _too_long(scene: Scene) -> str:
    """An entry of Anna's that carries `over_10_h`."""
    platform = scene.world.platform
    now = platform.clock.now()
    start = now - timedelta(hours=20)
    with platform.database.write(SYSTEM) as tx:
        correction = Correction(platform.ids.new(), start.date(), start, start + timedelta(hours=12), None, now, now)
        entries.correct(UnitOfWork(tx, platform), scene.firm.id, scene.firm.anna.id, correction)
    return correction.id


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/times": "self or council",
        "GET /api/users/{userId}/times/stream": "self",
        "GET /api/companies/{id}/review": "company or council",
        "POST /api/companies/{id}/review/{entryId}/confirm": "company",
        "POST /api/companies/{id}/review/{entryId}/remind": "company",
    },
    tells={
        "POST /api/companies/{id}/review/{entryId}/confirm": {"plan_update"},
        "POST /api/companies/{id}/review/{entryId}/remind": {"messages_update"},
    },
    bodies={"POST /api/companies/{id}/review/{entryId}/confirm": lambda _scene, _: {"flags": ["over_10_h"]}},
    parameters={"review/{entryId}": lambda scene, _: scene.once(_too_long)},
    unlogged={"POST /api/companies/{id}/review/{entryId}/remind": "a message, which decides nothing"},
    grows=frozenset({"entries"}),
)
