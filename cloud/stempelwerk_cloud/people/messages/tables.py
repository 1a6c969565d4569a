"""The table of messages."""

from datetime import datetime

from sqlalchemy import Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by

TYPE_LIMIT = 40
TITLE_LIMIT = 200


class Message(Base):
    """A message to a person. `payload` is JSON. `read_at`: no longer in the inbox."""

    __tablename__ = "messages"
    __table_args__ = (
        Index(
            "ix_messages_unread",
            "company_id",
            "user_id",
            "id",
            sqlite_where=text("read_at IS NULL"),
            postgresql_where=text("read_at IS NULL"),
        ),
        Index("ix_messages_created_at", "created_at"),
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    type: Mapped[str] = mapped_column(String(TYPE_LIMIT))
    title: Mapped[str] = mapped_column(String(TITLE_LIMIT))
    body: Mapped[str] = mapped_column(Text)
    payload: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    read_at: Mapped[datetime | None] = mapped_column(Instant)
