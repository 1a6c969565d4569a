"""Decisions about leave requests, and the check of a request against the remaining days."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any, Literal

from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.leave import end_on, span_of
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import actions, queries, words
from stempelwerk_cloud.planning.vacation.accounts import balances
from stempelwerk_cloud.planning.vacation.accounts.balances import PersonFacts
from stempelwerk_cloud.planning.vacation.requests import listing, notifications
from stempelwerk_cloud.planning.vacation.requests.listing import RequestView
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_retained


def decide(
    work: UnitOfWork,
    request_id: str,
    status: Literal["approved", "declined"],
    comment: str | None,
    *,
    over_allowance: bool = False,
) -> RequestView:
    """Approves or declines a request. 409 with the administrator's name if it was decided already.

    For an approval 409 if it takes more than remains, unless that is confirmed, and 422 for days outside the
    employment.
    """
    request = requests.find(work, VacationRequest, request_id)
    requests.must_be_open(work, request, words.already_decided)
    audit_before, exceeded = {"leaveStatus": request.status}, False
    person = None
    if status == "approved":
        facts = balances.facts_of(work.session, request.company_id, request.user_id, request.start_date)
        ensure_retained(facts.recorded.retained_from, request.start_date)
        check_employed(facts.employment, span_of(request))
        exceeded, person = check_allowance(work, request, facts, confirmed=over_allowance), facts.person
    request.comment = comment
    requests.decide(work, request, status)
    action = actions.APPROVED if status == "approved" else actions.DECLINED
    work.audit(request.company_id, action, request.id, audit_before, audit_values(request, exceeded=exceeded))
    notifications.notify_employee(work, request)
    requests.refresh_pages(work, request.company_id, [request.user_id])
    return listing.of_one(work, request, person)


def decline_for_the_gone(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Declines the requests of deleted people without a message, so that they no longer wait for a decision.

    Their requests to cancel leave are dropped.
    """
    if not user_ids:
        return
    locks.take(work.session, Lock.PLAN, company_id)
    for request in queries.pending_of(work.session, company_id, user_ids):
        requests.decide(work, request, "declined")
        work.audit(company_id, actions.DECLINED, request.id, {"leaveStatus": "pending"}, audit_values(request))
        requests.refresh_pages(work, company_id)
    for request in queries.cancel_wished_by(work.session, company_id, user_ids):
        request.cancel_requested_at = request.cancel_reason = None
    work.session.flush()


def end_at(work: UnitOfWork, ending_requests: Iterable[VacationRequest], last_day: date) -> None:
    """Ends these requests at a person's exit: begun approved leave is shortened to the last day, all others are
    declined.

    The person gets the days back that are no longer taken. The person and the administrators are notified.
    """
    for request in ending_requests:
        audit_before, days = audit_values(request), words.days(request)
        if request.status == "approved" and span_of(request).first <= last_day:
            end_on(request, last_day)
            work.session.flush()
        else:
            request.comment, request.cancel_requested_at, request.cancel_reason = words.AFTER_EXIT, None, None
            requests.decide(work, request, "declined")
        work.audit(request.company_id, actions.ENDED, request.id, audit_before, audit_values(request))
        notifications.notify_ended(work, request, days)
        requests.refresh_pages(work, request.company_id, [request.user_id])


def check_employed(employment: Employment, span: LeaveSpan) -> None:
    """Raises 422 for days outside the employment."""
    if not employment.employed_on(span.first):
        is_too_early = employment.entry_date is not None and span.first < employment.entry_date
        raise words.before_entry() if is_too_early else words.after_exit()
    if not employment.employed_on(span.last):
        raise words.after_exit()


def check_allowance(work: UnitOfWork, request: VacationRequest, facts: PersonFacts, *, confirmed: bool) -> bool:
    """Returns whether the request takes more than remains; raises 409 in that case unless it is confirmed.

    Checked are the years that it touches, and later years with approved vacation, which depends on carried days.
    """
    problem = _exceeded(work, request, facts) if request.kind == "vacation" else None
    if problem is not None and not confirmed:
        raise problem
    return problem is not None


def audit_values(request: VacationRequest, *, exceeded: bool = False) -> dict[str, Any]:
    """Returns a request's values for the audit log, without people's texts."""
    values: dict[str, Any] = {
        "userId": request.user_id,
        "leaveKind": request.kind,
        "startDate": request.start_date.isoformat(),
        "endDate": request.end_date.isoformat(),
        "startHalf": request.start_half,
        "endHalf": request.end_half,
        "leaveStatus": request.status,
    }
    return values | {"overAllowance": True} if exceeded else values


def _exceeded(work: UnitOfWork, request: VacationRequest, facts: PersonFacts) -> Problem | None:
    span = span_of(request)
    exceeded = facts.account(facts.days.today(work.now())).exceeded([span], facts.last_year(span))
    return None if exceeded is None else words.over_allowance(*exceeded)
