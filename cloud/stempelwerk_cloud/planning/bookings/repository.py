"""Queries on bookings."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.planning.facts.tables import Booking


def of_person(
    session: Session, company_id: str, user_id: str, bounds: Bounds, page_request: PageRequest
) -> Sequence[Booking]:
    """Returns a page of a person's bookings, newest date first, and of one date the newest booking first. Raises
    NoSuchRow.
    """
    statement = select(Booking).where(Booking.company_id == company_id, Booking.user_id == user_id)
    order, within = (Booking.date, Booking.id), bounds.touching(Booking.date, Booking.date)
    return [row[0] for row in page(session, statement, within, order, page_request, descending=True)]
