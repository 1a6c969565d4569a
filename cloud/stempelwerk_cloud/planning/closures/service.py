"""Use cases of company holidays: everybody's vacation is entered, and taken away again, in one step."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.closures import actions, problems, texts
from stempelwerk_cloud.planning.closures.tables import Closure
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.facts.hours import OPENING_HOURS
from stempelwerk_cloud.planning.facts.tables import FreeDay, VacationRequest
from stempelwerk_cloud.planning.vacation import service as vacation

Reason = Literal["pending_request", "too_few_days", "no_vacation"]


@dataclass(frozen=True, slots=True)
class Created:
    """`created`: how many people have vacation by it. `skipped`: who is given nothing, or not all, and why."""

    closure: Closure
    created: int
    skipped: Sequence[tuple[str, Reason]]


def listed(session: Session, company_id: str) -> Sequence[Closure]:
    """The newest first."""
    found = select(Closure).where(Closure.company_id == company_id)
    return session.scalars(found.order_by(Closure.start_date.desc(), Closure.id.desc())).all()


def closed_days(session: Session, company_id: str, first: date, last: date) -> set[date]:
    """The days from `first` to `last`, both included, on which nobody is expected: public holidays, free days, company
    holidays, and weekdays without opening hours where the company has said any.
    """
    changes = directory.setting_changes(session, company_id)
    free = select(FreeDay.date).where(FreeDay.company_id == company_id, FreeDay.date.between(first, last))
    found = set(session.scalars(free.where(~FreeDay.half))) | set(Holidays(changes).between(first, last))
    closures = listed(session, company_id)
    for day in (first + count * DAY for count in range((last - first).days + 1)):
        opens = InForce(changes, day)[OPENING_HOURS]
        is_shut = any(opens.values()) and opens[str(day.weekday())] is None
        if is_shut or any(one.start_date <= day <= one.end_date for one in closures):
            found.add(day)
    return found


def create(work: Work, company_id: str, span: LeaveSpan, name: str) -> Created:
    """Gives every employee approved vacation on these days: on each that costs them one and has no vacation yet, asked
    for or approved, nor another excused absence. Nobody is given more than remains, or any where vacation is switched
    off.

    422 for days that make no leave, 409 if they overlap other company holidays.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = directory.today_of(session, company_id, now)
    vacation.check_span(span, today)
    if any(one.start_date <= span.end and span.start <= one.end_date for one in listed(session, company_id)):
        raise problems.overlaps()
    closure = Closure(
        company_id=company_id,
        id=work.new_id(),
        start_date=span.start,
        end_date=span.end,
        name=name,
        created_at=now,
        created_by=work.by,
    )
    session.add(closure)
    employees = [user.id for user in directory.people_in(session, company_id) if user.role == USER]
    last = max(span.end.year, vacation.last_year_approved(session, company_id) or 0)
    given: dict[str, list[LeaveSpan]] = {}
    skipped: list[tuple[str, Reason]] = []
    for user_id, account in vacation.accounts_of(session, company_id, employees, last, today).items():
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
            given[user_id] = free
    for user_id, spans in given.items():
        for one in spans:
            session.add(_request(work, closure, user_id, one))
    session.flush()
    for user_id, spans in given.items():
        body = texts.given(name, [(one.start, one.end) for one in spans])
        _tell(work, closure, user_id, texts.GIVEN, body, "approved")
    work.audit(company_id, actions.CREATED, closure.id, after=_said(closure) | {"people": len(given)})
    requests.refresh_pages(work, company_id, given)
    return Created(closure, len(given), skipped)


def remove(work: Work, company_id: str, closure_id: str) -> None:
    """Takes away what it gave, but no day that has passed. 404 unknown, 409 once all have."""
    work.plan(company_id)
    session = work.session
    closure = session.get(Closure, (company_id, closure_id))
    if closure is None:
        raise not_found()
    today = directory.today_of(session, company_id, work.now())
    if closure.end_date < today:
        raise problems.all_passed()
    said = _said(closure)
    found = session.scalars(
        select(VacationRequest).where(
            VacationRequest.company_id == company_id,
            VacationRequest.closure_id == closure_id,
            VacationRequest.status == "approved",
            VacationRequest.end_date >= today,
        )
    )
    ended: dict[str, list[tuple[date, date]]] = defaultdict(list)
    for request in found.all():
        ended[request.user_id].append((max(request.start_date, today), request.end_date))
        request.cancel_requested_at, request.cancel_reason = None, None
        if request.start_date >= today:
            requests.decide(work, request, "cancelled")
        else:
            request.end_date, request.end_half = today - DAY, False
            requests.decide(work, request, "approved")
    if closure.start_date >= today:
        session.delete(closure)
    else:
        closure.end_date = today - DAY
    session.flush()
    for user_id, spans in ended.items():
        _tell(work, closure, user_id, texts.ENDED, texts.ended(said["name"], spans), "cancelled")
    work.audit(company_id, actions.REMOVED, closure_id, before=said | {"people": len(ended)})
    requests.refresh_pages(work, company_id, ended)


def _hindered(person: PersonDays, day: date) -> bool:
    one = person.on(day)
    elsewhere = one.absence is not None and one.absence.kind == "special" and one.absence.status == "excused"
    return elsewhere or any(one.vacation(status) > 0 for status in ("approved", "pending"))


def _request(work: Work, closure: Closure, user_id: str, span: LeaveSpan) -> VacationRequest:
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
        created_by=work.by,
        decided_at=now,
        decided_by=work.by,
        closure_id=closure.id,
    )


def _tell(work: Work, closure: Closure, user_id: str, title: str, body: str, status: str) -> None:
    said = {"status": status, "kind": "vacation", "startDate": closure.start_date.isoformat()}
    messages.send(work, closure.company_id, [user_id], "vacation_response", title, body, said)


def _said(closure: Closure) -> dict[str, Any]:
    """As the log keeps it."""
    days = {"startDate": closure.start_date.isoformat(), "endDate": closure.end_date.isoformat()}
    return days | {"name": closure.name}
