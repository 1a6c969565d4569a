"""Queries on people's choices of notices, and on push subscriptions."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import case, delete, select, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import rows
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.notices.tables import Channel, Kind, NoticeChoice, PushSubscription

_RENEWED = ("user_id", "session_id", "endpoint", "created_at")
_FAILURE = (PushSubscription.failing_since, PushSubscription.suspended_at)


def find_choices(session: Session, company_id: str, user_id: str) -> set[tuple[str, str]]:
    """Returns the person's choices as (channel, kind)."""
    query = select(NoticeChoice.channel, NoticeChoice.kind).where(
        NoticeChoice.company_id == company_id, NoticeChoice.user_id == user_id
    )
    return {(row.channel, row.kind) for row in session.execute(query)}


def choose(session: Session, company_id: str, user_id: str, channel: Channel, kind: Kind, *, is_wanted: bool) -> None:
    """Stores the choice of a kind for a channel, or deletes it. The caller holds the person's lock."""
    key = {"company_id": company_id, "user_id": user_id, "channel": channel, "kind": kind}
    choice = session.get(NoticeChoice, tuple(key.values()))
    if is_wanted and choice is None:
        session.add(NoticeChoice(**key))
    elif not is_wanted and choice is not None:
        session.delete(choice)


def forget_choices(session: Session, company_id: str, user_ids: Collection[str]) -> None:
    session.execute(
        delete(NoticeChoice).where(NoticeChoice.company_id == company_id, NoticeChoice.user_id.in_(list(user_ids)))
    )


def choices_of(session: Session, company_id: str, user_ids: Collection[str]) -> list[tuple[str, str, str, str]]:
    """Returns (user, role, channel, kind) of these people's choices, without deleted people."""
    query = (
        select(NoticeChoice.user_id, User.role, NoticeChoice.channel, NoticeChoice.kind)
        .join(User, (User.company_id == NoticeChoice.company_id) & (User.id == NoticeChoice.user_id))
        .where(
            NoticeChoice.company_id == company_id, NoticeChoice.user_id.in_(list(user_ids)), User.deleted_at.is_(None)
        )
        .order_by(NoticeChoice.user_id)
    )
    return [(row.user_id, row.role, row.channel, row.kind) for row in session.execute(query)]


def put_subscription(session: Session, row: PushSubscription) -> tuple[str, bool]:
    """Stores the subscription, or assigns the company's existing one with its mark to its person.

    Returns its id, and whether it is new. If the person stays the same, `failing_since` stays too: pages register their
    browser at each start, which repairs nothing.
    """
    values = {column.key: getattr(row, column.key) for column in PushSubscription.__table__.columns}
    renewed: dict[str, Any] = {name: values[name] for name in _RENEWED}
    for column in _FAILURE:
        renewed[column.key] = case((PushSubscription.user_id == row.user_id, column), else_=None)
    statement = (
        upsert(session, PushSubscription)
        .values(values)
        .on_conflict_do_update(index_elements=["company_id", "mark"], set_=renewed)
        .returning(PushSubscription.id)
    )
    subscription_id = session.execute(statement).scalar_one()
    return subscription_id, subscription_id == row.id


def subscriptions_of(session: Session, company_id: str, user_ids: Iterable[str]) -> list[PushSubscription]:
    """Returns the push subscriptions of these people, the most recently registered first."""
    query = select(PushSubscription).where(
        PushSubscription.company_id == company_id, PushSubscription.user_id.in_(list(user_ids))
    )
    return list(session.scalars(query.order_by(PushSubscription.created_at.desc(), PushSubscription.id.desc())))


def subscription(session: Session, company_id: str, subscription_id: str) -> PushSubscription | None:
    return session.get(PushSubscription, (company_id, subscription_id))


def remove_subscriptions(session: Session, company_id: str, ids: Collection[str]) -> None:
    """Removes these subscriptions of the company, without waiting for locks.

    A subscription that another transaction has locked stays: its browser is renewing it (`put_subscription`).
    """
    over = (PushSubscription.company_id == company_id) & PushSubscription.id.in_(list(ids))
    rows.remove_expired(session, PushSubscription, over)


def remove_own(session: Session, company_id: str, user_id: str, subscription_id: str) -> None:
    """Removes the subscription if it is still the person's own."""
    session.execute(
        delete(PushSubscription).where(
            PushSubscription.company_id == company_id,
            PushSubscription.id == subscription_id,
            PushSubscription.user_id == user_id,
        )
    )


def remove_older(session: Session, than: PushSubscription) -> None:
    """Removes subscriptions of the same browser, in any company, that were registered earlier than `than`."""
    earlier = tuple_(PushSubscription.created_at, PushSubscription.id) < (than.created_at, than.id)
    rows.remove_expired(session, PushSubscription, (PushSubscription.mark == than.mark) & earlier)


def end_by_sessions(session: Session, sessions: Collection[tuple[str, str]]) -> None:
    session_key = tuple_(PushSubscription.company_id, PushSubscription.session_id)
    session.execute(delete(PushSubscription).where(session_key.in_(list(sessions))))


def end_by_people(session: Session, company_id: str, user_ids: Collection[str] | None) -> None:
    """Removes the subscriptions of these people, or of all people of the company."""
    ended = delete(PushSubscription).where(PushSubscription.company_id == company_id)
    if user_ids is not None:
        ended = ended.where(PushSubscription.user_id.in_(list(user_ids)))
    session.execute(ended)
