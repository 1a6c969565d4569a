"""SQL queries on correction requests."""

from datetime import date, timedelta

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.directory.people import hidden
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"
KEPT = timedelta(days=2 * 366)


def owner_of(session: Session, request_id: str) -> tuple[str, str] | None:
    """Returns the company and the person of a request, in any company."""
    statement = select(CorrectionRequest.company_id, CorrectionRequest.user_id).where(
        CorrectionRequest.id == request_id
    )
    row = session.execute(statement).first()
    return None if row is None else (row.company_id, row.user_id)


def pending_on(session: Session, company_id: str, user_id: str, day: date) -> CorrectionRequest | None:
    """Returns the person's open request for a day, or None; at most one exists."""
    return session.scalar(
        select(CorrectionRequest).where(
            CorrectionRequest.company_id == company_id,
            CorrectionRequest.user_id == user_id,
            CorrectionRequest.date == day,
            CorrectionRequest.status == PENDING,
        )
    )


def count_pending(session: Session, company_id: str, user_id: str) -> int:
    """Returns the number of a person's open requests."""
    statement = select(func.count()).where(
        CorrectionRequest.company_id == company_id, CorrectionRequest.user_id == user_id
    )
    return session.scalar(statement.where(CorrectionRequest.status == PENDING)) or 0


def count_waiting(session: Session, company_id: str) -> int:
    """Returns the number of a company's pending requests of people who still exist."""
    statement = select(func.count()).where(
        CorrectionRequest.company_id == company_id, CorrectionRequest.status == PENDING, _still_there(company_id)
    )
    return session.scalar(statement) or 0


def list_page(
    session: Session,
    company_id: str,
    user_id: str | None,
    status: str | None,
    bounds: Bounds,
    page_request: PageRequest,
) -> list[CorrectionRequest]:
    """Returns a page of the requests of a company, or of one person if `user_id` is set, newest first.

    The list of all pending requests omits those of deleted people. Raises NoSuchRow if the row before the page does not
    exist.
    """
    statement = select(CorrectionRequest).where(CorrectionRequest.company_id == company_id)
    conditions = bounds.touching(CorrectionRequest.date, CorrectionRequest.date)
    if user_id is None:
        statement = statement.where(CorrectionRequest.user_id.not_in(hidden(company_id)))
    else:
        statement = statement.where(CorrectionRequest.user_id == user_id)
    if status is not None:
        conditions.append(CorrectionRequest.status == status)
    if user_id is None and status == PENDING:
        conditions.append(_still_there(company_id))
    return [
        row[0] for row in page(session, statement, conditions, (CorrectionRequest.id,), page_request, descending=True)
    ]


def pending_between(session: Session, company_id: str, first: date, last: date) -> list[tuple[str, date]]:
    """Returns (user id, day) of the company's pending requests from `first` to `last`, both included, by day.

    Omits requests of deleted people.
    """
    statement = select(CorrectionRequest.user_id, CorrectionRequest.date).where(
        CorrectionRequest.company_id == company_id,
        CorrectionRequest.status == PENDING,
        CorrectionRequest.date.between(first, last),
        _still_there(company_id),
    )
    return [(row.user_id, row.date) for row in session.execute(statement.order_by(CorrectionRequest.date))]


def _still_there(company_id: str) -> ColumnElement[bool]:
    present_people = select(User.id).where(User.company_id == company_id, User.deleted_at.is_(None))
    return CorrectionRequest.user_id.in_(present_people) & CorrectionRequest.user_id.not_in(hidden(company_id))
