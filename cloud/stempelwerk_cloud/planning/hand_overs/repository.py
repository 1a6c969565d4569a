"""Queries on hand-overs."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.requests import PENDING
from stempelwerk_cloud.planning.hand_overs.tables import HandOver


def waiting_of(session: Session, company_id: str, user_id: str, first: date) -> list[HandOver]:
    """What this person has asked and waits for, about days from `first` on, by day."""
    found = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.from_id == user_id,
        HandOver.date >= first,
        HandOver.status == PENDING,
    )
    return list(session.scalars(found.order_by(HandOver.date, HandOver.id)))


def waiting_for(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[HandOver]:
    """What waits for these people's answers, about days from `first` on, by day."""
    found = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.to_id.in_(sorted(user_ids)),
        HandOver.date >= first,
        HandOver.status == PENDING,
    )
    return list(session.scalars(found.order_by(HandOver.date, HandOver.id)))


def waiting_about(session: Session, company_id: str, duty_ids: Collection[str]) -> list[HandOver]:
    """What waits about these duties."""
    found = select(HandOver).where(
        HandOver.company_id == company_id,
        HandOver.duty_id.in_(sorted(duty_ids)),
        HandOver.status == PENDING,
    )
    return list(session.scalars(found.order_by(HandOver.date, HandOver.id)))


def waiting_with(session: Session, company_id: str, user_ids: Collection[str]) -> list[HandOver]:
    """What waits and was asked by or of these people."""
    who = sorted(user_ids)
    found = select(HandOver).where(
        HandOver.company_id == company_id,
        or_(HandOver.from_id.in_(who), HandOver.to_id.in_(who)),
        HandOver.status == PENDING,
    )
    return list(session.scalars(found.order_by(HandOver.date, HandOver.id)))
