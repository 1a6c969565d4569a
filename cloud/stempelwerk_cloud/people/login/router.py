"""Login in its steps, logout, and tickets for streams."""

from fastapi import APIRouter, Request, Response

from stempelwerk_cloud.kit.db import WriteTx
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.problems import unavailable
from stempelwerk_cloud.people.access import sessions
from stempelwerk_cloud.people.access.guards import Anyone, AnySession, TempOnly
from stempelwerk_cloud.people.access.refusals import AccountRoute
from stempelwerk_cloud.people.login import service
from stempelwerk_cloud.people.login.schemas import (
    CodeGiven,
    Credentials,
    LoggedIn,
    LoginDone,
    LoginGoesOn,
    MailSent,
    MailWish,
    PasswordGiven,
    StepTaken,
    TicketRow,
    TicketWish,
)

router = APIRouter(tags=["login"], route_class=AccountRoute)


@router.post("/api/login", response_model_exclude_none=True)
def log_in(_: Anyone, platform: PlatformDep, request: Request, body: Credentials) -> LoggedIn | LoginGoesOn:
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


@router.post("/api/auth/email/start")
async def send_mail_code(_: TempOnly, platform: PlatformDep, body: MailWish) -> MailSent:
    """The `email_input` and `email_otp` steps: sends a code, at most every 30 s and five times a login."""
    raise unavailable()


@router.post("/api/auth/email/verify")
async def verify_mail_code(_: TempOnly, platform: PlatformDep, request: Request, body: CodeGiven) -> LoginDone:
    """Takes the code of the mail. The fifth wrong one makes it worthless; another may be sent."""
    raise unavailable()


@router.post("/api/auth/2fa/verify")
async def verify_app_code(_: TempOnly, platform: PlatformDep, request: Request, body: CodeGiven) -> LoginDone:
    """The `totp` step: takes a code of the app or a recovery code. The fifth wrong one ends the login."""
    raise unavailable()


@router.post("/api/auth/password-change", response_model_exclude_none=True)
async def choose_password(
    _: TempOnly, platform: PlatformDep, request: Request, body: PasswordGiven
) -> LoginDone | StepTaken:
    """The `password_change` step, after a reset: the reset password opens nothing but this."""
    raise unavailable()


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
