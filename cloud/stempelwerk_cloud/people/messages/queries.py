"""Queries on messages."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.messages.tables import Message

_UNREAD = Statement(
    "SELECT m.user_id::text, count(*) FROM @rows(w: user_id uuid)"
    " @lookup(m: messages WHERE m.company_id = :company::uuid AND m.user_id = w.user_id AND m.read_at IS NULL)"
    " GROUP BY 1"
)


def unread(session: Session, company_id: str, user_id: str, page_request: PageRequest) -> list[Message]:
    """Returns a page of the person's unread messages, newest first, and one more if more follow. Raises NoSuchRow."""
    query = select(Message).where(Message.company_id == company_id, Message.user_id == user_id)
    rows = page(session, query, [Message.read_at.is_(None)], [Message.id], page_request, descending=True)
    return [row.Message for row in rows]


def unread_counts(session: Session, company_id: str, user_ids: Collection[str]) -> dict[str, int]:
    """Returns the number of unread messages of each person who has any."""
    session.flush()
    user_rows = as_rows([{"user_id": user_id} for user_id in user_ids])
    return dict(Sql(session).rows(_UNREAD, {"company": company_id, "w": user_rows}))


def owner_of(session: Session, company_id: str, message_id: str) -> str | None:
    """Returns the person whose message it is; None if the company has no such message."""
    return session.scalar(select(Message.user_id).where(Message.company_id == company_id, Message.id == message_id))


def mark_read(session: Session, company_id: str, user_id: str, ids: Collection[str], now: datetime) -> bool:
    """Marks the person's unread ones of these messages as read. Returns whether any were. Needs the person's lock."""
    marked = (
        update(Message)
        .where(
            Message.company_id == company_id,
            Message.user_id == user_id,
            Message.id.in_(list(ids)),
            Message.read_at.is_(None),
        )
        .values(read_at=now)
        .returning(Message.id)
    )
    return bool(session.execute(marked, execution_options={"synchronize_session": False}).all())
