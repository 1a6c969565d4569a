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
    """`password` is read where the session is older than five minutes."""

    password: str | None = Field(default=None, max_length=1000)


class AuthenticatorSetup(Wire):
    """`qrDataUrl` shows what the app reads, `secret` is for typing. Nothing is active before the first code."""

    ok: bool = True
    qr_data_url: str
    secret: str


class AppCode(Wire):
    code: str = Field(default="", max_length=100)


class AuthenticatorActive(Wire):
    """The recovery codes are shown this once."""

    ok: bool = True
    message: str
    recovery_codes: list[str]


class AuthenticatorGone(Wire):
    ok: bool = True
    message: str


class SessionRow(Wire):
    """`device` is the common name ("Firefox auf Windows"); `current` marks the session of this call."""

    id: str
    created_at: InstantField
    last_seen: InstantField
    device: str
    current: bool


class PasswordChange(Wire):
    current_password: str = Field(default="", max_length=1000)
    new_password: str = Field(default="", max_length=1000)


class PasswordChanged(Wire):
    """All sessions have ended; here is a new one, whole."""

    message: str
    token: str
    role: Role
    username: str
    company_id: str
    user_id: str
    works_council: Literal[True] | None = None


class ResetRow(Wire):
    """Shown this once."""

    password: str
    expires_at: InstantField


class ResetOfMany(Wire):
    user_id: str
    username: str
    password: str


class LockRow(Wire):
    """A reference of 64 hexadecimal digits that grants nothing."""

    token: str
