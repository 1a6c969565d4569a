"""Queries on requests."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import Wanted, page
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import VacationRequest

CANCEL_REQUESTED = "cancel_requested"
"""Not a status, but one that lists ask for: approved leave whose person wishes it to be cancelled."""
_IN_ORDER = (VacationRequest.created_at, VacationRequest.id)


def of_person(
    session: Session, company_id: str, user_id: str, bounds: Bounds, wanted: Wanted
) -> Sequence[VacationRequest]:
    """A page of a person's requests, newest first. Raises NoSuchRow."""
    every = select(VacationRequest).where(VacationRequest.company_id == company_id, VacationRequest.user_id == user_id)
    within = bounds.touching(VacationRequest.start_date, VacationRequest.end_date)
    return [row[0] for row in page(session, every, within, _IN_ORDER, wanted, descending=True)]


def of_company(
    session: Session, company_id: str, status: str | None, bounds: Bounds, wanted: Wanted
) -> Sequence[tuple[VacationRequest, str]]:
    """A page of everybody's requests with the username, newest first; of one status, where given. Raises NoSuchRow."""
    every = (
        select(VacationRequest, User.username)
        .join(User, (User.company_id == VacationRequest.company_id) & (User.id == VacationRequest.user_id))
        .where(VacationRequest.company_id == company_id, User.id.not_in(directory.hidden(company_id)))
    )
    conditions = bounds.touching(VacationRequest.start_date, VacationRequest.end_date)
    if status == CANCEL_REQUESTED:
        conditions.append(_cancel_wished())
    elif status is not None:
        conditions.append(VacationRequest.status == status)
    return [(one, name) for one, name in page(session, every, conditions, _IN_ORDER, wanted, descending=True)]


def between(
    session: Session,
    company_id: str,
    user_ids: Iterable[str] | None,
    first: date,
    last: date,
    statuses: Collection[str],
) -> Sequence[VacationRequest]:
    """Requests of these statuses that touch the days from `first` to `last`, by person and start."""
    found = select(VacationRequest).where(
        VacationRequest.company_id == company_id,
        VacationRequest.start_date <= last,
        VacationRequest.end_date >= first,
        VacationRequest.status.in_(sorted(statuses)),
    )
    if user_ids is not None:
        found = found.where(VacationRequest.user_id.in_(sorted(set(user_ids))))
    in_order = found.order_by(VacationRequest.user_id, VacationRequest.start_date, VacationRequest.id)
    return session.scalars(in_order).all()


def last_year_approved(session: Session, company_id: str, user_id: str | None = None) -> int | None:
    """The last year for which the person, or anybody, has approved vacation."""
    found = select(func.max(VacationRequest.end_date)).where(
        VacationRequest.company_id == company_id,
        VacationRequest.kind == "vacation",
        VacationRequest.status == "approved",
    )
    last: date | None = session.scalar(found if user_id is None else found.where(VacationRequest.user_id == user_id))
    return None if last is None else last.year


def pending_of(session: Session, company_id: str, user_ids: Iterable[str]) -> Sequence[VacationRequest]:
    """What these people have asked for and nobody has decided yet."""
    return session.scalars(
        select(VacationRequest).where(
            VacationRequest.company_id == company_id,
            VacationRequest.status == "pending",
            VacationRequest.user_id.in_(sorted(set(user_ids))),
        )
    ).all()


def cancel_wished_by(session: Session, company_id: str, user_ids: Iterable[str]) -> Sequence[VacationRequest]:
    """Approved leave of these people of which they wish that it be cancelled."""
    theirs = (VacationRequest.company_id == company_id) & VacationRequest.user_id.in_(sorted(set(user_ids)))
    return session.scalars(select(VacationRequest).where(theirs, _cancel_wished())).all()


def count_waiting(session: Session, company_id: str) -> int:
    """How many requests nobody has decided yet, wishes to cancel approved leave among them."""
    waiting = (VacationRequest.status == "pending") | _cancel_wished()
    return session.scalar(select(func.count()).where(VacationRequest.company_id == company_id, waiting)) or 0


def _cancel_wished() -> ColumnElement[bool]:
    return (VacationRequest.status == "approved") & VacationRequest.cancel_requested_at.is_not(None)
