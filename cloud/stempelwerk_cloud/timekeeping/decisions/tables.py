"""Tables of decisions about people's time. They are facts: rows are added and never changed."""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import COMPANY, Part, Shown, describe_table, described
from stempelwerk_cloud.kit.database.scopes import bypassed_by


@describe_table(Shown(120), Part("Genehmigte Korrekturen", "absences", "with times", rank=70))
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
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    new_start: Mapped[datetime] = mapped_column(Instant, info=described("Neuer Beginn"))
    new_end: Mapped[datetime] = mapped_column(Instant, info=described("Neues Ende"))
    break_minutes: Mapped[int | None] = mapped_column(Integer, info=described("Pause (Min)"))
    requested_at: Mapped[datetime] = mapped_column(Instant, info=described("Beantragt"))
    decided_at: Mapped[datetime] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
    shift: Mapped[str | None] = mapped_column(Id, info=described(is_key=True))
    shift_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Schicht ab"))
    shift_until: Mapped[datetime | None] = mapped_column(Instant, info=described("Schicht bis"))


@describe_table(Shown(130), Part("Gelöschte Einträge", COMPANY, "with times", rank=90))
class VoidRow(Base):
    """A deleted entry (`domain/entries/facts.py`). `stamp_ids` and `spared` are JSON lists of stamps' ids."""

    __tablename__ = "voids"
    __table_args__ = (Index("ix_voids_company_id_user_id", "company_id", "user_id"), bypassed_by(devices="select"))

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    start_at: Mapped[datetime] = mapped_column(Instant, info=described("Beginn"))
    end_at: Mapped[datetime] = mapped_column(Instant, info=described("Ende"))
    stamp_ids: Mapped[str] = mapped_column(Text, info=described(in_file=False))
    spared: Mapped[str] = mapped_column(Text, info=described(in_file=False))
    decided_at: Mapped[datetime] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
