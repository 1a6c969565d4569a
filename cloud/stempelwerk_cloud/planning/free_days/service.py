"""Use cases of free days."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import FIGURES_CHANGED
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.planning.free_days import actions, problems
from stempelwerk_cloud.planning.free_days.schemas import GivenDay
from stempelwerk_cloud.timekeeping.entries import service as entries


def of_year(session: Session, company_id: str, year: int) -> Sequence[FreeDay]:
    """A company's free days of a year, oldest first."""
    found = select(FreeDay).where(
        FreeDay.company_id == company_id, FreeDay.date.between(date(year, 1, 1), date(year, 12, 31))
    )
    return session.scalars(found.order_by(FreeDay.date)).all()


def change(work: Work, company_id: str, year: int, given: Sequence[GivenDay]) -> Sequence[FreeDay]:
    """Replaces the free days of a year. 422 for a day of another year, or named twice; 409 for a year of which times
    have gone, whose vacation is carried.
    """
    session = work.session
    chosen: dict[date, GivenDay] = {}
    for index, day in enumerate(given):
        if day.date.year != year:
            raise problems.other_year(index)
        if day.date in chosen:
            raise problems.named_twice(index)
        chosen[day.date] = day
    work.plan(company_id)
    entries.must_be_kept(session, company_id, date(year, 1, 1))
    before = of_year(session, company_id, year)
    was = _told(before)
    for one in before:
        if one.date not in chosen:
            session.delete(one)
    for day in chosen.values():
        row = FreeDay(company_id=company_id, date=day.date, name=day.name, half=day.half, legal=day.legal)
        session.merge(row)
    session.flush()
    after = of_year(session, company_id, year)
    if _told(after) != was:
        everybody = [user.id for user in directory.people_in(session, company_id)]
        work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=everybody)
        states = ({"year": year, "freeDays": told} for told in (was, _told(after)))
        work.audit(company_id, actions.CHANGED, None, *states)
    return after


def _told(found: Iterable[FreeDay]) -> list[Any]:
    """As the log keeps them."""
    return [
        f"{one.date.isoformat()} {one.name}{' (halber Tag)' * one.half}{' (gesetzlicher Feiertag)' * one.legal}"
        for one in found
    ]
