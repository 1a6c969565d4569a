"""The calls of the room `times`, for the matrix."""

from datetime import timedelta

from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding

from cloud.tests.fleet.devices_calls import device_id
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _too_long(scene: Scene) -> str:
    """An entry of Anna's that carries `over_10_h`."""
    platform = scene.world.platform
    now = platform.clock.now()
    start = now - timedelta(hours=20)
    with platform.database.write(SYSTEM) as tx:
        correction = Correction(platform.ids.new(), start.date(), start, start + timedelta(hours=12), None, now, now)
        deciding.correct(UnitOfWork(tx, platform), scene.firm.id, scene.firm.anna.id, correction)
    return correction.id


def _held_stamp(scene: Scene) -> str:
    """A stamp of a clock of the firm that waits for the administrator."""
    device = scene.town.hung_up(scene.firm.id, f"SW-H-{scene.number}")
    tap = device.tap("04FFFFFF")
    device.deliver(tap)
    stamp_id: str = tap["id"]
    return stamp_id


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/times": "self or council",
        "GET /api/users/{userId}/times/stream": "self",
        "GET /api/companies/{id}/review": "company or council",
        "POST /api/companies/{id}/review/{entryId}/confirm": "company",
        "POST /api/companies/{id}/review/{entryId}/remind": "company",
        "GET /api/companies/{id}/held-stamps": "company",
        "POST /api/companies/{id}/held-stamps/assign": "company with manage_employees",
        "POST /api/companies/{id}/held-stamps/{stampId}/resolve": "company",
        "GET /api/held-stamps": "admin",
        "POST /api/held-stamps/release": "admin",
    },
    tells={
        "POST /api/companies/{id}/review/{entryId}/confirm": {"plan_update"},
        "POST /api/companies/{id}/review/{entryId}/remind": {"messages_update"},
    },
    bodies={
        "POST /api/companies/{id}/review/{entryId}/confirm": lambda _scene, _: {"flags": ["over_10_h"]},
        "POST /api/companies/{id}/held-stamps/assign": lambda scene, _: {
            "tag": "04EEEEEE",
            "userId": scene.firm.anna.id,
            "from": "2026-11-20T06:00:00Z",
        },
        "POST /api/companies/{id}/held-stamps/{stampId}/resolve": lambda _scene, _: {"action": "discard"},
        "POST /api/held-stamps/release": lambda scene, _: {
            "deviceId": scene.once(device_id),
            "from": "2026-11-19T06:00:00Z",
            "to": "2026-11-20T06:00:00Z",
            "companyId": scene.firm.id,
        },
    },
    parameters={
        "review/{entryId}": lambda scene, _: scene.once(_too_long),
        "held-stamps/{stampId}": lambda scene, _: scene.once(_held_stamp),
    },
    unlogged={"POST /api/companies/{id}/review/{entryId}/remind": "a message, which decides nothing"},
    grows=frozenset({"entries", "stamps", "receipts"}),
)
