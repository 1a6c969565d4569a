"""Queries on hand-overs."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.requests import PENDING
from stempelwerk_cloud.planning.swaps.tables import SwapRequest


def waiting_of(session: Session, company_id: str, user_id: str, first: date) -> list[SwapRequest]:
    """What this person has asked and waits for, about days from `first` on, by day."""
    found = select(SwapRequest).where(
        SwapRequest.company_id == company_id,
        SwapRequest.from_id == user_id,
        SwapRequest.date >= first,
        SwapRequest.status == PENDING,
    )
    return list(session.scalars(found.order_by(SwapRequest.date, SwapRequest.id)))


def waiting_for(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[SwapRequest]:
    """What waits for these people's answers, about days from `first` on, by day."""
    found = select(SwapRequest).where(
        SwapRequest.company_id == company_id,
        SwapRequest.to_id.in_(sorted(user_ids)),
        SwapRequest.date >= first,
        SwapRequest.status == PENDING,
    )
    return list(session.scalars(found.order_by(SwapRequest.date, SwapRequest.id)))


def waiting_about(session: Session, company_id: str, duty_ids: Collection[str]) -> list[SwapRequest]:
    """What waits about these duties."""
    found = select(SwapRequest).where(
        SwapRequest.company_id == company_id,
        SwapRequest.duty_id.in_(sorted(duty_ids)),
        SwapRequest.status == PENDING,
    )
    return list(session.scalars(found.order_by(SwapRequest.date, SwapRequest.id)))


def waiting_with(session: Session, company_id: str, user_ids: Collection[str]) -> list[SwapRequest]:
    """What waits and was asked by or of these people."""
    who = sorted(user_ids)
    found = select(SwapRequest).where(
        SwapRequest.company_id == company_id,
        or_(SwapRequest.from_id.in_(who), SwapRequest.to_id.in_(who)),
        SwapRequest.status == PENDING,
    )
    return list(session.scalars(found.order_by(SwapRequest.date, SwapRequest.id)))
