"""Database queries on devices, their assignments, leases and heartbeats, and the locks of their rows."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import Exists, ScalarSelect, SQLColumnExpression, exists, func, or_, select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices.tables import (
    BuriedAssignment,
    Device,
    DeviceAssignment,
    DeviceBeat,
    DeviceLease,
    DeviceMoment,
    DevicePredecessor,
    Installation,
)
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.directory.tables import Company


class WatchedClock(NamedTuple):
    """A company's clock as alarms check it: its newest heartbeat, and the flags of its key and of its lease.

    `wall` and `queue_oldest` are texts with the clock's own time at the heartbeat and at its oldest queued stamp.
    """

    company_id: str
    no: int
    starts_at: datetime
    seen_at: datetime
    wall: str
    queue_depth: int | None
    queue_oldest: str | None
    disk_free_mb: int | None
    reader: str | None
    quality: str
    storage: str | None
    cert_days_left: int | None
    cert_days: int | None
    channel: str
    version: str
    platform: str | None
    update_state: str | None
    update_version: str | None
    has_conflict: bool
    is_forked: bool

    @property
    def certificate(self) -> tuple[int, int] | None:
        """Returns the days until the server's certificate expires, as the clock sees it, and its whole lifetime in
        days. None if the clock reported neither.
        """
        if self.cert_days_left is None or self.cert_days is None:
            return None
        return self.cert_days_left, self.cert_days


ONLINE_FOR_MS = 90_000
"""How many milliseconds after its newest heartbeat a device counts as online."""
_HOUR_MS = 3_600_000
MOMENTS_SHOWN = 5000

_NAME_BOOTS = Statement(
    "INSERT INTO device_boots (device_no, boot, first_seen_at) SELECT device_no, boot, seen_ms"
    " FROM @rows(r: device_no int, boot uuid, seen_ms int8) WHERE true ORDER BY device_no"
    " ON CONFLICT DO NOTHING RETURNING device_no"
)
_BEAT = {
    "seen_at": "seen_ms int8",
    "boot": "boot uuid",
    "boottime_ms": "boottime_ms int8",
    "wall": "wall text",
    "quality": "quality text",
    "ip": "ip text",
    "mac": "mac text",
    "profile": "profile text",
    "version": "version text",
    "uptime_s": "uptime_s int8",
    "queue_depth": "queue_depth int8",
    "queue_oldest": "queue_oldest text",
    "disk_free_mb": "disk_free_mb int8",
    "reader": "reader text",
    "update_state": "update_state text",
    "update_version": "update_version text",
    "scanners": "scanners text",
    "platform": "platform text",
    "storage": "storage text",
    "cert_days_left": "cert_days_left int8",
    "cert_days": "cert_days int8",
}
_HEARD = (
    f" FROM @rows(r: device_no int, {', '.join(_BEAT.values())}) LEFT JOIN device_beats b ON b.device_no = r.device_no"
)
_WRITE_BEATS = Statement(
    f"INSERT INTO device_beats (device_no, {', '.join(_BEAT)})"  # noqa: S608 -- no values
    f" SELECT device_no, {', '.join(definition.split()[0] for definition in _BEAT.values())}"
    f" FROM @rows(r: device_no int, {', '.join(_BEAT.values())}) WHERE true ORDER BY device_no"
    f" ON CONFLICT (device_no) DO UPDATE SET {', '.join(f'{column} = excluded.{column}' for column in _BEAT)}"
    " WHERE device_beats.boot = excluded.boot AND device_beats.boottime_ms < excluded.boottime_ms"
    " OR excluded.device_no IN (SELECT f.device_no FROM @rows(f: device_no int))"
)


_NOTE_MOMENTS = Statement(
    "INSERT INTO device_moments (device_no, at, online, queue_depth, quality, reader, version, disk_free_mb)"  # noqa: S608 -- no values
    f" SELECT r.device_no, r.seen_ms, true, r.queue_depth, r.quality, r.reader, r.version, r.disk_free_mb {_HEARD}"
    " WHERE b.device_no IS NULL OR r.seen_ms > b.seen_at AND (r.seen_ms - b.seen_at >= :silent"
    " OR coalesce(r.queue_depth, 0) > 0 AND coalesce(b.queue_depth, 0) = 0"
    " OR coalesce(r.queue_depth, 0) = 0 AND coalesce(b.queue_depth, 0) > 0"
    " OR r.quality <> b.quality OR r.version <> b.version OR coalesce(r.reader, '') <> coalesce(b.reader, '')"
    " OR r.seen_ms - coalesce((SELECT max(m.at) FROM device_moments m WHERE m.device_no = r.device_no), 0) >= :hour)"
    " ORDER BY r.device_no ON CONFLICT DO NOTHING"
)
_NOTE_SILENCES = Statement(
    "INSERT INTO device_moments (device_no, at, online)"
    f" SELECT r.device_no, b.seen_at + :silent, false {_HEARD} WHERE r.seen_ms - b.seen_at > :silent"
    " ORDER BY r.device_no ON CONFLICT DO NOTHING"
)


def server_id(session: Session) -> str | None:
    return session.scalar(select(Installation.server_id))


def set_server_id(session: Session, server_id: str, now: datetime) -> None:
    """Stores this installation's id for its clocks, unless another transaction has stored one before."""
    row = upsert(session, Installation).values(no=1, server_id=server_id, created_at=now)
    session.execute(row.on_conflict_do_nothing())


def by_id(session: Session, device_id: str) -> Device | None:
    return session.scalar(select(Device).where(Device.id == device_id))


def by_no(session: Session, device_no: int) -> Device | None:
    return session.get(Device, device_no)


def by_keyid(session: Session, keyid: str) -> Device | None:
    return session.scalar(select(Device).where(Device.keyid == keyid))


def lock_key(session: Session, keyid: str) -> None:
    """Locks the key against concurrent enrolment until the transaction ends."""
    locks.take(session, Lock.CLOCK_KEY, keyid)


def lock_serials(session: Session, serials: Collection[str]) -> None:
    """Locks these serials until the transaction ends, so that no other transaction gives a device one of them or takes
    it from a device. Must be called after `lock_key`, because locks are taken in this order.
    """
    locks.take_all(session, [(Lock.CLOCK_SERIAL, serial, False) for serial in serials])


def lock_rivals(session: Session, serials: Collection[str]) -> None:
    """Locks the rows of all devices with one of these serials until the transaction ends, and reads them again.

    Rows are locked in ascending order of their ids, like in all bulk changes, to avoid deadlocks. Must be called after
    `lock_serials`.
    """
    rivals = select(Device).where(Device.serial.in_(list(serials))).order_by(Device.id)
    locks.record_row_lock(session, Lock.DEVICE_WORDS, session.scalars(rivals.with_only_columns(Device.id)).all())
    session.scalars(rivals.with_for_update(key_share=True).execution_options(populate_existing=True)).all()


def flag_serial(session: Session, serial: str) -> None:
    """Sets `identity_conflict` on all devices with this serial if several of them are neither withdrawn nor replaced.
    The caller has locked the serial.
    """
    replaced = exists().where(DevicePredecessor.predecessor_no == Device.no)
    rivals = (Device.serial == serial, Device.revoked_at.is_(None), ~replaced)
    count = session.scalar(select(func.count()).select_from(Device).where(*rivals)) or 0
    if count > 1:
        session.execute(update(Device).where(*rivals).values(identity_conflict=True))


def lock(session: Session, device_no: int) -> DeviceLease | None:
    """Locks the lease row of a device until the transaction ends, and returns it. Every transaction that merges the
    device's stamps or moves them to another company must hold this lock.
    """
    locks.record_row_lock(session, Lock.DEVICE, [device_no])
    return session.scalar(
        select(DeviceLease)
        .where(DeviceLease.device_no == device_no)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def lease(session: Session, device_no: int) -> DeviceLease:
    return session.get_one(DeviceLease, device_no)


def write_beats(session: Session, heard: Sequence[Struct]) -> None:
    """Writes heartbeats (`beats.Heard`, sorted by device number). A heartbeat is skipped if a newer one is stored.

    A heartbeat is newer if its boot was never stored, or if it has a greater `boottime_ms` in the newest boot. Every
    writer locks rows in ascending order of devices, and in this order of tables: moments, boots, heartbeats. If two
    processes write the same new boot, the primary key of the boots decides which one is first.
    """
    sql, rows = Sql(session), as_rows(heard)
    silent = {"r": rows, "silent": ONLINE_FOR_MS}
    sql.several([(_NOTE_SILENCES, silent), (_NOTE_MOMENTS, {**silent, "hour": _HOUR_MS})])
    fresh = as_rows([{"device_no": no} for (no,) in sql.rows(_NAME_BOOTS, {"r": rows})])
    sql.do(_WRITE_BEATS, {"r": rows, "f": fresh})


def assignment_at(session: Session, device_no: int, instant: datetime) -> DeviceAssignment | None:
    """Returns the assignment of the device that is in force at an instant; None if it belongs to no company then."""
    return session.scalar(
        select(DeviceAssignment)
        .where(
            DeviceAssignment.device_no == device_no,
            DeviceAssignment.starts_at <= instant,
            or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > instant),
        )
        .order_by(DeviceAssignment.starts_at.desc(), DeviceAssignment.id.desc())
        .limit(1)
    )


def lock_words(session: Session, row: Device | DeviceAssignment) -> None:
    """Locks a row with name and notes (a device's or an assignment's) until the transaction ends, and reads it
    again.
    """
    locks.record_row_lock(session, Lock.DEVICE_WORDS, [row.id])
    session.refresh(row, with_for_update={"key_share": True})


def assignments(session: Session, device_no: int) -> list[DeviceAssignment]:
    statement = select(DeviceAssignment).where(DeviceAssignment.device_no == device_no)
    return list(session.scalars(statement.order_by(DeviceAssignment.starts_at, DeviceAssignment.id)))


def device_nos_of(session: Session, company_id: str) -> list[int]:
    """Returns the numbers of the company's current devices in ascending order, as they must be locked."""
    statement = select(DeviceAssignment.device_no).distinct()
    statement = statement.where(DeviceAssignment.company_id == company_id, DeviceAssignment.ends_at.is_(None))
    return list(session.scalars(statement.order_by(DeviceAssignment.device_no)))


def devices_by_assignment(session: Session, company_id: str) -> dict[str, int]:
    """Returns a mapping from assignment id to device number, for all past and current assignments of the company."""
    statement = select(DeviceAssignment.id, DeviceAssignment.device_no).where(DeviceAssignment.company_id == company_id)
    return {row.id: row.device_no for row in session.execute(statement.order_by(DeviceAssignment.id))}


def late_stamps(session: Session) -> dict[str, int]:
    """Returns a mapping from the id of a purged company to the number of its stamps that arrived after the purge."""
    statement = select(BuriedAssignment.company_id, func.sum(BuriedAssignment.late)).group_by(
        BuriedAssignment.company_id
    )
    return {company_id: int(count) for company_id, count in session.execute(statement)}


def identified(session: Session, device_nos: Collection[int]) -> dict[int, tuple[str, str]]:
    """Returns a mapping from device number to (id, serial) for these devices."""
    if not device_nos:
        return {}
    rows = session.execute(select(Device.no, Device.id, Device.serial).where(Device.no.in_(list(device_nos))))
    return {row.no: (row.id, row.serial) for row in rows}


def name_at(
    company_id: SQLColumnExpression[Any], device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]
) -> ScalarSelect[str]:
    """Builds a subquery for the company's name of the device at an instant; null or empty without a name."""
    return (
        select(DeviceAssignment.name)
        .where(
            DeviceAssignment.company_id == company_id,
            DeviceAssignment.device_no == device_no,
            DeviceAssignment.starts_at <= instant,
            or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > instant),
        )
        .order_by(DeviceAssignment.starts_at.desc(), DeviceAssignment.id.desc())
        .limit(1)
        .scalar_subquery()
    )


def owned_at(company_id: str, device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]) -> Exists:
    """Builds a condition: the device belonged to the company at an instant."""
    return exists().where(
        DeviceAssignment.company_id == company_id,
        DeviceAssignment.device_no == device_no,
        DeviceAssignment.starts_at <= instant,
        or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > instant),
    )


def names_by_assignment(session: Session, company_id: str, ids: Collection[str]) -> list[tuple[str, str, datetime]]:
    """Returns (device id, name, assigned_at) of the company's assignments of these devices, oldest first."""
    rows = session.execute(
        select(Device.id, DeviceAssignment.name, DeviceAssignment.assigned_at)
        .join(DeviceAssignment, DeviceAssignment.device_no == Device.no)
        .where(DeviceAssignment.company_id == company_id, Device.id.in_(list(ids)))
        .order_by(DeviceAssignment.assigned_at, DeviceAssignment.starts_at, DeviceAssignment.id)
    )
    return [(device_id, name, assigned_at) for device_id, name, assigned_at in rows]


def serials(session: Session, ids: Collection[str]) -> dict[str, str]:
    rows = session.execute(select(Device.id, Device.serial).where(Device.id.in_(list(ids))))
    return {row.id: row.serial for row in rows}


def undelivered(session: Session, company_id: str, starts_at: datetime, ends_at: datetime) -> bool:
    """Returns whether a clock that belonged to the company in this period may still have stamps of that period to
    deliver.

    That holds for a clock whose newest heartbeat is older than `ends_at`, or reported a queue that was not empty.
    Withdrawn clocks and clocks without any heartbeat do not count, because they deliver nothing.
    """
    is_outstanding = or_(DeviceBeat.seen_at < ends_at, DeviceBeat.queue_depth > 0)
    statement = (
        select(DeviceBeat.device_no)
        .join(DeviceAssignment, DeviceAssignment.device_no == DeviceBeat.device_no)
        .join(Device, Device.no == DeviceBeat.device_no)
        .where(DeviceAssignment.company_id == company_id, DeviceAssignment.starts_at < ends_at)
        .where(or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > starts_at))
        .where(Device.revoked_at.is_(None), is_outstanding)
    )
    return session.execute(statement.limit(1)).first() is not None


def watched(session: Session, now: datetime, company_id: str | None) -> list[WatchedClock]:
    """Returns the assigned clocks that have sent a heartbeat since they were assigned, of one company or (None) of
    all.
    """
    beat = DeviceBeat
    statement = (
        select(
            DeviceAssignment.company_id,
            Device.no,
            DeviceAssignment.starts_at,
            *(beat.seen_at, beat.wall, beat.queue_depth, beat.queue_oldest, beat.disk_free_mb, beat.reader),
            *(beat.quality, beat.storage, beat.cert_days_left, beat.cert_days, Device.channel),
            *(func.coalesce(func.nullif(beat.version, ""), Device.version), beat.platform),
            *(beat.update_state, beat.update_version, Device.identity_conflict, DeviceLease.forked),
        )
        .join(DeviceAssignment, DeviceAssignment.device_no == Device.no)
        .join(beat, beat.device_no == Device.no)
        .join(DeviceLease, DeviceLease.device_no == Device.no)
        .where(DeviceAssignment.starts_at <= now, DeviceAssignment.ends_at.is_(None), Device.revoked_at.is_(None))
        .where(beat.seen_at >= DeviceAssignment.assigned_at)
    )
    if company_id is not None:
        statement = statement.where(DeviceAssignment.company_id == company_id)
    return [WatchedClock._make(row) for row in session.execute(statement)]


def had_reader(session: Session, device_nos: Collection[int], worked_since: datetime) -> set[int]:
    """Returns the numbers of those devices whose reader has worked at some moment since `worked_since`."""
    moment = DeviceMoment
    worked = exists().where(moment.device_no == Device.no, moment.at > worked_since, moment.reader == "ok")
    return set(session.scalars(select(Device.no).where(Device.no.in_(sorted(device_nos)), worked)))


def online(session: Session, heard_since: datetime) -> int:
    """Counts the devices whose newest heartbeat came after `heard_since`."""
    return session.scalar(select(func.count()).select_from(DeviceBeat).where(DeviceBeat.seen_at > heard_since)) or 0


def running(session: Session) -> dict[tuple[str, str], int]:
    """Counts the devices in use, by (channel, version of the newest heartbeat)."""
    statement = select(Device.channel, DeviceBeat.version, func.count()).join(Device, Device.no == DeviceBeat.device_no)
    statement = statement.where(Device.revoked_at.is_(None)).group_by(Device.channel, DeviceBeat.version)
    return {(channel, version): count for channel, version, count in session.execute(statement)}


def successors(session: Session, device_nos: Collection[int]) -> list[int]:
    """Returns the numbers of all devices that replace one of these, directly or through others in between.

    While the caller holds `Lock.LINEAGE`, no other transaction can add a successor.
    """
    statement = select(DevicePredecessor.device_no).where(DevicePredecessor.predecessor_no.in_(list(device_nos)))
    return list(session.scalars(statement))


def predecessors(session: Session, device_no: int) -> list[int]:
    """Returns the numbers of all devices that this one replaces, directly or through others in between."""
    statement = select(DevicePredecessor.predecessor_no).where(DevicePredecessor.device_no == device_no)
    return list(session.scalars(statement))


def unassigned_with_serial(session: Session, serial: str) -> list[Device]:
    """Returns the devices with this serial that are unassigned and not withdrawn."""
    owned = exists().where(DeviceAssignment.device_no == Device.no, DeviceAssignment.ends_at.is_(None))
    return list(session.scalars(select(Device).where(Device.serial == serial, Device.revoked_at.is_(None), ~owned)))


def moments(session: Session, device_no: int, starts_at: datetime, ends_at: datetime) -> list[DeviceMoment]:
    """Returns the device's moments in this period, oldest first. If there are more than the limit, the oldest are left
    out.
    """
    statement = select(DeviceMoment).where(
        DeviceMoment.device_no == device_no, DeviceMoment.at.between(starts_at, ends_at)
    )
    return list(session.scalars(statement.order_by(DeviceMoment.at.desc()).limit(MOMENTS_SHOWN)))[::-1]


def assignments_named(session: Session, device_no: int) -> list[tuple[DeviceAssignment, str]]:
    """Returns the device's assignments, newest first, each with the name of its company."""
    statement = select(DeviceAssignment, Company.name).join(Company, Company.id == DeviceAssignment.company_id)
    statement = statement.where(DeviceAssignment.device_no == device_no)
    rows = session.execute(statement.order_by(DeviceAssignment.starts_at.desc(), DeviceAssignment.id.desc()))
    return [(assignment, name) for assignment, name in rows]


def related(session: Session, device_nos: Collection[int]) -> list[dict[str, str]]:
    """Returns id and serial of these devices, in the order of their enrolment."""
    return [{"id": id_, "serial": serial} for _, (id_, serial) in sorted(identified(session, device_nos).items())]
