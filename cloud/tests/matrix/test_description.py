"""Any request to any call gets a described answer and no server error.

Schemathesis generates valid and invalid requests from the OpenAPI description, as all relevant callers; half of them
concern existing rows. A caller whom the declaration refuses sends only the first, because no content admits them
(`test_matrix.py`). Each run draws the same numbers. The requests go to PostgreSQL, which refuses more input (a
character 0, numbers beyond its columns); `make prove` sends more, to both databases.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from httpx2 import Response
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from stempelwerk_cloud.app import Service

from cloud.tests.matrix import fillings, promises
from cloud.tests.matrix.promises import Actor, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import World

CALLERS = (promises.ANONYMOUS, promises.SELF, promises.BOSS, promises.FOUNDER)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OURS = {"user-agent", "authorization", "host", "content-length", "idempotency-key"}


class Explorer:
    """Sends what was made up, and collects what is answered otherwise than described."""

    def __init__(self, app: Service, world: World, clock: SettableClock, examples: int) -> None:
        self.calls = {str(call): call for call in promises.calls(app)}
        self.examples = examples
        self.town = Town(world, clock)
        self.wrong: list[str] = []
        self.statuses: dict[int, int] = {}
        self._sent = 0
        self._unchanged = Scene(self.town)

    def explore(self, operation: Any, actors: Sequence[Actor], mode: GenerationMode) -> None:
        """Sends each request as each actor. Skips invalid requests where the path accepts everything."""
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.headers or operation.body):
            return
        call = self.calls[f"{operation.method.upper()} {operation.path}"]
        refused = {actor for actor in actors if promises.promised(call, actor) is not None}
        is_unchanged = refused if call.method != "GET" else actors
        scenes = {actor: self._unchanged if actor in is_unchanged else Scene(self.town) for actor in actors}

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=self.examples,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case: Case) -> None:
            for actor, scene in list(scenes.items()):
                self._send(case, call, actor, scene)
                if actor in refused:
                    del scenes[actor]

        send()

    def _send(self, case: Case, call: Call, actor: Actor, scene: Scene) -> None:
        caller = scene.shared_person(actor) if scene is self._unchanged else scene.somebody(actor)
        self._sent += 1
        if call.is_stream and actor is not promises.ANONYMOUS:
            return
        path = fillings.path_of(call, scene, caller) if self._sent % 2 else case.formatted_path
        made = case.as_transport_kwargs(base_url="http://testserver")
        headers = {name: value for name, value in (made.get("headers") or {}).items() if name.lower() not in OURS}
        headers |= {} if caller is None else caller.headers
        more = {name: made[name] for name in ("params", "json", "data") if made.get(name) is not None}
        if "data" in more:
            body = more.pop("data")
            more["content"] = body if isinstance(body, bytes | str) else urlencode(_fields(body))
        if made.get("cookies"):
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in made["cookies"].items())
        answer = self.town.world.client.request(case.method, path, headers=headers, follow_redirects=False, **more)
        self._check(case, actor, answer)

    def _check(self, case: Case, actor: Actor, answer: Response) -> None:
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        declared = set(case.operation.definition.raw["responses"])
        try:
            case.validate_response(answer, checks=CHECKS)
            if answer.is_success or answer.is_redirect:
                assert str(answer.status_code) in declared, "a success that is not declared"
            else:
                assert answer.headers["content-type"] == "application/problem+json", "no problem document"
        except (AssertionError, schemathesis.errors.SchemathesisError, schemathesis.checks.Failure) as found:
            self._note(case, actor, answer, found)
        except BaseExceptionGroup as found:
            self._note(case, actor, answer, found.exceptions[0])

    def _note(self, case: Case, actor: Actor, answer: Response, found: BaseException) -> None:
        self.wrong.append(
            f"{case.method} {answer.request.url} as {actor.name}: {answer.status_code} {str(found)[:300]}"
        )


def _fields(form: Any) -> dict[str, str]:
    """The fields of a form that was made up, whatever it is."""
    return {str(name): str(value) for name, value in form.items()} if isinstance(form, dict) else {"form": str(form)}


@pytest.mark.parametrize(
    ("database_url", "examples"),
    [("postgresql", 3), *(pytest.param(one, 12, marks=pytest.mark.prove) for one in ("sqlite", "postgresql"))],
    indirect=["database_url"],
)
def test_every_call_answers_as_it_is_described(app: Service, world: World, clock: SettableClock, examples: int) -> None:
    """`examples`: requests, good ones and bad ones, for each call and admitted caller."""
    explorer = Explorer(app, world, clock, examples)
    described = schemathesis.openapi.from_dict(app.openapi())
    for found in described.get_all_operations():
        explorer.explore(found.ok(), CALLERS, GenerationMode.POSITIVE)
        explorer.explore(found.ok(), [promises.FOUNDER], GenerationMode.NEGATIVE)
    assert not explorer.wrong, "\n" + "\n".join(explorer.wrong)
    assert {200, 201, 204, 401, 403, 404, 422} <= explorer.statuses.keys()
