"""JSON bodies and answers of the endpoints for held stamps."""

from typing import Annotated, Literal

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, SentInstant, Wire


class HeldStamp(Wire):
    """A stamp of the company that waits for an administrator."""

    id: str
    tag: str
    taken_at: InstantField
    device_id: str
    device_name: str
    state: str


class HeldUnassigned(Wire):
    """A stamp without a company, or an unreadable one (state `quarantined`, without a tag and a time).

    `raw`: the unreadable bytes, truncated if long.
    """

    id: str
    tag: str | None
    taken_at: InstantField | None
    device_id: str
    device_name: str
    assignment: str | None
    state: str
    raw: str | None


class TagChoice(Wire):
    tag: Annotated[str, Field(min_length=1)]
    user_id: IdField
    from_: Annotated[SentInstant, Field(alias="from")]


class Booked(Wire):
    booked: int


class Decision(Wire):
    action: Literal["book", "discard"]
    taken_at: InstantField | None = None


class Resolved(Wire):
    state: str


class ReleasePeriod(Wire):
    device_id: IdField
    from_: Annotated[SentInstant, Field(alias="from")]
    to: SentInstant
    company_id: IdField


class Released(Wire):
    released: int
