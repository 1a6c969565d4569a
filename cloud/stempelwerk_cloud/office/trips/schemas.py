"""Bodies of the calls about trips."""

from typing import Annotated, Literal

from pydantic import Field, Strict, StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, SentDay, Wire

Decision = Literal["approved", "declined"]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Remark = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]


class NewTrip(Wire):
    """`kilometres`: there and back, in whole ones."""

    date: SentDay
    destination: Line
    kilometres: Annotated[int, Strict(), Field(ge=1, le=5000)]
    purpose: Line


class TripDecision(Wire):
    """Who declines says why in `comment`."""

    status: Decision
    comment: Remark | None = None


class TripRow(Wire):
    """A trip with whose it is, and the username of who decided it."""

    id: str
    date: DayField
    user_id: str
    username: str
    destination: str
    kilometres: int
    purpose: str
    status: Literal["pending", "approved", "declined"]
    created_at: InstantField
    decided_at: InstantField | None
    decided_by: str | None
    comment: str | None
