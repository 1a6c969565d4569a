"""Calls about what people's work costs."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField
from stempelwerk_cloud.office.costs import configuring, problems, schemas, service
from stempelwerk_cloud.office.costs.schemas import ChangedConfig, ConfigChange, ConfigRow, CostsMonth, YearMonthRow
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Altering, Reading
from stempelwerk_cloud.timekeeping.entries import service as entries

router = room_router("costs")

Accountant = Annotated[Caller, Depends(of_company_with("costs"))]
"""Administrators of the company in the path who may see costs."""


@router.get("/api/companies/{companyId}/compensation-config")
def compensation_config(caller: Accountant, work: Reading, on: DayField | None = None) -> ConfigRow:
    """Returns the configuration of today, or of the day `on`."""
    return schemas.config(configuring.config_on(work, caller.subject_company_id, on))


@router.put("/api/companies/{companyId}/compensation-config")
def change_compensation_config(caller: Accountant, work: Altering, body: ConfigChange) -> ChangedConfig:
    """Answers what holds on the first day of the change; today, if it holds for all time."""
    new_config = configuring.change(
        work, caller.subject_company_id, schemas.changed_values(body), body.user_departments, body.valid_from
    )
    return ChangedConfig.from_row(schemas.config(new_config), valid_from=body.valid_from)


@router.get("/api/companies/{companyId}/compensation-costs")
def compensation_costs(
    caller: Annotated[Caller, Depends(of_company_with("costs").showing("account").in_turn())],
    work: Reading,
    month: Annotated[str | None, Query(examples=["2026-11"])] = None,
    year: Annotated[str | None, Query(examples=["2026"])] = None,
) -> CostsMonth | list[YearMonthRow]:
    """Returns a month's costs by person, or the totals of a year's months. The default is the current month.

    409 if the times are purged: costs of 0 would be wrong.
    """
    company_id, now = caller.subject_company_id, work.now()
    today = directory.today_of(work.session, company_id, now)
    if month is not None and year is not None:
        raise problems.month_or_year()
    if year is not None:
        first, _ = time_account.read_year(year, today)
        entries.ensure_available(work.session, company_id, first)
        return schemas.year(service.of_year(work.session, company_id, first, today))
    first, _ = month_of(today) if month is None else time_account.read_month(month, today)
    entries.ensure_available(work.session, company_id, first)
    return schemas.month(service.of_month(work.session, company_id, first, today, now))
