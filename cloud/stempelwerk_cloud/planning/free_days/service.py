"""Use cases of free days: days or half days that a company gives all employees."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, Any

from pydantic import Field, Strict, StringConstraints
from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import FIGURES_CHANGED
from stempelwerk_cloud.kit.http.schemas import DayField, Wire
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.planning.free_days import words
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged

CHANGED = Action("free_days.changed")


FIRST_YEAR, LAST_YEAR = 1900, 2200
DAYS_LIMIT = 366

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class FreeDayRow(Wire):
    """A free day. `half`: half of the day is worked. `legal`: it is a holiday by law at the company's place."""

    date: DayField
    name: str
    half: bool
    legal: bool


class GivenDay(Wire):
    date: DayField
    name: Name
    half: Annotated[bool, Strict()] = False
    legal: Annotated[bool, Strict()] = False


class FreeDaysChange(Wire):
    """The free days of a year as a whole: days that are missing here are removed."""

    year: Annotated[int, Strict(), Field(ge=FIRST_YEAR, le=LAST_YEAR)]
    days: list[GivenDay] = Field(max_length=DAYS_LIMIT)


def of_year(session: Session, company_id: str, year: int) -> Sequence[FreeDay]:
    """Returns a company's free days of a year, oldest first."""
    statement = select(FreeDay).where(
        FreeDay.company_id == company_id, FreeDay.date.between(date(year, 1, 1), date(year, 12, 31))
    )
    return session.scalars(statement.order_by(FreeDay.date)).all()


def change(work: UnitOfWork, company_id: str, year: int, given_days: Sequence[GivenDay]) -> Sequence[FreeDay]:
    """Replaces the free days of a year. 422 for a day of another year, or one named twice.

    409 for a year with purged times, because its balance and vacation have been carried already.
    """
    session = work.session
    days_by_date: dict[date, GivenDay] = {}
    for index, day in enumerate(given_days):
        if day.date.year != year:
            raise words.other_year(index)
        if day.date in days_by_date:
            raise words.named_twice(index)
        days_by_date[day.date] = day
    work.plan(company_id)
    ensure_not_purged(session, company_id, date(year, 1, 1))
    old_days = of_year(session, company_id, year)
    was = _audit_values(old_days)
    for free_day in old_days:
        if free_day.date not in days_by_date:
            session.delete(free_day)
    for day in days_by_date.values():
        row = FreeDay(company_id=company_id, date=day.date, name=day.name, half=day.half, legal=day.legal)
        session.merge(row)
    session.flush()
    new_days = of_year(session, company_id, year)
    if _audit_values(new_days) != was:
        everybody = [user.id for user in people_in(session, company_id)]
        work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=everybody)
        states = ({"year": year, "freeDays": audit_days} for audit_days in (was, _audit_values(new_days)))
        work.audit(company_id, CHANGED, None, *states)
    return new_days


def _audit_values(free_days: Iterable[FreeDay]) -> list[Any]:
    """Returns the free days for the audit log."""
    return [
        f"{free_day.date.isoformat()} {free_day.name}"
        f"{' (halber Tag)' * free_day.half}{' (gesetzlicher Feiertag)' * free_day.legal}"
        for free_day in free_days
    ]
