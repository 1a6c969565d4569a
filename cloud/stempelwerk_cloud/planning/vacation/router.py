"""Calls about vacation and wishes."""

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
from stempelwerk_cloud.people.work import Altering, Reading, Work, Writing
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
"""Administrators; the service looks whose company it is about."""
Asking = Annotated[Caller, Depends(employee_or_administrator_with(MODULE))]
OfCompany = Annotated[Caller, Depends(of_company_with(MODULE))]
Reader = Annotated[Caller, Depends(of_company_with(MODULE, "schedule"))]
"""Administrators who decide about leave, or plan around what is approved."""


@router.get("/api/vacation-requests/mine")
def own_requests(_: Employee, work: Reading, paging: PagingDep, bounds: BoundsDep) -> list[OwnRequestRow]:
    """Newest first."""
    return [_row(OwnRequestRow, shown) for shown in listing.own(work, bounds, paging)]


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
    """What a request would come to, of an employee's own or of whom an administrator names.

    Days that make none are refused as they are when it is made. `insteadOf`: a request of the same person that these
    days would take the place of, or that it is.
    """
    seen = asking.preview(work, kind, LeaveSpan(start, end, start_half, end_half), user_id, instead_of)
    return PreviewRow(
        days=seen.cost,
        holidays=[Holiday(date=day, name=name) for day, name in seen.holidays.items()],
        free_days=seen.free_days,
        left_out=_ranges(seen.left_out),
        remaining_after=seen.remaining,
        reserved_after=seen.reserved,
        overlaps=seen.overlaps,
        warnings=_warnings(seen.duties),
        years=[YearAfter(year=year, remaining=remaining) for year, remaining in seen.years.items()],
        around=[AroundDay.model_validate(day) for day in seen.around],
    )


@router.post("/api/vacation-requests", status_code=201)
def make_request(_: Asking, work: Writing, body: NewRequest) -> MadeRow:
    """An employee's own, which waits for a decision; or an administrator's for an employee, approved at once."""
    span = LeaveSpan(body.start_date, body.end_date, bool(body.start_half), bool(body.end_half))
    made = asking.ask(
        work,
        kind=body.kind,
        span=span,
        reason=body.reason or None,
        user_id=body.user_id,
        over_allowance=bool(body.over_allowance),
    )
    return _made(made)


@router.delete("/api/vacation-requests/{id}", status_code=204)
def withdraw_request(_: Employee, work: Writing, request_id: PathId) -> Response:
    """While nobody has decided it."""
    asking.withdraw(work, request_id)
    return Response(status_code=204)


@router.post("/api/vacation-requests/{id}/approve", status_code=200)
def approve_request(_: Decider, work: Writing, request_id: PathId, body: Decision | None = None) -> MadeRow:
    """Once. `warnings` name the days on which the person has a duty."""
    said = body or Decision()
    decided = deciding.decide(
        work, request_id, "approved", said.comment or None, over_allowance=bool(said.over_allowance)
    )
    return _made(decided)


@router.post("/api/vacation-requests/{id}/decline", status_code=200)
def decline_request(_: Decider, work: Writing, request_id: PathId, body: Decision | None = None) -> RequestRow:
    """Once."""
    said = body or Decision()
    return _row(RequestRow, deciding.decide(work, request_id, "declined", said.comment or None))


@router.put("/api/vacation-requests/{id}")
def move_request(_: Decider, work: Writing, request_id: PathId, body: NewDays) -> MadeRow:
    """Approved leave gets other days, at once. `warnings` name those of them on which the person has a duty."""
    span = LeaveSpan(body.start_date, body.end_date, bool(body.start_half), bool(body.end_half))
    over_allowance = bool(body.over_allowance)
    return _made(taking_back.move(work, request_id, span, body.comment, over_allowance=over_allowance))


@router.post("/api/vacation-requests/{id}/cancel")
def cancel_request(_: Decider, work: Writing, request_id: PathId, body: Cancellation) -> RequestRow:
    """Approved leave is taken back; begun leave is shortened to yesterday."""
    cancelled = taking_back.cancel(work, request_id, body.comment, passed_days=bool(body.passed_days))
    return _row(RequestRow, cancelled)


@router.post("/api/vacation-requests/{id}/cancel-request")
def wish_to_cancel(_: Employee, work: Writing, request_id: PathId, body: CancelWish | None = None) -> OwnRequestRow:
    """An employee asks for their own approved leave to be cancelled."""
    wished = taking_back.wish(work, request_id, (body or CancelWish()).reason or None)
    return _row(OwnRequestRow, wished)


@router.post("/api/vacation-requests/{id}/keep")
def keep_request(_: Decider, work: Writing, request_id: PathId, body: Kept | None = None) -> RequestRow:
    """Refuses such a wish."""
    kept = taking_back.keep(work, request_id, (body or Kept()).comment or None)
    return _row(RequestRow, kept)


@router.get("/api/companies/{companyId}/vacation-requests")
def company_requests(
    _: Reader,
    work: Reading,
    paging: PagingDep,
    bounds: BoundsDep,
    status: Annotated[Literal[Status, "cancel_requested", "all"], EMPTY_IS_ALL] = "all",
) -> list[RequestRow]:
    """Newest first. `from` and `to` leave out what does not touch these days.

    Who only has the roster reads what is approved, without the words of people.
    """
    plans_only = not _decides(work)
    if plans_only and status != "approved":
        raise directory.feature_off()
    found = listing.of_company(work, None if status == "all" else status, bounds, paging)
    silent = dict.fromkeys(("reason", "comment", "cancel_reason") if plans_only else ())
    return [_row(RequestRow, shown, **silent) for shown in found]


@router.get("/api/vacation-policy/mine")
def own_policy(caller: Employee, work: Reading) -> OwnPolicyRow:
    """The caller's vacation of the current year."""
    session, company_id, user_id = work.session, caller.company_id, caller.user_id
    today = directory.today_of(session, company_id, work.now())
    policies = policy.policies_of(session, company_id, [user_id])
    known = service.days_of(session, company_id, [user_id], today.year, today.year)
    account = service.accounts_of(session, company_id, [user_id], today.year, today, known)[user_id]
    held, balance = policies.on(today), service.in_days(account.balance(today.year))
    return OwnPolicyRow(
        mode=held.mode,
        uniform_days=held.uniform,
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
    """What holds today, or on the day `on`."""
    company_id = caller.subject_company_id
    day = on or directory.today_of(work.session, company_id, work.now())
    return _policy(policy.policies_of(work.session, company_id).on(day))


@router.put("/api/companies/{companyId}/vacation-policy")
def change_company_policy(caller: OfCompany, work: Altering, body: PolicyChange) -> PolicyRow:
    """Answers what holds on the first day of the change."""
    changed = policy.change(
        work,
        caller.subject_company_id,
        mode=body.mode,
        uniform=body.uniform_days,
        per_user=body.per_user or {},
        valid_from=body.valid_from,
        carry_until=body.carry_until if "carry_until" in body.model_fields_set else policy.UNSAID,
        scale_by_workdays=body.scale_by_workdays,
    )
    return _policy(changed)


def _decides(work: Work) -> bool:
    """Whether the caller may see more than the roster needs."""
    caller = work.caller
    return caller.role != COMPANY_ADMIN or MODULE in directory.feature_keys(work.session, caller.company_id)


def _row(schema: type[Shown], shown: RequestView, **more: object) -> Shown:
    return schema.from_row(
        shown.request,
        days=shown.cost,
        returned=shown.returned,
        left_out=_ranges(shown.left_out),
        cancel_requested=shown.request.cancel_requested_at is not None,
        username=shown.username,
        decided_by=shown.decided_by,
        **more,
    )


def _made(shown: RequestView) -> MadeRow:
    return _row(MadeRow, shown, warnings=_warnings(shown.duties))


def _warnings(duties: Sequence[date]) -> list[DutyWarning]:
    return [DutyWarning(code="duty", date=day) for day in duties]


def _ranges(ranges: Sequence[DayRange]) -> list[DayRangeRow]:
    return [DayRangeRow(start_date=first, end_date=last) for first, last in ranges]


def _policy(held: Policy) -> PolicyRow:
    return PolicyRow(
        mode=held.mode,
        uniform_days=held.uniform,
        per_user=dict(held.per_user),
        carry_until=held.carry_until,
        scale_by_workdays=held.scale_by_workdays,
        valid_from=held.since,
    )
