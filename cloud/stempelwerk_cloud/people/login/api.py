"""Calls of the login with its steps, of the logout, and of tickets for streams. `temp_token` is the one name with an
underscore: so it is documented.
"""

from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from stempelwerk_cloud.kit.http.routing import SessionlessGuard
from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import SessionOrHash, TempOnly, any_session
from stempelwerk_cloud.people.access.guessing.failure_members import AccountRoute
from stempelwerk_cloud.people.access.identity import remembered, sessions
from stempelwerk_cloud.people.access.identity.browsers import SessionOpened, client_of
from stempelwerk_cloud.people.directory.callers import Caller, Role
from stempelwerk_cloud.people.login import service, words
from stempelwerk_cloud.people.login.login_start import NextStep
from stempelwerk_cloud.people.login.steps import BETWEEN_MAILS, Step
from stempelwerk_cloud.people.work import Writing

TempToken = Annotated[str, Field(alias="temp_token", max_length=200)]


class Credentials(Wire):
    company: str = Field(max_length=1000)
    username: str = Field(max_length=1000)
    password: str = Field(max_length=1000)


class LoggedIn(Wire):
    """The answer to a completed login: the session's token and its user; `worksCouncil` only for works council
    members.
    """

    success: bool = True
    message: str
    token: str
    role: Role
    username: str
    company_id: str
    user_id: str
    works_council: Literal[True] | None = None


class LoginGoesOn(Wire):
    """The answer to a right password if the step `next` remains. `emailHint` (for email_otp) shows the owner which
    address the code goes to.
    """

    success: bool = True
    message: str
    next: Step
    temp_token: TempToken
    email_hint: str | None = None


class StepTaken(Wire):
    """The answer to a completed step if the step `next` remains."""

    ok: bool = True
    message: str
    next: Step
    temp_token: TempToken
    email_hint: str | None = None


class LoginDone(Wire):
    """The answer to the last step: the session's token and its user."""

    ok: bool = True
    message: str
    token: str
    role: Role
    username: str
    company_id: str
    user_id: str
    works_council: Literal[True] | None = None


class MailWish(Wire):
    """A request for a mailed code. `email` is used only if no address is linked."""

    temp_token: TempToken
    email: str | None = Field(default=None, max_length=1000)


class MailSent(Wire):
    """The answer after a code was mailed. `resendIn`: the seconds until another mail may be sent."""

    ok: bool = True
    message: str
    resend_in: int


class CodeGiven(Wire):
    """The code from the mail or the app; instead of the app's also a recovery code."""

    temp_token: TempToken
    code: str = Field(max_length=100)
    remember_device: bool = False


class PasswordGiven(Wire):
    temp_token: TempToken
    new_password: str = Field(max_length=1000)


class SessionsLeft(Wire):
    """The sessions to end. `sessions`: the SHA-256 of each token, in hexadecimal digits."""

    sessions: list[Annotated[str, Field(pattern="^[0-9a-f]{64}$")]] = Field(default=[], max_length=20)


class TicketWish(Wire):
    """A request for a ticket. `path`: the stream or file to open, without a query."""

    path: str = Field(min_length=1, max_length=500, pattern="^/api/")


class TicketRow(Wire):
    """A ticket. `expiresIn`: seconds."""

    ticket: str
    expires_in: int


StepAnswer = TypeVar("StepAnswer", LoginGoesOn, StepTaken)
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
    return outcome.answer(LoggedIn, words.DONE)


@router.post("/api/auth/email/start")
async def send_mail_code(_: TempOnly, platform: PlatformDep, body: MailWish) -> MailSent:
    """Takes the `email_input` and `email_otp` steps: sends a code, at most every 30 s and five times a login."""
    await service.send_code(platform, body.temp_token, body.email)
    return MailSent(message=words.CODE_SENT, resend_in=int(BETWEEN_MAILS.total_seconds()))


@router.post("/api/auth/email/verify", response_model_exclude_none=True)
async def verify_mail_code(
    _: TempOnly, platform: PlatformDep, request: Request, response: Response, body: CodeGiven
) -> LoginDone:
    """Completes the login with the mailed code. The fifth wrong code invalidates it; another may then be sent."""
    opened = await service.verify_mail_code(
        platform, body.temp_token, body.code, client_of(request), remember=body.remember_device
    )
    _keep_device(request, response, opened)
    return opened.answer(LoginDone, words.DONE)


@router.post("/api/auth/2fa/verify", response_model_exclude_none=True)
async def verify_app_code(
    _: TempOnly, platform: PlatformDep, request: Request, response: Response, body: CodeGiven
) -> LoginDone:
    """Completes the `totp` step with a code of the app or a recovery code. The fifth wrong code ends the login."""
    opened = await service.verify_app_code(
        platform, body.temp_token, body.code, client_of(request), remember=body.remember_device
    )
    _keep_device(request, response, opened)
    return opened.answer(LoginDone, words.DONE)


@router.post("/api/auth/password-change", response_model_exclude_none=True)
async def choose_password(
    _: TempOnly, platform: PlatformDep, request: Request, body: PasswordGiven
) -> LoginDone | StepTaken:
    """Takes the `password_change` step, after a reset: the reset password permits only this."""
    outcome = await service.choose_password(platform, body.temp_token, body.new_password, client_of(request))
    if isinstance(outcome, NextStep):
        return _step_of(StepTaken, outcome)
    return outcome.answer(LoginDone, words.DONE)


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


def _step_of(schema: type[StepAnswer], outcome: NextStep) -> StepAnswer:
    return schema.from_row(outcome, message=words.NEXT[outcome.step], next=outcome.step, email_hint=outcome.hint)


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
