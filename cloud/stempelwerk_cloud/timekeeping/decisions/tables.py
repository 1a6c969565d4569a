"""Tables of decisions about people's time. They are facts: rows are added and never changed."""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class CorrectionRow(Base):
    """An approved correction (`domain/entries/facts.py`)."""

    __tablename__ = "corrections"
    __table_args__ = (
        Index("ix_corrections_company_id_user_id", "company_id", "user_id"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    new_start: Mapped[datetime] = mapped_column(Instant)
    new_end: Mapped[datetime] = mapped_column(Instant)
    break_minutes: Mapped[int | None] = mapped_column(Integer)
    requested_at: Mapped[datetime] = mapped_column(Instant)
    decided_at: Mapped[datetime] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)
    shift: Mapped[str | None] = mapped_column(Id)
    shift_at: Mapped[datetime | None] = mapped_column(Instant)
    shift_until: Mapped[datetime | None] = mapped_column(Instant)


class VoidRow(Base):
    """A deleted entry (`domain/entries/facts.py`). `stamp_ids` and `spared` are JSON lists of stamps' ids."""

    __tablename__ = "voids"
    __table_args__ = (Index("ix_voids_company_id_user_id", "company_id", "user_id"), bypassed_by(devices="select"))

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    start_at: Mapped[datetime] = mapped_column(Instant)
    end_at: Mapped[datetime] = mapped_column(Instant)
    stamp_ids: Mapped[str] = mapped_column(Text)
    spared: Mapped[str] = mapped_column(Text)
    decided_at: Mapped[datetime] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)
