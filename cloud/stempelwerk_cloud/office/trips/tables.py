"""The table of trips."""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant


class Trip(Base):
    """A trip by private car on a local day. `status` is `pending`, then `approved` or `declined`."""

    __tablename__ = "trips"
    __table_args__ = (
        Index("ix_trips_company_id_date", "company_id", "date", "id"),
        Index("ix_trips_company_id_user_id", "company_id", "user_id"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    destination: Mapped[str] = mapped_column(Text)
    kilometres: Mapped[int] = mapped_column(Integer)
    purpose: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant)
    decided_at: Mapped[datetime | None] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)
    comment: Mapped[str | None] = mapped_column(Text)
