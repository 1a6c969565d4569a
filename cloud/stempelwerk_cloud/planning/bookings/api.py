"""Endpoints for bookings on people's accounts."""

from typing import Annotated

from fastapi import Depends, Path
from pydantic import Field, Strict, StringConstraints

from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, HalvesField, IdField, InstantField, Wire, halves_input
from stempelwerk_cloud.people.access.guards import administrators_with, self_user_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.bookings import service
from stempelwerk_cloud.planning.bookings.service import BookingView

MINUTES_LIMIT = 100_000
VACATION_LIMIT = 400
REASON_LIMIT = 2000


class BookingRow(Wire):
    """A booking, which is permanent: a mistake is booked back. One of `minutes` and `vacationDays` is null."""

    id: str
    date: DayField
    minutes: int | None
    vacation_days: HalvesField | None
    reason: str
    by: str | None
    at: InstantField


class NewBooking(Wire):
    """A booking to make: exactly one of `minutes` and `vacationDays`, and not 0."""

    date: DayField
    minutes: Annotated[int, Strict(), Field(ge=-MINUTES_LIMIT, le=MINUTES_LIMIT)] | None = None
    vacation_days: halves_input(VACATION_LIMIT) | None = None  # type: ignore[valid-type]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=REASON_LIMIT)]


router = room_router("bookings")

Oneself = Annotated[Caller, Depends(self_user_with("hours_config"))]
Manager = Annotated[Caller, Depends(administrators_with("hours_config"))]
"""Administrators who may set hours. The service checks that the person is of their company."""
UserId = Annotated[IdField, Path(alias="userId")]


@router.get("/api/users/{userId}/bookings")
def bookings(_: Oneself, work: Reading, user_id: UserId, paging: PagingDep, bounds: BoundsDep) -> list[BookingRow]:
    """A person's bookings, newest date first."""
    return [_row(view) for view in service.shown_of(work, user_id, bounds, paging)]


@router.post("/api/users/{userId}/bookings", status_code=201)
def book(_: Manager, work: Writing, user_id: UserId, body: NewBooking) -> BookingRow:
    """Books minutes or vacation days on a person's account, and notifies the person."""
    view = service.book(
        work,
        user_id,
        day=body.date,
        minutes=body.minutes,
        vacation_halves=body.vacation_days,
        reason=body.reason,
    )
    return _row(view)


def _row(view: BookingView) -> BookingRow:
    booking = view.booking
    return BookingRow(
        id=booking.id,
        date=booking.date,
        minutes=booking.minutes,
        vacation_days=booking.vacation_halves,
        reason=booking.reason,
        by=view.made_by_name,
        at=booking.made_at,
    )
