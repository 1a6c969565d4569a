"""JSON bodies and answers of the endpoints for bookings."""

from typing import Annotated

from pydantic import Field, Strict, StringConstraints

from stempelwerk_cloud.kit.http.half_days import HalvesField, halves_input
from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, Wire

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
