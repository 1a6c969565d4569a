"""SQL queries on duties."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.alphabet import alphabetical
from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.people.directory.people import hidden
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import Duty
from stempelwerk_cloud.planning.schedule.tables import PublishedDuty


class Listed(NamedTuple):
    id: str
    date: date
    user_id: str
    username: str
    start_minute: int | None
    end_minute: int | None
    published: bool


def list_duties(
    session: Session,
    company_id: str,
    first: date,
    last: date | None,
    today: date,
    user_id: str | None = None,
    page_request: PageRequest | None = None,
) -> Sequence[Listed]:
    """Returns a page of the duties from `first` to `last` (None: without an end) by day and username, and one more if
    more follow.

    `user_id`: only of this person. `published`: the duty was announced to its person as it is, or is before `today`.
    Raises NoSuchRow.
    """
    matches_published = (
        (PublishedDuty.company_id == Duty.company_id)
        & (PublishedDuty.user_id == Duty.user_id)
        & (PublishedDuty.date == Duty.date)
        & PublishedDuty.start_minute.is_not_distinct_from(Duty.start_minute)
        & PublishedDuty.end_minute.is_not_distinct_from(Duty.end_minute)
    )
    published = (Duty.date < today) | PublishedDuty.user_id.is_not(None)
    statement = (
        select(Duty.id, Duty.date, Duty.user_id, User.username, Duty.start_minute, Duty.end_minute, published)
        .outerjoin(PublishedDuty, matches_published)
        .join(User, (User.company_id == Duty.company_id) & (User.id == Duty.user_id))
        .where(Duty.company_id == company_id)
    )
    conditions = [Duty.date >= first]
    if last is not None:
        conditions.append(Duty.date <= last)
    statement = statement.where(User.id.not_in(hidden(company_id)) if user_id is None else Duty.user_id == user_id)
    order = (Duty.date, alphabetical(User.username_key), Duty.id)
    return [Listed(*row) for row in page(session, statement, conditions, order, page_request or PageRequest())]


def duties_between(
    session: Session, company_id: str, first: date, last: date, user_ids: Iterable[str] | None = None
) -> list[Duty]:
    """Returns the duties from `first` to `last`, of these people (None: of all), by day."""
    statement = select(Duty).where(Duty.company_id == company_id, Duty.date >= first, Duty.date <= last)
    if user_ids is not None:
        statement = statement.where(Duty.user_id.in_(sorted(set(user_ids))))
    return list(session.scalars(statement.order_by(Duty.date, Duty.id)))


def published_between(
    session: Session, company_id: str, first: date, last: date, user_ids: Iterable[str] | None = None
) -> list[PublishedDuty]:
    """Returns the duties last announced to these people, or to all, for these days."""
    statement = select(PublishedDuty).where(
        PublishedDuty.company_id == company_id, PublishedDuty.date >= first, PublishedDuty.date <= last
    )
    if user_ids is not None:
        statement = statement.where(PublishedDuty.user_id.in_(sorted(set(user_ids))))
    return list(session.scalars(statement))


def by_ids(session: Session, company_id: str, duty_ids: Iterable[str]) -> dict[str, Duty]:
    ids = sorted(set(duty_ids))
    if not ids:
        return {}
    statement = select(Duty).where(Duty.company_id == company_id, Duty.id.in_(ids))
    return {duty.id: duty for duty in session.scalars(statement)}
