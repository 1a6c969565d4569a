"""The calls of the room `notices`, for the matrix."""

from typing import Any

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import Somebody

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
PUBLIC = "https://9.9.9.9"
"""An address of the public internet that needs no resolver."""


def browser(name: str, host: str = PUBLIC) -> dict[str, Any]:
    """Builds the body with which a browser subscribes."""
    return {"endpoint": f"{host}/push/{name}", "expirationTime": None, "keys": {"p256dh": "BNc", "auth": "tBH"}}


def _subscription(scene: Scene, caller: Somebody | None) -> str:
    """Creates a browser of the caller's own."""
    if caller is None:
        return UNKNOWN
    answer = caller.post("/api/push/subscriptions", json=browser(f"{scene.number}-{caller.id}"))
    return str(answer.json()["id"]) if answer.status_code == 201 else UNKNOWN


SAMPLES = Samples(
    who={
        "GET /api/notifications": "session",
        "PUT /api/notifications": "session",
        "POST /api/push/subscriptions": "session",
        "DELETE /api/push/subscriptions/{id}": "session",
    },
    rates={"POST /api/push/subscriptions": "60/minute"},
    bodies={
        "PUT /api/notifications": lambda _scene, _: {"push": {"schedule": True}},
        "POST /api/push/subscriptions": lambda scene, _: browser(str(scene.number)),
    },
    parameters={"subscriptions/{id}": _subscription},
    unlogged={
        "PUT /api/notifications": "by which way one wants to be told is one's own affair",
        "POST /api/push/subscriptions": "names one's own browser",
        "DELETE /api/push/subscriptions/{id}": "takes one's own browser back",
    },
)
