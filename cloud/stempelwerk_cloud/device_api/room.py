"""The room of the clocks' calls."""

from stempelwerk_cloud.device_api import words
from stempelwerk_cloud.device_api.api import router
from stempelwerk_cloud.kit.room import Room

KIB = 1024
BODY_LIMITS = {
    "/api/devices/enroll": 16 * KIB,
    "/api/devices/heartbeat": 64 * KIB,
    "/api/devices/stamps": 1024 * KIB,
    "/api/devices/logs": 1024 * KIB,
    "/api/devices/answers": 256 * KIB,
}
"""Maximum body size of each of the clocks' calls in bytes: at least twice the largest message of a clock
(`errors-and-retries.md`).
"""

ROOM = Room(
    "device_api",
    router,
    refused_for_size={"/api/devices/stamps": words.too_many_bytes()},
    body_limits=BODY_LIMITS,
)
