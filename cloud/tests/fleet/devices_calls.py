"""The calls of the room `devices`, for the matrix."""

import random

from stempelwerk_cloud.fleet.devices import assignments
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import Work

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def device_id(scene: Scene) -> str:
    """A clock of the firm, which never calls."""
    platform, company_id = scene.world.platform, scene.firm.id
    key = random.Random(f"key {scene.number}").randbytes(32)
    with platform.database.write(SYSTEM) as tx:
        identity = Identity(f"SW-S-{scene.number}", "", "core", "1.0.0", f"hw-s-{scene.number}", key)
        device = devices.enrol(tx, platform, identity)
        assignments.assign(Work(tx, platform), device.id, company_id, None)
        return device.id


SAMPLES = Samples(
    who={
        "GET /api/devices": "admin",
        "GET /api/clocks": "admin",
        "GET /api/companies/{companyId}/clocks": "company with devices",
        "PUT /api/devices/{id}": "company with devices",
        "POST /api/devices/{id}/assign-company": "admin",
        "POST /api/devices/{id}/unassign": "admin",
    },
    bodies={
        "PUT /api/devices/{id}": lambda _scene, _: {"name": "Werkstatt"},
        "POST /api/devices/{id}/assign-company": lambda scene, _: {"companyId": scene.firm.id},
    },
    parameters={"devices/{id}": lambda scene, _: scene.once(device_id)},
)
