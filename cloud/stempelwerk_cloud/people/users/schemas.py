"""Bodies of the users' calls."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, Strict

from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, SentInstant, Wire
from stempelwerk_cloud.people.directory.service import Role
from stempelwerk_cloud.people.directory.tables import USERNAME_LIMIT


class UserRow(Wire):
    """A person. A colleague gets `id` and `username`, a companyAdmin all up to `worksCouncil`, a system admin all.

    `department`, today's, is there for who is of one, `worksCouncil` for its members alone, `deletedAt` for who was
    deleted. `resetExpiresAt`: until when a reset password holds that was not replaced yet.
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
    """`companyId` may be left out by a companyAdmin; a system administrator names it."""

    company_id: Annotated[IdField | None, BeforeValidator(lambda value: None if value == "" else value)] = None
    username: str = Field(max_length=USERNAME_LIMIT)
    password: str = Field(max_length=1000)
    tag_id: str = Field(max_length=200)
    role: Role
    tag_from: SentInstant | None = None


class UserChange(Wire):
    """What is left out stays. `companyId` changes nothing: it may only repeat the company whose the person is.

    `worksCouncil` beside role `user` alone; another role takes it away.
    """

    company_id: str | None = Field(default=None, max_length=200)
    username: str | None = Field(default=None, max_length=USERNAME_LIMIT)
    tag_id: str | None = Field(default=None, max_length=200)
    role: Role | None = None
    tag_from: SentInstant | None = None
    works_council: Annotated[bool, Strict()] | None = None
