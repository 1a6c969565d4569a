"""Each call that writes in a person's name decides nothing if the session ends after the guard.

A new role, a lock, a reset and an exit end the person's sessions in the same step.
"""

from fastapi import FastAPI
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.access.identity.sessions import end_sessions
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH
from cloud.tests.matrix import fillings, promises, samples
from cloud.tests.matrix.promises import ADMIN, BOSS, SELF, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.meeting import interrupted
from cloud.tests.people.noticing import settle
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import World

pytestmark = ON_BOTH

ANOTHER_REFUSAL = samples.all_of("left")


def _decisions(world: World) -> int:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(AuditEntry)) or 0


def test_whose_session_ends_after_the_guard_decides_nothing(app: FastAPI, world: World, clock: SettableClock) -> None:
    world.platform.settings = world.platform.settings.model_copy(update=samples.all_of("settings"))
    town, wrong = Town(world, clock), []
    calls = [call for call in promises.calls(app) if call.method != "GET" and call.who in promises.GUARDED]
    assert calls
    for call in calls:
        for actor in (SELF, BOSS, ADMIN):
            if promises.promised(call, actor) is not None:
                continue
            status, decided = _left(call, actor, Scene(town))
            if status != ANOTHER_REFUSAL.get(str(call), 401) or decided:
                wrong.append(f"{call} as {actor.name}: {status}" + ", and in the audit log" * decided)
    assert not wrong, "\n" + "\n".join(wrong)


def _left(call: Call, actor: promises.Actor, scene: Scene) -> tuple[int, bool]:
    """The answer's status, and whether anything was decided."""
    world, caller = scene.world, scene.somebody(actor)
    assert caller is not None
    path, more = fillings.filled(call, scene, caller)
    settle(world.platform)
    before = _decisions(world)
    answer = interrupted(
        world.platform,
        lambda: caller.request(call.method, path, **more),
        lambda tx: end_sessions(UnitOfWork(tx, world.platform), caller.company_id, user_ids=[caller.id]),
    )
    return answer.status_code, _decisions(world) > before
