"""Use cases on correction requests. The calls of clocks use `answers`.

An employee requests and an administrator decides. A correction that an administrator enters for an employee is approved
at once. Each use case that writes holds the exclusive lock on the company's rules, so entries, requests and people
cannot change between validation and commit. A break can only be requested together with times.
"""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_minute
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.directory.people import find_person, find_user
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections import queries, words
from stempelwerk_cloud.timekeeping.corrections.decisions import answers, notifications
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import Wish, correction_of, facts_for, request_refused
from stempelwerk_cloud.timekeeping.corrections.queries import APPROVED, PENDING, REJECTED
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding, derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged
from stempelwerk_cloud.timekeeping.times.reading.finding import find_entry
from stempelwerk_cloud.timekeeping.tx import Tx

REQUESTED = Action("correction.requested")
DECLINED = Action("correction.declined")
WITHDRAWN = Action("correction.withdrawn")


@dataclass(frozen=True, slots=True)
class Change:
    """An administrator's changes to a request, in minutes (`start` and `end` since local midnight); None:
    as requested.
    """

    start: int | None
    end: int | None
    break_minutes: int | None


def ask(work: UnitOfWork, wish: Wish, reason: str | None, user_id: str | None) -> CorrectionRequest:
    """Creates a correction request of the caller, or an administrator's correction, which is approved at once.

    `user_id`: the person of the company, who may be the administrator; None: the caller. Raises the problems in
    `problems`; 404 if the named entry is another person's.
    """
    session = work.session
    asked_for = requests.resolve_subject(work, user_id, words.person_missing)
    company_id, user_id = asked_for.company_id, asked_for.id
    work.rules(company_id)
    tx, inputs = _inputs(work, company_id)
    person = find_user(session, company_id, user_id)
    if person.role == ADMIN:
        raise words.no_times()
    ensure_not_purged(session, company_id, wish.date)
    if queries.pending_on(session, company_id, user_id, wish.date) is not None:
        raise words.already_open()
    wish = _with_named_entry(session, company_id, user_id, wish, inputs)
    now = work.now()
    facts = facts_for(tx, inputs, user_id, wish.date, wish.entry_at)
    request = CorrectionRequest(
        company_id=company_id,
        id=work.new_id(),
        user_id=user_id,
        date=wish.date,
        new_start=wish.start,
        new_end=wish.end,
        break_minutes=wish.break_minutes,
        reason=reason,
        entry_id=wish.entry_id,
        entry_at=wish.entry_at,
        status=PENDING,
        created_at=now,
        created_by=work.actor_id,
    )
    if work.caller.role == USER:
        refusal = request_refused(wish, facts, now)
        if refusal is not None:
            raise words.refused(refusal, only_start=wish.end is None)
        if queries.count_pending(session, company_id, user_id) >= words.MOST_OPEN:
            raise words.too_many_open()
        session.add(request)
        work.audit(company_id, REQUESTED, request.id, new_values=_audit_values(request))
        notifications.requested(work, request, person.username)
    else:
        correction = correction_of(wish, facts, id_=request.id, requested_at=now, now=now)
        if isinstance(correction, Refusal):
            raise words.refused(correction)
        session.add(request)
        _approve(work, request, correction)
    session.flush()
    return request


def decide(work: UnitOfWork, request_id: str, change: Change | None, comment: str | None) -> CorrectionRequest:
    """Approves a request, with the administrator's changes if there are any; declines it if `change` is None.

    409 if it is already decided, if its person was deleted, or if it would now overlap another shift.
    """
    session = work.session
    request = requests.find(work, CorrectionRequest, request_id, Lock.RULES)
    requests.must_be_open(work, request, words.already_decided)
    tx, inputs = _inputs(work, request.company_id)
    if find_person(session, request.company_id, request.user_id) is None:
        raise words.person_deleted()
    if change is None:
        requests.decide(work, request, REJECTED)
        work.audit(request.company_id, DECLINED, request.id, old_values=_audit_values(request))
        notifications.decided(work, request, comment)
        return request
    ensure_not_purged(session, request.company_id, request.date)
    wish = changed(request, change)
    facts = facts_for(tx, inputs, request.user_id, request.date, request.entry_at)
    correction = correction_of(wish, facts, id_=request.id, requested_at=answers.covers_until(request), now=work.now())
    if correction is Refusal.OVERLAP:
        raise words.overlap()
    if isinstance(correction, Refusal):
        raise words.refused(correction)
    request.new_start, request.new_end, request.break_minutes = wish.start, wish.end, wish.break_minutes
    _approve(work, request, correction, comment)
    return request


def withdraw(work: UnitOfWork, request_id: str) -> None:
    """Withdraws the caller's own open request. 403 for a colleague's request, 409 for a decided one."""
    request = requests.find_own(work, CorrectionRequest, request_id, Lock.RULES)
    requests.must_be_open(work, request, words.already_decided)
    company_id, user_id = request.company_id, request.user_id
    work.audit(company_id, WITHDRAWN, request.id, old_values=_audit_values(request))
    work.session.delete(request)
    work.session.flush()
    notifications.changed(work, company_id, user_id)


def _inputs(work: UnitOfWork, company_id: str) -> tuple[Tx, DerivationInputs]:
    """Locks the company's rules; returns the transaction and the inputs for validating a request."""
    tx = Tx(work.session, work.platform)
    return tx, derivation_inputs.lock_and_read(tx, company_id)


def _with_named_entry(session: Session, company_id: str, user_id: str, wish: Wish, inputs: DerivationInputs) -> Wish:
    """Returns the wish completed with the time of the entry that it names.

    404 if that entry is not the person's own, 409 if times of its day have been purged.
    """
    if wish.entry_id is None:
        return wish
    place = find_entry(session, wish.entry_id, company_id)
    if place is None or place.user_id != user_id:
        raise not_found()
    ensure_not_purged(session, company_id, local_day(place.known_at, inputs.rules.at(place.known_at).zone))
    return Wish(wish.date, wish.start, wish.end, wish.break_minutes, place.id, place.known_at)


def changed(request: CorrectionRequest, change: Change) -> Wish:
    """Returns the requested correction with the administrator's changes."""
    return Wish(
        request.date,
        request.new_start if change.start is None else change.start,
        request.new_end if change.end is None else change.end,
        request.break_minutes if change.break_minutes is None else change.break_minutes,
        request.entry_id,
        request.entry_at,
    )


def _approve(work: UnitOfWork, request: CorrectionRequest, correction: Correction, comment: str | None = None) -> None:
    """Decides the request and stores its correction as a fact with the request's id."""
    requests.decide(work, request, APPROVED)
    deciding.correct(work, request.company_id, request.user_id, correction)
    notifications.decided(work, request, comment)


def _audit_values(request: CorrectionRequest) -> dict[str, object]:
    """Returns the request's values for the audit log, without the reason: that must remain erasable, and the log is
    permanent.
    """
    start, end = (None if minute is None else format_minute(minute) for minute in (request.new_start, request.new_end))
    return {
        "userId": request.user_id,
        "date": request.date.isoformat(),
        "start": start,
        "end": end,
        "breakMinutes": request.break_minutes,
    }
