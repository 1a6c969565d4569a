"""What clocks call."""

from stempelwerk_cloud.device_api import problems
from stempelwerk_cloud.device_api.router import router
from stempelwerk_cloud.kit.room import Room

ROOM = Room("device_api", router, refused_for_size={"/api/devices/stamps": problems.too_many_bytes()})
