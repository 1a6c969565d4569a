"""Endpoints of rollouts."""

from stempelwerk_cloud.fleet.devices.service import BeatsWritten
from stempelwerk_cloud.fleet.rollouts import service
from stempelwerk_cloud.fleet.rollouts.service import NewRollout, RolloutRow
from stempelwerk_cloud.fleet.rollouts.tables import Rollout
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing

router = room_router("rollouts")


@router.get("/api/updates/rollouts")
def list_rollouts(_: AdminOnly, work: Reading) -> list[RolloutRow]:
    """Lists the newest 50 rollouts, newest first."""
    return service.rows(work.session)


@router.post("/api/updates/rollouts", status_code=201)
def start_rollout(_: AdminOnly, _beats: BeatsWritten, work: Writing, body: NewRollout) -> RolloutRow:
    """Starts the rollout of a published version, by stages; without `stages` 5 clocks, then 5, 25 and 100 %."""
    return _row(work, service.start(work, body))


@router.post("/api/updates/rollouts/{id}/pause")
def pause_rollout(_: AdminOnly, work: Writing, rollout_id: PathId) -> RolloutRow:
    """Pauses the rollout: no further clock is offered the version until it is resumed."""
    return _row(work, service.change(work, rollout_id, "pause"))


@router.post("/api/updates/rollouts/{id}/resume")
def resume_rollout(_: AdminOnly, work: Writing, rollout_id: PathId) -> RolloutRow:
    """Resumes the paused rollout."""
    return _row(work, service.change(work, rollout_id, "resume"))


@router.post("/api/updates/rollouts/{id}/rollback")
def roll_back(_: AdminOnly, work: Writing, rollout_id: PathId) -> RolloutRow:
    """Makes the clocks that have the version go back to their former one."""
    return _row(work, service.change(work, rollout_id, "rollback"))


def _row(work: UnitOfWork, rollout: Rollout) -> RolloutRow:
    (row,) = service.rows(work.session, [rollout])
    return row
