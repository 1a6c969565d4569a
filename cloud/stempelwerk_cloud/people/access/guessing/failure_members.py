"""Failure members: refusals of login and account calls report failure by status and by a member of the body."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from stempelwerk_cloud.kit.http.problems import Problem, too_large
from stempelwerk_cloud.kit.http.request_life import life_of
from stempelwerk_cloud.kit.http.routing import WebRoute


def failure_of(path: str) -> dict[str, bool]:
    """Returns the extra members of a refusal: `success: false` for the login, `ok: false` for other auth calls."""
    if path == "/api/login":
        return {"success": False}
    return {"ok": False} if path.startswith("/api/auth/") else {}


def refused_for_size(router: APIRouter) -> dict[str, Problem]:
    """Returns the refusals of oversized bodies by path, for the calls with such a member."""
    paths = [route.path for route in router.routes if isinstance(route, APIRoute)]
    return {path: too_large(failure) for path in paths if (failure := failure_of(path))}


class AccountRoute(WebRoute):
    """A route whose refusals carry the members of `failure_of`, raised by the call itself, the kit or the database."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        failure = failure_of(self.path)

        async def handle_account(request: Request) -> Response:
            life_of(request).refusal_members = failure
            return await handle(request)

        return handle_account
