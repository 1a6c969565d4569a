"""The table of notes for a day."""

from datetime import date, datetime

from sqlalchemy import Date, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Shown, describe_table

TEXT_LIMIT = 200


@describe_table(Shown())
class DayNote(Base):
    """A note for a local day of the company."""

    __tablename__ = "day_notes"
    __table_args__ = (Index("ix_day_notes_company_id_day", "company_id", "day"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    day: Mapped[date] = mapped_column(Date)
    text: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    written_at: Mapped[datetime] = mapped_column(Instant)
