"""The endpoints of the room `rollouts`, for the matrix."""

from typing import Any

from stempelwerk_cloud.fleet.rollouts.tables import Rollout
from stempelwerk_cloud.kit.database.scopes import SYSTEM

from cloud.tests.fleet.rolling import published, rollout_of
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene


def _free(scene: Scene) -> None:
    """Leaves no rollout open in the channel."""
    with scene.world.platform.database.write(SYSTEM) as tx:
        for rollout in tx.query(Rollout):
            rollout.state = "stopped"


def _version(scene: Scene) -> str:
    _free(scene)
    version = f"9.{int(scene.world.platform.ids.new()[-7:], 16)}.0"
    published(scene.world.platform, version)
    return version


def _rollout(state: str) -> Any:
    def make_rollout(scene: Scene) -> str:
        version, platform = _version(scene), scene.world.platform
        return rollout_of(platform, version, state)

    return make_rollout


RUNNING, PAUSED = _rollout("running"), _rollout("paused")

SAMPLES = Samples(
    who={
        "GET /api/updates/rollouts": "admin",
        "POST /api/updates/rollouts": "admin",
        "POST /api/updates/rollouts/{id}/pause": "admin",
        "POST /api/updates/rollouts/{id}/resume": "admin",
        "POST /api/updates/rollouts/{id}/rollback": "admin",
    },
    bodies={
        "POST /api/updates/rollouts": lambda scene, _: {"version": scene.once(_version), "channel": "stable"},
    },
    parameters={
        "POST /api/updates/rollouts/{id}/pause": lambda scene, _: scene.once(RUNNING),
        "POST /api/updates/rollouts/{id}/resume": lambda scene, _: scene.once(PAUSED),
        "POST /api/updates/rollouts/{id}/rollback": lambda scene, _: scene.once(RUNNING),
    },
    # Not pausing: rolling back a rollout that was just paused is right as well.
    once={
        "POST /api/updates/rollouts/{id}/resume": "rollout_state",
        "POST /api/updates/rollouts/{id}/rollback": "rollout_state",
    },
    tells={
        "POST /api/updates/rollouts": {"rollouts_update"},
        "POST /api/updates/rollouts/{id}/pause": {"rollouts_update"},
        "POST /api/updates/rollouts/{id}/resume": {"rollouts_update"},
        "POST /api/updates/rollouts/{id}/rollback": {"rollouts_update"},
    },
)
