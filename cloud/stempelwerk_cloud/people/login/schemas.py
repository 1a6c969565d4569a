"""Bodies of the login's calls. `temp_token` is the one name with an underscore: so it is documented."""

from typing import Annotated, Literal

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.people.directory.service import Role
from stempelwerk_cloud.people.login.steps import Step

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
