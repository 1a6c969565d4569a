"""The table of duties."""

from datetime import date, datetime

from sqlalchemy import Date, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class Duty(Base):
    """Somebody's duty on a local day; its times are local minutes since midnight, where it has any.

    An end at or before the start lies on the next day.
    """

    __tablename__ = "duties"
    __table_args__ = (
        Index("uq_duties_company_id_user_id_date", "company_id", "user_id", "date", unique=True),
        Index("ix_duties_company_id_date", "company_id", "date"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    start_minute: Mapped[int | None] = mapped_column(SmallInteger)
    end_minute: Mapped[int | None] = mapped_column(SmallInteger)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str | None] = mapped_column(Id)
    changed_at: Mapped[datetime] = mapped_column(Instant)
