"""The endpoints of the room `alarms`, for the matrix."""

from stempelwerk_cloud.fleet.alarms.tables import Alarm

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given

SETTINGS = {"mail": True, "quietFrom": "20:00", "quietTo": None, "kinds": ["silent", "network"]}


def alarm_id(scene: Scene) -> str:
    return given(scene.firm.boss, Alarm, device_no=0, kind="network", raised=True)


SAMPLES = Samples(
    who={
        "GET /api/alarms": "own company with devices",
        "POST /api/alarms/{id}/acknowledge": "company with devices",
        "GET /api/alarm-settings": "own company with devices",
        "PUT /api/alarm-settings": "own company with devices",
    },
    bodies={"PUT /api/alarm-settings": lambda scene, _: SETTINGS | {"quietTo": f"07:{scene.number % 60:02d}"}},
    tells={"POST /api/alarms/{id}/acknowledge": {"alarms_update"}},
    parameters={"alarms/{id}": lambda scene, _: scene.once(alarm_id)},
    lists={
        "GET /api/alarms": lambda scene, n: given(scene, Alarm, device_no=n, kind="network", raised=True),
    },
)
