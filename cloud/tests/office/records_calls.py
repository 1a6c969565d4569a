"""The calls of the room `records`, for the matrix."""

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _who_left(scene: Scene) -> str:
    """Creates a deleted employee of the company."""
    platform = scene.world.platform
    with platform.database.write(SYSTEM) as tx:
        user = users.insert(UnitOfWork(tx, platform), scene.firm.id, "carla", "", USER)
        user.deleted_at = platform.clock.now()
        return user.id


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/data": "self or companyAdmin",
        "POST /api/users/{userId}/erasure": "company with manage_employees",
    },
    rates={"GET /api/users/{userId}/data": "10/minute"},
    bodies={"POST /api/users/{userId}/erasure": lambda _scene, _: {"comment": "Auf Wunsch."}},
    parameters={"POST /api/users/{userId}/erasure": lambda scene, _: scene.once(_who_left)},
)
