"""The table of requests for vacation and wishes. What a request costs is computed, never kept."""

from datetime import date, datetime

from sqlalchemy import Date, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class VacationRequest(Base):
    """`kind` is `vacation` or `wish`, `status` `pending`, `approved` or `declined`.

    `start_half`: of the first day only the second half; `end_half`: of the last day only the first.
    """

    __tablename__ = "vacation_requests"
    __table_args__ = (
        Index("ix_vacation_requests_company_id_user_id", "company_id", "user_id", "start_date"),
        Index(
            "ix_vacation_requests_pending",
            "company_id",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[str] = mapped_column(String(10))
    start_date: Mapped[date] = mapped_column(Date)
    end_date: Mapped[date] = mapped_column(Date)
    start_half: Mapped[bool] = mapped_column(default=False)
    end_half: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str | None] = mapped_column(Id)
    decided_at: Mapped[datetime | None] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)
    comment: Mapped[str | None] = mapped_column(Text)
