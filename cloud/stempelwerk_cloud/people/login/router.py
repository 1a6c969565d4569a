"""Calls of the login with its steps, of the logout, and of tickets for streams."""

from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Request, Response

from stempelwerk_cloud.kit.http.routing import SessionlessGuard
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import SessionOrHash, TempOnly, any_session
from stempelwerk_cloud.people.access.service import AccountRoute, SessionOpened, client_of, remembered, sessions
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.login import service, texts
from stempelwerk_cloud.people.login.login_start import NextStep
from stempelwerk_cloud.people.login.schemas import (
    CodeGiven,
    Credentials,
    LoggedIn,
    LoginDone,
    LoginGoesOn,
    MailSent,
    MailWish,
    PasswordGiven,
    SessionsLeft,
    StepTaken,
    TicketRow,
    TicketWish,
)
from stempelwerk_cloud.people.login.steps import BETWEEN_MAILS
from stempelwerk_cloud.people.work import Writing

Step = TypeVar("Step", LoginGoesOn, StepTaken)
router = APIRouter(tags=["login"], route_class=AccountRoute)


@router.post("/api/login", response_model_exclude_none=True)
async def log_in(
    _: Annotated[None, Depends(SessionlessGuard("anyone", rate="600/minute"))],
    platform: PlatformDep,
    request: Request,
    response: Response,
    body: Credentials,
) -> LoggedIn | LoginGoesOn:
    """Takes the `credentials` step. Returns a session, or the next step."""
    outcome = await service.log_in(platform, body.company, body.username, body.password, client_of(request))
    if isinstance(outcome, NextStep):
        return _step_of(LoginGoesOn, outcome)
    _keep_device(request, response, outcome)
    return outcome.answer(LoggedIn, texts.DONE)


@router.post("/api/auth/email/start")
async def send_mail_code(_: TempOnly, platform: PlatformDep, body: MailWish) -> MailSent:
    """Takes the `email_input` and `email_otp` steps: sends a code, at most every 30 s and five times a login."""
    await service.send_code(platform, body.temp_token, body.email)
    return MailSent(message=texts.CODE_SENT, resend_in=int(BETWEEN_MAILS.total_seconds()))


@router.post("/api/auth/email/verify", response_model_exclude_none=True)
async def verify_mail_code(
    _: TempOnly, platform: PlatformDep, request: Request, response: Response, body: CodeGiven
) -> LoginDone:
    """Completes the login with the mailed code. The fifth wrong code invalidates it; another may then be sent."""
    opened = await service.verify_mail_code(
        platform, body.temp_token, body.code, client_of(request), remember=body.remember_device
    )
    _keep_device(request, response, opened)
    return opened.answer(LoginDone, texts.DONE)


@router.post("/api/auth/2fa/verify", response_model_exclude_none=True)
async def verify_app_code(
    _: TempOnly, platform: PlatformDep, request: Request, response: Response, body: CodeGiven
) -> LoginDone:
    """Completes the `totp` step with a code of the app or a recovery code. The fifth wrong code ends the login."""
    opened = await service.verify_app_code(
        platform, body.temp_token, body.code, client_of(request), remember=body.remember_device
    )
    _keep_device(request, response, opened)
    return opened.answer(LoginDone, texts.DONE)


@router.post("/api/auth/password-change", response_model_exclude_none=True)
async def choose_password(
    _: TempOnly, platform: PlatformDep, request: Request, body: PasswordGiven
) -> LoginDone | StepTaken:
    """Takes the `password_change` step, after a reset: the reset password permits only this."""
    outcome = await service.choose_password(platform, body.temp_token, body.new_password, client_of(request))
    if isinstance(outcome, NextStep):
        return _step_of(StepTaken, outcome)
    return outcome.answer(LoginDone, texts.DONE)


@router.post("/api/logout", status_code=204)
def log_out(_: SessionOrHash, work: Writing, body: SessionsLeft | None = None) -> Response:
    """Ends this session and its streams. Without a session, ends those whose token hashes are in the body, whether they
    exist or not.
    """
    service.log_out(work, body.sessions if body else [])
    return Response(status_code=204)


@router.post("/api/tickets", response_model=TicketRow)
def make_ticket(
    caller: Annotated[Caller, Depends(any_session.at_most("300/minute"))], platform: PlatformDep, body: TicketWish
) -> TicketRow:
    """Creates a ticket, which authorizes one request to `path` as `?token=`."""
    ticket = service.make_ticket(platform, caller, body.path)
    return TicketRow(ticket=ticket, expires_in=int(sessions.TICKET_LIFE.total_seconds()))


def _step_of(schema: type[Step], outcome: NextStep) -> Step:
    return schema.from_row(outcome, message=texts.NEXT[outcome.step], next=outcome.step, email_hint=outcome.hint)


def _keep_device(request: Request, response: Response, opened: SessionOpened) -> None:
    cookie = opened.cookie
    if cookie is not None:
        response.set_cookie(
            cookie.name,
            cookie.token,
            max_age=cookie.seconds,
            path=remembered.PATH,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
