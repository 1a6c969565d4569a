"""The first day of a company's times that are still stored. Older times have been purged, and results from them are
final.
"""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.timekeeping.ledger import words
from stempelwerk_cloud.timekeeping.ledger.tables import PurgedTimes


def retained_from(session: Session, company_id: str) -> date | None:
    """Returns the first day whose times are stored; None: nothing has been purged yet."""
    return session.scalar(select(PurgedTimes.before).where(PurgedTimes.company_id == company_id))


def set_retained_from(session: Session, company_id: str, day: date) -> None:
    """Records that times dated before the day have been purged; the date never goes back."""
    session.merge(PurgedTimes(company_id=company_id, before=max(day, retained_from(session, company_id) or day)))


def is_purged(session: Session, company_id: str, day: date) -> bool:
    """Whether the times of the day have been purged."""
    first = retained_from(session, company_id)
    return first is not None and day < first


def ensure_available(session: Session, company_id: str, day: date) -> None:
    """Raises 409 for a day whose times have been purged: an answer would look as if there had been no work."""
    if is_purged(session, company_id, day):
        raise words.nothing_kept()


def ensure_not_purged(session: Session, company_id: str, day: date) -> None:
    """Raises 409 for a day whose times have been purged: a decision about it would change no balance.

    The caller must hold the exclusive lock on the company's plan or its rules; purging takes both.
    """
    ensure_retained(retained_from(session, company_id), day)


def ensure_retained(first: date | None, day: date) -> None:
    """Raises 409 as `ensure_not_purged`. `first`: the first day whose times are stored (`retained_from`)."""
    if first is not None and day < first:
        raise words.times_gone(first)
