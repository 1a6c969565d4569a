"""Tables of stamps, of decisions about people's time, and of the entries derived from both.

Stamps and decisions are facts: rows are added and never changed. Entries contain only conclusions and can be rebuilt
from the facts at any time (`rebuild`).

A person stamps a thousand times a year, so the rows of `stamps` and `receipts` are narrow. Values that many stamps
share (device, epoch, boot, assignment) are stored once in `streams`, a tag once in `tag_numbers`. Words are small
numbers (`timekeeping/status_bits.py`), and there are no foreign keys that a batch would have to check. Reported facts
are never changed. Conclusions are drawn again when facts are added, and may move the row (`Stamp` lists facts and
conclusions).
"""

from datetime import date, datetime
from typing import cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Date,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    false,
    or_,
    select,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.described import (
    COMPANY,
    INSTALLATION,
    MACHINERY,
    ONLY_DECIDED,
    NotShown,
    Part,
    PersonRows,
    Shown,
    describe_table,
    described,
    hidden,
    rows_through,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.people.directory.tables import TagHolding


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


VIA_LIMIT = 64
TAG_LIMIT = 64


@describe_table(INSTALLATION, no_part="digests of clocks, without names")
class Receipt(Base):
    """The receipt of a stamp: its id, the first device that delivered it, and a digest of its content.

    `digest` is the first 64 bits of the SHA-256 of the canonical form. `tag_no` locates the stamp: under that tag of a
    company, or for null among the unassigned stamps. Further claims to the same id (another device or other content)
    are in `stamp_claims`.
    """

    __tablename__ = "receipts"

    digest: Mapped[int] = mapped_column(BigInteger)
    device_no: Mapped[int] = mapped_column(Integer)
    tag_no: Mapped[int | None] = mapped_column(Integer)
    id: Mapped[str] = mapped_column(Id, primary_key=True)


@describe_table(INSTALLATION)
class StampClaim(Base):
    """All claims to an id that was claimed with different content or by different devices.

    `content` is a `Tap` as JSON. `digest` as in the receipt.
    """

    __tablename__ = "stamp_claims"
    __table_args__ = (Index("ix_stamp_claims_device_no", "device_no"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    device_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    digest: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    epoch: Mapped[str] = mapped_column(Id)
    received_at: Mapped[datetime] = mapped_column(Instant)
    content: Mapped[str] = mapped_column(Text)


@describe_table(INSTALLATION)
class Batch(Base):
    """A batch that was merged. `digest`: the first half of the SHA-256 of its bytes, as a UUID."""

    __tablename__ = "batches"

    device_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    batch: Mapped[str] = mapped_column(Id, primary_key=True)
    received_at: Mapped[datetime] = mapped_column(Instant)
    digest: Mapped[str] = mapped_column(Id)


@describe_table(INSTALLATION)
class Boot(Base):
    """One run of a device's operating system, from its start; stamps and anchors name it.

    While `unsettled` is false, every stamp of this boot rests on an NTP wall time. `low_ms` and `high_ms` then bound
    how far those wall times were ahead of `boottimeMs`: an anchor that agrees with both bounds leaves all stamps in
    their place.
    """

    __tablename__ = "boots"
    __table_args__ = (Index("uq_boots_device_no_boot", "device_no", "boot", unique=True),)

    no: Mapped[int] = mapped_column(Serial, primary_key=True)
    device_no: Mapped[int] = mapped_column(Integer)
    boot: Mapped[str] = mapped_column(Id)
    low_ms: Mapped[int | None] = mapped_column(BigInteger)
    high_ms: Mapped[int | None] = mapped_column(BigInteger)
    unsettled: Mapped[bool] = mapped_column(Boolean, default=False)


@describe_table(INSTALLATION)
class Anchor(Base):
    """A time anchor: the server's time was `server_time` at `boottime_ms` of this boot, ± half of `rtt_ms`."""

    __tablename__ = "anchors"

    boot_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    boottime_ms: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    server_time: Mapped[datetime] = mapped_column(Instant, primary_key=True)
    rtt_ms: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


@describe_table(INSTALLATION)
class Epoch(Base):
    """The sequence numbers of an epoch that have arrived (`received`) or are lost for good (`gone`), as JSON ranges;
    see `streams.py`.

    `last_seq` is the last number of the epoch, as named by the `successor`. `gaps`: numbers are missing. `asked` are
    the ranges that the clock has been asked for since `asked_at`.
    """

    __tablename__ = "epochs"
    __table_args__ = (Index("ix_epochs_gaps", "device_no", sqlite_where=text("gaps"), postgresql_where=text("gaps")),)

    device_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    epoch: Mapped[str] = mapped_column(Id, primary_key=True)
    received: Mapped[str] = mapped_column(Text)
    gone: Mapped[str] = mapped_column(Text)
    last_seq: Mapped[int] = mapped_column(BigInteger)
    gaps: Mapped[bool] = mapped_column(Boolean)
    asked: Mapped[str] = mapped_column(Text)
    asked_at: Mapped[datetime | None] = mapped_column(Instant)
    successor: Mapped[str | None] = mapped_column(Id)


@describe_table(INSTALLATION)
class Stream(Base):
    """The attributes that many stamps share. `assignment_id` is null if the stamps name no assignment of the device."""

    __tablename__ = "streams"
    __table_args__ = (Index("ix_streams_device_no_epoch", "device_no", "epoch"),)

    no: Mapped[int] = mapped_column(Serial, primary_key=True)
    device_no: Mapped[int] = mapped_column(Integer)
    boot_no: Mapped[int] = mapped_column(Integer, index=True)
    epoch: Mapped[str] = mapped_column(Id)
    assignment_id: Mapped[str | None] = mapped_column(Id)


@describe_table(INSTALLATION)
class UnassignedStamp(Base):
    """A stamp that no company can claim (yet): held for the system administrator. `content` is a `Tap` as JSON."""

    __tablename__ = "unassigned_stamps"
    __table_args__ = (Index("ix_unassigned_stamps_received_at_id_device_no", "received_at", "id", "device_no"),)

    device_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    at: Mapped[datetime] = mapped_column(Instant)
    certain: Mapped[bool] = mapped_column(Boolean)
    boot_no: Mapped[int] = mapped_column(Integer)
    boottime_ms: Mapped[int] = mapped_column(BigInteger)
    epoch: Mapped[str] = mapped_column(Id)
    received_at: Mapped[datetime] = mapped_column(Instant)
    content: Mapped[str] = mapped_column(Text)


@describe_table(INSTALLATION)
class QuarantinedStamp(Base):
    """An unreadable member of a batch, with its bytes as received. `stamp_id` is the value of its `id`, if that was
    text.
    """

    __tablename__ = "quarantined_stamps"
    __table_args__ = (Index("ix_quarantined_stamps_received_at_id_device_no", "received_at", "id", "device_no"),)

    device_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    id: Mapped[str] = mapped_column(Id)
    stamp_id: Mapped[str | None] = mapped_column(Text)
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    epoch: Mapped[str] = mapped_column(Id)
    received_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(Shown(350), no_part=ONLY_DECIDED)
class Release(Base):
    """A release: gives a company the stamps of a device and period that no assignment claims, also those that arrive
    later.

    `unnamed_only`: only stamps that name no assignment. A back-dated assignment makes such a release, because stamps
    that the clock took for an earlier company do not belong to the new one.
    """

    __tablename__ = "releases"
    __table_args__ = (Index("ix_releases_device_no", "device_no"), bypassed_by(devices="select"))

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    device_no: Mapped[int] = mapped_column(Integer)
    starts_at: Mapped[datetime] = mapped_column(Instant)
    ends_at: Mapped[datetime] = mapped_column(Instant)
    unnamed_only: Mapped[bool] = mapped_column(default=False, server_default=false())
    released_at: Mapped[datetime] = mapped_column(Instant)
    released_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))


@describe_table(INSTALLATION)
class Counter(Base):
    """The last number that was drawn for each kind of small number: of tags and of people."""

    __tablename__ = "counters"

    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)


@describe_table(
    NotShown("the tags themselves, which open a clock"),
    no_part="a number of the database; the tag itself is in `tag_holdings`",
)
class TagNumber(Base):
    """The number of a tag that has stamped in a company; unique in the installation."""

    __tablename__ = "tag_numbers"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    tag: Mapped[str] = mapped_column(String(TAG_LIMIT), primary_key=True)
    no: Mapped[int] = mapped_column(Integer, index=True)


def _while_held(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the stamps of tags that the person held at that time."""
    return _holding_exists(table, company_id, TagHolding.user_id == user_id)


def unowned(company_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the company's stamps of tags without a holder at that time."""
    return (Stamp.company_id == company_id) & ~_holding_exists(cast("Table", Stamp.__table__), company_id)


def _holding_exists(table: Table, company_id: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return (
        select(TagHolding.id)
        .join(TagNumber, (TagNumber.company_id == TagHolding.company_id) & (TagNumber.tag == TagHolding.tag))
        .where(
            TagHolding.company_id == company_id,
            *conditions,
            TagNumber.no == table.c.tag_no,
            or_(TagHolding.held_from.is_(None), TagHolding.held_from <= table.c.at),
            or_(TagHolding.held_until.is_(None), TagHolding.held_until > table.c.at),
        )
        .exists()
    )


@describe_table(
    Shown(60),
    Part("Stempel", COMPANY, "with times", rank=60, person_rows=PersonRows(_while_held, through=(TagHolding,))),
)
class Stamp(Base):
    """A stamp that belongs to a company.

    - Facts: `id`, `wall_ms` (null: equal to `at`), `boottime_ms`, `seq`, `received_at`, `stream_no`, `reported_bits`
      (direction, quality, what was shown), `via` (null: the reader), `content` (a `Tap` as JSON, if the columns do not
      reproduce it).
    - Conclusions: its company and tag, `at` (its true time), `status`, `waits` for an administrator, `unsettled` (a
      better anchor may move it).
    - The storage of a fact may follow a conclusion: the wall time is null if it equals `at`, and the assignment is in
      the stream or in `content`.
    """

    __tablename__ = "stamps"
    __table_args__ = (
        Index(
            "ix_stamps_waits",
            "company_id",
            "at",
            "id",
            sqlite_where=text("waits = 1"),  # as SQLAlchemy requires
            postgresql_where=text("waits"),
        ),
        Index(
            "ix_stamps_unsettled",
            "stream_no",
            "boottime_ms",
            sqlite_where=text("unsettled"),
            postgresql_where=text("unsettled"),
        ),
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    tag_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    stream_no: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime] = mapped_column(Instant, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    wall_ms: Mapped[int | None] = mapped_column(BigInteger)
    boottime_ms: Mapped[int] = mapped_column(BigInteger)
    seq: Mapped[int] = mapped_column(BigInteger)
    received_at: Mapped[datetime] = mapped_column(Instant)
    reported_bits: Mapped[int] = mapped_column(SmallInteger)
    status: Mapped[int] = mapped_column(SmallInteger)
    waits: Mapped[bool] = mapped_column(Boolean)
    unsettled: Mapped[bool] = mapped_column(Boolean)
    via: Mapped[str | None] = mapped_column(String(VIA_LIMIT))
    content: Mapped[str | None] = mapped_column(Text, info=hidden())


@describe_table(
    Shown(90), Part("Entschiedene Stempel", COMPANY, "with times", rank=40, person_rows=rows_through(Stamp, "stamp_id"))
)
class Resolution(Base):
    """An administrator's decision about a held stamp; the newest counts. `taken_at`: the time to book it at; null: its
    own.
    """

    __tablename__ = "resolutions"
    __table_args__ = (
        Index("ix_resolutions_company_id_stamp_id", "company_id", "stamp_id"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    stamp_id: Mapped[str] = mapped_column(Id, info=described(is_key=True))
    action: Mapped[str] = mapped_column(String(10), info=described("Vorgang"))
    taken_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Zeitpunkt"))
    decided_at: Mapped[datetime] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
