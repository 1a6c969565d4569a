"""JSON bodies and answers of the endpoints for vacation and wishes. Days are numbers with halves: 12 or 12.5."""

import datetime as calendar
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, StrictBool, StringConstraints, WithJsonSchema

from stempelwerk_cloud.domain.days import LeaveKind as Kind
from stempelwerk_cloud.domain.days import LeaveStatus as Status
from stempelwerk_cloud.domain.half_days import halves_of
from stempelwerk_cloud.kit.http.half_days import HalvesField
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, InstantField, SentDay, Wire
from stempelwerk_cloud.planning.vacation.around import Own
from stempelwerk_cloud.planning.vacation.policy import Mode

TEXT_LIMIT = 2000
YEAR = 366

Typed = Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LIMIT)]

Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TEXT_LIMIT)]

Days = int | float
"""A number of days that is not stored in half days."""


def _read_days(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("no number")
    if not 0 <= value <= YEAR:
        raise ValueError("no number of days of a year")
    return halves_of(value)


DaysInput = Annotated[
    int, BeforeValidator(_read_days), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 366})
]
"""A number of days in a request, from 0 to 366 with halves; parsed into half days."""


def _read_day_of_year(value: str) -> str:
    calendar.date.fromisoformat(f"2001-{value}")  # one that every year has
    return value


DayOfYear = Annotated[str, StringConstraints(pattern=r"^\d\d-\d\d$"), AfterValidator(_read_day_of_year)]
"""A day that every year has, as `MM-DD`."""


class DayRangeRow(Wire):
    """Consecutive days, both ends included."""

    start_date: DayField
    end_date: DayField


class OwnRequestRow(Wire):
    """A request.

    - `days` is its cost, computed on each call; a wish costs nothing.
    - `returned`: the days of approved vacation that the person got back because of a sick note.
    - `cancelRequested`: the person asks to cancel the approved leave.
    - `startHalf`: only the second half of the first day; `endHalf`: only the first half of the last day.
    - `leftOut`: days in its range that it neither contains nor costs, because company holidays gave them when it was
      made.
    """

    id: str
    kind: Kind
    start_date: DayField
    end_date: DayField
    start_half: bool
    end_half: bool
    left_out: list[DayRangeRow]
    days: HalvesField
    returned: HalvesField
    reason: str | None
    status: Status
    created_at: InstantField
    comment: str | None
    decided_at: InstantField | None
    cancel_requested: bool
    cancel_reason: str | None


class RequestRow(OwnRequestRow):
    """A request with its person, and the username of the administrator who decided it."""

    user_id: str
    username: str
    decided_by: str | None


class DutyWarning(Wire):
    """A warning about a day of leave. `duty`: the person has a duty on that day."""

    code: Literal["duty"]
    date: DayField


class MadeRow(RequestRow):
    """A request that was made or decided, with warnings."""

    warnings: list[DutyWarning]


class NewRequest(Wire):
    """A new request. `userId`: the employee, for an administrator's request; `overAllowance` confirms more days than
    remain.
    """

    kind: Kind
    start_date: DayField
    end_date: DayField
    start_half: StrictBool | None = None
    end_half: StrictBool | None = None
    reason: Typed | None = None
    user_id: IdField | None = None
    over_allowance: StrictBool | None = None


class Decision(Wire):
    """A decision about a request. `overAllowance` confirms an approval of more days than remain."""

    comment: Typed | None = None
    over_allowance: StrictBool | None = None


class NewDays(Wire):
    """The new days of approved leave, and the reason for moving it (`comment`)."""

    start_date: DayField
    end_date: DayField
    start_half: StrictBool | None = None
    end_half: StrictBool | None = None
    comment: Sentence
    over_allowance: StrictBool | None = None


class Cancellation(Wire):
    """A cancellation of approved leave, with its reason. `passedDays`: also of the days that have passed already."""

    comment: Sentence
    passed_days: StrictBool | None = None


class CancelWish(Wire):
    reason: Typed | None = None


class Kept(Wire):
    comment: Typed | None = None


class Holiday(Wire):
    date: DayField
    name: str


class YearAfter(Wire):
    year: int
    remaining: HalvesField


class AroundDay(Wire):
    """A day around the requested leave. `free`: it is no workday of the person. `own`: the person's plans for that day.

    `away`: the usernames of absent colleagues of the same department; for a person without one, of people without one.
    """

    date: DayField
    holiday: str | None
    free: bool
    duty: bool
    own: Own | None
    away: list[str]


class PreviewRow(Wire):
    """The effect of a request, if it were approved.

    - `remainingAfter`: the least of any year that it touches, or that has later approved leave; reserved days are not
      deducted.
    - `reservedAfter`: the reserved days of the year in which it starts, with this request.
    - `freeDays`: its days that are no workdays anyway, including `leftOut`, the days that company holidays gave;
      `holidays` does not name those.
    - `warnings`: the days with a duty of the person.
    - `years`: the days that would remain in each year that it touches.
    - `around`: for administrators, all days of the months that it touches.
    """

    days: HalvesField
    holidays: list[Holiday]
    free_days: int
    left_out: list[DayRangeRow]
    remaining_after: HalvesField
    reserved_after: HalvesField
    overlaps: bool
    warnings: list[DutyWarning]
    years: list[YearAfter]
    around: list[AroundDay]


class OwnPolicyRow(Wire):
    """The caller's vacation of the current year: `remainingDays` = `myAllowance` + `carried` + `booked` − `used` −
    `lapsed`.

    `uniformDays` are the company's. `vacationEnabled`: whether vacation can be requested for today.
    """

    mode: Mode
    uniform_days: HalvesField | None
    my_allowance: Days
    remaining_days: Days
    vacation_enabled: bool
    used: Days
    reserved: Days
    carried: Days
    booked: Days
    lapsed: Days
    year: int


class PolicyRow(Wire):
    """The policy in force on a day. `validFrom`: its first day; null: the beginning. No days, or 0: vacation is
    switched off.

    `carryUntil`: the day of the year (`MM-DD`) on which carried days lapse after a timely notice; null: never.
    `scaleByWorkdays`: `uniformDays` are those of a five-day week, and each month counts by the workdays of a week.
    """

    mode: Mode
    uniform_days: HalvesField | None
    per_user: dict[str, HalvesField | None]
    carry_until: str | None
    scale_by_workdays: bool
    valid_from: DayField | None


class PolicyChange(Wire):
    """The whole new policy: people who are not in `perUser` lose their own days from then on.

    `carryUntil` and `scaleByWorkdays` stay if they are missing. The policy applies from `validFrom` on; without it from
    today, but the first days ever set apply from the beginning.
    """

    mode: Mode
    uniform_days: DaysInput | None = None
    per_user: dict[IdField, DaysInput | None] | None = None
    carry_until: DayOfYear | None = None
    scale_by_workdays: StrictBool | None = None
    valid_from: SentDay | None = None
