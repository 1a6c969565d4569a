"""The calls of the room `stamps`, for the matrix."""

from cloud.tests.fleet.devices_calls import device_id
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _held_stamp(scene: Scene) -> str:
    """A stamp of a clock of the firm that waits for the administrator."""
    device = scene.town.hung_up(scene.firm.id, f"SW-H-{scene.number}")
    tap = device.tap("04FFFFFF")
    device.deliver(tap)
    stamp_id: str = tap["id"]
    return stamp_id


SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/held-stamps": "company",
        "POST /api/companies/{id}/held-stamps/assign": "company with manage_employees",
        "POST /api/companies/{id}/held-stamps/{stampId}/resolve": "company",
        "GET /api/held-stamps": "admin",
        "POST /api/held-stamps/release": "admin",
    },
    bodies={
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
    grows=frozenset({"stamps", "receipts"}),
    parameters={"held-stamps/{stampId}": lambda scene, _: scene.once(_held_stamp)},
)
