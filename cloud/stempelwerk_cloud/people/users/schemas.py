"""Bodies of the users' calls."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, Strict

from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, SentInstant, Wire
from stempelwerk_cloud.people.directory.service import Role
from stempelwerk_cloud.people.directory.tables import USERNAME_LIMIT


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
