"""Use cases of bookings: an administrator adds minutes or vacation days to an account, or takes them from it."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.account import account_begin
from stempelwerk_cloud.domain.calendar import long_ago, years_from
from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.paging import Bounds, Paging
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import deciders_of, lock_people
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.visibility import reachable_person
from stempelwerk_cloud.people.employment import service as employments
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.bookings import words
from stempelwerk_cloud.planning.facts.tables import Booking
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged
from stempelwerk_cloud.timekeeping.times.reading.values import first_days

MADE = Action("booking.made")


def of_person(
    session: Session, company_id: str, user_id: str, bounds: Bounds, page_request: PageRequest
) -> Sequence[Booking]:
    """Returns a page of a person's bookings, newest date first, and of one date the newest booking first. Raises
    NoSuchRow.
    """
    statement = select(Booking).where(Booking.company_id == company_id, Booking.user_id == user_id)
    order, within = (Booking.date, Booking.id), bounds.touching(Booking.date, Booking.date)
    return [row[0] for row in page(session, statement, within, order, page_request, descending=True)]


__all__ = ["BookingView", "book", "shown_of"]

MESSAGE = "booking"
"""The type of the message about a booking."""
YEARS_AHEAD = 1


class BookingView(NamedTuple):
    """A booking and the username of its author (None: the installation itself)."""

    booking: Booking
    made_by_name: str | None


def shown_of(work: UnitOfWork, user_id: str, bounds: Bounds, paging: Paging) -> list[BookingView]:
    """Returns a page of a person's bookings, newest date first."""
    company_id = work.caller.subject_company_id
    bookings = of_person(work.session, company_id, user_id, bounds, paging.page_request)
    return _views(work.session, company_id, paging.cut(bookings))


def book(
    work: UnitOfWork, user_id: str, *, day: date, minutes: int | None, vacation_halves: int | None, reason: str
) -> BookingView:
    """Books minutes or half days of vacation on a person's account, and notifies the person.

    404 and 403 for a person that the caller does not manage. 422 without exactly one amount, for 0, without a reason,
    and for a day that is far away or does not count because it is before the account begins. 409 for a day whose times
    have been purged.
    """
    if (minutes is None) == (vacation_halves is None):
        raise words.one_of_two()
    if not (minutes or vacation_halves):
        raise words.zero_amount()
    if not reason:
        raise words.no_reason()
    user = _to_book_for(work, user_id)
    _check_day(work, user, day)
    booking = Booking(
        company_id=user.company_id,
        id=work.new_id(),
        user_id=user.id,
        date=day,
        minutes=minutes,
        vacation_halves=vacation_halves,
        reason=reason,
        made_by=work.actor_id,
        made_at=work.now(),
    )
    work.session.add(booking)
    work.session.flush()
    amount = _amount(booking)
    audit_values = {"userId": user.id, "date": day.isoformat(), "reason": ErasableText(reason, user.id)}
    logged = {name: value if isinstance(value, int) else str(value) for name, value in amount.items()}
    work.audit(user.company_id, MADE, booking.id, new_values=audit_values | logged)
    payload = {"bookingId": booking.id, "date": day.isoformat(), **amount}
    text = words.body(day, minutes, vacation_halves, reason)
    messages.send(work, user.company_id, [user.id], MESSAGE, words.TITLE, text, payload)
    return _views(work.session, user.company_id, [booking])[0]


def _to_book_for(work: UnitOfWork, user_id: str) -> User:
    """Returns the person, if the caller may manage them; read again after the locks were taken."""
    session = work.session
    user = reachable_person(session, work.caller, user_id)
    work.company(user.company_id)
    lock_people(session, user.company_id, [user.id])
    locks.take(session, Lock.PLAN, user.company_id)
    session.expire_all()
    return reachable_person(session, work.caller, user_id)


def _check_day(work: UnitOfWork, user: User, day: date) -> None:
    today = today_of(work.session, user.company_id, work.now())
    if long_ago(day, today):
        raise words.too_long_ago()
    if day > years_from(today, YEARS_AHEAD):
        raise words.too_far()
    employed = employments.people_of(work.session, user.company_id, [user.id])[user.id]
    if employed.entry_date is not None and day < employed.entry_date:
        raise words.before_entry()
    account_start = employed.account_begins
    if account_start is None:
        account_start = account_begin(None, first_days(work.session, user.company_id, [user.id]).get(user.id))
    if account_start is not None and day < account_start:
        raise words.before_account()
    ensure_not_purged(work.session, user.company_id, day)


def _amount(booking: Booking) -> dict[str, Any]:
    if booking.vacation_halves is None:
        return {"minutes": booking.minutes}
    return {"vacationDays": number_of(booking.vacation_halves)}


def _views(session: Session, company_id: str, bookings: Iterable[Booking]) -> list[BookingView]:
    booking_list = list(bookings)
    names = deciders_of(session, company_id, [booking.made_by for booking in booking_list])
    return [BookingView(booking, names.get(booking.made_by)) for booking in booking_list]
