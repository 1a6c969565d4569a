"""The table of the announced roster."""

from datetime import date

from sqlalchemy import Date, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id
from stempelwerk_cloud.kit.database.described import Part, Shown, describe_table, described


@describe_table(Shown(150), Part("Dienste, wie sie zuletzt mitgeteilt wurden", "schedule", rank=190))
class PublishedDuty(Base):
    """A duty as it was last announced to its person. A current duty that differs from it is not published yet.

    Rows of past days have no meaning and are removed.
    """

    __tablename__ = "told_duties"
    __table_args__ = (
        Index("ix_told_duties_company_id_date", "company_id", "date"),
        Index("ix_told_duties_date", "date"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    date: Mapped[date] = mapped_column(Date, primary_key=True, info=described("Tag"))
    start_minute: Mapped[int | None] = mapped_column(SmallInteger, info=described("Kommen", form="minute of day"))
    end_minute: Mapped[int | None] = mapped_column(SmallInteger, info=described("Gehen", form="minute of day"))
