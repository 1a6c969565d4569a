"""The table of the outbox."""

from datetime import datetime

from sqlalchemy import Index, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import NotShown, describe_table
from stempelwerk_cloud.kit.database.scopes import bypassed_by

KIND_LIMIT = 40
TOGETHER_LIMIT = 80
LANE_LIMIT = 80


@describe_table(NotShown("mails on their way, codes among them"))
class OutboxRow(Base):
    """A task. `payload` is JSON. A finished task has no row.

    `due_at`: the earliest begin; for a running task the end of its lease (`leased_until`). `attempts`: how often it was
    begun. `together`: waiting tasks of one kind with the same value are done as one. `lane`: tasks of one kind with the
    same value are done one at a time, across companies, such as all for one host. `failed_at`: it was given up.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(
            "ix_outbox_due_at",
            "due_at",
            sqlite_where=text("failed_at IS NULL"),
            postgresql_where=text("failed_at IS NULL"),
        ),
        Index("ix_outbox_together", "company_id", "kind", "together"),
        # A clock's answer to a question notifies administrators, in its batch's transaction.
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(String(KIND_LIMIT))
    together: Mapped[str | None] = mapped_column(String(TOGETHER_LIMIT))
    lane: Mapped[str | None] = mapped_column(String(LANE_LIMIT))
    payload: Mapped[str] = mapped_column(Text)
    due_at: Mapped[datetime] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(SmallInteger)
    leased_until: Mapped[datetime | None] = mapped_column(Instant)
    failed_at: Mapped[datetime | None] = mapped_column(Instant)
    created_at: Mapped[datetime] = mapped_column(Instant)
