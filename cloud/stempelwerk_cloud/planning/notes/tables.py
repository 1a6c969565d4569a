"""The table of notes."""

import datetime

from sqlalchemy import Date, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id

TEXT_LIMIT = 500


class Note(Base):
    """What an administrator wrote for a local day."""

    __tablename__ = "notes"
    __table_args__ = (Index("ix_notes_company_id_date", "company_id", "date"),)

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    date: Mapped[datetime.date] = mapped_column(Date)
    text: Mapped[str] = mapped_column(String(TEXT_LIMIT))
