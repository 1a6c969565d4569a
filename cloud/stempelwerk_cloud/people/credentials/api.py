"""Calls of people about their own login, and of system administrators about the logins of others."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from stempelwerk_cloud.kit.http.request_life import ReadTx
from stempelwerk_cloud.kit.http.schemas import InstantField, PathId, Wire
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly, AnySession, admin_only, any_session, that_user
from stempelwerk_cloud.people.access.guessing.failure_members import AccountRoute
from stempelwerk_cloud.people.access.identity import second_factor, sessions
from stempelwerk_cloud.people.access.identity.browsers import client_of, device_name
from stempelwerk_cloud.people.credentials import authenticator, service, words
from stempelwerk_cloud.people.directory.callers import Caller, Role
from stempelwerk_cloud.people.work import Reading, Writing


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


Rarely = Annotated[Caller, Depends(any_session.at_most("20/minute", shared=True))]
"""A logged-in person, for calls that could be used to guess a code."""

router = APIRouter(tags=["account"], route_class=AccountRoute)


@router.get("/api/auth/2fa/status")
def authenticator_status(caller: AnySession, tx: ReadTx) -> AuthenticatorStatus:
    """Returns whether the caller's authenticator is active, and how many recovery codes are left."""
    enabled = second_factor.has_authenticator(tx, caller.company_id, caller.user_id)
    codes_left = second_factor.recovery_codes_left(tx, caller.company_id, caller.user_id)
    message = words.AUTHENTICATOR_ACTIVE if enabled else words.AUTHENTICATOR_NOT_ACTIVE
    return AuthenticatorStatus(enabled=enabled, message=message, recovery_codes_left=codes_left)


@router.post("/api/auth/2fa/setup/start")
async def start_setup(
    caller: Rarely, platform: PlatformDep, request: Request, body: SetupWish | None = None
) -> AuthenticatorSetup:
    """Begins the setup of the caller's authenticator. Returns a new secret, which replaces an unconfirmed one. A
    session older than five minutes needs the password.
    """
    password = body.password if body else None
    setup = await authenticator.start(platform, caller, password, client_of(request).address)
    return AuthenticatorSetup.model_validate(setup)


@router.post("/api/auth/2fa/setup/verify")
def confirm_setup(caller: Rarely, platform: PlatformDep, body: AppCode) -> AuthenticatorActive:
    """Activates the authenticator by its first code; all other sessions end, remembered devices are forgotten."""
    recovery = authenticator.confirm(platform, caller, body.code)
    return AuthenticatorActive(message="Authenticator erfolgreich aktiviert.", recovery_codes=recovery)


@router.post("/api/auth/2fa/disable")
def disable(caller: Rarely, platform: PlatformDep, request: Request, body: AppCode) -> AuthenticatorGone:
    """Deactivates the authenticator with a code of the app or a recovery code."""
    authenticator.disable(platform, caller, body.code, client_of(request).address)
    return AuthenticatorGone(message="Authenticator deaktiviert.")


@router.get("/api/auth/sessions")
def list_sessions(caller: AnySession, work: Reading) -> list[SessionRow]:
    """Lists the caller's own live sessions, newest first."""
    return [
        SessionRow(
            id=row.id,
            created_at=row.created_at,
            last_seen=row.last_seen_at,
            device=device_name(row.user_agent),
            current=row.id == caller.session_id,
        )
        for row in sessions.of_user(work.session, caller, work.now())
    ]


@router.delete("/api/auth/sessions/{id}", status_code=204)
def end_one(_: AnySession, work: Writing, session_id: PathId) -> Response:
    """Ends one of the caller's own sessions."""
    service.end_session(work, session_id)
    return Response(status_code=204)


@router.delete("/api/auth/sessions", status_code=204)
def sign_out_everywhere(_: AnySession, work: Writing) -> Response:
    """Ends all sessions of the caller, including this one, and forgets the remembered devices."""
    service.sign_out_everywhere(work)
    return Response(status_code=204)


@router.put("/api/users/{userId}/change-password", response_model_exclude_none=True)
async def change_password(
    caller: Annotated[Caller, Depends(that_user.at_most("20/minute", shared=True))],
    platform: PlatformDep,
    request: Request,
    body: PasswordChange,
) -> PasswordChanged:
    """Changes the password and ends all sessions of the user; the answer contains a new one."""
    opened = await service.change_password(
        platform, caller, body.current_password, body.new_password, client_of(request)
    )
    return opened.answer(PasswordChanged, words.CHANGED)


@router.put("/api/users/{id}/password-reset")
async def reset_password(
    caller: Annotated[Caller, Depends(admin_only.at_most("120/minute", shared=True))],
    platform: PlatformDep,
    user_id: PathId,
) -> ResetRow:
    """Sets a password for 24 hours that only permits choosing another. Unlocks the account and ends its sessions."""
    return ResetRow.model_validate(await service.reset_password(platform, caller, user_id))


@router.put("/api/users/{id}/lock")
def lock_user(_: AdminOnly, work: Writing, user_id: PathId) -> LockRow:
    """Locks the account until its password is reset, and ends its sessions. For a locked account returns the same
    token.
    """
    return LockRow(token=service.lock(work, user_id))


@router.put("/api/companies/{id}/password-reset-all")
async def reset_all(
    caller: Annotated[Caller, Depends(admin_only.at_most("20/minute", shared=True))],
    platform: PlatformDep,
    company_id: PathId,
) -> list[ResetOfMany]:
    """Sets a random password for each person who is not protected, locked, or the caller; sorted by username."""
    resets = await service.reset_all(platform, caller, company_id)
    return [
        ResetOfMany(user_id=reset.user.id, username=reset.user.username, password=reset.password) for reset in resets
    ]


@router.delete("/api/users/{id}/second-factor", status_code=204)
def remove_second_factor(_: AdminOnly, work: Writing, user_id: PathId) -> Response:
    """Removes authenticator, recovery codes, linked address and remembered devices of a person who lost their phone.
    Ends sessions.
    """
    service.remove_second_factor(work, user_id)
    return Response(status_code=204)
