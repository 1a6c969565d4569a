"""The table of bookings. Facts: rows are added and never changed; a mistake is booked back."""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class Booking(Base):
    """Minutes, or half vacation days, that a day's account is given or taken; the other of the two is null."""

    __tablename__ = "bookings"
    __table_args__ = (
        Index("ix_bookings_company_id_user_id_date", "company_id", "user_id", "date"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    minutes: Mapped[int | None] = mapped_column(Integer)
    vacation_halves: Mapped[int | None] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text)
    made_by: Mapped[str | None] = mapped_column(Id)
    made_at: Mapped[datetime] = mapped_column(Instant)
