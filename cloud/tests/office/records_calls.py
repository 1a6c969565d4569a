"""The calls of the room `records`, for the matrix."""

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.directory.tables import User

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _who_left(scene: Scene) -> str:
    """Ben, whose last day was a month ago."""
    platform, ben = scene.world.platform, scene.firm.ben
    with platform.database.write(SYSTEM) as tx:
        tx.get_one(User, (ben.company_id, ben.id)).deleted_at = platform.clock.now()
    return ben.id


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/data": "self or companyAdmin",
        "POST /api/users/{userId}/erasure": "company with manage_employees",
    },
    rates={"GET /api/users/{userId}/data": "10/minute"},
    bodies={"POST /api/users/{userId}/erasure": lambda _scene, _: {"comment": "Auf Wunsch."}},
    parameters={"POST /api/users/{userId}/erasure": lambda scene, _: scene.once(_who_left)},
)
