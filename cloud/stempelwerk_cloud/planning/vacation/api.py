"""Endpoints for vacation and wishes. Days are numbers with halves: 12 or 12.5."""

import datetime as calendar
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, TypeVar

from fastapi import Depends, Query, Response
from pydantic import AfterValidator, BeforeValidator, StrictBool, StringConstraints, WithJsonSchema

from stempelwerk_cloud.domain.days import LeaveKind as Kind
from stempelwerk_cloud.domain.days import LeaveStatus as Status
from stempelwerk_cloud.domain.half_days import halves_of
from stempelwerk_cloud.domain.leave import DayRange, LeaveSpan
from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import (
    EMPTY_IS_ALL,
    DayField,
    HalvesField,
    IdField,
    InstantField,
    PathId,
    SentDay,
    Wire,
)
from stempelwerk_cloud.people.access.guards import (
    Employee,
    administrators_with,
    employee_or_administrator_with,
    of_company_with,
)
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.words import feature_off
from stempelwerk_cloud.people.work import Altering, Reading, UnitOfWork, Writing
from stempelwerk_cloud.planning.vacation import service
from stempelwerk_cloud.planning.vacation.accounts import policy
from stempelwerk_cloud.planning.vacation.accounts.balances import accounts_of, days_of
from stempelwerk_cloud.planning.vacation.accounts.policy import Mode, Policy
from stempelwerk_cloud.planning.vacation.requests import asking, deciding, listing, taking_back
from stempelwerk_cloud.planning.vacation.requests.around import Own
from stempelwerk_cloud.planning.vacation.requests.listing import RequestView

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


router = room_router("vacation")

MODULE = "absences"
Shown = TypeVar("Shown", bound=OwnRequestRow)
Decider = Annotated[Caller, Depends(administrators_with(MODULE))]
"""An administrator. The service checks that the request is of their company."""
Asking = Annotated[Caller, Depends(employee_or_administrator_with(MODULE))]
OfCompany = Annotated[Caller, Depends(of_company_with(MODULE))]
Reader = Annotated[Caller, Depends(of_company_with(MODULE, "schedule"))]
"""Administrators who decide about leave, or who need approved leave for the roster."""


@router.get("/api/vacation-requests/mine")
def own_requests(_: Employee, work: Reading, paging: PagingDep, bounds: BoundsDep) -> list[OwnRequestRow]:
    """The caller's own vacation and wishes, newest first."""
    return [_row(OwnRequestRow, view) for view in listing.own_requests(work, bounds, paging)]


@router.get("/api/vacation-requests/preview")
def preview_request(
    _: Asking,
    work: Reading,
    kind: Kind,
    start: Annotated[DayField, Query(alias="startDate")],
    end: Annotated[DayField, Query(alias="endDate")],
    start_half: Annotated[bool, Query(alias="startHalf")] = False,
    end_half: Annotated[bool, Query(alias="endHalf")] = False,
    user_id: Annotated[IdField | None, Query(alias="userId")] = None,
    instead_of: Annotated[IdField | None, Query(alias="insteadOf")] = None,
) -> PreviewRow:
    """Returns the effect of a request of the caller, or for an administrator of the given employee (`userId`).

    Invalid days are refused as for a request. `insteadOf`: a request of the same person that these days would replace,
    or the previewed request itself.
    """
    preview = asking.preview(work, kind, LeaveSpan(start, end, start_half, end_half), user_id, instead_of)
    return PreviewRow(
        days=preview.cost,
        holidays=[Holiday(date=day, name=name) for day, name in preview.holidays.items()],
        free_days=preview.free_days,
        left_out=_ranges(preview.left_out),
        remaining_after=preview.remaining,
        reserved_after=preview.reserved,
        overlaps=preview.overlaps,
        warnings=_warnings(preview.duties),
        years=[YearAfter(year=year, remaining=remaining) for year, remaining in preview.years.items()],
        around=[AroundDay.model_validate(day) for day in preview.around],
    )


@router.post("/api/vacation-requests", status_code=201)
def make_request(_: Asking, work: Writing, body: NewRequest) -> MadeRow:
    """Creates an employee's own request, which needs a decision, or an administrator's for an employee, approved at
    once.
    """
    span = LeaveSpan(body.start_date, body.end_date, bool(body.start_half), bool(body.end_half))
    view = asking.ask(
        work,
        kind=body.kind,
        span=span,
        reason=body.reason or None,
        user_id=body.user_id,
        over_allowance=bool(body.over_allowance),
    )
    return _made_row(view)


@router.delete("/api/vacation-requests/{id}", status_code=204)
def withdraw_request(_: Employee, work: Writing, request_id: PathId) -> Response:
    """Withdraws the caller's own undecided request."""
    asking.withdraw(work, request_id)
    return Response(status_code=204)


@router.post("/api/vacation-requests/{id}/approve", status_code=200)
def approve_request(_: Decider, work: Writing, request_id: PathId, body: Decision | None = None) -> MadeRow:
    """Approves a request; 409 if it was decided already. `warnings` name the days with a duty of the person."""
    details = body or Decision()
    decided = deciding.decide(
        work, request_id, "approved", details.comment or None, over_allowance=bool(details.over_allowance)
    )
    return _made_row(decided)


@router.post("/api/vacation-requests/{id}/decline", status_code=200)
def decline_request(_: Decider, work: Writing, request_id: PathId, body: Decision | None = None) -> RequestRow:
    """Declines a request; 409 if it was decided already."""
    details = body or Decision()
    return _row(RequestRow, deciding.decide(work, request_id, "declined", details.comment or None))


@router.put("/api/vacation-requests/{id}")
def move_request(_: Decider, work: Writing, request_id: PathId, body: NewDays) -> MadeRow:
    """Moves approved leave to other days, at once. `warnings` name the new days with a duty of the person."""
    span = LeaveSpan(body.start_date, body.end_date, bool(body.start_half), bool(body.end_half))
    over_allowance = bool(body.over_allowance)
    return _made_row(taking_back.move(work, request_id, span, body.comment, over_allowance=over_allowance))


@router.post("/api/vacation-requests/{id}/cancel")
def cancel_request(_: Decider, work: Writing, request_id: PathId, body: Cancellation) -> RequestRow:
    """Cancels approved leave; leave that has begun is shortened to yesterday."""
    cancelled = taking_back.cancel(work, request_id, body.comment, passed_days=bool(body.passed_days))
    return _row(RequestRow, cancelled)


@router.post("/api/vacation-requests/{id}/cancel-request")
def wish_to_cancel(_: Employee, work: Writing, request_id: PathId, body: CancelWish | None = None) -> OwnRequestRow:
    """Asks the administrators to cancel the caller's own approved leave."""
    wished = taking_back.wish(work, request_id, (body or CancelWish()).reason or None)
    return _row(OwnRequestRow, wished)


@router.post("/api/vacation-requests/{id}/keep")
def keep_request(_: Decider, work: Writing, request_id: PathId, body: Kept | None = None) -> RequestRow:
    """Refuses an employee's request to cancel approved leave; the leave stays."""
    kept_request = taking_back.reject_cancellation(work, request_id, (body or Kept()).comment or None)
    return _row(RequestRow, kept_request)


@router.get("/api/companies/{companyId}/vacation-requests")
def company_requests(
    _: Reader,
    work: Reading,
    paging: PagingDep,
    bounds: BoundsDep,
    status: Annotated[Literal[Status, "cancel_requested", "all"], EMPTY_IS_ALL] = "all",
) -> list[RequestRow]:
    """The company's requests, newest first; with `from` and `to` only those that touch these days.

    Administrators who only have the roster get approved requests only, without people's texts.
    """
    plans_only = not _decides(work)
    if plans_only and status != "approved":
        raise feature_off()
    views = listing.of_company(work, None if status == "all" else status, bounds, paging)
    silent = dict.fromkeys(("reason", "comment", "cancel_reason") if plans_only else ())
    return [_row(RequestRow, view, **silent) for view in views]


@router.get("/api/vacation-policy/mine")
def own_policy(caller: Employee, work: Reading) -> OwnPolicyRow:
    """The caller's vacation of the current year."""
    session, company_id, user_id = work.session, caller.company_id, caller.user_id
    today = today_of(session, company_id, work.now())
    policies = policy.policies_of(session, company_id, [user_id])
    known_days = days_of(session, company_id, [user_id], today.year, today.year)
    account = accounts_of(session, company_id, [user_id], today, known_days)[user_id]
    current_policy, balance = policies.on(today), service.in_days(account.balance(today.year))
    return OwnPolicyRow(
        mode=current_policy.mode,
        uniform_days=current_policy.uniform,
        my_allowance=balance.allowance,
        remaining_days=balance.remaining,
        vacation_enabled=account.enabled_on(today),
        used=balance.used,
        reserved=balance.reserved,
        carried=balance.carried,
        booked=balance.booked,
        lapsed=balance.lapsed,
        year=today.year,
    )


@router.get("/api/companies/{companyId}/vacation-policy")
def company_policy(caller: OfCompany, work: Reading, on: DayField | None = None) -> PolicyRow:
    """The company's vacation policy in force today, or on the day `on`."""
    company_id = caller.subject_company_id
    day = on or today_of(work.session, company_id, work.now())
    return _policy(policy.policies_of(work.session, company_id).on(day))


@router.put("/api/companies/{companyId}/vacation-policy")
def change_company_policy(caller: OfCompany, work: Altering, body: PolicyChange) -> PolicyRow:
    """Changes the company's vacation policy; returns the policy in force on the first day of the change."""
    changed = policy.change(
        work,
        caller.subject_company_id,
        mode=body.mode,
        uniform=body.uniform_days,
        per_user=body.per_user or {},
        valid_from=body.valid_from,
        carry_until=body.carry_until if "carry_until" in body.model_fields_set else policy.UNCHANGED,
        scale_by_workdays=body.scale_by_workdays,
    )
    return _policy(changed)


def _decides(work: UnitOfWork) -> bool:
    """Whether the caller may see everything about requests, and not only what the roster needs."""
    caller = work.caller
    return caller.role != COMPANY_ADMIN or MODULE in caller.modules


def _row(schema: type[Shown], view: RequestView, **extra_fields: object) -> Shown:
    return schema.from_row(
        view.request,
        days=view.cost,
        returned=view.returned,
        left_out=_ranges(view.left_out),
        cancel_requested=view.request.cancel_requested_at is not None,
        username=view.username,
        decided_by=view.decided_by,
        **extra_fields,
    )


def _made_row(view: RequestView) -> MadeRow:
    return _row(MadeRow, view, warnings=_warnings(view.duties))


def _warnings(duties: Sequence[date]) -> list[DutyWarning]:
    return [DutyWarning(code="duty", date=day) for day in duties]


def _ranges(ranges: Sequence[DayRange]) -> list[DayRangeRow]:
    return [DayRangeRow(start_date=first, end_date=last) for first, last in ranges]


def _policy(current_policy: Policy) -> PolicyRow:
    return PolicyRow(
        mode=current_policy.mode,
        uniform_days=current_policy.uniform,
        per_user=dict(current_policy.per_user),
        carry_until=current_policy.carry_until,
        scale_by_workdays=current_policy.scale_by_workdays,
        valid_from=current_policy.valid_from,
    )
