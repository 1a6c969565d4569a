"""Tables of time entries. They contain only conclusions and can be rebuilt from the facts at any time (`rebuild`)."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Boolean, ColumnElement, Date, Index, Integer, SmallInteger, Table, Text, select, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import (
    COMPANY,
    MACHINERY,
    Part,
    PersonRows,
    Shown,
    describe_table,
    described,
    rows_through,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by


@describe_table(Shown(80), no_part="a number of the database, and nothing else")
class PersonNumber(Base):
    """A person's small number, which keeps the rows of `entries` narrow.

    `first_day`: the date of the person's first entry, if that entry has been purged.
    """

    __tablename__ = "person_numbers"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    no: Mapped[int] = mapped_column(Integer, index=True)
    first_day: Mapped[date | None] = mapped_column(Date)


def _of_number(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    own_numbers = select(PersonNumber.no).where(PersonNumber.company_id == company_id, PersonNumber.user_id == user_id)
    return table.c.person_no.in_(own_numbers)


@describe_table(Shown(70), Part("Zeiteinträge", COMPANY, "with times", rank=50, person_rows=PersonRows(_of_number)))
class TimeEntry(Base):
    """A derived time entry. `id` is that of its first stamp or of its correction. The minutes are null while it is
    incomplete.

    `start_minute` and `end_minute` are local minutes since midnight. `flags` is a set of bits (`status_bits.FLAGS` and
    `LEFT_OPEN`), `device_no` the clock of its first stamp.
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


@describe_table(MACHINERY)
class PurgedTimes(Base):
    """Up to where a company's times have been purged: all that are dated before the day `before`, the first
    of a year.
    """

    __tablename__ = "purged_times"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    before: Mapped[date] = mapped_column(Date)


@describe_table(
    Shown(100),
    Part("Geprüfte Einträge", COMPANY, "with times", rank=30, person_rows=rows_through(TimeEntry, "entry_id")),
)
class ReviewConfirmation(Base):
    """The flags of an entry that administrators have confirmed (bits as in `status_bits`), and who confirmed last."""

    __tablename__ = "review_confirmations"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    entry_id: Mapped[str] = mapped_column(Id, primary_key=True, info=described(is_key=True))
    bits: Mapped[int] = mapped_column(SmallInteger, info=described(in_file=False))
    confirmed_at: Mapped[datetime] = mapped_column(Instant, info=described("Geprüft"))
    confirmed_by: Mapped[str | None] = mapped_column(Id, info=described("Geprüft von", person="actor"))


@describe_table(MACHINERY)
class DerivationRevision(Base):
    """The revision of a company's inputs of derivations: the number of changes of its tags, settings and decisions.

    All entries without an end that are dated before `swept_to` carry `LEFT_OPEN`; null: no sweep has run yet.
    """

    __tablename__ = "derivation_revisions"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger)
    swept_to: Mapped[date | None] = mapped_column(Date)


@describe_table(MACHINERY)
class PeopleChange(Base):
    """The people whose entries, names or figures changed in one transaction, for the clocks' lists of people.

    `people` is a JSON list of their numbers.
    """

    __tablename__ = "people_changes"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    changed_at: Mapped[datetime] = mapped_column(Instant, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    people: Mapped[str] = mapped_column(Text)
