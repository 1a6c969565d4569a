"""Tables of support messages. Messages belong to their company; the operator reads those of all companies."""

from datetime import datetime

from sqlalchemy import Boolean, ForeignKeyConstraint, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant


class SupportMessage(Base):
    """A message of a company's administrator, which begins a thread. It is deleted after two years, with its
    replies.
    """

    __tablename__ = "support_messages"
    __table_args__ = (Index("ix_support_messages_created_at", "created_at", "id"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    author: Mapped[str] = mapped_column(Id)
    subject: Mapped[str] = mapped_column(String(200))
    category: Mapped[str] = mapped_column(String(10))
    priority: Mapped[str] = mapped_column(String(10))
    message: Mapped[str] = mapped_column(Text)
    contact_email: Mapped[str | None] = mapped_column(String(254))
    include_logs: Mapped[bool] = mapped_column(Boolean)
    status: Mapped[str] = mapped_column(String(15))
    created_at: Mapped[datetime] = mapped_column(Instant)


class SupportReply(Base):
    """A reply in a thread, by the company or (`by_operator`) by the operator."""

    __tablename__ = "support_replies"
    __table_args__ = (
        ForeignKeyConstraint(
            ["company_id", "message_id"], ["support_messages.company_id", "support_messages.id"], ondelete="CASCADE"
        ),
        Index("ix_support_replies_message_id", "company_id", "message_id", "id"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    message_id: Mapped[str] = mapped_column(Id)
    author: Mapped[str] = mapped_column(Id)
    by_operator: Mapped[bool] = mapped_column(Boolean)
    message: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Instant)
