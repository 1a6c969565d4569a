"""The refusals of login and account calls say twice that nothing came of it: by status, and by a member of the body."""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from stempelwerk_cloud.kit.problems import Problem, malformed, unreadable
from stempelwerk_cloud.kit.routing import WebRoute


def failure_of(path: str) -> dict[str, bool]:
    """What a refusal of this path carries besides: the login `success: false`, the other auth calls `ok: false`."""
    if path == "/api/login":
        return {"success": False}
    return {"ok": False} if path.startswith("/api/auth/") else {}


class AccountRoute(WebRoute):
    """A call whose refusals carry what `failure_of` says."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        failure = failure_of(self.path)

        async def handle_account(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                problem = malformed(error.errors())
                problem.extra.update(failure)
                raise problem from None
            except HTTPException as error:
                if error.status_code != HTTPStatus.BAD_REQUEST:
                    raise
                problem = unreadable()
                problem.extra.update(failure)
                raise problem from None
            except Problem as problem:
                problem.extra.update(failure)
                raise

        return handle_account
