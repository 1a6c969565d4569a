"""Use cases of company holidays: everybody's vacation is entered, and taken away again, in one step."""

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
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.closures import actions, problems, texts
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.facts.hours import OPENING_HOURS
from stempelwerk_cloud.planning.facts.leave import end_on
from stempelwerk_cloud.planning.facts.tables import Closure, FreeDay, VacationRequest
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.entries import service as entries

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
    entries.must_be_kept(session, company_id, span.start)
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
    given, skipped = _give(work, closure, dict.fromkeys(employees, ()), closure.start_date)
    work.audit(company_id, actions.CREATED, closure.id, after=_said(closure) | {"people": given})
    return Created(closure, given, skipped)


def employed(work: Work, company_id: str, user_ids: Collection[str]) -> None:
    """Who came after company holidays were entered is given what of them is still to come; who has it already and now
    enters on another day, anew. What somebody has cancelled or wishes to cancel, or has begun, stays as it is.
    """
    session = work.session
    locks.take(session, Lock.PLAN, company_id)
    today = directory.today_of(session, company_id, work.now())
    people = [one for user_id in user_ids if (one := directory.find_person(session, company_id, user_id)) is not None]
    for closure in filter(lambda one: one.end_date >= today, listed(session, company_id)):
        had: dict[str, list[VacationRequest]] = {
            user.id: [] for user in people if user.role == USER and user.created_at >= closure.created_at
        }
        for request in _given_by(session, closure, user_ids):
            had.setdefault(request.user_id, []).append(request)
        anew = {
            user_id: [LeaveSpan(one.start_date, one.end_date) for one in ours]
            for user_id, ours in had.items()
            if all(
                one.status == "approved" and one.cancel_requested_at is None and one.start_date >= today for one in ours
            )
        }
        if not anew:
            continue
        for request in (one for user_id in anew for one in had[user_id]):
            session.delete(request)
        session.flush()
        given, _ = _give(work, closure, anew, max(closure.start_date, today))
        if given:
            work.audit(company_id, actions.GIVEN, closure.id, after=_said(closure) | {"people": given})


def _give(
    work: Work, closure: Closure, before: Mapping[str, Sequence[LeaveSpan]], first: date
) -> tuple[int, Sequence[tuple[str, Reason]]]:
    """How many of these people have vacation by it from a day on, and who is given nothing, or not all.

    `before`: what they had by it until now; of what stays the same they are not told.
    """
    session, company_id = work.session, closure.company_id
    today = directory.today_of(session, company_id, work.now())
    span = LeaveSpan(first, closure.end_date)
    last = max(span.end.year, vacation.last_year_approved(session, company_id) or 0)
    given: dict[str, list[LeaveSpan]] = {}
    skipped: list[tuple[str, Reason]] = []
    known = vacation.days_of(session, company_id, before, span.start.year, last)
    for user_id, account in vacation.accounts_of(session, company_id, before, last, today, known).items():
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
    changed = [user_id for user_id, spans in before.items() if given.get(user_id, []) != list(spans)]
    for user_id in changed:
        days = [(one.start, one.end) for one in given.get(user_id) or before[user_id]]
        if user_id in given:
            _tell(work, closure, user_id, texts.GIVEN, texts.given(closure.name, days), "approved")
        else:
            _tell_ended(work, closure, user_id, days, closure.name)
    requests.refresh_pages(work, company_id, changed)
    return len(given), skipped


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
        _tell_ended(work, closure, user_id, spans, said["name"])
    work.audit(company_id, actions.REMOVED, closure_id, before=said | {"people": len(ended)})
    requests.refresh_pages(work, company_id, ended)


def _given_by(session: Session, closure: Closure, user_ids: Collection[str] | None = None) -> Sequence[VacationRequest]:
    """Whatever became of it; of these people, or of all."""
    found = select(VacationRequest).where(
        VacationRequest.company_id == closure.company_id, VacationRequest.closure_id == closure.id
    )
    if user_ids is not None:
        found = found.where(VacationRequest.user_id.in_(sorted(set(user_ids))))
    return session.scalars(found.order_by(VacationRequest.start_date)).all()


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


def _tell_ended(work: Work, closure: Closure, user_id: str, ended: Sequence[DayRange], name: str) -> None:
    """Tells the person which vacation has gone, and which of their requests leave these days out."""
    requests_around = vacation.leaving_out(work.session, closure.company_id, user_id, ended)
    _tell(work, closure, user_id, texts.ENDED, texts.ended(name, ended, requests_around), "cancelled")


def _tell(work: Work, closure: Closure, user_id: str, title: str, body: str, status: str) -> None:
    said = {"status": status, "kind": "vacation", "startDate": closure.start_date.isoformat()}
    messages.send(work, closure.company_id, [user_id], "vacation_response", title, body, said)


def _said(closure: Closure) -> dict[str, Any]:
    """As the log keeps it."""
    days = {"startDate": closure.start_date.isoformat(), "endDate": closure.end_date.isoformat()}
    return days | {"name": closure.name}
