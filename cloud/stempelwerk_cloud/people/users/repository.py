"""Queries on people and their tags."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.users.tables import TagHolding, User

_HELD = "SELECT h.tag, h.user_id::text, h.held_from, h.held_until"
_BY_TAG = Statement(
    f"{_HELD} FROM @rows(w: tag text) @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.tag = w.tag)"
)
_BY_USER = Statement(
    f"{_HELD} FROM @rows(w: user_id uuid)"
    " @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.user_id = w.user_id)"
)


class Held(NamedTuple):
    """A row of `tag_holdings`, for the way of a batch."""

    tag: str
    user_id: str
    held_from: datetime | None
    held_until: datetime | None


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


def holdings_of_tag(session: Session, company_id: str, tag: str) -> list[TagHolding]:
    return list(session.scalars(select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.tag == tag)))


def held_tags(session: Session, company_id: str, tags: Iterable[str]) -> list[Held]:
    """Who held these tags, ever."""
    return _held(session, _BY_TAG, company_id, [{"tag": tag} for tag in tags])


def held_by_users(session: Session, company_id: str, user_ids: Iterable[str]) -> list[Held]:
    """All tags that these people ever held."""
    return _held(session, _BY_USER, company_id, [{"user_id": user_id} for user_id in user_ids])


def _held(session: Session, statement: Statement, company_id: str, wanted: list[dict[str, str]]) -> list[Held]:
    session.flush()
    rows = Sql(session).rows(statement, {"company": company_id, "w": as_rows(wanted)})
    return [Held(tag, user_id, _instant(since), _instant(until)) for tag, user_id, since, until in rows]


def _instant(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)


def open_holdings(session: Session, company_id: str, user_id: str | None = None) -> Sequence[TagHolding]:
    """What is held without an end, by one person or by all, oldest first."""
    found = select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.held_until.is_(None))
    if user_id is not None:
        found = found.where(TagHolding.user_id == user_id)
    return list(session.scalars(found.order_by(TagHolding.id)))
