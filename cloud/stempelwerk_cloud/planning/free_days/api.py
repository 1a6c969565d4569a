"""Endpoints for a company's free days."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import Altering, Reading
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.planning.free_days import service
from stempelwerk_cloud.planning.free_days.service import FIRST_YEAR, LAST_YEAR, FreeDayRow, FreeDaysChange

router = room_router("free days")

Manager = Annotated[Caller, Depends(of_company_with("hours_config"))]
"""Administrators of the company in the path who may set hours."""


@router.get("/api/companies/{companyId}/free-days")
def free_days(
    caller: Manager, work: Reading, year: Annotated[int | None, Query(ge=FIRST_YEAR, le=LAST_YEAR)] = None
) -> list[FreeDayRow]:
    """The company's free days of a year, the current one by default, oldest first."""
    company_id = caller.subject_company_id
    shown_year = year or today_of(work.session, company_id, work.now()).year
    return _rows(service.of_year(work.session, company_id, shown_year))


@router.put("/api/companies/{companyId}/free-days")
def change_free_days(caller: Manager, work: Altering, body: FreeDaysChange) -> list[FreeDayRow]:
    """Replaces the free days of a year: days that are not named are removed."""
    return _rows(service.change(work, caller.subject_company_id, body.year, body.days))


def _rows(stored_days: Iterable[FreeDay]) -> list[FreeDayRow]:
    return [
        FreeDayRow(date=free_day.date, name=free_day.name, half=free_day.half, legal=free_day.legal)
        for free_day in stored_days
    ]
