"""Tables of devices. They belong to the installation; only an assignment ties a device to a company.

`no` is a device's small number, which keeps the many rows that reference it narrow. `device_leases` and `device_beats`
change with every batch and every heartbeat, and are separate from the columns that hardly ever change.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.scopes import bypassed_by

NAME_LIMIT = 100
NOTES_LIMIT = 2000
TEXT_LIMIT = 100
REASON_LIMIT = 500


class Installation(Base):
    """Identity of this server for its clocks: one row, created once. A restored backup brings its id back."""

    __tablename__ = "installation"

    no: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    server_id: Mapped[str] = mapped_column(Id)
    created_at: Mapped[datetime] = mapped_column(Instant)


class Device(Base):
    """A clock, identified by its key: `keyid` names the Ed25519 public key that signs its requests.

    `label` and `label_notes` are the system administrators' names for an unassigned clock; a company's own names are in
    its assignment. The key is refused since `revoked_at`; `withdrawn` gives the kind: `revoked` or `decommissioned`.
    """

    __tablename__ = "devices"

    no: Mapped[int] = mapped_column(Serial, primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    keyid: Mapped[str] = mapped_column(String(43), unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary(32))
    claim_code: Mapped[str] = mapped_column(String(8))
    serial: Mapped[str] = mapped_column(String(TEXT_LIMIT), index=True)
    hardware_id: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    mac: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    profile: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    version: Mapped[str] = mapped_column(String(TEXT_LIMIT))
    label: Mapped[str] = mapped_column(String(NAME_LIMIT), default="")
    label_notes: Mapped[str] = mapped_column(String(NOTES_LIMIT), default="")
    channel: Mapped[str] = mapped_column(String(10), default="stable")
    identity_conflict: Mapped[bool] = mapped_column(default=False)
    enrolled_at: Mapped[datetime] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn: Mapped[str | None] = mapped_column(String(20))
    withdrawn_why: Mapped[str] = mapped_column(String(REASON_LIMIT), default="", server_default=text("''"))


class DeviceLease(Base):
    """The lease of a device (`device_api/delivery/lease.py`). Merging its batches requires the lock of this row.

    `answers_mark`: changes after each accepted answer of its people; null before the first.
    """

    __tablename__ = "device_leases"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    confirmed: Mapped[int] = mapped_column(BigInteger, default=0)
    confirmed_by: Mapped[str | None] = mapped_column(Id)
    pending: Mapped[int] = mapped_column(BigInteger, default=1)
    forked: Mapped[bool] = mapped_column(default=False)
    replay_since: Mapped[datetime | None] = mapped_column(Instant)
    answers_mark: Mapped[str | None] = mapped_column(Id)


class DeviceBeat(Base):
    """The newest heartbeat. `boot` and `boottime_ms` order heartbeats; older ones change nothing.

    `scanners`: the clock's portable scanners as JSON (`schemas.ScannerRow`), null without any. `cert_days_left` and
    `cert_days`: remaining days and whole lifetime of the service's certificate, as the clock sees it.
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


class DeviceBoot(Base):
    """The boots of a device that heartbeats have named, so that an earlier boot is known to be over."""

    __tablename__ = "device_boots"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    boot: Mapped[str] = mapped_column(Id, primary_key=True)
    first_seen_at: Mapped[datetime] = mapped_column(Instant)


class DeviceAssignment(Base):
    """Assignment of a device to a company, from `starts_at` up to `ends_at` (exclusive; null: still). It is purged with
    its company.

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
    assigned_by: Mapped[str | None] = mapped_column(Id)
    name: Mapped[str] = mapped_column(String(NAME_LIMIT), default="")
    notes: Mapped[str] = mapped_column(String(NOTES_LIMIT), default="")


class BuriedAssignment(Base):
    """An assignment of a purged company. Clocks may still deliver stamps of it.

    `late` counts these stamps.
    """

    __tablename__ = "buried_assignments"
    __table_args__ = (Index("ix_buried_assignments_id", "id"), bypassed_by(devices="all"))

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    late: Mapped[int] = mapped_column(BigInteger, default=0)


class DevicePredecessor(Base):
    """The device replaces `predecessor_no`, directly or through others in between, and may deliver its stamps."""

    __tablename__ = "device_predecessors"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    predecessor_no: Mapped[int] = mapped_column(
        Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False, index=True
    )
    replaced_at: Mapped[datetime] = mapped_column(Instant)


class DeviceMoment(Base):
    """A device's state since `at`, until its next moment: one for each change, and one an hour.

    A silence is a moment as well (`online` false), written when the device is heard again.
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
