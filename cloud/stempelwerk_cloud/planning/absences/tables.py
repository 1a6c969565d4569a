"""Tables of absences."""

from datetime import date, datetime

from sqlalchemy import Date, Index, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class Absence(Base):
    """One local day. `kind` is `sick` or `missing`, `status` `open`, `excused` or `declined`.

    The days of one report share `report_id` and their sick note (`file_id`, in the file store). `noted_at`: when it was
    handed in; that stays when the file itself has been removed because its time was over. `duty_start` and `duty_end`:
    the local minutes of the duty to which somebody did not come, as far as it had any.
    """

    __tablename__ = "absences"
    __table_args__ = (
        Index(
            "uq_absences_company_id_user_id_date",
            "company_id",
            "user_id",
            "date",
            unique=True,
            sqlite_where=text("status <> 'declined'"),
            postgresql_where=text("status <> 'declined'"),
        ),
        Index("ix_absences_company_id_user_id_date", "company_id", "user_id", "date"),
        Index("ix_absences_id", "id"),
        Index("ix_absences_company_id_report_id", "company_id", "report_id"),
        Index(
            "ix_absences_open",
            "company_id",
            "date",
            sqlite_where=text("status = 'open'"),
            postgresql_where=text("status = 'open'"),
        ),
        Index(
            "ix_absences_noted",
            "company_id",
            "report_id",
            sqlite_where=text("file_id IS NOT NULL"),
            postgresql_where=text("file_id IS NOT NULL"),
        ),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    report_id: Mapped[str] = mapped_column(Id)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date)
    kind: Mapped[str] = mapped_column(String(10))
    status: Mapped[str] = mapped_column(String(10))
    duty_start: Mapped[int | None] = mapped_column(SmallInteger)
    duty_end: Mapped[int | None] = mapped_column(SmallInteger)
    user_message: Mapped[str | None] = mapped_column(Text)
    file_id: Mapped[str | None] = mapped_column(Id)
    noted_at: Mapped[datetime | None] = mapped_column(Instant)
    created_at: Mapped[datetime] = mapped_column(Instant)
    decided_at: Mapped[datetime | None] = mapped_column(Instant)
    decided_by: Mapped[str | None] = mapped_column(Id)
