"""Bodies of the calls about employments."""

from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, Strict

from stempelwerk_cloud.kit.http.schemas import DayField, HalvesField, IdField, SentDay, Wire, halves_input
from stempelwerk_cloud.kit.invisible import normalize_key
from stempelwerk_cloud.people.employment import values
from stempelwerk_cloud.people.employment.values import Employment, LimitsWord, PayType

DEPARTMENT_LIMIT = 100
MINUTES_LIMIT = 600_000
VACATION_LIMIT = 400


def _in_order(days: list[int]) -> list[int]:
    if len(set(days)) < len(days):
        raise ValueError("a weekday is named twice")
    return sorted(days)


PersonnelNumber = Annotated[str, Field(pattern=r"^[0-9]{1,20}$")]
_Spelled = Annotated[str, Field(max_length=DEPARTMENT_LIMIT), AfterValidator(normalize_key)]
Department = Annotated[_Spelled, Field(min_length=1)]
MaybeDepartment = Annotated[_Spelled | None, AfterValidator(lambda department: department or None)]
Weekday = Annotated[int, Strict(), Field(ge=0, le=6)]
Workdays = Annotated[list[Weekday], Field(min_length=1, max_length=7), AfterValidator(_in_order)]
Minutes = Annotated[int, Strict(), Field(ge=-MINUTES_LIMIT, le=MINUTES_LIMIT)]


class NumberRow(Wire):
    """A person and their personnel number. `deleted`: the person was deleted, but the last payroll may still need the
    number.
    """

    user_id: str
    username: str
    personnel_number: str | None
    deleted: bool


class NumberItem(Wire):
    user_id: IdField
    personnel_number: PersonnelNumber | None


class NumbersChange(Wire):
    """New personnel numbers. People who are left out keep their number."""

    items: list[NumberItem] = Field(max_length=5000)


class EmploymentRow(Wire):
    """An employment on a day. `workdays`: 0 = Monday. The opening balance and vacation apply where the account begins.

    That is on `accountFrom`; by default at the entry, else with the month of the first entry. `openingVacationDays`:
    vacation carried into that year, less the days already taken in it; it may be negative.
    """

    personnel_number: str | None
    department: str | None
    entry_date: DayField | None
    exit_date: DayField | None
    account_from: DayField | None
    workdays: list[int]
    limits: LimitsWord
    pay_type: PayType
    opening_balance_minutes: int
    opening_vacation_days: HalvesField


class ChangedEmployment(EmploymentRow):
    """The employment on the first day of a change, `validFrom`."""

    valid_from: DayField


class EmploymentChange(Wire):
    """A change of an employment: any of these values; those that are left out stay.

    Department, workdays, limits and `payType` hold from `validFrom` on; without it from today, the first workdays and
    the first `payType` from the beginning. The other values are not dated. `endPlans`: plans after the exit are ended.
    """

    # Only camelCase names: the Python names, which the API does not document, are refused.
    model_config = ConfigDict(extra="forbid", populate_by_name=False)

    personnel_number: PersonnelNumber | None = None
    department: MaybeDepartment = None
    entry_date: SentDay | None = None
    exit_date: SentDay | None = None
    account_from: SentDay | None = None
    workdays: Workdays = Field(default_factory=list)
    limits: LimitsWord = "adult"
    pay_type: PayType = "hourly"
    opening_balance_minutes: Minutes = 0
    opening_vacation_days: halves_input(VACATION_LIMIT) = 0  # type: ignore[valid-type]
    valid_from: SentDay | None = None
    end_plans: Annotated[bool, Strict()] = False


def changed_values(change: EmploymentChange) -> dict[str, Any]:
    """Returns the values that the body sets, by their names in `values.NAMES`, as they are stored."""
    given_values = {name: getattr(change, name) for name in values.NAMES if name in change.model_fields_set}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in given_values.items()}


def on(employment: Employment, day: date) -> EmploymentRow:
    """Returns the answer about an employment on a day."""
    return EmploymentRow.from_row(
        employment,
        department=employment.department_on(day),
        workdays=sorted(employment.workdays_on(day)),
        limits=employment.limits_on(day),
        pay_type=employment.pay_type_on(day),
        opening_balance_minutes=employment.opening_minutes,
        opening_vacation_days=employment.opening_vacation_halves,
    )
