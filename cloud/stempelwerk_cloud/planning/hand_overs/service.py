"""Use cases of hand-overs: an employee asks a colleague to take over a duty; the colleague accepts or declines.

Every decision holds the lock of the company's plan, so that a duty has one holder even under concurrency. A request is
pending until it is accepted, declined or withdrawn. It becomes void if its duty or one of the two people is removed.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import MESSAGE_SENT
from stempelwerk_cloud.kit.http.body_checks import spelled
from stempelwerk_cloud.kit.http.schemas import canonical_id
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import find_user, people_in
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.requests import PENDING
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.hand_overs import queries, words
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.planning.schedule import service as schedule
from stempelwerk_cloud.planning.schedule.service import DutyValue

REQUESTED = Action("handoff.requested")
ACCEPTED = Action("handoff.accepted")
DECLINED = Action("handoff.declined")
WITHDRAWN = Action("handoff.withdrawn")
ENDED = Action("handoff.ended")


RETENTION = timedelta(days=2 * 366)
"""How long a request is stored after the day of its duty."""

Status = Literal["pending", "accepted", "declined", "withdrawn", "void"]
TO_RECIPIENTS, TO_REQUESTERS = "handoff", "handoff_response"
"""The types of messages to the colleague and to the requester."""


class Asked(NamedTuple):
    """A request in the view of its requester."""

    id: str
    date: date
    to: str
    to_name: str
    created_at: datetime


class Offered(NamedTuple):
    """A request in the view of its recipient. `start` and `end`: the duty's times in local minutes since midnight, or
    None.
    """

    id: str
    requester_name: str
    date: date
    created_at: datetime
    start: int | None
    end: int | None
    status: str


class Candidate(NamedTuple):
    id: str
    username: str
    available: bool


def ask(work: UnitOfWork, day: date, recipient: str | None, requester: str | None) -> Asked:
    """Requests that a colleague takes over the caller's duty of that day.

    - 422 without a colleague, for oneself, for a person who is no employee, and if `requester` is not the caller.
    - 404 for an unknown colleague, and without a duty.
    - 409 for a duty that has begun, while a request about it is pending, and if the colleague is not available. The
      reason is not disclosed.
    - 429 for asking the same colleague too often.
    """
    caller, session = work.caller, work.session
    company_id = caller.company_id
    work.plan(company_id)
    to_id = _recipient(work, recipient, requester)
    duty = _own_duty(session, company_id, caller.user_id, day)
    if duty is None:
        raise words.no_duty()
    if schedule.begun(session, company_id, [duty], work.now()):
        raise words.day_is_over()
    if queries.waiting_about(session, company_id, [duty.id]):
        raise words.already_requested()
    if not schedule.available(session, company_id, [to_id], day, duty.start_minute, duty.end_minute):
        raise words.not_available()
    messages.count_messages(work, company_id, [to_id])
    row = HandOver(
        company_id=company_id,
        id=work.new_id(),
        duty_id=duty.id,
        date=day,
        from_id=caller.user_id,
        to_id=to_id,
        status=PENDING,
        created_at=work.now(),
    )
    session.add(row)
    session.flush()
    _log(work, REQUESTED, row)
    _reload(work, row)
    work.emit(MESSAGE_SENT, company_id=company_id, user_ids=[to_id], type_=TO_RECIPIENTS)  # it is in their list
    return _asked_view(session, row)


def accept(work: UnitOfWork, request_id: str) -> Offered:
    """Moves the duty that the caller was asked for to the caller, and notifies the requester and the administrators.

    404 for an unknown request, 403 for other callers. 409 if it was decided or is void, if the duty has begun, or if
    the caller can no longer take it because of role, another duty, leave, or rest.
    """
    row = _to_decide(work, request_id)
    company_id = row.company_id
    duty = _own_duty(work.session, company_id, row.from_id, row.date)
    if duty is None or duty.id != row.duty_id:
        raise words.void()
    if schedule.begun(work.session, company_id, [duty], work.now()):
        raise words.day_is_over()
    refusal = schedule.why_not(
        work.session, company_id, row.to_id, row.date, duty.start_minute, duty.end_minute, moving=duty.id
    )
    if refusal is not None:
        raise words.not_any_more(refusal)
    schedule.move(work, company_id, duty.id, row.to_id)
    _end(work, row, "accepted", ACCEPTED)
    giver, taker = (_name(work.session, company_id, user_id) for user_id in (row.from_id, row.to_id))
    _notify(work, row, [row.from_id], TO_REQUESTERS, words.accepted(taker, row.date))
    _notify(work, row, [row.to_id], TO_RECIPIENTS, words.taken_over(giver, row.date))
    message = words.handed_over(giver, taker, row.date)
    messages.to_administrators(work, company_id, *message, _payload(row), type_=TO_RECIPIENTS)
    return _offered(work.session, row, duty)


def decline(work: UnitOfWork, request_id: str) -> Offered:
    """Declines a request to the caller. 404 for an unknown one, 403 for other callers, 409 if it was decided or is
    void.
    """
    row = _to_decide(work, request_id)
    company_id = row.company_id
    _end(work, row, "declined", DECLINED)
    taker = _name(work.session, company_id, row.to_id)
    _notify(work, row, [row.from_id], TO_REQUESTERS, words.declined(taker, row.date))
    return _offered(work.session, row, _own_duty(work.session, company_id, row.from_id, row.date))


def withdraw(work: UnitOfWork, request_id: str) -> None:
    """Withdraws the caller's own request. 404 for an unknown one, 403 for a colleague's, 409 if it was decided or is
    void.
    """
    row = requests.find_own(work, HandOver, request_id, owner_column="from_id")
    _need_pending(work.session, row)
    _end(work, row, "withdrawn", WITHDRAWN)


def asked_by_caller(work: UnitOfWork) -> list[Asked]:
    """Returns the caller's pending requests about duties that have not begun."""
    session, company_id = work.session, work.caller.company_id
    rows = queries.waiting_of(session, company_id, work.caller.user_id, _today(work))
    return [_asked_view(session, row) for row, _ in _ahead(session, company_id, rows, work.now())]


def offered_to_caller(work: UnitOfWork) -> list[Offered]:
    """Returns the pending requests to the caller, about duties that have not begun."""
    session, company_id = work.session, work.caller.company_id
    rows = queries.waiting_for(session, company_id, [work.caller.user_id], _today(work))
    return [_offered(session, row, duty) for row, duty in _ahead(session, company_id, rows, work.now())]


def candidates(work: UnitOfWork, day: date) -> list[Candidate]:
    """Returns the company's other employees by username, with whether each could take over the caller's duty of that
    day.

    No colleague is available if the caller has no duty that can be handed over, because availability is disclosed only
    for a hand-over.
    """
    session, caller = work.session, work.caller
    colleagues = [
        user for user in people_in(session, caller.company_id) if user.role == USER and user.id != caller.user_id
    ]
    duty = _own_duty(session, caller.company_id, caller.user_id, day)
    free: set[str] = set()
    if duty is not None and not schedule.begun(session, caller.company_id, [duty], work.now()):
        times = duty.start_minute, duty.end_minute
        free = schedule.available(session, caller.company_id, [user.id for user in colleagues], day, *times)
    return [Candidate(user.id, user.username, user.id in free) for user in colleagues]


def duties_ended(work: UnitOfWork, company_id: str, duty_ids: Collection[str]) -> None:
    """Voids the pending requests about duties that were removed, and notifies both people."""
    _void(work, company_id, queries.waiting_about(work.session, company_id, duty_ids))


def people_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Voids the pending requests by and to people who are no longer employees, and notifies the other person."""
    employees = _employees(work.session, company_id)
    former_ids = [user_id for user_id in user_ids if user_id not in employees]
    if former_ids:
        locks.take(work.session, Lock.PLAN, company_id)
        _void(work, company_id, queries.waiting_with(work.session, company_id, former_ids))


def exit_set(
    work: UnitOfWork, company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], *, end: bool
) -> None:
    """Adds the person's pending requests about days after their exit to `found`; voids them if `end` is set."""
    locks.take(work.session, Lock.PLAN, company_id)
    waiting = queries.waiting_with(work.session, company_id, [user_id])
    behind = [row for row in waiting if row.date > last_day]
    found += [("handOver", row.id, row.date) for row in behind]
    if end:
        _void(work, company_id, behind)


def _today(work: UnitOfWork) -> date:
    return today_of(work.session, work.caller.company_id, work.now())


def _recipient(work: UnitOfWork, recipient: str | None, requester: str | None) -> str:
    if recipient is None or not recipient.strip():
        raise words.nobody_chosen()
    if requester and spelled(requester) != work.caller.user_id:
        raise words.only_own()
    user = find_user(work.session, work.caller.company_id, canonical_id(recipient))
    if user.id == work.caller.user_id:
        raise words.not_oneself()
    if user.role != USER:
        raise words.no_employee()
    return user.id


def _own_duty(session: Session, company_id: str, user_id: str, day: date) -> DutyValue | None:
    own_duties = schedule.duties(session, company_id, day, day, [user_id])
    return own_duties[0] if own_duties else None


def _ahead(
    session: Session, company_id: str, rows: Collection[HandOver], now: datetime
) -> list[tuple[HandOver, DutyValue | None]]:
    """Returns those requests whose duty has not begun, each with its duty, in their order."""
    if not rows:
        return []
    days = [row.date for row in rows]
    found_duties = schedule.duties(session, company_id, min(days), max(days), {row.from_id for row in rows})
    duties = {duty.id: duty for duty in found_duties}
    begun = schedule.begun(session, company_id, found_duties, now)
    return [(row, duties.get(row.duty_id)) for row in rows if row.duty_id not in begun]


def _to_decide(work: UnitOfWork, request_id: str) -> HandOver:
    """Returns a pending request to the caller. 404 for an unknown one, 403 for other callers, 409 if it is not
    pending.
    """
    row = requests.find_own(work, HandOver, request_id, owner_column="to_id")
    _need_pending(work.session, row)
    return row


def _need_pending(session: Session, row: HandOver) -> None:
    if row.status in ("accepted", "declined"):
        raise words.already_decided(_name(session, row.company_id, row.to_id))
    if row.status == "withdrawn":
        raise words.withdrawn()
    if row.status != PENDING:
        raise words.void()


def _end(work: UnitOfWork, row: HandOver, status: Status, action: Action | None = None) -> None:
    row.status, row.decided_at = status, work.now()
    work.session.flush()
    if action is not None:
        _log(work, action, row)
    _reload(work, row)


def _log(work: UnitOfWork, action: Action, row: HandOver) -> None:
    audit_values = {"userId": row.from_id, "date": row.date.isoformat(), "to": row.to_id}
    work.audit(row.company_id, action, row.id, new_values=audit_values)


def _reload(work: UnitOfWork, row: HandOver) -> None:
    """Tells the open pages of both people to reload their plan and the requests to them."""
    both = [row.from_id, row.to_id]
    requests.refresh_pages(work, row.company_id, both)
    messages.publish_update(work, row.company_id, both)


def _void(work: UnitOfWork, company_id: str, rows: Collection[HandOver]) -> None:
    employees = _employees(work.session, company_id) if rows else set()
    for row in rows:
        _end(work, row, "void", ENDED)
        name = _name(work.session, company_id, row.from_id)
        notices = (
            (row.from_id, TO_REQUESTERS, words.void_for_requester(row.date)),
            (row.to_id, TO_RECIPIENTS, words.void_for_recipient(name, row.date)),
        )
        for user_id, type_, message in notices:
            if user_id in employees:
                _notify(work, row, [user_id], type_, message)


def _notify(work: UnitOfWork, row: HandOver, user_ids: Iterable[str], type_: str, message: tuple[str, str]) -> None:
    messages.send(work, row.company_id, user_ids, type_, *message, _payload(row))


def _payload(row: HandOver) -> dict[str, str]:
    return {"status": row.status, "date": row.date.isoformat()}


def _employees(session: Session, company_id: str) -> set[str]:
    return {user.id for user in people_in(session, company_id) if user.role == USER}


def _name(session: Session, company_id: str, user_id: str) -> str:
    """Returns the username of a person, who may be deleted."""
    return session.get_one(User, (company_id, user_id)).username


def _asked_view(session: Session, row: HandOver) -> Asked:
    return Asked(row.id, row.date, row.to_id, _name(session, row.company_id, row.to_id), row.created_at)


def _offered(session: Session, row: HandOver, duty: DutyValue | None) -> Offered:
    times = (None, None) if duty is None else (duty.start_minute, duty.end_minute)
    name = _name(session, row.company_id, row.from_id)
    return Offered(row.id, name, row.date, row.created_at, *times, row.status)


def inbox_counts(
    session: Session, company_id: str, user_ids: Collection[str], now: datetime
) -> dict[str, tuple[int, int]]:
    """Returns by person the number of pending hand-overs to them, and of their unread messages
    (the port `INBOX_COUNTS`).
    """
    yesterday = (now - timedelta(days=1)).date()  # or today, by the zone: `_ahead` leaves out what has begun
    asked_ids = queries.asked_among(session, company_id, user_ids, yesterday)
    rows = queries.waiting_for(session, company_id, asked_ids, yesterday) if asked_ids else []
    waiting = Counter(row.to_id for row, _ in _ahead(session, company_id, rows, now))
    unread = messages.unread_counts(session, company_id, user_ids)
    return {user_id: (waiting[user_id], unread[user_id]) for user_id in user_ids}
