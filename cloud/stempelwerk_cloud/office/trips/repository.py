"""Queries on trips."""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import Wanted, page
from stempelwerk_cloud.office.trips.tables import Trip
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.requests import PENDING

KEPT = timedelta(days=2 * 366)
"""Two years, leap days included."""


def between(session: Session, company_id: str, first: date, last: date, wanted: Wanted) -> Sequence[tuple[Trip, str]]:
    """A page of the company's trips of these days with the username, by day. Raises NoSuchRow."""
    every = (
        select(Trip, User.username)
        .join(User, (User.company_id == Trip.company_id) & (User.id == Trip.user_id))
        .where(Trip.company_id == company_id)
    )
    rows = page(session, every, [Trip.date.between(first, last)], (Trip.date, Trip.id), wanted)
    return [(trip, username) for trip, username in rows]


def count_open(session: Session, company_id: str, user_id: str) -> int:
    """How many trips of a person nobody has decided yet."""
    found = select(func.count()).where(Trip.company_id == company_id, Trip.user_id == user_id, Trip.status == PENDING)
    return session.scalar(found) or 0
