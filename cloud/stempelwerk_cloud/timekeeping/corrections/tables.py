"""Tables of correction requests and of clocks' answers.

The approved correction is a fact of the room `decisions`, with the id of its request.
"""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class CorrectionRequest(Base):
    """A correction request; times in local minutes since midnight. `status` is `pending`, `approved` or `rejected`.

    `entry_id` names the entry to correct, and `entry_at` is an instant of it at the time of the request.
    """

    __tablename__ = "correction_requests"
    __table_args__ = (
        Index(
            "uq_correction_requests_company_id_user_id_date",
            "company_id",
            "user_id",
            "date",
            unique=True,
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index("ix_correction_requests_company_id_user_id", "company_id", "user_id", "id"),
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    new_start: Mapped[int | None] = mapped_column(SmallInteger)
    new_end: Mapped[int | None] = mapped_column(SmallInteger)
    break_minutes: Mapped[int | None] = mapped_column(Integer)
    reason: Mapped[str | None] = mapped_column(Text)
    entry_id: Mapped[str | None] = mapped_column(Id)
    entry_at: Mapped[datetime | None] = mapped_column(Instant)
    status: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str | None] = mapped_column(Id)
    decided_at: Mapped[datetime | None] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)


class ClockAnswer(Base):
    """An answer that a person gave on a touchscreen. `code`: why it was rejected; null: it became a request."""

    __tablename__ = "clock_answers"
    __table_args__ = bypassed_by(devices="all")

    device_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    received_at: Mapped[datetime] = mapped_column(Instant, index=True)
    code: Mapped[str | None] = mapped_column(String(40))
