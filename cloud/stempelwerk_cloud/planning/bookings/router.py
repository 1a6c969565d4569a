"""Endpoints for bookings on people's accounts."""

from typing import Annotated

from fastapi import Depends, Path

from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.people.access.guards import administrators_with, self_user_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.bookings import service
from stempelwerk_cloud.planning.bookings.schemas import BookingRow, NewBooking
from stempelwerk_cloud.planning.bookings.service import BookingView

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
