"""From when on a company's times are still kept. What was carried out of those that have gone is final."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.timekeeping.entries import problems
from stempelwerk_cloud.timekeeping.entries.tables import PurgedTimes


def retained_from(session: Session, company_id: str) -> date | None:
    """The first day of which times are kept; None: none have gone yet."""
    return session.scalar(select(PurgedTimes.before).where(PurgedTimes.company_id == company_id))


def keep_from(session: Session, company_id: str, day: date) -> None:
    """Times dated before the day have gone; it never goes back."""
    session.merge(PurgedTimes(company_id=company_id, before=max(day, retained_from(session, company_id) or day)))


def have_gone(session: Session, company_id: str, day: date) -> bool:
    """Whether the times of the day have gone because their time was over."""
    first = retained_from(session, company_id)
    return first is not None and day < first


def must_be_there(session: Session, company_id: str, day: date) -> None:
    """409 for a day whose times have gone: what is told of it would be told as if nobody had worked."""
    if have_gone(session, company_id, day):
        raise problems.nothing_kept()


def must_be_kept(session: Session, company_id: str, day: date) -> None:
    """409 for a day whose times have gone: what is decided about it would change no balance.

    Whoever asks has the company's plan or its rules alone, as whoever lets times go has both.
    """
    first = retained_from(session, company_id)
    if first is not None and day < first:
        raise problems.times_gone(first)
