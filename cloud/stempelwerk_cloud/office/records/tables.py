"""The table that says from when on a company's times are still kept."""

from datetime import date

from sqlalchemy import Date
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id


class PurgedTimes(Base):
    """Times dated before this day, the first of a year, have gone because their time was over."""

    __tablename__ = "purged_times"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    before: Mapped[date] = mapped_column(Date)
