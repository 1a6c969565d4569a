"""What a person does to their own login, and what system administrators do to the logins of others."""

from fastapi import APIRouter, Request, Response

from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.problems import unavailable
from stempelwerk_cloud.kit.schemas import PathId
from stempelwerk_cloud.people.access.guards import AdminOnly, AnySession, ThatUser
from stempelwerk_cloud.people.access.refusals import AccountRoute
from stempelwerk_cloud.people.account.schemas import (
    AppCode,
    AuthenticatorActive,
    AuthenticatorGone,
    AuthenticatorSetup,
    AuthenticatorStatus,
    LockRow,
    PasswordChange,
    PasswordChanged,
    ResetOfMany,
    ResetRow,
    SessionRow,
)

router = APIRouter(tags=["account"], route_class=AccountRoute)


@router.get("/api/auth/2fa/status")
async def authenticator_status(caller: AnySession, platform: PlatformDep) -> AuthenticatorStatus:
    """Whether the own authenticator is active, and how many recovery codes are left."""
    raise unavailable()


@router.post("/api/auth/2fa/setup/start")
async def start_setup(caller: AnySession, platform: PlatformDep) -> AuthenticatorSetup:
    """A new secret, which replaces one that was not confirmed. 409 if an authenticator is active."""
    raise unavailable()


@router.post("/api/auth/2fa/setup/verify")
async def confirm_setup(caller: AnySession, platform: PlatformDep, body: AppCode) -> AuthenticatorActive:
    """Activates the authenticator by its first code; remembered devices are forgotten."""
    raise unavailable()


@router.post("/api/auth/2fa/disable")
async def disable(caller: AnySession, platform: PlatformDep, request: Request, body: AppCode) -> AuthenticatorGone:
    """By a code of the app or a recovery code."""
    raise unavailable()


@router.get("/api/auth/sessions")
async def list_sessions(caller: AnySession, platform: PlatformDep) -> list[SessionRow]:
    """The own live sessions, newest first."""
    raise unavailable()


@router.delete("/api/auth/sessions/{id}", status_code=204)
async def end_one(caller: AnySession, platform: PlatformDep, session_id: PathId) -> Response:
    """Ends one of the own sessions."""
    raise unavailable()


@router.delete("/api/auth/sessions", status_code=204)
async def sign_out_everywhere(caller: AnySession, platform: PlatformDep) -> Response:
    """Ends all own sessions, this one too, and forgets the remembered devices."""
    raise unavailable()


@router.put("/api/users/{userId}/change-password")
async def change_password(
    caller: ThatUser, platform: PlatformDep, request: Request, body: PasswordChange
) -> PasswordChanged:
    """Ends all sessions of the user; the answer brings a new one."""
    raise unavailable()


@router.put("/api/users/{id}/password-reset")
async def reset_password(caller: AdminOnly, platform: PlatformDep, user_id: PathId) -> ResetRow:
    """A password for 24 hours that only opens the choice of another. Unlocks; ends sessions."""
    raise unavailable()


@router.put("/api/users/{id}/lock")
async def lock_user(caller: AdminOnly, platform: PlatformDep, user_id: PathId) -> LockRow:
    """Locks the account until its password is reset; ends sessions. Locked already: the same token."""
    raise unavailable()


@router.put("/api/companies/{id}/password-reset-all")
async def reset_all(caller: AdminOnly, platform: PlatformDep, company_id: PathId) -> list[ResetOfMany]:
    """A random password for everybody who is not protected, locked, or the caller; by username."""
    raise unavailable()


@router.delete("/api/users/{id}/second-factor", status_code=204)
async def remove_second_factor(caller: AdminOnly, platform: PlatformDep, user_id: PathId) -> Response:
    """For a lost phone: authenticator, recovery codes, linked address and remembered devices go; sessions end."""
    raise unavailable()
