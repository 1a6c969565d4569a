"""The endpoints of the room `devices`, for the matrix."""

import random

from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes import assignments
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def device_id(scene: Scene) -> str:
    """A clock of the firm, which sends no requests."""
    platform, company_id = scene.world.platform, scene.firm.id
    key = random.Random(f"key {scene.number}").randbytes(32)
    with platform.database.write(SYSTEM) as tx:
        identity = Identity(f"SW-S-{scene.number}", "", "core", "1.0.0", f"hw-s-{scene.number}", key)
        device = devices.enrol(tx, platform, identity)
        assignments.assign(UnitOfWork(tx, platform), device.id, company_id, None)
        return device.id


def _spare(scene: Scene) -> str:
    """An unassigned clock."""
    platform = scene.world.platform
    key = random.Random(f"spare {scene.number}").randbytes(32)
    with platform.database.write(SYSTEM) as tx:
        return devices.enrol(tx, platform, Identity(f"SW-E-{scene.number}", "", "core", "1.0.0", "hw-e", key)).id


SAMPLES = Samples(
    who={
        "GET /api/devices": "admin",
        "GET /api/clocks": "admin",
        "GET /api/companies/{companyId}/clocks": "company with devices",
        "PUT /api/devices/{id}": "company with devices",
        "POST /api/devices/{id}/assign-company": "admin",
        "POST /api/devices/{id}/unassign": "admin",
        "GET /api/devices/{id}/history": "admin",
        "POST /api/devices/{id}/revoke": "admin",
        "POST /api/devices/{id}/reset-key": "admin",
        "POST /api/devices/{id}/replace": "admin",
        "DELETE /api/devices/{id}": "admin",
        "PUT /api/clocks/channel": "admin",
        "PUT /api/clocks/{id}/channel": "admin",
        "POST /api/companies/{id}/update-channel": "admin",
    },
    bodies={
        "PUT /api/devices/{id}": lambda _scene, _: {"name": "Werkstatt"},
        "POST /api/devices/{id}/assign-company": lambda scene, _: {"companyId": scene.firm.id},
        "POST /api/devices/{id}/revoke": lambda _scene, _: {"reason": "gestohlen"},
        "POST /api/devices/{id}/reset-key": lambda _scene, _: {"reason": "Platine getauscht"},
        "POST /api/devices/{id}/replace": lambda scene, _: {"deviceId": scene.once(_spare)},
        "PUT /api/clocks/channel": lambda _scene, _: {"channel": "beta"},
        "PUT /api/clocks/{id}/channel": lambda _scene, _: {"channel": "beta"},
        "POST /api/companies/{id}/update-channel": lambda _scene, _: {"channel": "beta"},
    },
    parameters={
        "devices/{id}": lambda scene, _: scene.once(device_id),
        "clocks/{id}": lambda scene, _: scene.once(device_id),
    },
    once={
        "POST /api/devices/{id}/revoke": "already_withdrawn",
    },
    tells={
        "POST /api/devices/{id}/assign-company": {"fleet_update"},
        "POST /api/devices/{id}/unassign": {"fleet_update"},
        "POST /api/devices/{id}/revoke": {"fleet_update"},
        "POST /api/devices/{id}/reset-key": {"fleet_update"},
        "POST /api/devices/{id}/replace": {"fleet_update"},
        "DELETE /api/devices/{id}": {"fleet_update"},
        "PUT /api/clocks/channel": {"fleet_update"},
        "PUT /api/clocks/{id}/channel": {"fleet_update"},
        "POST /api/companies/{id}/update-channel": {"fleet_update"},
    },
)
