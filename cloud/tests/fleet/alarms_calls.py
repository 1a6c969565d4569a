"""The calls of the room `alarms`, for the matrix."""

from stempelwerk_cloud.fleet.alarms.tables import Alarm

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given

SETTINGS = {"mail": True, "quietFrom": "20:00", "quietTo": None, "kinds": ["silent", "network"]}


def alarm_id(scene: Scene) -> str:
    return given(scene.firm.boss, Alarm, device_no=0, kind="network", raised=True)


SAMPLES = Samples(
    who={
        "GET /api/alarms": "company with devices",
        "POST /api/alarms/{id}/acknowledge": "company with devices",
        "GET /api/alarm-settings": "company with devices",
        "PUT /api/alarm-settings": "company with devices",
    },
    bodies={"PUT /api/alarm-settings": lambda _scene, _: SETTINGS | {"quietTo": "07:00"}},
    tells={"POST /api/alarms/{id}/acknowledge": {"alarms_update"}},
    parameters={"alarms/{id}": lambda scene, _: scene.once(alarm_id)},
)
