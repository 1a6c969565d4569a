"""Use cases of company holidays: the vacation of all employees is entered, and removed again, in one step."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.leave import DayRange, LeaveSpan
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import setting_changes, today_of
from stempelwerk_cloud.people.directory.people import find_person, people_in
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.closures import words
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.facts.hours import OPENING_HOURS
from stempelwerk_cloud.planning.facts.leave import end_on
from stempelwerk_cloud.planning.facts.tables import Closure, FreeDay, VacationRequest
from stempelwerk_cloud.planning.vacation.accounts.balances import accounts_of, days_of
from stempelwerk_cloud.planning.vacation.queries import last_year_approved
from stempelwerk_cloud.planning.vacation.requests.asking import check_span, leaving_out
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged

CREATED = Action("closure.created")
GIVEN = Action("closure.given")
REMOVED = Action("closure.removed")


Reason = Literal["pending_request", "too_few_days", "no_vacation"]


@dataclass(frozen=True, slots=True)
class Created:
    """The result of creating company holidays. `created`: how many people got vacation. `skipped`: people who got no
    days, or only some, with the reason.
    """

    closure: Closure
    created: int
    skipped: Sequence[tuple[str, Reason]]


def list_closures(session: Session, company_id: str) -> Sequence[Closure]:
    """Returns all company holidays, newest first."""
    statement = select(Closure).where(Closure.company_id == company_id)
    return session.scalars(statement.order_by(Closure.start_date.desc(), Closure.id.desc())).all()


def closed_days(session: Session, company_id: str, first: date, last: date) -> set[date]:
    """Returns the days from `first` to `last`, both included, without expected work.

    These are public holidays, whole free days, company holidays, and weekdays without opening hours if the company has
    set any.
    """
    changes = setting_changes(session, company_id)
    free = select(FreeDay.date).where(FreeDay.company_id == company_id, FreeDay.date.between(first, last))
    closed = set(session.scalars(free.where(~FreeDay.half))) | set(Holidays(changes).public_between(first, last))
    closures = list_closures(session, company_id)
    for day in (first + count * DAY for count in range((last - first).days + 1)):
        opens = InForce(changes, day)[OPENING_HOURS]
        is_shut = any(opens.values()) and opens[str(day.weekday())] is None
        if is_shut or any(closure.start_date <= day <= closure.end_date for closure in closures):
            closed.add(day)
    return closed


def create(work: UnitOfWork, company_id: str, span: LeaveSpan, name: str) -> Created:
    """Creates company holidays, and gives every employee approved vacation on these days.

    An employee gets the days that cost them vacation, except those with pending or approved vacation or another excused
    absence. Employees with too few days remaining, or without vacation, get no days. 422 for days that cannot be leave,
    409 if they overlap other company holidays.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = today_of(session, company_id, now)
    check_span(span, today)
    ensure_not_purged(session, company_id, span.start)
    if any(
        existing.start_date <= span.end and span.start <= existing.end_date
        for existing in list_closures(session, company_id)
    ):
        raise words.overlaps()
    closure = Closure(
        company_id=company_id,
        id=work.new_id(),
        start_date=span.start,
        end_date=span.end,
        name=name,
        created_at=now,
        created_by=work.actor_id,
    )
    session.add(closure)
    employees = [user.id for user in people_in(session, company_id) if user.role == USER]
    given_count, skipped = _give(work, closure, dict.fromkeys(employees, ()), closure.start_date)
    work.audit(company_id, CREATED, closure.id, new_values=_audit_values(closure) | {"people": given_count})
    return Created(closure, given_count, skipped)


def employed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Gives new employees the future days of the company holidays that were created before they came.

    After a change of an entry date the given days are replaced. Vacation that the employee has begun, cancelled, or
    asked to cancel stays as it is.
    """
    session = work.session
    locks.take(session, Lock.PLAN, company_id)
    today = today_of(session, company_id, work.now())
    people = [person for user_id in user_ids if (person := find_person(session, company_id, user_id)) is not None]
    for closure in filter(lambda candidate: candidate.end_date >= today, list_closures(session, company_id)):
        had: dict[str, list[VacationRequest]] = {
            user.id: [] for user in people if user.role == USER and user.created_at >= closure.created_at
        }
        for request in _given_by(session, closure, user_ids):
            had.setdefault(request.user_id, []).append(request)
        new_spans = {
            user_id: [LeaveSpan(request.start_date, request.end_date) for request in ours]
            for user_id, ours in had.items()
            if all(
                request.status == "approved" and request.cancel_requested_at is None and request.start_date >= today
                for request in ours
            )
        }
        if not new_spans:
            continue
        for request in (given_request for user_id in new_spans for given_request in had[user_id]):
            session.delete(request)
        session.flush()
        given_count, _ = _give(work, closure, new_spans, max(closure.start_date, today))
        if given_count:
            work.audit(company_id, GIVEN, closure.id, new_values=_audit_values(closure) | {"people": given_count})


def _give(
    work: UnitOfWork, closure: Closure, earlier_spans: Mapping[str, Sequence[LeaveSpan]], first: date
) -> tuple[int, Sequence[tuple[str, Reason]]]:
    """Gives these people vacation from `first` to the end of the company holidays.

    `earlier_spans`: the days that each of them has had by it; unchanged days are not announced again. Returns how many
    people got vacation, and who got no days or only some, with the reason.
    """
    session, company_id = work.session, closure.company_id
    today = today_of(session, company_id, work.now())
    span = LeaveSpan(first, closure.end_date)
    last = max(span.end.year, last_year_approved(session, company_id) or 0)
    new_spans: dict[str, list[LeaveSpan]] = {}
    skipped: list[tuple[str, Reason]] = []
    known_days = days_of(session, company_id, earlier_spans, span.start.year, last)
    for user_id, account in accounts_of(session, company_id, earlier_spans, today, known_days).items():
        person = account.person
        pending = [day for day, _ in span.parts() if person.on(day).vacation("pending") and person.costs(day)]
        if pending:
            skipped.append((user_id, "pending_request"))
        free = leave.gaps(span.start, span.end, person.costs, partial(_hindered, person))
        if not free:
            continue
        if not account.enabled_on(span.start):
            skipped.append((user_id, "no_vacation"))
        elif account.exceeded(free, last) is not None:
            skipped.append((user_id, "too_few_days"))
        else:
            new_spans[user_id] = free
    for user_id, spans in new_spans.items():
        for free_span in spans:
            session.add(_request(work, closure, user_id, free_span))
    session.flush()
    changed = [user_id for user_id, spans in earlier_spans.items() if new_spans.get(user_id, []) != list(spans)]
    for user_id in changed:
        days = [(free_span.start, free_span.end) for free_span in new_spans.get(user_id) or earlier_spans[user_id]]
        if user_id in new_spans:
            _notify(work, closure, user_id, words.GIVEN, words.vacation_given(closure.name, days), "approved")
        else:
            _notify_ended(work, closure, user_id, days, closure.name)
    requests.refresh_pages(work, company_id, changed)
    return len(new_spans), skipped


def remove(work: UnitOfWork, company_id: str, closure_id: str) -> None:
    """Removes company holidays and the vacation that they gave, except days that have passed.

    404 for unknown ones, 409 if all days have passed.
    """
    work.plan(company_id)
    session = work.session
    closure = session.get(Closure, (company_id, closure_id))
    if closure is None:
        raise not_found()
    today = today_of(session, company_id, work.now())
    if closure.end_date < today:
        raise words.all_passed()
    audit_values = _audit_values(closure)
    ended: dict[str, list[DayRange]] = defaultdict(list)
    for request in _given_by(session, closure):
        if request.status != "approved" or request.end_date < today:
            continue
        ended[request.user_id].append((max(request.start_date, today), request.end_date))
        request.cancel_requested_at, request.cancel_reason = None, None
        if request.start_date >= today:
            requests.decide(work, request, "cancelled")
        else:
            end_on(request, today - DAY)
            requests.decide(work, request, "approved")
    if closure.start_date >= today:
        session.delete(closure)
    else:
        closure.end_date = today - DAY
    session.flush()
    for user_id, spans in ended.items():
        _notify_ended(work, closure, user_id, spans, audit_values["name"])
    work.audit(company_id, REMOVED, closure_id, old_values=audit_values | {"people": len(ended)})
    requests.refresh_pages(work, company_id, ended)


def _given_by(session: Session, closure: Closure, user_ids: Collection[str] | None = None) -> Sequence[VacationRequest]:
    """Returns the vacation requests that company holidays created, in any status; of these people, or of all."""
    statement = select(VacationRequest).where(
        VacationRequest.company_id == closure.company_id, VacationRequest.closure_id == closure.id
    )
    if user_ids is not None:
        statement = statement.where(VacationRequest.user_id.in_(sorted(set(user_ids))))
    return session.scalars(statement.order_by(VacationRequest.start_date)).all()


def _hindered(person: PersonDays, day: date) -> bool:
    person_day = person.on(day)
    elsewhere = (
        person_day.absence is not None
        and person_day.absence.kind == "special"
        and person_day.absence.status == "excused"
    )
    return elsewhere or any(person_day.vacation(status) > 0 for status in ("approved", "pending"))


def _request(work: UnitOfWork, closure: Closure, user_id: str, span: LeaveSpan) -> VacationRequest:
    now = work.now()
    return VacationRequest(
        company_id=closure.company_id,
        id=work.new_id(),
        user_id=user_id,
        kind="vacation",
        start_date=span.start,
        end_date=span.end,
        reason=closure.name,
        status="approved",
        created_at=now,
        created_by=work.actor_id,
        decided_at=now,
        decided_by=work.actor_id,
        closure_id=closure.id,
    )


def _notify_ended(work: UnitOfWork, closure: Closure, user_id: str, ended: Sequence[DayRange], name: str) -> None:
    """Notifies the person that vacation by company holidays ended, and of their requests that leave these days out."""
    requests_around = leaving_out(work.session, closure.company_id, user_id, ended)
    _notify(work, closure, user_id, words.ENDED, words.ended(name, ended, requests_around), "cancelled")


def _notify(work: UnitOfWork, closure: Closure, user_id: str, title: str, body: str, status: str) -> None:
    payload = {"status": status, "kind": "vacation", "startDate": closure.start_date.isoformat()}
    messages.send(work, closure.company_id, [user_id], "vacation_response", title, body, payload)


def _audit_values(closure: Closure) -> dict[str, Any]:
    """Returns the values of company holidays for the audit log."""
    days = {"startDate": closure.start_date.isoformat(), "endDate": closure.end_date.isoformat()}
    return days | {"name": closure.name}
