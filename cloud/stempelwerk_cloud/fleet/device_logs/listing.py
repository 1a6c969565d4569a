"""Log lines of a company's clocks for its administrators, and the live updates of the pages that show them.

A company reads the lines that its clocks wrote while they belonged to it. The line's own time decides that. A line from
before the clock's enrolment counts by its arrival, because the clock's time was not set yet. Lines of the same time
keep the clock's order.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, case, or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment
from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN


class LogRow(Wire):
    """A log line of a clock. `createdAt` is the clock's own time."""

    id: str
    created_at: InstantField
    serial: str
    device_id: str
    code: str
    message: str
    meta: dict[str, Any] | None
    level: str


MODULE = "error_log"
MAX_SINGLE_EVENTS = 50
"""Maximum number of new lines of one upload that are sent to open pages one by one. For more lines the pages are asked
to reload the list.
"""
RELOAD_EVENT = {"type": "log"}
Level = Literal["info", "warn", "error"]


def page_of(
    session: Session, company_id: str, page_request: PageRequest, level: Level | None, text: str
) -> list[LogRow]:
    """Returns a page of the company's lines, newest first, and one more row if more follow. `text` must occur in
    serial, code or message.
    """
    conditions = [] if level is None else [DeviceLog.level == level]
    if text:
        columns = (Device.serial, DeviceLog.code, DeviceLog.message)
        conditions.append(or_(*(column.icontains(text, autoescape=True) for column in columns)))
    return _page(session, company_id, conditions, page_request)


def newest_until(session: Session, company_id: str, received_until: datetime, limit: int) -> list[LogRow]:
    """Returns the company's newest lines that had arrived by `received_until`, newest first."""
    return _page(session, company_id, [DeviceLog.received_at <= received_until], PageRequest(limit))[:limit]


def _page(
    session: Session, company_id: str, conditions: Sequence[ColumnElement[bool]], page_request: PageRequest
) -> list[LogRow]:
    written_at = case((DeviceLog.at < Device.enrolled_at, DeviceLog.received_at), else_=DeviceLog.at)
    statement = select(DeviceLog, Device).join(Device, Device.no == DeviceLog.device_no)
    statement = statement.where(devices.owned_at(company_id, DeviceLog.device_no, written_at))
    rows = page(
        session, statement, conditions, [written_at, DeviceLog.number, DeviceLog.id], page_request, descending=True
    )
    return [_row(line, device) for line, device in rows]


def publish_lines(session: Session, platform: Platform, device_no: int, lines: Sequence[DeviceLog]) -> None:
    """Publishes new lines, after the commit, to the companies that owned the clock when they were written."""
    owners = devices.owners(session, device_no) if lines else ()
    device = session.get(Device, device_no) if owners else None
    if device is None:
        return
    for topic, topic_lines in _by_topic(owners, device, lines).items():
        rows = [_row(line, device).model_dump(mode="json", by_alias=True) for line in topic_lines]
        events: Iterable[dict[str, Any]] = [{"type": "log", "log": row} for row in rows]
        for event in events if len(topic_lines) <= MAX_SINGLE_EVENTS else [RELOAD_EVENT]:
            platform.live.publish(session, [topic], event)


def topic_of(company_id: str) -> str:
    return f"device_logs:{company_id}"


def hears(hearer: Subscriber, modules: Collection[str]) -> list[str]:
    """Returns the topics of log lines that a subscriber receives: that of the company, for administrators of a company
    with the module.
    """
    if hearer.role != COMPANY_ADMIN or MODULE not in modules:
        return []
    return [topic_of(hearer.company_id)]


def _by_topic(
    owners: Sequence[DeviceAssignment], device: Device, lines: Sequence[DeviceLog]
) -> dict[str, list[DeviceLog]]:
    lines_by_topic: dict[str, list[DeviceLog]] = {}
    for line in lines:
        written_at: datetime = line.received_at if line.at < device.enrolled_at else line.at
        for owner in owners:
            if owner.starts_at <= written_at and (owner.ends_at is None or written_at < owner.ends_at):
                lines_by_topic.setdefault(topic_of(owner.company_id), []).append(line)
    return lines_by_topic


def _row(line: DeviceLog, device: Device) -> LogRow:
    return LogRow(
        id=line.id,
        created_at=line.at,
        serial=device.serial,
        device_id=device.id,
        code=line.code,
        message=line.message,
        meta=None if line.meta is None else json.loads(line.meta),
        level=line.level,
    )
