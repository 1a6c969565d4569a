"""Bodies of the login's calls."""

from pydantic import Field

from stempelwerk_cloud.kit.schemas import Wire
from stempelwerk_cloud.people.access.callers import Role


class Credentials(Wire):
    company: str = Field(max_length=1000)
    username: str = Field(max_length=1000)
    password: str = Field(max_length=1000)


class LoggedIn(Wire):
    """All five parts of a session."""

    success: bool = True
    message: str
    token: str
    role: Role
    username: str
    company_id: str
    user_id: str


class TicketWish(Wire):
    """`path` of the stream or file that is to be opened, without a query."""

    path: str = Field(min_length=1, max_length=500, pattern="^/api/")


class TicketRow(Wire):
    """`expiresIn` in seconds."""

    ticket: str
    expires_in: int
