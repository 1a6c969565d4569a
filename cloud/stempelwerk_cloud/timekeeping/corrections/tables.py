"""Tables of correction requests and of clocks' answers.

The approved correction is a fact of the room `decisions`, with the id of its request.
"""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import INSTALLATION, Part, Shown, describe_table, described
from stempelwerk_cloud.kit.database.scopes import bypassed_by


@describe_table(Shown(110, name="time_corrections"), Part("Korrekturanträge", "absences", "with times", rank=80))
class CorrectionRequest(Base):
    """A correction request; times in local minutes since midnight. `status` is `pending`, `approved` or `rejected`.

    `entry_id` names the entry to correct, and `entry_at` is an instant of it at the time of the request.
    """

    __tablename__ = "correction_requests"
    __table_args__ = (
        Index(
            "uq_correction_requests_company_id_user_id_date",
            "company_id",
            "user_id",
            "date",
            unique=True,
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index("ix_correction_requests_company_id_user_id", "company_id", "user_id", "id"),
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    new_start: Mapped[int | None] = mapped_column(SmallInteger, info=described("Neuer Beginn", form="minute of day"))
    new_end: Mapped[int | None] = mapped_column(SmallInteger, info=described("Neues Ende", form="minute of day"))
    break_minutes: Mapped[int | None] = mapped_column(Integer, info=described("Pause (Min)"))
    reason: Mapped[str | None] = mapped_column(Text, info=described("Grund", free_text=True))
    entry_id: Mapped[str | None] = mapped_column(Id, info=described(is_key=True))
    entry_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Eintrag um"))
    status: Mapped[str] = mapped_column(
        String(10),
        info=described("Stand", words={"pending": "offen", "approved": "genehmigt", "rejected": "abgelehnt"}),
    )
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    created_by: Mapped[str | None] = mapped_column(Id, info=described("Angelegt von", person="actor"))
    decided_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))


@describe_table(INSTALLATION)
class ClockAnswer(Base):
    """An answer that a person gave on a touchscreen. `code`: why it was rejected; null: it became a request."""

    __tablename__ = "clock_answers"
    __table_args__ = bypassed_by(devices="all")

    device_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    received_at: Mapped[datetime] = mapped_column(Instant, index=True)
    code: Mapped[str | None] = mapped_column(String(40))
