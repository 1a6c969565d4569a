"""The calls of the room `calendar`, for the matrix."""

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.calendar import service
from stempelwerk_cloud.planning.calendar.service import Holder

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _secret(scene: Scene) -> str:
    platform = scene.world.platform
    with platform.database.write(SYSTEM) as tx:
        return service.give(UnitOfWork(tx, platform), Holder(scene.firm.id, scene.firm.anna.id))


SAMPLES = Samples(
    who={
        "POST /api/calendar-address": "user",
        "GET /api/calendar-address": "user",
        "DELETE /api/calendar-address": "user",
        "GET /api/calendar/{secret}.ics": "anyone",
        "HEAD /api/calendar/{secret}.ics": "anyone",
    },
    rates={
        "POST /api/calendar-address": "20/minute",
        "GET /api/calendar/{secret}.ics": "300/minute",
        "HEAD /api/calendar/{secret}.ics": "300/minute",
    },
    parameters={"calendar/{secret}": lambda scene, _: scene.once(_secret)},
    keyless={"POST /api/calendar-address": "its answer holds a secret"},
    unlogged={"DELETE /api/calendar-address": "nobody in the matrix has an address; ending one is in test_calendar"},
)
