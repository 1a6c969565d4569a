"""Queries on bookings."""

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import Booking


def of_person(session: Session, company_id: str, user_id: str) -> Sequence[Booking]:
    """A person's bookings, newest date first, and of one date the newest first."""
    return session.scalars(
        select(Booking)
        .where(Booking.company_id == company_id, Booking.user_id == user_id)
        .order_by(Booking.date.desc(), Booking.id.desc())
    ).all()


def usernames(session: Session, company_id: str, user_ids: Collection[str]) -> dict[str, str]:
    """What these of the company's people are called, also who is deleted."""
    if not user_ids:
        return {}
    found = select(User.id, User.username).where(User.company_id == company_id, User.id.in_(sorted(user_ids)))
    return {row.id: row.username for row in session.execute(found)}
