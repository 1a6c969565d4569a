"""Use cases of device logs, and the interface for other rooms. Each line is stored once and deleted after a week."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.device_logs import listing
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger(__name__)
RETENTION = timedelta(days=7)
_BY_ID = attrgetter("id")
_NEWEST_FIRST = (DeviceLog.received_at.desc(), DeviceLog.number.desc(), DeviceLog.id.desc())


def store_lines(session: Session, platform: Platform, lines: Sequence[DeviceLog]) -> set[str]:
    """Stores lines of one device, publishes the new ones to open pages, and returns the ids of the new ones."""
    if not lines:
        return set()
    for number, line in enumerate(lines, _next_number(session, lines[0].device_no)):
        line.number = number
    names = [column.key for column in DeviceLog.__table__.columns]
    # Sorted, so that two uploads of the same lines cannot deadlock.
    rows = {line.id: {name: getattr(line, name) for name in names} for line in sorted(lines, key=_BY_ID)}
    insertion = upsert(session, DeviceLog).values(list(rows.values())).on_conflict_do_nothing().returning(DeviceLog.id)
    new = set(session.scalars(insertion))
    listing.publish_lines(session, platform, lines[0].device_no, [line for line in lines if line.id in new])
    return new


def newest_error(session: Session, device_no: int) -> DeviceLog | None:
    """Returns the newest error about the clock, whether the clock or the service logged it; else None."""
    statement = select(DeviceLog).where(DeviceLog.device_no == device_no, DeviceLog.level == "error")
    return session.scalar(statement.order_by(*_NEWEST_FIRST).limit(1))


def newest_of(session: Session, device_no: int, limit: int) -> Sequence[DeviceLog]:
    """Returns the newest lines about the clock, newest first, whichever company owned it. They include the service's
    lines.
    """
    statement = select(DeviceLog).where(DeviceLog.device_no == device_no)
    return session.scalars(statement.order_by(*_NEWEST_FIRST).limit(limit)).all()


def with_errors(session: Session, starts_at: datetime, ends_at: datetime) -> set[int]:
    """Returns the numbers of the devices with an error that arrived from `starts_at` up to `ends_at` (exclusive)."""
    statement = select(DeviceLog.device_no).where(DeviceLog.received_at >= starts_at, DeviceLog.received_at < ends_at)
    return set(session.scalars(statement.where(DeviceLog.level == "error").distinct()))


def note(
    session: Session,
    platform: Platform,
    device_no: int,
    level: str,
    code: str,
    message: str,
    meta: Mapping[str, Any] | None = None,
) -> None:
    """Adds a line that the service itself writes about a device. It is listed among the lines of the clock."""
    now = platform.clock.now()
    line = DeviceLog(
        device_no=device_no,
        id=platform.ids.new(),
        at=now,
        received_at=now,
        number=_next_number(session, device_no),
        level=level,
        code=code,
        message=message,
        meta=None if meta is None else json.dumps(meta, ensure_ascii=False),
    )
    session.add(line)
    session.flush()
    listing.publish_lines(session, platform, device_no, [line])
    log.warning("device", device_no=device_no, code=code, meta=meta)


def _next_number(session: Session, device_no: int) -> int:
    newest = session.scalar(select(func.max(DeviceLog.number)).where(DeviceLog.device_no == device_no))
    return (newest or 0) + 1
