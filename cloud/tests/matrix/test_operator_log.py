"""Calls of system administrators that change something leave a row in the operator log, in their transaction."""

from fastapi import FastAPI
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.people.access.identity.sessions import end_sessions
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH
from cloud.tests.matrix import fillings, promises, samples
from cloud.tests.matrix.promises import ADMIN, FOUNDER, SELF, Actor, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.meeting import interrupted
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import World

pytestmark = ON_BOTH

WITHOUT_ROW = {
    "POST /api/tickets": "belongs to a session, whose login has a row",
    "POST /api/auth/2fa/setup/start": "changes nothing before the code confirms it, and that has a row",
    "DELETE /api/auth/sessions/{id}": "ends a session of the caller's own; no right is gained by it",
    "POST /api/companies/{id}/review/{entryId}/remind": "sends the employee a message, and decides nothing",
    "POST /api/messages/read": "marks messages of the caller's own",
    "POST /api/messages/{id}/read": "marks a message of the caller's own",
    "PUT /api/notifications": "is about notices that the caller gets",
    "POST /api/push/subscriptions": "names the caller's own browser",
    "DELETE /api/push/subscriptions/{id}": "names the caller's own browser",
}
"""Calls of system administrators that leave no row, each with its reason."""


def _rows(world: World) -> int:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(OperatorEntry)) or 0


def _changing(app: FastAPI, actor: Actor) -> list[Call]:
    """The calls that decide something, and let the actor in."""
    return [
        call
        for call in promises.calls(app)
        if call.method != "GET"
        and call.who in promises.GUARDED
        and str(call) not in WITHOUT_ROW
        and promises.promised(call, actor) is None
    ]


def _town(world: World, clock: SettableClock) -> Town:
    world.platform.settings = world.platform.settings.model_copy(update=samples.all_of("settings"))
    return Town(world, clock)


def test_every_change_of_a_system_administrator_leaves_a_row(app: FastAPI, world: World, clock: SettableClock) -> None:
    town, wrong = _town(world, clock), []
    calls = _changing(app, ADMIN)
    only = [call for call in calls if call.who == "admin"]
    assert len(only) > 15
    for call in calls:
        scene = Scene(town)
        caller = scene.somebody(FOUNDER if call.who == "admin" else ADMIN)
        assert caller is not None
        path, more = fillings.filled(call, scene, caller)
        world.platform.rates = Rates()
        before = _rows(world)
        status = caller.request(call.method, path, **more).status_code
        if status < 400 and _rows(world) == before:
            wrong.append(f"{call}: {status} without a row")
        if status >= 400 and (call.who == "admin" or _rows(world) > before):
            wrong.append(f"{call}: {status}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_list_of_calls_without_a_row_names_calls_that_there_are(app: FastAPI) -> None:
    assert WITHOUT_ROW.keys() <= {str(call) for call in promises.calls(app)}


def test_a_call_of_the_list_is_open_to_system_administrators_and_leaves_no_row(
    app: FastAPI, world: World, clock: SettableClock
) -> None:
    town = _town(world, clock)
    for call in promises.calls(app):
        if str(call) not in WITHOUT_ROW:
            continue
        scene = Scene(town)
        caller = scene.somebody(ADMIN)
        assert caller is not None
        path, more = fillings.filled(call, scene, caller)
        world.platform.rates = Rates()
        before = _rows(world)
        assert caller.request(call.method, path, **more).status_code < 400, call
        assert _rows(world) == before, call


def test_a_change_of_an_employee_leaves_no_row(app: FastAPI, world: World, clock: SettableClock) -> None:
    town = _town(world, clock)
    for call in _changing(app, SELF):
        scene = Scene(town)
        caller = scene.somebody(SELF)
        assert caller is not None
        path, more = fillings.filled(call, scene, caller)
        world.platform.rates = Rates()
        before = _rows(world)
        caller.request(call.method, path, **more)
        assert _rows(world) == before, call


def test_a_change_that_is_rolled_back_leaves_no_row(app: FastAPI, world: World, clock: SettableClock) -> None:
    town = _town(world, clock)
    for call in _changing(app, ADMIN):
        if call.who != "admin":
            continue
        scene = Scene(town)
        caller = scene.somebody(ADMIN)
        assert caller is not None
        path, more = fillings.filled(call, scene, caller)
        world.platform.rates = Rates()
        before = _rows(world)
        interrupted(
            world.platform,
            lambda caller=caller, call=call, path=path, more=more: caller.request(call.method, path, **more),
            lambda tx, caller=caller: end_sessions(
                UnitOfWork(tx, world.platform), caller.company_id, user_ids=[caller.id]
            ),
        )
        assert _rows(world) == before, call
