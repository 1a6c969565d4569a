"""Bodies of the hand-overs' calls."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, SentDay, TimeField, Wire


def _front(value: Any) -> Any:
    return value[:10] if isinstance(value, str) else value


DayAtFront = Annotated[DayField, BeforeValidator(_front)]
"""A day; only the first ten characters of its text count."""


class SwapWish(Wire):
    """`from` may be left out: it is the caller. `to` may be unknown or missing: the service refuses that."""

    date: Annotated[SentDay, BeforeValidator(_front)]
    to: str | None = None
    from_: str | None = Field(default=None, alias="from")


class AskedRow(Wire):
    """A request of one's own that waits."""

    id: str
    date: DayField
    to: str
    to_name: str
    created_at: InstantField


class OfferedRow(Wire):
    """A request that waits for one's own answer; the times of its duty, where it has any."""

    id: str
    requester_name: str
    date: DayField
    created_at: InstantField
    start: TimeField | None
    end: TimeField | None


class AnsweredRow(OfferedRow):
    """A request that one has answered."""

    status: Literal["accepted", "declined"]


class CandidateRow(Wire):
    """A colleague; `available`: whether they could take the duty over. Never why not."""

    id: str
    username: str
    available: bool
