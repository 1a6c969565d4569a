"""Calls about the people of a company."""

from typing import Annotated, Literal

from fastapi import Depends, Query, Response
from pydantic import BeforeValidator, Field, Strict

from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, PathId, SentInstant, Wire
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.kit.security.passwords import Refusal
from stempelwerk_cloud.people.access.guards import MemberOf, administrators_with
from stempelwerk_cloud.people.directory.callers import ADMIN, USER, Caller, Role
from stempelwerk_cloud.people.directory.tables import USERNAME_LIMIT
from stempelwerk_cloud.people.users import service, words
from stempelwerk_cloud.people.users.service import UserView
from stempelwerk_cloud.people.work import Reading, Writing


class UserRow(Wire):
    """A person. A colleague gets `id` and `username`, a companyAdmin all up to `worksCouncil`, a system admin all.

    `department` (today's), `worksCouncil` and `deletedAt` are present only for people who have a department, are
    members, or were deleted. `resetExpiresAt`: until when an unreplaced reset password holds.
    """

    id: str
    username: str
    tag_id: str | None = None
    role: Role | None = None
    is_locked: bool | None = None
    department: str | None = None
    works_council: Literal[True] | None = None
    deleted_at: InstantField | None = None
    lock_token: str | None = None
    second_factor: Literal["authenticator", "email"] | None = None
    reset_expires_at: InstantField | None = None


class NewUser(Wire):
    """A new person. A companyAdmin may leave out `companyId`; a system administrator must give it."""

    company_id: Annotated[IdField | None, BeforeValidator(lambda value: None if value == "" else value)] = None
    username: str = Field(max_length=USERNAME_LIMIT)
    password: str = Field(max_length=1000)
    tag_id: str = Field(max_length=200)
    role: Role
    tag_from: SentInstant | None = None


class UserChange(Wire):
    """A change of the given fields. `companyId` changes nothing: it may only repeat the person's company.

    `worksCouncil` requires the role `user`; another role removes it.
    """

    company_id: str | None = Field(default=None, max_length=200)
    username: str | None = Field(default=None, max_length=USERNAME_LIMIT)
    tag_id: str | None = Field(default=None, max_length=200)
    role: Role | None = None
    tag_from: SentInstant | None = None
    works_council: Annotated[bool, Strict()] | None = None


router = room_router("users")

_managers = administrators_with("manage_employees")
Manager = Annotated[Caller, Depends(_managers)]
"""Administrators who may manage people; the service checks the company of the person."""


@router.get("/api/companies/{companyId}/users", response_model_exclude_unset=True)
def list_users(
    _: MemberOf,
    work: Reading,
    paging: PagingDep,
    deleted: Annotated[bool, Query(description="Deleted people who are not erased yet; for administrators.")] = False,
) -> list[UserRow]:
    """Lists people by username. The fields depend on the caller's role."""
    users = paging.cut_whole(service.visible_users(work, deleted=deleted), lambda view: view.user.id)
    return [_row(view, work.caller) for view in users]


def _with_hash(body: NewUser) -> tuple[NewUser, Refusal | None, str]:
    """Returns the body, the refusal of its password, and the password's hash (empty if refused).

    The hash is computed before the transaction, because other transactions would wait for it.
    """
    refusal = passwords.find_refusal(body.password, [body.username])
    return body, refusal, "" if refusal else passwords.hash_password(body.password)


def _require_all(body: NewUser) -> None:
    """Raises 422 if a system administrator has left a required field empty. Their own company is no default."""
    filled = {
        "companyId": body.company_id,
        "username": body.username.strip(),
        "password": body.password,
        "tagId": body.tag_id.strip(),
    }
    for field, value in filled.items():
        if not value:
            raise words.login_incomplete(field)


@router.post("/api/users", status_code=201, response_model_exclude_unset=True)
def create_user(
    _: Annotated[Caller, Depends(_managers.at_most("600/minute"))],
    new: Annotated[tuple[NewUser, Refusal | None, str], Depends(_with_hash)],
    work: Writing,
) -> UserRow:
    body, refusal, password_hash = new
    if work.caller.role == ADMIN:
        _require_all(body)
    if refusal is not None:
        raise words.password_refused(refusal)
    company_id = body.company_id or work.caller.company_id
    service.ensure_password(work, company_id, body.password)
    user = service.create(
        work,
        company_id=company_id,
        username=body.username,
        password_hash=password_hash,
        tag=body.tag_id,
        role=body.role,
        tag_from=body.tag_from,
    )
    return _row(service.view_user(work, user), work.caller)


@router.put("/api/users/{id}", response_model_exclude_unset=True)
def change_user(_: Manager, work: Writing, user_id: PathId, body: UserChange) -> UserRow:
    """Changes the given fields. A new role, or joining or leaving the works council, ends the person's sessions."""
    user = service.change(
        work,
        user_id,
        company_id=body.company_id,
        username=body.username,
        tag=body.tag_id,
        role=body.role,
        tag_from=body.tag_from,
        works_council=body.works_council,
    )
    return _row(service.view_user(work, user), work.caller)


@router.delete("/api/users/{id}", status_code=204)
def delete_user(_: Manager, work: Writing, user_id: PathId) -> Response:
    """Deletes the person: ends the login and the tags. The recorded times remain."""
    service.delete(work, user_id)
    return Response(status_code=204)


def _row(view: UserView, caller: Caller) -> UserRow:
    user = view.user
    if caller.role == USER:
        return UserRow(id=user.id, username=user.username)
    row = UserRow(id=user.id, username=user.username, tag_id=view.tag, role=user.role, is_locked=user.is_locked)
    if view.department is not None:
        row.department = view.department
    if user.works_council:
        row.works_council = True
    if user.deleted_at is not None:
        row.deleted_at = user.deleted_at
    if caller.role == ADMIN:
        row.lock_token = user.lock_token
        row.second_factor = view.factor
        row.reset_expires_at = user.reset_expires_at
    return row
