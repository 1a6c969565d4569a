"""SQL queries on hand-overs."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.requests import PENDING
from stempelwerk_cloud.planning.hand_overs.tables import HandOver

_ASKED = Statement(
    "SELECT DISTINCT w.user_id::text FROM @rows(w: user_id uuid)"
    " @lookup(h: swap_requests WHERE h.company_id = :company::uuid AND h.to_id = w.user_id AND h.date >= :first::date"
    " AND h.status = 'pending')"
)


def waiting_of(session: Session, company_id: str, user_id: str, first: date) -> list[HandOver]:
    """Returns the person's pending requests about days from `first` on, by day."""
    statement = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.from_id == user_id,
        HandOver.date >= first,
        HandOver.status == PENDING,
    )
    return list(session.scalars(statement.order_by(HandOver.date, HandOver.id)))


def waiting_for(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[HandOver]:
    """Returns the pending requests to these people, about days from `first` on, by day."""
    statement = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.to_id.in_(sorted(user_ids)),
        HandOver.date >= first,
        HandOver.status == PENDING,
    )
    return list(session.scalars(statement.order_by(HandOver.date, HandOver.id)))


def asked_among(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[str]:
    """Returns those of these people who have pending requests to answer. Meant for many people, of whom hardly any have
    one.
    """
    session.flush()
    person_rows = as_rows([{"user_id": user_id} for user_id in user_ids])
    rows = Sql(session).rows(_ASKED, {"company": company_id, "w": person_rows, "first": first.isoformat()})
    return [user_id for (user_id,) in rows]


def waiting_about(session: Session, company_id: str, duty_ids: Collection[str]) -> list[HandOver]:
    """Returns the pending requests about these duties."""
    statement = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.duty_id.in_(sorted(duty_ids)),
        HandOver.status == PENDING,
    )
    return list(session.scalars(statement.order_by(HandOver.date, HandOver.id)))


def waiting_with(session: Session, company_id: str, user_ids: Collection[str]) -> list[HandOver]:
    """Returns the pending requests by or to these people."""
    person_ids = sorted(user_ids)
    statement = select(HandOver).where(
        HandOver.company_id == company_id,
        or_(HandOver.from_id.in_(person_ids), HandOver.to_id.in_(person_ids)),
        HandOver.status == PENDING,
    )
    return list(session.scalars(statement.order_by(HandOver.date, HandOver.id)))
