"""Bodies of the calls about costs. Money is in whole cents, hours in hundredths."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from stempelwerk_cloud.domain import minimum_wage
from stempelwerk_cloud.domain.costs import DEFAULT, Mode, Name
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, SentDay, Wire
from stempelwerk_cloud.office.costs.configuring import Config
from stempelwerk_cloud.office.costs.service import MonthCosts, PersonCosts, YearMonth
from stempelwerk_cloud.people.employment.service import Department, MaybeDepartment

CENTS_LIMIT = 100_000_000
PEOPLE_LIMIT = 10_000


Cents = Annotated[int, Strict(), Field(ge=0, le=CENTS_LIMIT)]
_Many: Any = Field(max_length=PEOPLE_LIMIT, default_factory=dict)
PerPerson = Annotated[dict[IdField, Cents | None], _Many]


class ConfigRow(Wire):
    """What holds on a day. `userDepartments` names everybody; `minimumWageCents` is the law's on that day."""

    mode: Mode
    default_hourly_cents: int | None
    department_rates: dict[str, int]
    user_departments: dict[str, str | None]
    user_hourly_cents: dict[str, int]
    user_monthly_cents: dict[str, int]
    minimum_wage_cents: int


class ConfigChange(Wire):
    """Any of these; what is left out stays. Of rates and wages that are said, who is not named has none any more.

    All of it holds from `validFrom` on; without it for all time, but for what holds today as it is said.
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
    """What holds from `validFrom` on; null: from ever."""

    valid_from: DayField | None


class CostRow(Wire):
    """A person's month. `rateCents`: an hour or, `monthly`, a month. `missingRate`: there is none for what was worked,
    or no monthly wage where the mode says so. `partMonth`: `costCents` is the whole wage of a
    person who came or left within the month.

    Hours at night, on Sundays and on holidays are those of § 3b EStG; `costCents` has no surcharge for them.
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
    """`draft`: the month has not ended."""

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


def said(change: ConfigChange) -> dict[Name, dict[str, Any]]:
    """What a body says, by name and subject; null is nothing."""
    found: dict[Name, dict[str, Any]] = {}
    for field, name in _FIELDS.items():
        if field in change.model_fields_set:
            value = getattr(change, field)
            values = value if isinstance(value, dict) else {"": value}
            found[name] = {subject: one for subject, one in values.items() if one is not None}
    return found


def config(found: Config) -> ConfigRow:
    return ConfigRow(
        mode=found.rates.mode,
        default_hourly_cents=found.rates.get(DEFAULT),
        department_rates=found.rates.of("department"),
        user_departments=dict(found.departments),
        user_hourly_cents=found.rates.of("hourly"),
        user_monthly_cents=found.rates.of("monthly"),
        minimum_wage_cents=minimum_wage.cents_on(found.day),
    )


def month(found: MonthCosts) -> CostsMonth:
    return CostsMonth(
        month=found.first.isoformat()[:7],
        mode=found.mode,
        draft=found.draft,
        items=[_item(one) for one in found.items],
        total_cents=sum(one.cost.cents for one in found.items),
    )


def year(found: list[YearMonth]) -> list[YearMonthRow]:
    return [
        YearMonthRow(month=one.first.isoformat()[:7], total_cents=one.total_cents, draft=one.draft) for one in found
    ]


def _item(one: PersonCosts) -> CostRow:
    cost, of = one.cost, one.surcharged
    return CostRow(
        user_id=one.user_id,
        username=one.username,
        type="monthly" if cost.monthly else "hourly",
        raw_minutes=one.raw_minutes,
        break_minutes=one.break_minutes,
        minutes=one.minutes,
        hours=_hours(one.minutes),
        rate_cents=cost.rate,
        cost_cents=cost.cents,
        missing_rate=cost.missing,
        under_minimum_wage=cost.under_minimum,
        part_month=one.part_month,
        night_hours=_hours(of.night + of.night40),
        sunday_hours=_hours(of.sunday),
        holiday_hours=_hours(of.holiday + of.holiday150),
    )


def _hours(minutes: int) -> float:
    return round(minutes / 60, 2)
