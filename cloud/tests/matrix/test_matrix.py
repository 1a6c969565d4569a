"""Every call by every kind of caller: the answer is exactly the declared one, and the log has the decision.

The expectation follows from the declaration (`promises.py`), so a new call is included automatically. This does not
prove that a call does the right thing for an admitted caller.

All callers use SQLite, where no row-level security hides a forgotten filter. On PostgreSQL one admitted caller of each
kind calls: this shows whether row-level security leaves the needed rows and the database accepts the statements.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.kit.live.hub import Event
from stempelwerk_cloud.people.audit.tables import AuditEntry

from cloud.tests.databases import ON_POSTGRESQL, ON_SQLITE
from cloud.tests.matrix import fillings, promises, samples
from cloud.tests.matrix.promises import ACTORS, Actor, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.people.noticing import settle
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.world import World

TELLS = samples.all_of("tells")
NOT_IN_THE_LOG = samples.all_of("unlogged")
HOLDERS = samples.all_of("holders")
BY_CLOCK = samples.all_of("by_clock")
READS = {"GET", "HEAD"}


class Matrix:
    """Makes calls and collects what is not as promised."""

    def __init__(self, app: FastAPI, town: Town) -> None:
        self.app = app
        self.town = town
        self.wrong: list[str] = []
        self.told: set[str] = set()
        self._decided = False
        self._unchanged = {is_council: Scene(town) for is_council in (False, True)}
        town.world.platform.live.deliver = self._hear  # type: ignore[method-assign]

    def _hear(self, _topics: object, event: Event) -> None:
        self.told.add(str(event.data["type"]))

    def walk(self, call: Call, actors: Iterable[Actor]) -> None:
        """Makes the call as each of them. Refused and reading calls change nothing, so they share a scene; a call that
        changes something has its own.
        """
        for actor in actors:
            refusal = promises.promised(call, actor)
            if refusal is None:
                self._let_in(call, actor)
                continue
            answer = self._made(call, actor, changes=False)
            if (answer.status_code, _code(answer)) != refusal:
                self._note(call, actor, f"{refusal.status} {refusal.code}", answer)
            if self._decided:
                self.wrong.append(f"{call} as {actor.name}: refused, and yet in the audit log")

        if call.who == "temp":
            self._let_in_the_holder(call)

    def _let_in_the_holder(self, call: Call) -> None:
        assert str(call) in HOLDERS, f"{call}: say in the room's samples (`holders`) who holds the temp_token."
        body = HOLDERS[str(call)]
        if body is not None:
            answer = self.town.world.client.post(call.path, json=body(Scene(self.town)))
            if answer.status_code != 200:
                self._note(call, promises.HOLDER, "200", answer)

    def _let_in(self, call: Call, actor: Actor) -> None:
        answer = self._made(call, actor, changes=call.method not in READS)
        success = call.route.status_code or 200
        if answer.status_code != success:
            self._note(call, actor, str(success), answer)
        tells = TELLS.get(str(call), set())
        if call.who in promises.GUARDED and not (self.told <= tells and bool(self.told) == bool(tells)):
            self.wrong.append(f"{call} as {actor.name}: open pages are told {sorted(self.told)}")
        decides = call.method not in READS and call.who != "device" and str(call) not in NOT_IN_THE_LOG
        if decides and answer.is_success and not self._decided:
            self.wrong.append(f"{call} as {actor.name}: done, and not in the audit log")

    def _made(self, call: Call, actor: Actor, *, changes: bool) -> Response:
        # Without modules a company is another, as a person is with a seat on the works council.
        scene = Scene(self.town) if changes or not actor.has_module else self._unchanged[actor.council]
        if actor.kind == "device":
            return self._by_clock(call, actor, scene)
        caller = scene.shared_person(actor)
        path, more = fillings.filled(call, scene, caller if self._alive(actor) else None)
        headers = {} if caller is None else caller.headers
        settle(self.town.world.platform)
        before = self._decisions()
        self.told.clear()
        self.town.world.platform.rates = Rates()  # how often they may be made is not asked here
        answer = self._sent(call, path, headers, more)
        self._decided = self._decisions() > before
        return answer

    def _sent(self, call: Call, path: str, headers: dict[str, str], more: dict[str, Any]) -> Response:
        client = self.town.world.client
        if not call.is_stream:
            return client.request(call.method, path, headers=headers, **more)

        async def opened() -> Response:
            async with listening(self.app, path, headers) as listener:
                body = b"{}" if listener.status == 200 else await listener.body()
                return Response(listener.status, headers=listener.headers, content=body)

        assert client.portal is not None
        return client.portal.call(opened)

    def _by_clock(self, call: Call, actor: Actor, scene: Scene) -> Response:
        self._decided = False
        clock = self.town.device if actor is promises.DEVICE else self.town.stranger()
        if call.who == "device":
            assert str(call) in BY_CLOCK, f"{call}: say in the room's samples (`by_clock`) how a clock makes it."
            return BY_CLOCK[str(call)](clock)
        path, more = fillings.filled(call, scene, None)
        made = self.town.world.client.build_request(call.method, path, **more)
        settle(self.town.world.platform)
        before = self._decisions()
        content_type = {"Content-Type": made.headers["content-type"]} if "content-type" in made.headers else {}
        answer = clock.send(call.method, made.url.raw_path.decode(), made.read(), **content_type)
        self._decided = self._decisions() > before
        return answer

    def _alive(self, actor: Actor) -> bool:
        return actor.kind != "nobody"

    def _decisions(self) -> int:
        with self.town.world.platform.database.read(SYSTEM) as tx:
            return tx.scalar(select(func.count()).select_from(AuditEntry)) or 0

    def _note(self, call: Call, actor: Actor, wanted: str, answer: Response) -> None:
        self.wrong.append(f"{call} as {actor.name}: {wanted} promised, got {answer.status_code} {answer.text[:200]}")


def _code(answer: Response) -> str | None:
    """Returns the code of a refusal, or None."""
    return answer.json()["code"] if answer.headers.get("content-type") == "application/problem+json" else None


@pytest.fixture
def matrix(app: FastAPI, world: World, clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> Matrix:
    platform = world.platform
    monkeypatch.setattr(world.client, "follow_redirects", False)  # a redirect is an answer
    platform.settings = platform.settings.model_copy(update=samples.all_of("settings"))
    return Matrix(app, Town(world, clock))


@ON_SQLITE
def test_every_call_answers_everybody_as_it_declares(app: FastAPI, matrix: Matrix) -> None:
    for call in promises.calls(app):
        matrix.walk(call, ACTORS)
    assert not matrix.wrong, "\n" + "\n".join(matrix.wrong)


@ON_POSTGRESQL
@pytest.mark.usefixtures("relayed")  # so that each event is one that can be sent to another process
def test_row_security_hides_from_no_call_what_it_needs(app: FastAPI, matrix: Matrix) -> None:
    for call in promises.calls(app):
        let_in = [actor for actor in ACTORS if promises.promised(call, actor) is None]
        matrix.walk(call, {actor.kind: actor for actor in reversed(let_in)}.values())
    assert not matrix.wrong, "\n" + "\n".join(matrix.wrong)
