"""Answers that employees gave on a clock's touchscreen about a missing Gehen. Each becomes a correction request; if
that is impossible, the administrators are notified of the reason.

The answer gives the end of one entry, but a correction concerns a whole shift. So the request begins where the shift
begins, and the gaps before the entry become its break. The request covers nothing after its end, as if it had been made
at that time. So an employee who comes back from a break, and answers that they had left for it, continues unchanged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.corrections import Bounds, Refusal, bounds, pauses_in
from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.people.directory.companies import lock_company, today_of
from stempelwerk_cloud.people.directory.people import find_person
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections import queries, words
from stempelwerk_cloud.timekeeping.corrections.decisions import judging, notifications
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import Wish, facts_for, minute_of_day, time_of
from stempelwerk_cloud.timekeeping.corrections.queries import PENDING
from stempelwerk_cloud.timekeeping.corrections.tables import ClockAnswer, CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.surroundings import Surroundings
from stempelwerk_cloud.timekeeping.times.reading.finding import EntryPlace, find_entry
from stempelwerk_cloud.timekeeping.tx import Tx

UNREADABLE = "unreadable"
UNKNOWN_STAMP = "unknown_stamp"
UNKNOWN_PERSON = "unknown_person"
ALREADY_OPEN = "already_open"
COMPANY_CLOSED = "company_closed"
_CODES = {Refusal.IN_FUTURE: "end_in_future", Refusal.EQUAL_TIMES: Refusal.TOO_LONG.value}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer on the touchscreen. `stamp_id`: the stamp that opened the entry; `date`: the day that was shown;
    `new_end`: the Gehen in local minutes since midnight.
    """

    stamp_id: str
    date: date
    new_end: int


def covers_until(request: CorrectionRequest) -> datetime | None:
    """Returns the end of what the request covers: the instant of its creation, or None (its own end) for an answer on a
    clock.
    """
    return None if request.created_by is None else request.created_at


def take(work: UnitOfWork, device: Device, answer_id: str, answer: Answer | None) -> tuple[bool, str | None]:
    """Stores a clock's answer; returns whether it is new, and the code of its rejection (None: it became a request).

    Each answer is decided once: a repetition gets the stored code. `answer` None: it was unreadable.
    """
    session = work.session
    assignment = devices.assignment_now(session, device.no, work.now())
    own_company = None if assignment is None else assignment.company_id
    place = _place(session, device, own_company, answer)
    company_id = own_company if place is None else place.company_id
    company = None if company_id is None else lock_company(session, company_id, shared=True)
    devices.lock(session, device.no)
    stored_answer = session.get(ClockAnswer, (device.id, answer_id))
    if stored_answer is not None:
        return False, stored_answer.code
    code: str | None = UNREADABLE if answer is None else UNKNOWN_STAMP
    if company is not None and company.closed_at is not None:
        company, code = None, COMPANY_CLOSED
    elif answer is not None and place is not None:
        code = _request(work, place, answer)
    session.add(ClockAnswer(device_id=device.id, id=answer_id, received_at=work.now(), code=code))
    devices.current_lease(session, device.no).answers_mark = work.new_id()
    session.flush()
    if code is not None and company is not None:
        _notify_rejected(work, company.id, device, place, answer, code)
    return True, code


def _place(session: Session, device: Device, own_company: str | None, answer: Answer | None) -> EntryPlace | None:
    """Finds the entry that the stamp opened. Returns None unless the clock made the stamp or the entry is its
    company's.
    """
    place = None if answer is None else find_entry(session, answer.stamp_id, None)
    if place is None or place.start is None:
        return None
    return place if place.device_no == device.no or place.company_id == own_company else None


def _request(work: UnitOfWork, place: EntryPlace, answer: Answer) -> str | None:
    """Creates the correction request; returns None, or the code of a refusal.

    Locks the company's rules for the rest of the transaction.
    """
    session, company_id, user_id = work.session, place.company_id, place.user_id
    tx = Tx(session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, company_id)
    current_place = find_entry(session, place.id, company_id)
    if current_place is None or current_place.user_id != user_id or current_place.start is None:
        return UNKNOWN_STAMP
    person = find_person(session, company_id, user_id)
    if person is None:
        return UNKNOWN_PERSON
    now = work.now()
    day = local_day(current_place.start, inputs.rules.at(current_place.start).zone)
    facts = facts_for(tx, inputs, user_id, day, current_place.start)
    wish = wish_of(facts, current_place.id, answer.new_end, now)
    if isinstance(wish, Refusal):
        return _CODES.get(wish, wish.value)
    if queries.pending_on(session, company_id, user_id, wish.date) is not None:
        return ALREADY_OPEN
    request = CorrectionRequest(
        company_id=company_id,
        id=work.new_id(),
        user_id=user_id,
        date=wish.date,
        new_start=wish.start,
        new_end=wish.end,
        break_minutes=wish.break_minutes,
        entry_id=wish.entry_id,
        entry_at=wish.entry_at,
        status=PENDING,
        created_at=now,
    )
    session.add(request)
    session.flush()
    notifications.requested(work, request, person.username)
    return None


def wish_of(facts: Surroundings, entry_id: str, new_end: int, now: datetime) -> Wish | Refusal:
    """Returns the correction that the answer asks for, or why it is impossible. `new_end`: the Gehen in local minutes
    since midnight.
    """
    entry = next(candidate for candidate in facts.sheet.entries if candidate.id == entry_id)
    entry_bounds = _bounds(facts, entry, new_end, now)
    if isinstance(entry_bounds, Refusal):
        return entry_bounds
    shift = [
        candidate
        for candidate in facts.sheet.entries
        if candidate.shift == entry.shift and candidate.known_at <= entry.known_at
    ]
    first = next(part for part in shift if part.start_at is not None)
    shift_bounds = _bounds(facts, first, new_end, now)
    if isinstance(shift_bounds, Refusal):
        return shift_bounds
    if (
        shift_bounds.end != entry_bounds.end
    ):  # the shift began at a later time of day than that of the end, a day before
        return Refusal.TOO_LONG
    again_at = _next_presence(facts.sheet.entries, entry)
    if again_at is not None and again_at < entry_bounds.end:
        return Refusal.OVERLAP
    pause = pauses_in(shift, shift_bounds.minutes, facts.rules.at(shift_bounds.start))
    wish = Wish(first.date, minute_of_day(first.start_at, facts), new_end, pause, entry.id, entry.known_at)
    correction = judging.correction_of(wish, facts, id_="", requested_at=None, now=now)
    return correction if isinstance(correction, Refusal) else wish


def _bounds(facts: Surroundings, entry: Entry, new_end: int, now: datetime) -> Bounds | Refusal:
    start = time_of(minute_of_day(entry.start_at, facts))
    return bounds(entry.date, start, time_of(new_end), facts.rules.on(entry.date), now)


def _next_presence(all_entries: Sequence[Entry], entry: Entry) -> datetime | None:
    """Returns the start (or the end, if the start is missing) of the next entry; None without a next entry."""
    return min((candidate.known_at for candidate in all_entries if candidate.known_at > entry.known_at), default=None)


def _notify_rejected(
    work: UnitOfWork, company_id: str, device: Device, place: EntryPlace | None, answer: Answer | None, code: str
) -> None:
    person = None if place is None else find_person(work.session, company_id, place.user_id)
    name = None if person is None else person.username
    title, body = words.answer_refused(name, code, None if answer is None else (answer.date, answer.new_end))
    day = today_of(work.session, company_id, work.now()) if answer is None else answer.date
    subject_ids = {} if place is None else {"userId": place.user_id}
    notifications.notify_administrators(work, company_id, title, body, "answer", day, subject_ids)
