"""Endpoints for vacation and wishes."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, TypeVar

from fastapi import Depends, Query, Response

from stempelwerk_cloud.domain.days import LeaveKind as Kind
from stempelwerk_cloud.domain.days import LeaveStatus as Status
from stempelwerk_cloud.domain.leave import DayRange, LeaveSpan
from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import EMPTY_IS_ALL, DayField, IdField, PathId
from stempelwerk_cloud.people.access.guards import (
    Employee,
    administrators_with,
    employee_or_administrator_with,
    of_company_with,
)
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN, Caller
from stempelwerk_cloud.people.work import Altering, Reading, UnitOfWork, Writing
from stempelwerk_cloud.planning.vacation import asking, deciding, listing, policy, service, taking_back
from stempelwerk_cloud.planning.vacation.listing import RequestView
from stempelwerk_cloud.planning.vacation.policy import Policy
from stempelwerk_cloud.planning.vacation.schemas import (
    AroundDay,
    Cancellation,
    CancelWish,
    DayRangeRow,
    Decision,
    DutyWarning,
    Holiday,
    Kept,
    MadeRow,
    NewDays,
    NewRequest,
    OwnPolicyRow,
    OwnRequestRow,
    PolicyChange,
    PolicyRow,
    PreviewRow,
    RequestRow,
    YearAfter,
)

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
        raise directory.feature_off()
    views = listing.of_company(work, None if status == "all" else status, bounds, paging)
    silent = dict.fromkeys(("reason", "comment", "cancel_reason") if plans_only else ())
    return [_row(RequestRow, view, **silent) for view in views]


@router.get("/api/vacation-policy/mine")
def own_policy(caller: Employee, work: Reading) -> OwnPolicyRow:
    """The caller's vacation of the current year."""
    session, company_id, user_id = work.session, caller.company_id, caller.user_id
    today = directory.today_of(session, company_id, work.now())
    policies = policy.policies_of(session, company_id, [user_id])
    known_days = service.days_of(session, company_id, [user_id], today.year, today.year)
    account = service.accounts_of(session, company_id, [user_id], today, known_days)[user_id]
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
    day = on or directory.today_of(work.session, company_id, work.now())
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
