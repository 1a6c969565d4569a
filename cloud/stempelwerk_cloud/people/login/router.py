"""Login, logout, and tickets for streams."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from stempelwerk_cloud.kit.db import WriteTx
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.problems import Problem, malformed
from stempelwerk_cloud.kit.routing import WebRoute, room_router
from stempelwerk_cloud.people.access import sessions
from stempelwerk_cloud.people.access.guards import Anyone, AnySession
from stempelwerk_cloud.people.login import service
from stempelwerk_cloud.people.login.schemas import Credentials, LoggedIn, TicketRow, TicketWish


class LoginRoute(WebRoute):
    """A login's refusals also carry `success: false`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_login(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                problem = malformed(error.errors())
                problem.extra["success"] = False
                raise problem from None
            except Problem as problem:
                problem.extra["success"] = False
                raise

        return handle_login


router = room_router("login")


def log_in(_: Anyone, platform: PlatformDep, request: Request, body: Credentials) -> LoggedIn:
    """The `credentials` step."""
    login = service.log_in(
        platform,
        body.company,
        body.username,
        body.password,
        address=request.client.host if request.client else "",
        user_agent=request.headers.get("user-agent", ""),
    )
    return LoggedIn.model_validate(
        {
            "message": "Angemeldet.",
            "token": login.token,
            "role": login.user.role,
            "username": login.user.username,
            "company_id": login.user.company_id,
            "user_id": login.user.id,
        }
    )


router.add_api_route("/api/login", log_in, methods=["POST"], route_class_override=LoginRoute)


@router.post("/api/logout", status_code=204)
def log_out(caller: AnySession, tx: WriteTx, platform: PlatformDep) -> Response:
    """Ends this session and its streams."""
    sessions.end_sessions(tx, platform, caller.company_id, session_ids=[caller.session_id])
    return Response(status_code=204)


@router.post("/api/tickets", response_model=TicketRow)
def make_ticket(caller: AnySession, tx: WriteTx, platform: PlatformDep, body: TicketWish) -> TicketRow:
    """A single use of this session for `path`, as `?token=`."""
    ticket = sessions.make_ticket(tx, platform, caller, body.path)
    return TicketRow(ticket=ticket, expires_in=int(sessions.TICKET_LIFE.total_seconds()))
