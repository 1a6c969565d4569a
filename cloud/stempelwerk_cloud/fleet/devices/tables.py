"""Tables of devices. Devices belong to the installation; only an assignment connects a device with a company.

`Device.no` is a small number, which keeps the many rows narrow that reference a device. `device_leases` changes with
every batch and `device_beats` with every heartbeat. They are separate tables because the columns of `devices` hardly
ever change.
"""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    or_,
    select,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.described import (
    INSTALLATION,
    ONLY_DECIDED,
    Shown,
    describe_table,
    described,
    hidden,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by

NAME_LIMIT = 100
NOTES_LIMIT = 2000
TEXT_LIMIT = 100
REASON_LIMIT = 500


@describe_table(INSTALLATION)
class Installation(Base):
    """The identity of this installation towards its clocks. The table has one row, which is created once and which a
    restored backup contains as well.
    """

    __tablename__ = "installation"

    no: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    server_id: Mapped[str] = mapped_column(Id)
    created_at: Mapped[datetime] = mapped_column(Instant)


def _held_now(table: Table, company_id: str, now: datetime) -> ColumnElement[bool]:
    """Returns the SQL condition for the devices that are assigned to the company now."""
    assigned = select(DeviceAssignment.device_no).where(
        DeviceAssignment.company_id == company_id,
        DeviceAssignment.starts_at <= now,
        or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > now),
    )
    return table.c.no.in_(assigned)


@describe_table(Shown(40, rows=_held_now))
class Device(Base):
    """A clock, identified by its Ed25519 key. `keyid` is the name of that key in the signatures of the clock's
    requests.

    `label` and `label_notes` are the system administrators' names for an unassigned clock; a company's names are in its
    assignment. The key is refused from `revoked_at` on; `withdrawn` is the reason: `revoked` or `decommissioned`.
    """

    __tablename__ = "devices"

    no: Mapped[int] = mapped_column(Serial, primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    keyid: Mapped[str] = mapped_column(String(43), unique=True, info=hidden())
    public_key: Mapped[bytes] = mapped_column(LargeBinary(32), info=hidden())
    claim_code: Mapped[str] = mapped_column(String(8), info=hidden())
    serial: Mapped[str] = mapped_column(String(TEXT_LIMIT), index=True)
    hardware_id: Mapped[str] = mapped_column(String(TEXT_LIMIT), info=hidden())
    mac: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    profile: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    version: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    label: Mapped[str] = mapped_column(String(NAME_LIMIT), default="", info=hidden())
    label_notes: Mapped[str] = mapped_column(String(NOTES_LIMIT), default="", info=hidden())
    channel: Mapped[str] = mapped_column(String(10), default="stable")
    identity_conflict: Mapped[bool] = mapped_column(default=False, info=hidden())
    enrolled_at: Mapped[datetime] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant, info=hidden())
    withdrawn: Mapped[str | None] = mapped_column(String(20))
    withdrawn_why: Mapped[str] = mapped_column(String(REASON_LIMIT), default="", server_default=text("''"))


@describe_table(INSTALLATION, no_part="about clocks")
class DeviceLease(Base):
    """The lease of a device (`device_api/delivery/lease.py`). A transaction that merges the device's batches must lock
    this row.

    `answers_mark`: an id that is replaced with each answer of an employee that is stored for the device;
    null before the first. Clocks compare it to learn of new answers.
    """

    __tablename__ = "device_leases"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    confirmed: Mapped[int] = mapped_column(BigInteger, default=0)
    confirmed_by: Mapped[str | None] = mapped_column(Id)
    pending: Mapped[int] = mapped_column(BigInteger, default=1)
    forked: Mapped[bool] = mapped_column(default=False)
    replay_since: Mapped[datetime | None] = mapped_column(Instant)
    answers_mark: Mapped[str | None] = mapped_column(Id)


@describe_table(INSTALLATION)
class DeviceBeat(Base):
    """The newest heartbeat of a device. `boot` and `boottime_ms` order heartbeats; an older heartbeat changes nothing.

    `scanners`: the clock's portable scanners as JSON (`schemas.ScannerRow`); null without any. `cert_days_left` and
    `cert_days`: the remaining days and the whole lifetime in days of the service's certificate, as the clock sees it.
    """

    __tablename__ = "device_beats"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    seen_at: Mapped[datetime] = mapped_column(Instant, index=True)
    boot: Mapped[str] = mapped_column(Id)
    boottime_ms: Mapped[int] = mapped_column(BigInteger)
    wall: Mapped[str] = mapped_column(String(40))
    quality: Mapped[str] = mapped_column(String(10))
    ip: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    mac: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    profile: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    version: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    uptime_s: Mapped[int | None] = mapped_column(BigInteger)
    queue_depth: Mapped[int | None] = mapped_column(BigInteger)
    queue_oldest: Mapped[str | None] = mapped_column(String(40))
    disk_free_mb: Mapped[int | None] = mapped_column(BigInteger)
    reader: Mapped[str | None] = mapped_column(String(10))
    update_state: Mapped[str | None] = mapped_column(String(TEXT_LIMIT))
    update_version: Mapped[str | None] = mapped_column(String(TEXT_LIMIT))
    scanners: Mapped[str | None] = mapped_column(Text)
    platform: Mapped[str | None] = mapped_column(String(TEXT_LIMIT))
    storage: Mapped[str | None] = mapped_column(String(10))
    cert_days_left: Mapped[int | None] = mapped_column(BigInteger)
    cert_days: Mapped[int | None] = mapped_column(BigInteger)


@describe_table(INSTALLATION)
class DeviceBoot(Base):
    """The boots that a device's heartbeats have named. A heartbeat of a listed boot other than the newest is
    outdated.
    """

    __tablename__ = "device_boots"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    boot: Mapped[str] = mapped_column(Id, primary_key=True)
    first_seen_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(Shown(50), no_part=ONLY_DECIDED)
class DeviceAssignment(Base):
    """The assignment of a device to a company, from `starts_at` up to `ends_at` (exclusive; null: it is still in
    force). It is deleted with the company's other data.

    `name` and `notes` are the company's own; no other company sees them.
    """

    __tablename__ = "device_assignments"
    __table_args__ = (
        Index("ix_device_assignments_device_no_starts_at", "device_no", "starts_at"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"))
    starts_at: Mapped[datetime] = mapped_column(Instant)
    ends_at: Mapped[datetime | None] = mapped_column(Instant)
    assigned_at: Mapped[datetime] = mapped_column(Instant)
    assigned_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
    name: Mapped[str] = mapped_column(String(NAME_LIMIT), default="")
    notes: Mapped[str] = mapped_column(String(NOTES_LIMIT), default="")


@describe_table(INSTALLATION)
class BuriedAssignment(Base):
    """The id of an assignment whose company was purged. Clocks may still deliver stamps that name it; `late` counts
    them.
    """

    __tablename__ = "buried_assignments"
    __table_args__ = (Index("ix_buried_assignments_id", "id"), bypassed_by(devices="all"))

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    late: Mapped[int] = mapped_column(BigInteger, default=0)


@describe_table(INSTALLATION)
class DevicePredecessor(Base):
    """A replacement: the device replaces `predecessor_no`, directly or through others in between, and may deliver its
    stamps.
    """

    __tablename__ = "device_predecessors"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    predecessor_no: Mapped[int] = mapped_column(
        Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False, index=True
    )
    replaced_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(INSTALLATION)
class DeviceMoment(Base):
    """The state of a device from `at` until its next row. A row is written for each change, and at least once an hour.

    A silence is a row as well (`online` false). It is written when the device is heard again.
    """

    __tablename__ = "device_moments"
    __table_args__ = (Index("ix_device_moments_at", "at"),)

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(Instant, primary_key=True)
    online: Mapped[bool]
    queue_depth: Mapped[int | None] = mapped_column(BigInteger)
    quality: Mapped[str | None] = mapped_column(String(10))
    reader: Mapped[str | None] = mapped_column(String(10))
    version: Mapped[str | None] = mapped_column(String(TEXT_LIMIT))
    disk_free_mb: Mapped[int | None] = mapped_column(BigInteger)
