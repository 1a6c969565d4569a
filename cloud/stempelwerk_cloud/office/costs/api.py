"""Calls about what people's work costs. Money is in whole cents, hours in hundredths."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from pydantic import Field, Strict

from stempelwerk_cloud.domain import costs
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.costs import DEFAULT, Mode, Name
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, SentDay, Wire
from stempelwerk_cloud.office.costs import configuring, service, words
from stempelwerk_cloud.office.costs.configuring import Config
from stempelwerk_cloud.office.costs.service import MonthCosts, PersonCosts, YearMonth
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.employment.schemas import Department, MaybeDepartment
from stempelwerk_cloud.people.work import Altering, Reading
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available

CENTS_LIMIT = 100_000_000
PEOPLE_LIMIT = 10_000


Cents = Annotated[int, Strict(), Field(ge=0, le=CENTS_LIMIT)]
_Many: Any = Field(max_length=PEOPLE_LIMIT, default_factory=dict)
PerPerson = Annotated[dict[IdField, Cents | None], _Many]


class ConfigRow(Wire):
    """The configuration in force on a day. `userDepartments` has all people; `minimumWageCents` is the legal minimum
    wage of that day.
    """

    mode: Mode
    default_hourly_cents: int | None
    department_rates: dict[str, int]
    user_departments: dict[str, str | None]
    user_hourly_cents: dict[str, int]
    user_monthly_cents: dict[str, int]
    minimum_wage_cents: int


class ConfigChange(Wire):
    """A change of rates, wages and departments. A missing field stays. In a field of rates or wages, a missing subject
    loses its value.

    It applies from `validFrom` on; without it for all time, except values that already apply today.
    """

    mode: Mode = "uniform"
    default_hourly_cents: Cents | None = None
    department_rates: Annotated[dict[Department, Cents | None], Field(max_length=PEOPLE_LIMIT)] = Field(
        default_factory=dict
    )
    user_departments: Annotated[dict[IdField, MaybeDepartment], Field(max_length=PEOPLE_LIMIT)] = Field(
        default_factory=dict
    )
    user_hourly_cents: PerPerson
    user_monthly_cents: PerPerson
    valid_from: SentDay | None = None


class ChangedConfig(ConfigRow):
    """The configuration from `validFrom` on; null: from the beginning."""

    valid_from: DayField | None


class CostRow(Wire):
    """A person's costs of a month.

    - `rateCents`: by hour, or by month for the type `monthly`.
    - `missingRate`: some work has no rate, or the mode needs a monthly wage and the person has no such wage.
    - `partMonth`: `costCents` is the whole wage of a person who was employed for a part of the month.
    - Hours at night, on Sundays and on holidays are those of § 3b EStG; `costCents` has no surcharge for them.
    """

    user_id: str
    username: str
    type: Literal["hourly", "monthly"]
    raw_minutes: int
    break_minutes: int
    minutes: int
    hours: float
    rate_cents: int
    cost_cents: int
    missing_rate: bool
    under_minimum_wage: bool
    part_month: bool
    night_hours: float
    sunday_hours: float
    holiday_hours: float


class CostsMonth(Wire):
    """The costs of a month by person. `draft`: the month has not ended."""

    month: str
    mode: Mode
    draft: bool
    items: list[CostRow]
    total_cents: int


class YearMonthRow(Wire):
    month: str
    total_cents: int
    draft: bool


_FIELDS: Mapping[str, Name] = {
    "mode": "mode",
    "default_hourly_cents": "default",
    "department_rates": "department",
    "user_hourly_cents": "hourly",
    "user_monthly_cents": "monthly",
}


def changed_values(change: ConfigChange) -> dict[Name, dict[str, Any]]:
    """Returns the values in a body by name and subject; null removes a value."""
    values_by_name: dict[Name, dict[str, Any]] = {}
    for field, name in _FIELDS.items():
        if field in change.model_fields_set:
            value = getattr(change, field)
            values = value if isinstance(value, dict) else {"": value}
            values_by_name[name] = {subject: amount for subject, amount in values.items() if amount is not None}
    return values_by_name


def config(current_config: Config) -> ConfigRow:
    return ConfigRow(
        mode=current_config.rates.mode,
        default_hourly_cents=current_config.rates.get(DEFAULT),
        department_rates=current_config.rates.cents_by_subject("department"),
        user_departments=dict(current_config.departments),
        user_hourly_cents=current_config.rates.cents_by_subject("hourly"),
        user_monthly_cents=current_config.rates.cents_by_subject("monthly"),
        minimum_wage_cents=costs.minimum_wage_on(current_config.day),
    )


def month_body(month_costs: MonthCosts) -> CostsMonth:
    return CostsMonth(
        month=month_costs.first.isoformat()[:7],
        mode=month_costs.mode,
        draft=month_costs.draft,
        items=[_item(person_costs) for person_costs in month_costs.items],
        total_cents=sum(person_costs.cost.cents for person_costs in month_costs.items),
    )


def year_rows(months: list[YearMonth]) -> list[YearMonthRow]:
    return [
        YearMonthRow(month=year_month.first.isoformat()[:7], total_cents=year_month.total_cents, draft=year_month.draft)
        for year_month in months
    ]


def _item(person_costs: PersonCosts) -> CostRow:
    cost, of = person_costs.cost, person_costs.surcharged
    return CostRow(
        user_id=person_costs.user_id,
        username=person_costs.username,
        type="monthly" if cost.monthly else "hourly",
        raw_minutes=person_costs.raw_minutes,
        break_minutes=person_costs.break_minutes,
        minutes=person_costs.minutes,
        hours=_hours(person_costs.minutes),
        rate_cents=cost.rate,
        cost_cents=cost.cents,
        missing_rate=cost.missing,
        under_minimum_wage=cost.under_minimum,
        part_month=person_costs.part_month,
        night_hours=_hours(of.night + of.night40),
        sunday_hours=_hours(of.sunday),
        holiday_hours=_hours(of.holiday + of.holiday150),
    )


def _hours(minutes: int) -> float:
    return round(minutes / 60, 2)


router = room_router("costs")

Accountant = Annotated[Caller, Depends(of_company_with("costs"))]
"""Administrators of the company in the path who may see costs."""


@router.get("/api/companies/{companyId}/compensation-config")
def compensation_config(caller: Accountant, work: Reading, on: DayField | None = None) -> ConfigRow:
    """Returns the configuration of today, or of the day `on`."""
    return config(configuring.config_on(work, caller.subject_company_id, on))


@router.put("/api/companies/{companyId}/compensation-config")
def change_compensation_config(caller: Accountant, work: Altering, body: ConfigChange) -> ChangedConfig:
    """Answers what holds on the first day of the change; today, if it holds for all time."""
    new_config = configuring.change(
        work, caller.subject_company_id, changed_values(body), body.user_departments, body.valid_from
    )
    return ChangedConfig.from_row(config(new_config), valid_from=body.valid_from)


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
    today = today_of(work.session, company_id, now)
    if month is not None and year is not None:
        raise words.month_or_year()
    if year is not None:
        first, _ = time_account.read_year(year, today)
        ensure_available(work.session, company_id, first)
        return year_rows(service.of_year(work.session, company_id, first, today))
    first, _ = month_of(today) if month is None else time_account.read_month(month, today)
    ensure_available(work.session, company_id, first)
    return month_body(service.of_month(work.session, company_id, first, today, now))
