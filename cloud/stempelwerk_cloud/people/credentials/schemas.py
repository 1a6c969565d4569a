"""Bodies of the accounts' calls."""

from typing import Literal

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.directory.service import Role


class AuthenticatorStatus(Wire):
    ok: bool = True
    enabled: bool
    message: str
    recovery_codes_left: int


class SetupWish(Wire):
    """A request to set up an authenticator. `password` is needed only if the session is older than five minutes."""

    password: str | None = Field(default=None, max_length=1000)


class AuthenticatorSetup(Wire):
    """A setup that waits for its first code. `qrDataUrl`: the QR code for the app; `secret`: the same for typing."""

    ok: bool = True
    qr_data_url: str
    secret: str


class AppCode(Wire):
    code: str = Field(default="", max_length=100)


class AuthenticatorActive(Wire):
    """The answer after the authenticator was activated. The recovery codes are shown only here."""

    ok: bool = True
    message: str
    recovery_codes: list[str]


class AuthenticatorGone(Wire):
    ok: bool = True
    message: str


class SessionRow(Wire):
    """A live session of the caller. `device`: its common name ("Firefox auf Windows"); `current`: it is the session of
    this call.
    """

    id: str
    created_at: InstantField
    last_seen: InstantField
    device: str
    current: bool


class PasswordChange(Wire):
    current_password: str = Field(default="", max_length=1000)
    new_password: str = Field(default="", max_length=1000)


class PasswordChanged(Wire):
    """The answer after a change of the password: a new session, because all others have ended."""

    message: str
    token: str
    role: Role
    username: str
    company_id: str
    user_id: str
    works_council: Literal[True] | None = None


class ResetRow(Wire):
    """A reset password, which is shown only here, and when it expires."""

    password: str
    expires_at: InstantField


class ResetOfMany(Wire):
    user_id: str
    username: str
    password: str


class LockRow(Wire):
    """The reference of an account's lock: `token` has 64 hexadecimal digits and grants no access."""

    token: str
