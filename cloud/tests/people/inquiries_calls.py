"""The calls of the room `inquiries`, for the matrix."""

from stempelwerk_cloud.people.inquiries import service

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import Somebody


def _inquiry(scene: Scene, _: Somebody | None) -> str:
    inquiry = service.take(
        scene.world.platform, "contact", {"name": "Ina", "email": "i@x.example", "nachricht": "Hallo"}
    )
    return str(inquiry["id"])


SAMPLES = Samples(
    who={
        "POST /api/inquiries": "anyone",
        "GET /api/inquiries": "admin",
        "DELETE /api/inquiries/{id}": "admin",
    },
    rates={"POST /api/inquiries": "10/minute; 100/day"},
    bodies={"POST /api/inquiries": lambda _scene, _: {"kind": "offer", "fields": {"anzahl": 3}}},
    parameters={"inquiries/{id}": _inquiry},
    unlogged={"POST /api/inquiries": "a stranger's word, which decides nothing"},
    settings={"inquiry_email": "anfragen@stempelwerk.example"},
)
