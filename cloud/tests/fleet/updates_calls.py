"""The endpoints of the room `updates`, for the matrix."""

from typing import Any

from stempelwerk_cloud.fleet.updates.tables import UpdateRelease
from stempelwerk_cloud.kit.database.scopes import SYSTEM

from cloud.tests.fleet.ceremony import ceremony_at, release
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene

PUBLISH = "POST /api/updates/releases"
WITHDRAW = "POST /api/updates/releases/{version}/withdraw"


def _version(scene: Scene) -> str:
    """An offered version."""
    platform, version = scene.world.platform, f"1.{scene.number}.0"
    with platform.database.write(SYSTEM) as tx:
        tx.add(UpdateRelease(channel="beta", version=version, notes="", published_at=platform.clock.now()))
    return version


def _bundle(scene: Scene, _: Any) -> tuple[str, bytes]:
    return "updates.zip", ceremony_at(scene.world.platform).bundle(release("1.6.0"))


SAMPLES = Samples(
    who={
        "GET /api/updates/releases": "admin",
        "GET /api/updates/signatures": "admin",
        PUBLISH: "admin",
        WITHDRAW: "admin",
    },
    bodies={WITHDRAW: lambda _scene, _: {"reason": "verliert Stempel"}},
    uploads={PUBLISH: _bundle},
    parameters={"releases/{version}": lambda scene, _: scene.once(_version)},
    once={WITHDRAW: "already_withdrawn"},
    tells={PUBLISH: {"updates_update"}, WITHDRAW: {"updates_update"}},
    keyless={PUBLISH: "it goes to a disk as it comes, and does the same again"},
)
