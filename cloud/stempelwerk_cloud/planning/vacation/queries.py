"""SQL queries on requests for vacation and wishes."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.directory.people import hidden
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import VacationRequest

CANCEL_REQUESTED = "cancel_requested"
"""A filter in addition to the statuses: approved leave that its person asks to cancel."""
_IN_ORDER = (VacationRequest.created_at, VacationRequest.id)


def of_person(
    session: Session, company_id: str, user_id: str, bounds: Bounds, page_request: PageRequest
) -> Sequence[VacationRequest]:
    """Returns a page of a person's requests, newest first. Raises NoSuchRow."""
    statement = select(VacationRequest).where(
        VacationRequest.company_id == company_id, VacationRequest.user_id == user_id
    )
    within = bounds.touching(VacationRequest.start_date, VacationRequest.end_date)
    return [row[0] for row in page(session, statement, within, _IN_ORDER, page_request, descending=True)]


def of_company(
    session: Session, company_id: str, status: str | None, bounds: Bounds, page_request: PageRequest
) -> Sequence[tuple[VacationRequest, str]]:
    """Returns a page of all requests with the username, newest first; of one status, if given. Raises NoSuchRow."""
    statement = (
        select(VacationRequest, User.username)
        .join(User, (User.company_id == VacationRequest.company_id) & (User.id == VacationRequest.user_id))
        .where(VacationRequest.company_id == company_id, User.id.not_in(hidden(company_id)))
    )
    conditions = bounds.touching(VacationRequest.start_date, VacationRequest.end_date)
    if status == CANCEL_REQUESTED:
        conditions.append(_cancel_wished())
    elif status is not None:
        conditions.append(VacationRequest.status == status)
    return [
        (request, name)
        for request, name in page(session, statement, conditions, _IN_ORDER, page_request, descending=True)
    ]


def requests_between(
    session: Session,
    company_id: str,
    user_ids: Iterable[str] | None,
    first: date,
    last: date,
    statuses: Collection[str],
) -> Sequence[VacationRequest]:
    """Returns the requests with these statuses that touch the days from `first` to `last`, by person and start."""
    statement = select(VacationRequest).where(
        VacationRequest.company_id == company_id,
        VacationRequest.start_date <= last,
        VacationRequest.end_date >= first,
        VacationRequest.status.in_(sorted(statuses)),
    )
    if user_ids is not None:
        statement = statement.where(VacationRequest.user_id.in_(sorted(set(user_ids))))
    in_order = statement.order_by(VacationRequest.user_id, VacationRequest.start_date, VacationRequest.id)
    return session.scalars(in_order).all()


def last_year_approved(session: Session, company_id: str) -> int | None:
    """Returns the last year with approved vacation of any person; None without any."""
    statement = select(func.max(VacationRequest.end_date)).where(
        VacationRequest.company_id == company_id,
        VacationRequest.kind == "vacation",
        VacationRequest.status == "approved",
    )
    last: date | None = session.scalar(statement)
    return None if last is None else last.year


def pending_of(session: Session, company_id: str, user_ids: Iterable[str]) -> Sequence[VacationRequest]:
    """Returns these people's undecided requests."""
    return session.scalars(
        select(VacationRequest).where(
            VacationRequest.company_id == company_id,
            VacationRequest.status == "pending",
            VacationRequest.user_id.in_(sorted(set(user_ids))),
        )
    ).all()


def cancel_wished_by(session: Session, company_id: str, user_ids: Iterable[str]) -> Sequence[VacationRequest]:
    """Returns these people's approved leave that they ask to cancel."""
    theirs = (VacationRequest.company_id == company_id) & VacationRequest.user_id.in_(sorted(set(user_ids)))
    return session.scalars(select(VacationRequest).where(theirs, _cancel_wished())).all()


def count_waiting(session: Session, company_id: str) -> int:
    """Returns the number of undecided requests, including those to cancel approved leave."""
    waiting = (VacationRequest.status == "pending") | _cancel_wished()
    return session.scalar(select(func.count()).where(VacationRequest.company_id == company_id, waiting)) or 0


def _cancel_wished() -> ColumnElement[bool]:
    return (VacationRequest.status == "approved") & VacationRequest.cancel_requested_at.is_not(None)
