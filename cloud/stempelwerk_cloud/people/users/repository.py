"""Queries on people and their tags."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.users.tables import TagHolding, User


def find(session: Session, company_id: str, user_id: str) -> User | None:
    """The person, unless deleted."""
    user = session.get(User, (company_id, user_id))
    return None if user is None or user.deleted_at is not None else user


def find_anywhere(session: Session, user_id: str) -> User | None:
    """The person, unless deleted, whatever the company."""
    return session.scalar(select(User).where(User.id == user_id, User.deleted_at.is_(None)))


def by_username(session: Session, company_id: str, username_key: str) -> User | None:
    return session.scalar(
        select(User).where(User.company_id == company_id, User.username_key == username_key, User.deleted_at.is_(None))
    )


def of_company(session: Session, company_id: str) -> list[User]:
    """Everybody who is not deleted, by username."""
    return list(
        session.scalars(
            select(User)
            .where(User.company_id == company_id, User.deleted_at.is_(None))
            .order_by(User.username_key, User.id)
        )
    )


def lock(session: Session, company_id: str, user_ids: Iterable[str]) -> None:
    if session.get_bind().dialect.name != "postgresql":
        return
    session.execute(
        select(User.id)
        .where(User.company_id == company_id, User.id.in_(sorted(set(user_ids))))
        .order_by(User.id)
        .with_for_update(key_share=True)
    )


def holdings_of_tags(session: Session, company_id: str, tags: Collection[str]) -> list[TagHolding]:
    found = select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.tag.in_(list(tags)))
    return list(session.scalars(found.order_by(TagHolding.id)))


def holdings_of_users(session: Session, company_id: str, user_ids: Collection[str]) -> list[TagHolding]:
    found = select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.user_id.in_(list(user_ids)))
    return list(session.scalars(found.order_by(TagHolding.id)))


def open_holdings(session: Session, company_id: str, user_id: str | None = None) -> Sequence[TagHolding]:
    """What is held without an end, by one person or by all, oldest first."""
    found = select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.held_until.is_(None))
    if user_id is not None:
        found = found.where(TagHolding.user_id == user_id)
    return list(session.scalars(found.order_by(TagHolding.id)))
