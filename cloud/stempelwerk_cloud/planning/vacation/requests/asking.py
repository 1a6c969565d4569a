"""Requests for vacation and wishes: creating, previewing and withdrawing them.

An administrator's request on behalf of an employee is approved at once. An employee may request more days than remain:
the administrator then confirms that with the approval (`over_allowance`). Wishes cost nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.calendar import long_ago
from stempelwerk_cloud.domain.days import Leave, PersonDays
from stempelwerk_cloud.domain.days import LeaveKind as Kind
from stempelwerk_cloud.domain.holidays import LAST_YEAR
from stempelwerk_cloud.domain.leave import DayRange, LeaveSpan
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.leave import span_of, write_ranges
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import actions, queries, words
from stempelwerk_cloud.planning.vacation.accounts import balances
from stempelwerk_cloud.planning.vacation.accounts.balances import PersonFacts
from stempelwerk_cloud.planning.vacation.requests import around, deciding, listing, notifications
from stempelwerk_cloud.planning.vacation.requests.around import Around
from stempelwerk_cloud.planning.vacation.requests.listing import RequestView
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_retained

ALIVE = ("pending", "approved")


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a request, in half days unless stated otherwise.

    - `free_days`: the number of its days that are no workdays of the person anyway.
    - `left_out`: its days that company holidays already gave; they count as free days.
    - `remaining`: the least that would remain after approval in any year that it touches, or that has later approved
      leave. Reserved days are not deducted.
    - `reserved`: the reserved days of the year in which it starts, with this request.
    - `years`: what would remain in each year that it touches.
    - `around`: the days around it; only for administrators.
    """

    cost: int
    holidays: Mapping[date, str]
    free_days: int
    left_out: Sequence[DayRange]
    remaining: int
    reserved: int
    overlaps: bool
    duties: Sequence[date]
    years: Mapping[int, int]
    around: Sequence[Around]


def ask(
    work: UnitOfWork, *, kind: Kind, span: LeaveSpan, reason: str | None, user_id: str | None, over_allowance: bool
) -> RequestView:
    """Creates a request. The days that company holidays already gave are left out.

    An administrator's request for a person of the company (`user_id`; themselves included) is approved at once. 422 for
    days that cannot be requested. 409 if they overlap another request, if company holidays gave all of them, if
    vacation is switched off, or for an administrator if more days than remain are not confirmed.
    """
    session, user = work.session, requests.lock_subject(work, user_id, words.employee_missing)
    if user.role == ADMIN:
        raise words.no_leave()
    company_id, now = user.company_id, work.now()
    facts = balances.facts_of(session, company_id, user.id, span.start)
    span = _check(facts, now, kind, span)
    by_administrator = work.caller.role != USER
    if not by_administrator and _count_open(facts.person) >= words.MOST_OPEN:
        raise words.too_many_open()
    request = VacationRequest(
        company_id=company_id,
        id=work.new_id(),
        user_id=user.id,
        kind=kind,
        start_date=span.start,
        end_date=span.end,
        start_half=span.start_half,
        end_half=span.end_half,
        left_out=write_ranges(span.left_out),
        reason=reason,
        status="pending",
        created_at=now,
        created_by=work.actor_id,
    )
    if by_administrator:
        exceeded = deciding.check_allowance(work, request, facts, confirmed=over_allowance)
        request.status, request.decided_at, request.decided_by = "approved", now, work.actor_id
    session.add(request)
    session.flush()
    if by_administrator:
        work.audit(
            company_id, actions.APPROVED, request.id, new_values=deciding.audit_values(request, exceeded=exceeded)
        )
        if user.id != work.actor_id:
            notifications.notify_employee(work, request)
    else:
        work.audit(company_id, actions.REQUESTED, request.id, new_values=deciding.audit_values(request))
        notifications.notify_administrators(work, request, user.username)
    requests.refresh_pages(work, company_id, [user.id])
    return listing.of_one(work, request, facts.person)


def check(work: UnitOfWork, request: VacationRequest) -> tuple[LeaveSpan, PersonFacts]:
    """Returns the days that a request would have if it were made now, and the facts about its person. 422 and 409 as
    for `ask`.
    """
    facts = balances.facts_of(work.session, request.company_id, request.user_id, request.start_date)
    return _check(facts, work.now(), request.kind, span_of(request), request.id), facts


def preview(work: UnitOfWork, kind: Kind, span: LeaveSpan, user_id: str | None, instead_of: str | None) -> Preview:
    """Returns the effect of a request: of the caller's own, or for an administrator of an employee's.

    `instead_of`: a request of the person (otherwise 404) whose days count as given back. 422 as for a request, 409 if
    company holidays gave all of its days.
    """
    session, person = work.session, requests.resolve_subject(work, user_id, words.employee_missing)
    company_id, user_id = person.company_id, person.id
    facts = balances.facts_of(session, company_id, user_id, span.start)
    today = facts.days.today(work.now())
    check_span(span, today)
    ensure_retained(facts.recorded.retained_from, span.start)
    replaced_request = None if instead_of is None else session.get(VacationRequest, (company_id, instead_of))
    if instead_of is not None and (replaced_request is None or replaced_request.user_id != user_id):
        raise not_found()
    first, last = span.start.year, facts.last_year(span)
    account, days_of = facts.account(today), facts.person
    _check_days(account.employment, days_of, kind, span)
    if (
        replaced_request is not None
        and _waits(replaced_request)
        and span == replace(span_of(replaced_request), left_out=())
    ):
        span = span_of(replaced_request)
    else:
        span = _outside_closures(days_of, span, instead_of)
    _check_open(days_of, kind, span)
    held_days = [day for day, _ in span.parts()]
    workdays = [day for day in held_days if day.weekday() in days_of.workdays_on(day)]
    costs = Counter(account.cost_by_year(span) if kind == "vacation" else {})
    back = Counter(
        account.cost_by_year(span_of(replaced_request))
        if replaced_request is not None and replaced_request.kind == "vacation"
        else {}
    )
    used = costs.copy()
    if replaced_request is not None and replaced_request.status == "approved":
        used.subtract(back)
    reserved = account.reserved.get(first, 0) - (
        back[first] if replaced_request is not None and replaced_request.status == "pending" else 0
    )
    return Preview(
        cost=leave.cost(span, days_of.costs) if kind == "vacation" else 0,
        holidays={day: off.name for day in held_days if (off := days_of.holiday_on(day)) is not None},
        free_days=(span.end - span.start).days + 1 - len(workdays),
        left_out=span.left_out,
        remaining=account.lowest_remaining(first, last, used),
        reserved=reserved + costs[first],
        overlaps=bool(_overlapping(days_of, span, instead_of)),
        duties=days_of.duties_in(span),
        years={year: account.balance(year, used).remaining for year in range(first, span.end.year + 1)},
        around=() if work.caller.role == USER else around.days_around(session, company_id, user_id, span),
    )


def leaving_out(session: Session, company_id: str, user_id: str, ranges: Sequence[DayRange]) -> list[str]:
    """Returns descriptions of the person's open and approved requests that leave out some of these days, by start."""
    first, last = min(start for start, _ in ranges), max(end for _, end in ranges)
    requests_there = queries.requests_between(session, company_id, [user_id], first, last, ALIVE)
    return [
        words.describe(request.kind, request.start_date, request.end_date)
        for request in requests_there
        if any(start <= gap[1] and gap[0] <= end for gap in span_of(request).left_out for start, end in ranges)
    ]


def withdraw(work: UnitOfWork, request_id: str) -> None:
    """Withdraws the caller's own open request. 404 for an unknown one, 403 for a colleague's, 409 for a decided one."""
    request = requests.find_own(work, VacationRequest, request_id)
    requests.must_be_open(work, request, words.already_decided)
    work.session.delete(request)
    work.session.flush()
    work.audit(request.company_id, actions.WITHDRAWN, request.id, old_values=deciding.audit_values(request))
    requests.refresh_pages(work, request.company_id, [request.user_id])


def _check(facts: PersonFacts, now: datetime, kind: str, span: LeaveSpan, own_id: str | None = None) -> LeaveSpan:
    """Returns the days that the person can request. `own_id`: a request to ignore."""
    person, today = facts.person, facts.days.today(now)
    check_span(span, today)
    ensure_retained(facts.recorded.retained_from, span.start)
    _check_days(facts.employment, person, kind, span)
    span = _outside_closures(person, span, own_id)
    _check_open(person, kind, span)
    if kind == "vacation" and not facts.account(today).enabled_on(span.first):
        raise words.disabled()
    for overlapping in _overlapping(person, span, own_id):
        raise words.overlaps(words.describe(overlapping.kind, overlapping.span.start, overlapping.span.end))
    return span


def _count_open(person: PersonDays) -> int:
    """Returns the number of the person's undecided requests."""
    return sum(request.status == "pending" for request in person.leave_spans)


def check_span(span: LeaveSpan, today: date) -> None:
    """Raises 422 for days that cannot be leave, for example because they are reversed, too many, or too far away."""
    if span.end < span.start:
        raise words.end_before_start()
    if (span.end - span.start).days >= words.DAYS_LIMIT:
        raise words.too_long()
    if long_ago(span.start, today):
        raise words.too_long_ago()
    if span.end.year > LAST_YEAR:
        raise words.too_far()
    if span.start == span.end and span.start_half and span.end_half:
        raise words.no_half_left()


def _check_days(employment: Employment, person: PersonDays, kind: str, span: LeaveSpan) -> None:
    """Raises 422 for days outside of the employment, and for vacation without a workday."""
    deciding.check_employed(employment, span)
    if kind == "vacation" and not leave.cost(span, person.costs):
        raise words.no_workday()


def _check_open(person: PersonDays, kind: str, span: LeaveSpan) -> None:
    """Raises 409 if company holidays gave all days of the request."""
    if span.last < span.first or (kind == "vacation" and not leave.cost(span, person.costs)):
        raise words.closed()


def _outside_closures(person: PersonDays, span: LeaveSpan, but: str | None = None) -> LeaveSpan:
    """Returns the span without the whole days that company holidays gave the person. `but`: a request to ignore."""
    return span.without(
        {
            day
            for request in person.leave_spans
            if request.from_closure and request.status == "approved" and request.id != but
            if request.span.start <= span.end and span.start <= request.span.end
            for day, halves in request.span.parts()
            if halves == leave.WHOLE_DAY
        }
    )


def _waits(request: VacationRequest) -> bool:
    """Whether an administrator must still decide about the request, or about cancelling it."""
    return request.status == "pending" or request.cancel_requested_at is not None


def _overlapping(person: PersonDays, span: LeaveSpan, but: str | None = None) -> list[Leave]:
    """Returns the person's open and approved requests that overlap these days. `but`: a request to ignore."""
    return [request for request in person.leave_spans if request.id != but and span.overlaps(request.span)]
