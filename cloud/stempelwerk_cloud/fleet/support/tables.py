"""Tables of support messages. Messages belong to their company; the operator reads those of all companies."""

from datetime import datetime

from sqlalchemy import Boolean, ForeignKeyConstraint, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import COMPANY, Part, Shown, describe_table, described, rows_by


@describe_table(Shown(400), Part("Anfragen an den Support", COMPANY, "stays", rank=260, person_rows=rows_by("author")))
class SupportMessage(Base):
    """A message of a company's administrator, which begins a thread. It is deleted after two years, with its
    replies.
    """

    __tablename__ = "support_messages"
    __table_args__ = (Index("ix_support_messages_created_at", "created_at", "id"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    author: Mapped[str] = mapped_column(Id, info=described("Von", person="actor"))
    subject: Mapped[str] = mapped_column(String(200), info=described("Worum es geht"))
    category: Mapped[str] = mapped_column(String(10), info=described("Thema"))
    priority: Mapped[str] = mapped_column(String(10), info=described("Dringlichkeit"))
    message: Mapped[str] = mapped_column(Text, info=described("Nachricht"))
    contact_email: Mapped[str | None] = mapped_column(String(254), info=described("E-Mail für die Antwort"))
    include_logs: Mapped[bool] = mapped_column(Boolean, info=described("Mit Protokollen"))
    status: Mapped[str] = mapped_column(String(15), info=described("Stand", words={"open": "offen"}))
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))


@describe_table(
    Shown(410), Part("Weitere Nachrichten an den Support", COMPANY, "stays", rank=270, person_rows=rows_by("author"))
)
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
    message_id: Mapped[str] = mapped_column(Id, info=described(in_file=False))
    author: Mapped[str] = mapped_column(Id, info=described("Von", person="actor"))
    by_operator: Mapped[bool] = mapped_column(Boolean, info=described("Vom Betreiber"))
    message: Mapped[str] = mapped_column(Text, info=described("Nachricht"))
    at: Mapped[datetime] = mapped_column(Instant, info=described("Zeitpunkt", form="seconds"))
