"""The heartbeat: how a clock is, and what the cloud wishes of it."""

from datetime import datetime
from typing import Any

from stempelwerk_cloud.device_api import gaps, gate, problems, standing, wire
from stempelwerk_cloud.device_api.contacts import replay_actions
from stempelwerk_cloud.device_api.gate import Call, Key
from stempelwerk_cloud.device_api.standing import Assigned
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import Heard, clipped
from stempelwerk_cloud.kit.db import to_ms
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.schemas import format_instant
from stempelwerk_cloud.kit.scopes import DEVICES
from stempelwerk_cloud.kit.statements import Sql, Writing
from stempelwerk_cloud.people.companies.dated import CompanySettings
from stempelwerk_cloud.timekeeping.entries import presence

HEARTBEAT_S = 30
MAX_BATCH_ADVICE = 50
NOBODY = "0"
_LARGEST = 2**53 - 1
_READERS = ("ok", "absent", "fault")


def heartbeat(platform: Platform, call: Call) -> dict[str, Any]:
    """Notes a heartbeat and answers it. It writes itself only where it has something to ask the clock for."""
    key, claim = gate.known(platform, call)
    now = platform.clock.now()
    with platform.database.read(DEVICES) as session:
        device = standing.read(session, key, now)
        gate.check_time(platform, claim)
        heard = _heard(call, key, now)
        if device.assigned is None:
            gate.spend_unassigned(platform, call)
        devices.note_beat(session, platform, heard, device.beat)
    missing = _ask(platform, key, now) if device.misses else []
    return {
        "deviceId": key.device_id,
        "name": device.name or None,
        "serverId": device.server_id or _draw_server_id(platform),
        "serverTime": format_instant(now),
        "lease": device.lease,
        **_company_members(key, device.assigned, now),
        "channel": device.channel,
        "update": None,
        "actions": replay_actions(device.replay_since, missing),
    }


def _company_members(key: Key, assigned: Assigned | None, now: datetime) -> dict[str, Any]:
    if assigned is None:
        return {"assignment": None, "peopleRevision": NOBODY, "config": _config(CompanySettings())}
    hours = assigned.settings.clock_shows_balance
    revision = presence.revision(key.device_id, assigned.id, assigned.newest, assigned.rules, now, hours=hours)
    named = {"id": assigned.id, "companyId": assigned.company_id, "companyName": assigned.company_name}
    return {"assignment": named, "peopleRevision": str(revision), "config": _config(assigned.settings)}


def _draw_server_id(platform: Platform) -> str:
    with platform.database.write(DEVICES) as session:
        return devices.server_id(session, platform)


def _heard(call: Call, key: Key, now: datetime) -> Heard:
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
    return Heard(
        device_no=key.device_no,
        seen_ms=to_ms(now),
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


def _ask(platform: Platform, key: Key, now: datetime) -> list[tuple[str, int, int]]:
    """What to ask the clock to send again, each at most once an hour."""
    with platform.database.write(DEVICES) as session:
        devices.lock(session, key.device_no)
        sql = Sql(session)
        asked, changed = gaps.ask(gaps.read(sql, key.device_no), now)
        writing = Writing()
        gaps.write(writing, key.device_no, changed)
        writing.flush(sql)
        return asked
