"""Endpoints for employees who hand over duties."""

from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import BeforeValidator, Field

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, PathId, SentDay, TimeField, Wire
from stempelwerk_cloud.people.access.guards import Employee
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.hand_overs import service


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


router = room_router("schedule")


@router.post("/api/schedule/swap-request", status_code=201)
def ask(_: Employee, work: Writing, body: SwapWish) -> AskedRow:
    """Asks a colleague to take over the caller's own duty of that day."""
    return AskedRow.model_validate(service.ask(work, body.date, body.to, body.from_))


@router.get("/api/schedule/my-swap-requests")
def asked(_: Employee, work: Reading) -> list[AskedRow]:
    """The caller's own pending requests, from today on, by day."""
    return [AskedRow.model_validate(row) for row in service.asked_by_caller(work)]


@router.get("/api/schedule/swap-requests")
def offered(_: Employee, work: Reading) -> list[OfferedRow]:
    """The pending requests to the caller, from today on, by day."""
    return [OfferedRow.model_validate(row) for row in service.offered_to_caller(work)]


@router.get("/api/schedule/swap-candidates")
def candidates(_: Employee, work: Reading, date: DayAtFront) -> list[CandidateRow]:
    """The company's other employees by username, with whether each could take over the caller's duty of that day."""
    return [CandidateRow.model_validate(candidate) for candidate in service.candidates(work, date)]


@router.post("/api/schedule/swap-requests/{id}/accept", status_code=200)
def accept(_: Employee, work: Writing, request_id: PathId) -> AnsweredRow:
    """Accepts a request and takes over the duty; only its recipient may."""
    return AnsweredRow.model_validate(service.accept(work, request_id))


@router.post("/api/schedule/swap-requests/{id}/decline", status_code=200)
def decline(_: Employee, work: Writing, request_id: PathId) -> AnsweredRow:
    """Declines a request; only its recipient may."""
    return AnsweredRow.model_validate(service.decline(work, request_id))


@router.delete("/api/schedule/swap-requests/{id}", status_code=204)
def withdraw(_: Employee, work: Writing, request_id: PathId) -> Response:
    """Withdraws a pending request; only its requester may."""
    service.withdraw(work, request_id)
    return Response(status_code=204)
