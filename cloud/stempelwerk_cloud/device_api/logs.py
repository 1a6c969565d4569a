"""Log lines that clocks send. Each line is stored once; an invalid line does not prevent storing the others."""

from datetime import datetime
from typing import Any

import msgspec

from stempelwerk_cloud.device_api import answers, wire
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.platform import Platform

ENTRIES_LIMIT = 500
MESSAGE_LIMIT = 2000
META_LIMIT = 10_000
_LEVELS = ("info", "warn", "error")


def keep_logs(platform: Platform, call: Call) -> dict[str, Any]:
    """Stores the log lines in a call, and returns the body of the response. The lines are parsed outside of any
    transaction.
    """
    key, _claim = gate.authenticate(platform, call)
    now = platform.clock.now()
    gate.admit_sender(platform, call, key)
    entries = answers.read(call, "logs", "entries", ENTRIES_LIMIT)
    lines = [_line(entry, key.device_no, now) for entry in entries]
    with platform.database.write(DEVICES) as tx:
        gate.device_of(tx, key)
        fresh = device_logs.store_lines(tx, platform, [line for line in lines if line is not None])
    results = []
    for entry, line in zip(entries, lines, strict=True):
        outcome = "rejected" if line is None else "stored" if line.id in fresh else "duplicate"
        if line is not None:
            fresh.discard(line.id)
        sent_id = entry.get("id") if isinstance(entry, dict) else None
        results.append({"id": sent_id if isinstance(sent_id, str) else None, "outcome": outcome})
    return {"results": results}


def _line(entry: Any, device_no: int, now: datetime) -> DeviceLog | None:
    """Parses a log line. Returns None if it does not have the form that the contract defines."""
    if not isinstance(entry, dict) or not wire.is_uuid(entry.get("id")) or entry.get("level") not in _LEVELS:
        return None
    code, message, meta = entry.get("code"), entry.get("message"), entry.get("meta")
    if not wire.is_text(code) or not wire.is_text(message, min_length=0, max_length=MESSAGE_LIMIT):
        return None
    if not (meta is None or isinstance(meta, dict)):
        return None
    try:
        logged_at = from_ms(wire.instant_ms(entry["at"]))
    except (KeyError, TypeError, ValueError):
        return None
    text = None if meta is None else msgspec.json.encode(meta).decode()
    if text is not None and len(text) > META_LIMIT:
        text = "{}"
    return DeviceLog(
        device_no=device_no,
        id=entry["id"].lower(),
        at=logged_at,
        received_at=now,
        level=entry["level"],
        code=code,
        message=message,
        meta=text,
    )
