"""The route of a clock's call, which FastAPI describes but does not run.

FastAPI finds out for each request what an endpoint depends on, and keeps two stacks for what that leaves behind: a
tenth of the work of a list that is known. A clock's call depends on one thing, which leaves nothing.
"""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from stempelwerk_cloud.device_api.signed.gate import Arrived, ClockGuard


class ClockRoute(APIRoute):
    """A call that takes nothing but `FromClock` is answered at once; any other as FastAPI does it."""

    is_direct = False

    def __init__(self, path: str, endpoint: Callable[..., Any], **described: Any) -> None:
        super().__init__(path, endpoint, **described)
        guards = [
            dependency.call for dependency in self.dependant.dependencies if isinstance(dependency.call, ClockGuard)
        ]
        if len(guards) == len(inspect.signature(endpoint).parameters) == 1:
            self.is_direct, self.app = True, _answered(guards[0], endpoint)


def _answered(guard: ClockGuard, endpoint: Callable[[Arrived], Awaitable[Response]]) -> ASGIApp:
    """Returns the route's application. Its exceptions reach starlette's ExceptionMiddleware around the router."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(await guard(Request(scope, receive, send)))
        await response(scope, receive, send)

    return answer
