"""The heartbeat: a clock reports its state, and the answer contains its settings and what the service requests from it.

Heartbeats that arrive together are answered together (`gathering.py`), so that one statement reads the state of their
devices. Each can be refused on its own.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from stempelwerk_cloud.device_api import wire, words
from stempelwerk_cloud.device_api.beats import device_state
from stempelwerk_cloud.device_api.beats.contacts import mark_of, replay_actions
from stempelwerk_cloud.device_api.beats.device_state import Assigned, DeviceState
from stempelwerk_cloud.device_api.delivery import gaps
from stempelwerk_cloud.device_api.delivery.gathering import GroupCommit
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Call, Key
from stempelwerk_cloud.device_api.signed.signatures import Claim
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.domain.opening import next_closed
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.reported.beats import Heard
from stempelwerk_cloud.fleet.devices.service import clipped
from stempelwerk_cloud.fleet.rollouts import service as rollouts
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.database.statements import RowBuffer, Sql
from stempelwerk_cloud.kit.dated import DEFAULTS, InForce
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.directory.companies import TIME_ZONE
from stempelwerk_cloud.planning.facts.hours import OPENING_HOURS, OpeningHours
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.times import clock_people

HEARTBEAT_S = 30
MAX_BATCH_ADVICE = 50
NOBODY = "0"
_LARGEST = 2**53 - 1
_READERS = ("ok", "absent", "fault")
_STORAGES = ("ok", "failed", "replaced")
_MOST_SCANNERS = 24


class Heartbeat(NamedTuple):
    """A heartbeat with a valid signature."""

    call: Call
    key: Key
    claim: Claim

    @property
    def size(self) -> int:
        return self.call.size


class Owing(NamedTuple):
    """A heartbeat that can be answered only after a write to the database. `noted` False: the heartbeat itself is not
    noted yet, because one of an earlier boot must be written first.

    `_settle` does the write outside of the group, so that no other heartbeat waits for the disk.
    """

    key: Key
    device: DeviceState
    heard: Heard
    noted: bool


Outcome = bytes | Owing | Exception


async def heartbeat(platform: Platform, call: Call) -> bytes:
    """Notes a heartbeat and returns its encoded answer. Writes to the database at once only if necessary, for example
    to record that rows are requested from the clock.
    """
    with platform.bulkheads.beats.permit():
        key, claim = await gate.authenticate_soon(platform, call)
        outcome = await _GATHERING.of(platform).answer(Heartbeat(call, key, claim))
        if isinstance(outcome, Owing):
            outcome = await platform.bulkheads.clocks.run(_settle, platform, outcome)
    devices.wake_beat_writer(platform)
    return outcome


def answer_all(platform: Platform, heartbeats: Sequence[Heartbeat]) -> list[Outcome]:
    """Parses and notes a group of heartbeats on a worker thread. Returns for each its answer, its error, or an `Owing`
    if its answer needs a write first.
    """
    now = platform.clock.now()
    heard = [_read(beat, now) for beat in heartbeats]
    queries = [
        (beat.key.device_no, reading.boot if isinstance(reading, Heard) else None)
        for beat, reading in zip(heartbeats, heard, strict=True)
    ]
    states = device_state.read(platform.database, queries, now)
    outcomes: list[Outcome] = []
    for beat, reading, device in zip(heartbeats, heard, states, strict=True):
        try:
            outcomes.append(_note(platform, beat, reading, device, now))
        except Exception as error:  # it concerns only this heartbeat
            outcomes.append(error)
    return outcomes


_GATHERING: Slot[Platform, GroupCommit[Heartbeat, bytes | Owing]] = Slot(
    lambda platform: GroupCommit(platform, answer_all, platform.bulkheads.beats)
)
"""The group commit for the heartbeats of this process."""


def _settle(platform: Platform, owing: Owing) -> bytes:
    """Does the write that an answer waits for, and returns the encoded answer."""
    now = platform.clock.now()
    if not owing.noted:
        devices.note_next_beat(platform, owing.heard)
    gate.check_own_time(platform)  # before a request for rows is recorded
    server_id = owing.device.server_id or _draw_server_id(platform)
    missing = _ask(platform, owing.key, now) if owing.device.misses else []
    return _answer(platform, owing, server_id, missing, now)


def _note(
    platform: Platform, beat: Heartbeat, reading: Heard | Exception, state: DeviceState | None, now: datetime
) -> bytes | Owing:
    device = device_state.admit(platform, beat.key, beat.claim, state)
    if device.assigned is None:
        gate.spend_unassigned(platform, beat.call)
    if isinstance(reading, Exception):
        raise reading
    noted = devices.note_beat(platform, reading, device.beat, is_known_boot=device.is_boot_known)
    if not noted or device.misses or device.server_id is None:
        return Owing(beat.key, device, reading, noted)
    return _answer(platform, Owing(beat.key, device, reading, noted), device.server_id, [], now)


def _answer(
    platform: Platform, owing: Owing, server_id: str, missing: list[tuple[str, int, int]], now: datetime
) -> bytes:
    """Returns the encoded answer to a heartbeat that is already noted. Raises 503 `time_in_doubt`."""
    gate.check_own_time(platform)
    key, device, heard, _ = owing
    hint = rollouts.hint(platform, key.device_no, device.channel, heard.version, heard.platform)
    answer = {
        "deviceId": key.device_id,
        "name": device.name or None,
        "serverId": server_id,
        "serverTime": format_instant(now),
        "lease": device.lease,
        "answersMark": mark_of(device.answers_mark),
        **_company_members(key, device.assigned, now),
        "channel": device.channel,
        "update": None if hint is None else _update(hint, device.assigned, now),
        "actions": replay_actions(device.replay_since, missing),
    }
    return wire.encode(answer)


def _company_members(key: Key, assigned: Assigned | None, now: datetime) -> dict[str, Any]:
    if assigned is None:
        return {"assignment": None, "peopleRevision": NOBODY, "config": _config(DEFAULTS)}
    hours = assigned.in_force[settings.CLOCK_SHOWS_BALANCE]
    revision = clock_people.revision(key.device_id, assigned.id, assigned.newest, assigned.rules, now, hours=hours)
    assignment = {"id": assigned.id, "companyId": assigned.company_id, "companyName": assigned.company_name}
    return {"assignment": assignment, "peopleRevision": str(revision), "config": _config(assigned.in_force)}


def _update(hint: rollouts.Hint, assigned: Assigned | None, now: datetime) -> dict[str, Any]:
    return {"version": hint.version} | ({"now": True} if hint.at_once else {}) | _quiet(assigned, now)


def _quiet(assigned: Assigned | None, now: datetime) -> dict[str, Any]:
    """Returns `quiet`, the next span when the clock's company is closed: the clock installs its update then. Empty
    without a company or without closing times.
    """
    if assigned is None:
        return {}
    opening: OpeningHours = assigned.in_force[OPENING_HOURS]
    closed = next_closed(opening, now, assigned.rules.at(now).zone, lambda day: assigned.holidays.on(day) is not None)
    return {} if closed is None else {"quiet": dict(zip(("from", "until"), map(format_instant, closed), strict=True))}


def _draw_server_id(platform: Platform) -> str:
    with platform.database.write(DEVICES) as session:
        return devices.server_id(session, platform)


def _read(beat: Heartbeat, now: datetime) -> Heard | Exception:
    """Parses a heartbeat. Returns the error instead of raising it, so that the others of the group are still
    answered.
    """
    try:
        return _heard(beat.call, beat.key, now)
    except Exception as error:
        return error


def _heard(call: Call, key: Key, now: datetime) -> Heard:
    try:
        message = wire.read_object(call.request.body)
        wire.check_proto(message)
        clock = message.get("clock")
        if not isinstance(clock, dict) or not wire.is_uuid(clock.get("boot")) or _number(clock, "boottimeMs") is None:
            raise UnreadableMessage("clock")
    except UnknownProto:
        raise words.unknown_proto() from None
    except UnreadableMessage:
        raise words.unreadable("heartbeat") from None
    queue = _object(message, "queue")
    update = _object(message, "update")
    certificate = _object(message, "certificate")
    reader, storage = message.get("reader"), message.get("storage")
    return Heard(
        device_no=key.device_no,
        seen_ms=ms_of(now),
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
        scanners=_scanners(message.get("scanners")),
        platform=clipped(message.get("platform")) or None,
        storage=storage if storage in _STORAGES else None,
        cert_days_left=_number(certificate, "daysLeft"),
        cert_days=_number(certificate, "days"),
    )


def _scanners(value: object) -> str | None:
    """Returns the clock's scanners as JSON for the column `DeviceBeat.scanners`, with the names of `ScannerRow`. None
    without any. Entries without a serial are skipped.
    """
    scanners = (
        [scanner for scanner in value[:_MOST_SCANNERS] if isinstance(scanner, dict)] if isinstance(value, list) else []
    )
    rows = [_scanner(scanner) for scanner in scanners if clipped(scanner.get("serial"))]
    return wire.encode(rows).decode() if rows else None


def _scanner(scanner: dict[str, Any]) -> dict[str, Any]:
    log, battery, reader, last_seen_text = (
        _object(scanner, "log"),
        _number(scanner, "battery"),
        scanner.get("reader"),
        scanner.get("lastSeen"),
    )
    try:
        last_seen = (
            None if not isinstance(last_seen_text, str) else format_instant(from_ms(wire.instant_ms(last_seen_text)))
        )
    except ValueError:
        last_seen = None
    return {
        "serial": clipped(scanner["serial"]),
        "board": clipped(scanner.get("board")),
        "version": clipped(scanner.get("version")),
        "battery": battery if battery is None or battery <= 100 else None,
        "charging": scanner.get("charging") is True,
        "used": _number(log, "used"),
        "capacity": _number(log, "capacity"),
        "overflow": _number(scanner, "overflow"),
        "reader": reader if reader in _READERS else None,
        "lastSeen": last_seen,
        "connected": scanner.get("connected") is True,
    }


def _object(message: dict[str, Any], name: str) -> dict[str, Any]:
    value = message.get(name)
    return value if isinstance(value, dict) else {}


def _number(message: dict[str, Any], name: str) -> int | None:
    value = message.get(name)
    return value if type(value) is int and 0 <= value <= _LARGEST else None


def _config(in_force: InForce) -> dict[str, Any]:
    return {
        "heartbeatS": HEARTBEAT_S,
        "maxBatch": MAX_BATCH_ADVICE,
        "doubleTapSeconds": in_force[settings.DOUBLE_TAP_SECONDS],
        "maxShiftHours": in_force[settings.MAX_SHIFT_HOURS],
        "askAfterHours": in_force[settings.ASK_AFTER_HOURS],
        "timeZone": in_force[TIME_ZONE],
        "showBalance": in_force[settings.CLOCK_SHOWS_BALANCE],
    }


def _ask(platform: Platform, key: Key, now: datetime) -> list[tuple[str, int, int]]:
    """Returns the ranges (epoch, first row, last row) that the clock should send again, and records the request. The
    same rows are requested at most once an hour.
    """
    with platform.database.write(DEVICES) as session:
        devices.lock(session, key.device_no)
        sql = Sql(session)
        asked_ranges, changed = gaps.ask(gaps.read(sql, key.device_no), now)
        writing = RowBuffer()
        gaps.write(writing, key.device_no, changed)
        writing.flush(sql)
        return asked_ranges
