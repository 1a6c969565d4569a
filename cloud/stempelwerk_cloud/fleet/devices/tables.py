"""Tables of devices. They belong to the installation; only an assignment ties a device to a company.

`no` is a device's small number, so that the many rows that name it stay narrow. `device_leases` and `device_beats`
change with every batch and every heartbeat and are kept apart from what hardly ever changes.
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
    """Who this server is to its clocks: one row, drawn once. A restored backup brings its id back."""

    __tablename__ = "installation"

    no: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    server_id: Mapped[str] = mapped_column(Id)
    created_at: Mapped[datetime] = mapped_column(Instant)


class Device(Base):
    """A clock, which is its key: `keyid` names the Ed25519 public key that signs its requests.

    `label` and `label_notes` are what system administrators call it while it is nobody's; a company's own words stand
    in its assignment. Since `revoked_at` its key is refused; `withdrawn` says as what: `revoked` or `decommissioned`.
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
    """The lease of a device (`device_api/delivery/lease.py`). Whoever merges its batches locks this row.

    `answers_mark`: another after each answer that its people gave and that was taken; null before the first.
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
    """What the newest heartbeat said. `boot` and `boottime_ms` order heartbeats; older ones change nothing.

    `scanners`: the clock's portable scanners as JSON (`schemas.ScannerRow`), null without any. `cert_days_left` and
    `cert_days`: what the certificate of the service that the clock sees has left, and its whole lifetime.
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
    """The starts of a device's system that heartbeats have named, so that an earlier one is known to be over."""

    __tablename__ = "device_boots"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    boot: Mapped[str] = mapped_column(Id, primary_key=True)
    first_seen_at: Mapped[datetime] = mapped_column(Instant)


class DeviceAssignment(Base):
    """A device is a company's from `starts_at` up to `ends_at` (exclusive; null: still). It goes with its company.

    `name` and `notes` are the company's words for it, which no other company sees.
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
    """An assignment of a company that was purged: clocks may still deliver stamps of it, which are counted here.

    `late` of them have come.
    """

    __tablename__ = "buried_assignments"
    __table_args__ = (Index("ix_buried_assignments_id", "id"), bypassed_by(devices="all"))

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    late: Mapped[int] = mapped_column(BigInteger, default=0)


class DevicePredecessor(Base):
    """The device stands in the place of `predecessor_no`, itself or by those between; it may deliver for it."""

    __tablename__ = "device_predecessors"

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    predecessor_no: Mapped[int] = mapped_column(
        Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False, index=True
    )
    replaced_at: Mapped[datetime] = mapped_column(Instant)


class DeviceMoment(Base):
    """How a device was from `at` on, until its next moment: one for each change, and one an hour.

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
