"""Changes to approved leave: an administrator moves, shortens or cancels it, or its person asks for a cancellation.

The other side is notified of each. Balances need no change, because they are computed from the leave.
"""

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.leave import end_on, set_span, span_of
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import actions, words
from stempelwerk_cloud.planning.vacation.requests import asking, deciding, listing, notifications
from stempelwerk_cloud.planning.vacation.requests.deciding import audit_values
from stempelwerk_cloud.planning.vacation.requests.listing import RequestView
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged

APPROVED = "approved"


def move(work: UnitOfWork, request_id: str, span: LeaveSpan, comment: str, *, over_allowance: bool) -> RequestView:
    """Moves approved leave to other days. They are checked like a new request's, as if the old days had been given
    back.
    """
    request = _approved(work, request_id)
    ensure_not_purged(work.session, request.company_id, request.start_date)
    audit_before, days = audit_values(request), words.days(request)
    request.status = requests.PENDING  # so that its own days neither overlap the new ones nor count as used
    if not request.start_date <= span.start <= span.end <= request.end_date:
        request.closure_id = None  # other days than those that company holidays gave
    set_span(request, span)
    work.session.flush()
    checked_span, facts = asking.check(work, request)
    set_span(request, checked_span)
    exceeded = deciding.check_allowance(work, request, facts, confirmed=over_allowance)
    _settle(work, request, APPROVED, comment)
    _notify(work, request, audit_before, actions.MOVED, words.moved(days, request), exceeded)
    return listing.of_one(work, request, facts.person)


def cancel(work: UnitOfWork, request_id: str, comment: str, *, passed_days: bool) -> RequestView:
    """Cancels approved leave. Passed days of begun leave stay taken unless `passed_days` is set; 409 if all have
    passed.
    """
    request = _approved(work, request_id)
    today = today_of(work.session, request.company_id, work.now())
    audit_before, days = audit_values(request), words.days(request)
    span = span_of(request)
    if span.first >= today or passed_days:
        ensure_not_purged(work.session, request.company_id, request.start_date)
        _settle(work, request, "cancelled", comment)
        _notify(work, request, audit_before, actions.CANCELLED, words.cancelled(days))
        return listing.of_one(work, request)
    if span.last < today:
        raise words.all_passed()
    end_on(request, today - DAY)
    _settle(work, request, APPROVED, comment)
    _notify(work, request, audit_before, actions.MOVED, words.shortened(days, request))
    return listing.of_one(work, request)


def wish(work: UnitOfWork, request_id: str, reason: str | None) -> RequestView:
    """Asks to cancel the caller's own approved leave. 409 if all of it has passed, or if it was asked already."""
    request = requests.find_own(work, VacationRequest, request_id)
    requests.must_be_open(work, request, words.not_approved, APPROVED)
    if request.cancel_requested_at is not None:
        raise words.already_wished()
    if span_of(request).last < today_of(work.session, request.company_id, work.now()):
        raise words.all_passed()
    request.cancel_requested_at, request.cancel_reason = work.now(), reason
    work.session.flush()
    work.audit(request.company_id, actions.CANCEL_REQUESTED, request.id, new_values=audit_values(request))
    notifications.notify_cancel_wished(work, request)
    requests.refresh_pages(work, request.company_id, [request.user_id])
    return listing.of_one(work, request)


def reject_cancellation(work: UnitOfWork, request_id: str, comment: str | None) -> RequestView:
    """Refuses a request to cancel, so that the leave stays as it is. 409 without such a request."""
    request = _approved(work, request_id)
    if request.cancel_requested_at is None:
        raise words.not_wished()
    _settle(work, request, APPROVED, comment)
    _notify(work, request, audit_values(request), actions.KEPT, words.not_cancelled(request))
    return listing.of_one(work, request)


def _approved(work: UnitOfWork, request_id: str) -> VacationRequest:
    request = requests.find(work, VacationRequest, request_id)
    requests.must_be_open(work, request, words.not_approved, APPROVED)
    return request


def _settle(work: UnitOfWork, request: VacationRequest, status: str, comment: str | None) -> None:
    """Stores a decision about the leave. Any decision also answers the request to cancel it."""
    request.comment, request.cancel_requested_at, request.cancel_reason = comment, None, None
    requests.decide(work, request, status)


def _notify(
    work: UnitOfWork,
    request: VacationRequest,
    audit_before: dict[str, object],
    action: Action,
    change: str,
    exceeded: bool = False,
) -> None:
    work.audit(request.company_id, action, request.id, audit_before, audit_values(request, exceeded=exceeded))
    if request.user_id != work.actor_id:
        notifications.notify_changed(work, request, change)
    requests.refresh_pages(work, request.company_id, [request.user_id])
