"""JSON bodies and answers of the endpoints for hand-overs."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, SentDay, TimeField, Wire


def _front(value: Any) -> Any:
    return value[:10] if isinstance(value, str) else value


DayAtFront = Annotated[DayField, BeforeValidator(_front)]
"""A day; text after its first ten characters is ignored."""


class SwapWish(Wire):
    """A request to a colleague (`to`) to take over a duty. `from` is optional: it is the caller.

    The service refuses an unknown or missing `to`.
    """

    date: Annotated[SentDay, BeforeValidator(_front)]
    to: str | None = None
    from_: str | None = Field(default=None, alias="from")


class AskedRow(Wire):
    """A pending request of the caller."""

    id: str
    date: DayField
    to: str
    to_name: str
    created_at: InstantField


class OfferedRow(Wire):
    """A pending request to the caller, with the times of its duty; null for a duty without times."""

    id: str
    requester_name: str
    date: DayField
    created_at: InstantField
    start: TimeField | None
    end: TimeField | None


class AnsweredRow(OfferedRow):
    """A request that the caller has answered."""

    status: Literal["accepted", "declined"]


class CandidateRow(Wire):
    """A colleague. `available`: whether they could take over the duty. The reason is not disclosed."""

    id: str
    username: str
    available: bool
