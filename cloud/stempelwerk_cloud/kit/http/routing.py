"""The router of a room: FastAPI's, where every call declares its allowed callers and goes through the steps of
`request_life.py`.
"""

import inspect
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from stempelwerk_cloud.kit.http import body_checks
from stempelwerk_cloud.kit.http.askers import bearer
from stempelwerk_cloud.kit.http.body_checks import PATH_PART, refuse_contradiction
from stempelwerk_cloud.kit.http.problems import unauthorized
from stempelwerk_cloud.kit.http.request_life import DRY_RUN, Steps, life_of
from stempelwerk_cloud.kit.platform import Platform


class SessionlessGuard:
    """A guard that needs no session: for anyone, or for a clock (whose signature `device_api` checks).

    `audience`: the allowed callers, shown as `x-who`. `rate`: the rate limit by address ("20/minute"); `shared`: it
    counts for the installation. `refuses_sessions`: answers 401 to a request with a bearer token.
    """

    def __init__(
        self, audience: str, *, rate: str | None = None, shared: bool = False, refuses_sessions: bool = False
    ) -> None:
        self.who = audience
        self.rate, self.shared = rate, shared
        self._refuses_sessions = refuses_sessions

    def authorize_early(self, request: Request) -> None:
        """Counts the request against the rate limit before anything of its body has been read. Raises 429 or 401."""
        self._judge(request)
        life_of(request).authorize(None)

    async def __call__(self, request: Request) -> Any:
        """Counts the request, unless `authorize_early` has done so. Yields no caller."""
        if life_of(request).is_authorized:
            return
        if self.shared:
            await run_in_threadpool(self._judge, request)
        else:
            self._judge(request)

    def _judge(self, request: Request) -> None:
        if not self._refuses_sessions:
            platform: Platform = request.app.state.platform
            platform.rates.spend(request, None, self.rate, shared=self.shared)
        elif bearer(request) is not None:
            raise unauthorized()


Anyone = Annotated[None, Depends(SessionlessGuard("anyone"))]
"""The guard of calls that need no session."""

DeviceOnly = Annotated[None, Depends(SessionlessGuard("device", refuses_sessions=True))]
"""The guard of clocks' calls. A user's bearer token is refused with 401; `device_api` checks the clock's signature."""


def describe(openapi: dict[str, Any]) -> None:
    """Adds the path parameters that only a guard reads to the OpenAPI document: FastAPI does not see them."""
    for path, calls in openapi["paths"].items():
        for call in calls.values():
            declared = {parameter["name"] for parameter in call.get("parameters", ()) if parameter["in"] == "path"}
            unseen = [name for name in PATH_PART.findall(path) if name not in declared]
            if unseen:
                call["parameters"] = [
                    {"name": name, "in": "path", "required": True, "schema": {"type": "string", "title": name}}
                    for name in unseen
                ] + call.get("parameters", [])


def guards_of(dependant: Dependant) -> list[Any]:
    """Returns the guards of an endpoint: its dependencies, also nested ones, that have a `who`."""
    own_guards = [dependant.call] if getattr(dependant.call, "who", None) else []
    return own_guards + [guard for part in dependant.dependencies for guard in guards_of(part)]


def who_of(dependant: Dependant) -> list[str]:
    """Returns the declared callers of an endpoint. There must be exactly one."""
    return [guard.who for guard in guards_of(dependant)]


def is_for_strangers(dependant: Dependant) -> bool:
    """Returns whether an endpoint is open to callers without a session."""
    return any(isinstance(guard, SessionlessGuard) for guard in guards_of(dependant))


def module_of(dependant: Dependant) -> str | None:
    """Returns the module of an endpoint, as its guard declares it."""
    return next((guard.module for guard in guards_of(dependant) if getattr(guard, "module", None)), None)


class WebRoute(APIRoute):
    """A call of the web API. Its POST honours Idempotency-Key, and its body must not contradict its path.

    The caller is authorized before the body is read, and before the request waits for its slot: a stranger's body is
    neither stored nor parsed, and delays no other request.
    """

    keeps_answers = True
    """Whether the call honours Idempotency-Key. It then reads its body into memory."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        body_checks.limit_errors(self.dependant)
        guards = guards_of(self.dependant)
        steps = Steps(
            guard=guards[0] if guards else None,
            reads_body=self.body_field is not None,
            check_body=partial(refuse_contradiction, route=self),
            keeps_answers=self.keeps_answers,
            is_heavy=any(getattr(guard, "in_turns", False) for guard in guards),
            has_dry_runs=self.body_field is not None and _has_dry_runs(self.dependant),
            is_synchronous=not inspect.iscoroutinefunction(self.endpoint),
            endpoint=super().get_route_handler(),
        )
        return steps.handle


class StreamedRoute(WebRoute):
    """A call whose body is streamed to a disk, and that is idempotent by itself."""

    keeps_answers = False


def _has_dry_runs(dependant: Dependant) -> bool:
    return any(query.alias == DRY_RUN for part in dependant.dependencies for query in part.query_params)


def room_router(tag: str) -> APIRouter:
    """Returns the router of a room of the web API; `tag` groups its calls in the OpenAPI document."""
    return APIRouter(tags=[tag], route_class=WebRoute)
