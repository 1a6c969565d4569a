"""The heartbeat: how a clock is, and what the cloud wishes of it."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.device_api import gaps, gate, problems, wire
from stempelwerk_cloud.device_api.contacts import assignment_member, replay_actions
from stempelwerk_cloud.device_api.gate import Call
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import clipped
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceBeat
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.schemas import format_instant
from stempelwerk_cloud.kit.statements import Sql, Writing
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.companies.dated import CompanySettings
from stempelwerk_cloud.timekeeping.entries import presence

HEARTBEAT_S = 30
MAX_BATCH_ADVICE = 50
NOBODY = "0"
_LARGEST = 2**53 - 1
_READERS = ("ok", "absent", "fault")


def heartbeat(session: Session, platform: Platform, call: Call, device: Device) -> dict[str, Any]:
    """The answer to a heartbeat of a device that was let in."""
    now = platform.clock.now()
    devices.beat(session, device, _heard(call, now))
    assigned = devices.assignment_now(session, device.no, now)
    assignment = assignment_member(session, assigned)
    if assignment is None:
        gate.spend_unassigned(platform, call)
    lease = devices.current_lease(session, device.no)
    company_id = None if assignment is None else assignment["companyId"]
    revision = NOBODY
    if assignment is not None:
        revision = str(presence.revision(session, assignment["companyId"], assignment["id"], now))
    return {
        "deviceId": device.id,
        "name": assigned.name or None if assigned else None,
        "serverId": devices.server_id(session, platform),
        "serverTime": format_instant(now),
        "lease": lease.pending,
        "assignment": assignment,
        "channel": device.channel,
        "peopleRevision": revision,
        "config": _config(_settings(session, company_id, now)),
        "update": None,
        "actions": replay_actions(lease.replay_since, _ask(session, device.no, now)),
    }


def _heard(call: Call, now: datetime) -> DeviceBeat:
    try:
        message = wire.read_object(call.request.body)
        wire.check_proto(message)
        clock = message.get("clock")
        if not isinstance(clock, dict) or not wire.is_uuid(clock.get("boot")) or _number(clock, "boottimeMs") is None:
            raise UnreadableMessage("clock")
    except UnknownProto:
        raise problems.unknown_proto() from None
    except UnreadableMessage:
        raise problems.unreadable("heartbeat") from None
    queue = _object(message, "queue")
    update = _object(message, "update")
    reader = message.get("reader")
    return DeviceBeat(
        seen_at=now,
        boot=clock["boot"].lower(),
        boottime_ms=clock["boottimeMs"],
        wall=clipped(clock.get("wall"))[:40],
        quality=clipped(clock.get("quality"))[:10],
        ip=clipped(message.get("ip")),
        mac=clipped(message.get("mac")),
        profile=clipped(message.get("profile")),
        version=clipped(message.get("version")),
        uptime_s=_number(message, "uptimeS"),
        queue_depth=_number(queue, "depth"),
        queue_oldest=clipped(queue.get("oldest"))[:40] or None,
        disk_free_mb=_number(queue, "diskFreeMb"),
        reader=reader if reader in _READERS else None,
        update_state=clipped(update.get("state")) or None,
        update_version=clipped(update.get("version")) or None,
    )


def _object(message: dict[str, Any], name: str) -> dict[str, Any]:
    value = message.get(name)
    return value if isinstance(value, dict) else {}


def _number(message: dict[str, Any], name: str) -> int | None:
    value = message.get(name)
    return value if type(value) is int and 0 <= value <= _LARGEST else None


def _settings(session: Session, company_id: str | None, now: datetime) -> CompanySettings:
    if company_id is None:
        return CompanySettings()
    zone = companies.rules_of(session, company_id).at(now).zone
    return companies.settings_now(session, company_id, local_day(now, zone))


def _config(settings: CompanySettings) -> dict[str, Any]:
    return {
        "heartbeatS": HEARTBEAT_S,
        "maxBatch": MAX_BATCH_ADVICE,
        "doubleTapSeconds": settings.double_tap_seconds,
        "maxShiftHours": settings.max_shift_hours,
        "askAfterHours": settings.ask_after_hours,
        "timeZone": settings.time_zone,
        "showBalance": settings.clock_shows_balance,
    }


def _ask(session: Session, device_no: int, now: datetime) -> list[tuple[str, int, int]]:
    """What to ask the clock to send again, each at most once an hour."""
    sql = Sql(session)
    epochs = gaps.read(sql, device_no)
    if not epochs:
        return []
    devices.lock(session, device_no)
    asked, changed = gaps.ask(gaps.read(sql, device_no), now)
    writing = Writing()
    gaps.write(writing, device_no, changed)
    writing.flush(sql)
    return asked
