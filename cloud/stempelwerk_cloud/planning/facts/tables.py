"""Tables of duties, requests, absences and bookings. Each room of planning writes its own, and all of them read them.

The cost of a request is computed, never stored. Bookings are facts: rows are added and never changed, and a mistake is
booked back. Stored balances are derived: they can be computed from the facts at any time, except the final ones. The
room of time accounts stores balances, and deletes those after a day when a fact of that day changes.
"""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, SmallInteger, String, Text, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import (
    COMPANY,
    ONLY_DECIDED,
    Part,
    Shown,
    describe_table,
    described,
    hidden,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by


@describe_table(Shown(140), Part("Dienste", "schedule", rank=180))
class Duty(Base):
    """A person's duty on a local day. Its times are local minutes since midnight; null: a duty without times.

    An end at or before the start is on the next day.
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
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    start_minute: Mapped[int | None] = mapped_column(SmallInteger, info=described("Kommen", form="minute of day"))
    end_minute: Mapped[int | None] = mapped_column(SmallInteger, info=described("Gehen", form="minute of day"))
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    created_by: Mapped[str | None] = mapped_column(Id, info=described("Angelegt von", person="actor"))
    changed_at: Mapped[datetime] = mapped_column(Instant, info=described("Geändert"))


@describe_table(Shown(170), Part("Urlaub und Wünsche", "absences", "with times", rank=120))
class VacationRequest(Base):
    """A request. `kind` is `vacation` or `wish`; `status` is `pending`, `approved`, `declined` or `cancelled`.

    - `start_half`: only the second half of the first day; `end_half`: only the first half of the last day.
    - `cancel_requested_at`: when the person asked to cancel the approved leave.
    - `closure_id`: the company holidays that created the request.
    - `left_out`: JSON list of [first, last], the days of company holidays that the request does not contain
      (`facts.leave`). They are fixed when the request is made or moved.
    """

    __tablename__ = "vacation_requests"
    __table_args__ = (
        Index("ix_vacation_requests_company_id_user_id", "company_id", "user_id", "start_date"),
        Index(
            "ix_vacation_requests_pending",
            "company_id",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[str] = mapped_column(
        String(10), info=described("Art", words={"vacation": "Urlaub", "wish": "Wunschfrei"})
    )
    start_date: Mapped[date] = mapped_column(Date, info=described("Von"))
    end_date: Mapped[date] = mapped_column(Date, info=described("Bis"))
    start_half: Mapped[bool] = mapped_column(default=False, info=described("Erster Tag halb"))
    end_half: Mapped[bool] = mapped_column(default=False, info=described("Letzter Tag halb"))
    reason: Mapped[str | None] = mapped_column(Text, info=described("Grund", free_text=True))
    status: Mapped[str] = mapped_column(
        String(10),
        info=described(
            "Stand",
            words={"pending": "offen", "approved": "genehmigt", "declined": "abgelehnt", "cancelled": "storniert"},
        ),
    )
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    created_by: Mapped[str | None] = mapped_column(Id, info=described("Angelegt von", person="actor"))
    decided_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
    comment: Mapped[str | None] = mapped_column(Text, info=described("Bemerkung", free_text=True))
    cancel_requested_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Rücknahme gewünscht"))
    cancel_reason: Mapped[str | None] = mapped_column(Text, info=described("Grund der Rücknahme", free_text=True))
    closure_id: Mapped[str | None] = mapped_column(Id, info=described(is_key=True))
    left_out: Mapped[str | None] = mapped_column(Text, info=described("Ohne die Betriebsferien"))


@describe_table(Shown(210), Part("Hinweise auf verfallenden Urlaub", "absences", "with times", rank=140))
class VacationNotice(Base):
    """The employer's notice to a person that `halves` half days of a year's vacation lapse unless they are taken by
    `until`.

    It is proof of the notice, and is never removed. `sent_on`: the company's local day. `read_at`: when its message was
    read.
    """

    __tablename__ = "vacation_notices"
    __table_args__ = (
        Index("ix_vacation_notices_company_id_user_id", "company_id", "user_id", "year"),
        Index("ix_vacation_notices_company_id_message_id", "company_id", "message_id"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    year: Mapped[int] = mapped_column(SmallInteger, info=described("Jahr"))
    halves: Mapped[int] = mapped_column(Integer, info=described("Halbe Tage"))
    until: Mapped[date] = mapped_column(Date, info=described("Bis"))
    sent_on: Mapped[date] = mapped_column(Date, info=described("Gesendet am"))
    sent_at: Mapped[datetime] = mapped_column(Instant, info=described("Gesendet"))
    sent_by: Mapped[str | None] = mapped_column(Id, info=described("Gesendet von", person="actor"))
    message_id: Mapped[str] = mapped_column(Id, info=hidden())
    read_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Gelesen"))


@describe_table(Shown(180), Part("Abwesenheiten", "absences", "with times", rank=130))
class Absence(Base):
    """An absence of a person on one local day.

    - `kind` is `sick`, `missing` or `special`; `status` is `open`, `excused`, `declined` or `cancelled`.
    - The days of one report share `report_id` and their sick note (`file_id`, in the file store).
    - `noted_at`: when the note was uploaded; it remains after the expired file is removed.
    - `duty_start` and `duty_end`: the missed duty in local minutes since midnight, if it had times.
    - `was_missing`: the duty of that day was missed before it was reported.
    - `reason`: of a special absence. `credited`: whether it counts as worked.
    """

    __tablename__ = "absences"
    __table_args__ = (
        Index(
            "uq_absences_company_id_user_id_date",
            "company_id",
            "user_id",
            "date",
            unique=True,
            sqlite_where=text("status <> 'declined' AND status <> 'cancelled'"),
            postgresql_where=text("status <> 'declined' AND status <> 'cancelled'"),
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
    report_id: Mapped[str] = mapped_column(Id, info=described(is_key=True))
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    kind: Mapped[str] = mapped_column(
        String(10),
        info=described("Art", words={"sick": "krank", "missing": "nicht gekommen", "special": "anderer Grund"}),
    )
    status: Mapped[str] = mapped_column(
        String(10),
        info=described(
            "Stand",
            words={"open": "offen", "excused": "entschuldigt", "declined": "abgelehnt", "cancelled": "storniert"},
        ),
    )
    duty_start: Mapped[int | None] = mapped_column(SmallInteger, info=described("Dienst von", form="minute of day"))
    duty_end: Mapped[int | None] = mapped_column(SmallInteger, info=described("Dienst bis", form="minute of day"))
    user_message: Mapped[str | None] = mapped_column(Text, info=described("Mitteilung", free_text=True))
    file_id: Mapped[str | None] = mapped_column(Id, info=described(in_file=False))
    noted_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Bescheinigung vom"))
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    decided_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
    was_missing: Mapped[bool] = mapped_column(
        default=False, server_default=false(), info=described("War unentschuldigt")
    )
    reason: Mapped[str | None] = mapped_column(Text, info=described("Grund"))
    credited: Mapped[bool] = mapped_column(default=True, server_default=true(), info=described("Angerechnet"))
    comment: Mapped[str | None] = mapped_column(Text, info=described("Bemerkung", free_text=True))


@describe_table(Shown(190))
class FreeDay(Base):
    """A local day, or half of it (`half`), that the company gives all employees; `name` is the company's word for it.

    `legal`: it is a holiday by law at the company's place, and counts for surcharges.
    """

    __tablename__ = "free_days"
    __table_args__ = (bypassed_by(devices="select"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    date: Mapped[date] = mapped_column(Date, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    half: Mapped[bool] = mapped_column()
    legal: Mapped[bool] = mapped_column(default=False, server_default=false())


@describe_table(Shown(200), no_part=ONLY_DECIDED)
class Closure(Base):
    """Company holidays, both ends included. The vacation that they give to people is stored as vacation requests."""

    __tablename__ = "closures"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    start_date: Mapped[date] = mapped_column(Date)
    end_date: Mapped[date] = mapped_column(Date)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))


@describe_table(Shown(220), Part("Buchungen", "hours_config", "with times", rank=110))
class Booking(Base):
    """A booking into a person's account on a day: minutes, or half days of vacation; the other of the two is null."""

    __tablename__ = "bookings"
    __table_args__ = (
        Index("ix_bookings_company_id_user_id_date", "company_id", "user_id", "date"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    minutes: Mapped[int | None] = mapped_column(Integer, info=described("Minuten"))
    vacation_halves: Mapped[int | None] = mapped_column(Integer, info=described("Halbe Urlaubstage"))
    reason: Mapped[str] = mapped_column(Text, info=described("Grund"))
    made_by: Mapped[str | None] = mapped_column(Id, info=described("Gebucht von", person="actor"))
    made_at: Mapped[datetime] = mapped_column(Instant, info=described("Gebucht"))


@describe_table(Shown(230), Part("Überträge von Zeitkonto und Urlaub", COMPANY, "with times", rank=160))
class BalanceCache(Base):
    """The balance (minutes) that a person's account carries into the month of `first`; null: the account has not begun
    yet.

    - `is_final`: the times before it have been purged, so it is a fact, and later statements about earlier days do not
      change it.
    - A January also has the leave, in half days, that the year before it began with (`leave.Carried`): the lapse of a
      year decides which days the year before retains. Null: unknown, so leave is carried from the beginning.
    - `leave_parents_back`: the day after the last day of Elternzeit or Mutterschutz before that year.
    """

    __tablename__ = "kept_balances"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    first: Mapped[date] = mapped_column(Date, primary_key=True, info=described("Beginn des Monats"))
    minutes: Mapped[int | None] = mapped_column(Integer, info=described("Minuten"))
    is_final: Mapped[bool] = mapped_column(
        default=False, server_default=false(), info=described("Zeiten davor gelöscht")
    )
    leave_halves: Mapped[int | None] = mapped_column(
        Integer, info=described("Urlaubsübertrag ins Vorjahr (halbe Tage)", reader="absences")
    )
    leave_ill: Mapped[int | None] = mapped_column(
        Integer, info=described("Davon wegen Krankheit nicht verfallen (halbe Tage)", reader="absences")
    )
    leave_parents: Mapped[int | None] = mapped_column(
        Integer,
        info=described("Davon wegen Elternzeit oder Mutterschutz nicht verfallen (halbe Tage)", reader="absences"),
    )
    leave_parents_back: Mapped[date | None] = mapped_column(
        Date, info=described("Zurück aus Elternzeit oder Mutterschutz", reader="absences")
    )
