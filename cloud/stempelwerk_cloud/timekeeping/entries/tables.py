"""Tables of time entries. They contain only conclusions and can be rebuilt from the facts at any time (`rebuild`)."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Boolean, Date, Index, Integer, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class PersonNumber(Base):
    """A person's small number, which keeps the rows of `entries` narrow. `first_day`: the date of their first entry, if
    that has been purged.
    """

    __tablename__ = "person_numbers"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    no: Mapped[int] = mapped_column(Integer, index=True)
    first_day: Mapped[date | None] = mapped_column(Date)


class TimeEntry(Base):
    """An entry as derived. `id` is its first stamp's, or its correction's. The minutes are null while incomplete.

    `start_minute` and `end_minute` are local, in minutes since midnight. `flags` is a set of bits
    (`status_bits.FLAGS` and `LEFT_OPEN`), `device_no` the clock of its first stamp.
    """

    __tablename__ = "entries"
    # Most entries are written twice, by Kommen and by Gehen: the second row finds room next to the first, and the index
    # need not be updated. That holds while no index depends on what Gehen changes, as `end_at IS NULL` would.
    __table_args__ = (
        Index(
            "ix_entries_flagged",
            "company_id",
            "id",
            sqlite_where=text("flags <> 0"),
            postgresql_where=text("flags <> 0"),
        ),
        {"postgresql_with": {"fillfactor": 70}, **bypassed_by(devices="all")},
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    person_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    date: Mapped[date] = mapped_column(Date, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    start_at: Mapped[datetime | None] = mapped_column(Instant)
    end_at: Mapped[datetime | None] = mapped_column(Instant)
    device_no: Mapped[int | None] = mapped_column(Integer)
    start_minute: Mapped[int | None] = mapped_column(SmallInteger)
    end_minute: Mapped[int | None] = mapped_column(SmallInteger)
    raw_minutes: Mapped[int | None] = mapped_column(Integer)
    break_minutes: Mapped[int | None] = mapped_column(SmallInteger)
    flags: Mapped[int] = mapped_column(SmallInteger)
    is_correction: Mapped[bool] = mapped_column(Boolean)


class PurgedTimes(Base):
    """Times dated before this day, the first of a year, have been purged."""

    __tablename__ = "purged_times"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    before: Mapped[date] = mapped_column(Date)


class ReviewConfirmation(Base):
    """The flags of an entry that an administrator has confirmed (`status_bits`), with the last one who did."""

    __tablename__ = "review_confirmations"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    entry_id: Mapped[str] = mapped_column(Id, primary_key=True)
    bits: Mapped[int] = mapped_column(SmallInteger)
    confirmed_at: Mapped[datetime] = mapped_column(Instant)
    confirmed_by: Mapped[str | None] = mapped_column(Id)


class DerivationRevision(Base):
    """Counts the changes of the inputs of a company's derivations other than stamps: tags, settings, decisions.

    All open-ended entries dated before `swept_to` carry `LEFT_OPEN`; null: no entry was swept.
    """

    __tablename__ = "derivation_revisions"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger)
    swept_to: Mapped[date | None] = mapped_column(Date)


class PeopleChange(Base):
    """The people whose entries or names changed in one transaction (their numbers as JSON), for the clocks' lists of
    people.
    """

    __tablename__ = "people_changes"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    changed_at: Mapped[datetime] = mapped_column(Instant, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    people: Mapped[str] = mapped_column(Text)
