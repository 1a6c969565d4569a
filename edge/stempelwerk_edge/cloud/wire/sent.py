"""The clock's messages: enrolment, heartbeats, batches, log lines, people's answers."""

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from stempelwerk_edge.cloud.wire.formats import instant_text
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.machine.trusted_time import Anchor, Reading
from stempelwerk_edge.storage.rows import Draft, Epoch, GoneAnswer, Row

PROTO = 1
ENROLL = "/api/devices/enroll"
HEARTBEAT = "/api/devices/heartbeat"
STAMPS = "/api/devices/stamps"
PEOPLE = "/api/devices/people"
LOGS = "/api/devices/logs"
ANSWERS = "/api/devices/answers"
UPDATE = "/api/clocks/{}/update"
UPDATES = "/api/updates/"
LARGEST_FILE = 32 << 20
"""The largest file of a release in bytes. A clock reads it into memory as a whole."""
_LARGEST_NUMBER = 2**53 - 1
_LONGEST_WORD = 64


def sentence(text: str) -> str:
    """Returns the text in a form that a message allows: without U+0000, and with a mark for each invalid character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def word(text: str) -> str:
    """Returns the text as the contract allows it for names of things: 1 to 64 characters."""
    return sentence(text)[:_LONGEST_WORD] or "-"


def plain(value: object) -> Any:
    """Returns the value with types that JSON has and texts that a message allows; any other value becomes a text."""
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _LARGEST_NUMBER):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, Mapping):
        return {sentence(str(key)): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return sentence(str(value))


def encode(message: Mapping[str, Any]) -> bytes:
    """Returns a message as the bytes of a request's body."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def introduction(public_key: bytes) -> dict[str, Any]:
    """Returns the members of an enrolment that suffice to judge its signature, but not to enrol. `check` uses them."""
    return {"proto": PROTO, "publicKey": base64.b64encode(public_key).decode()}


def enrolment(hardware: Hardware, profile: str, version: str, public_key: bytes) -> dict[str, Any]:
    """Returns the enrolment's body."""
    return {
        "proto": PROTO,
        "serial": word(hardware.serial),
        "mac": word(hardware.mac),
        "profile": word(profile),
        "version": word(version),
        "hardwareId": word(hardware.hardware_id),
        "publicKey": base64.b64encode(public_key).decode(),
    }


@dataclass(frozen=True, slots=True)
class Condition:
    """The clock's condition as a heartbeat reports it.

    `scanners` have the form of the contract. `update`: state and version of the update under way. `certificate`: the
    days that the cloud's certificate has left, and its whole lifetime; None while that is unknown.
    """

    version: str
    profile: str
    ip: str | None
    mac: str
    uptime_s: int
    reading: Reading
    queue_depth: int
    queue_oldest: datetime | None
    disk_free_mb: int
    reader: str
    scanners: Sequence[Mapping[str, Any]] = ()
    platform: str | None = None
    update: tuple[str, str] | None = None
    storage: str = "ok"
    certificate: tuple[int, int] | None = None


def heartbeat(condition: Condition) -> dict[str, Any]:
    """Returns the heartbeat's body."""
    return {
        "proto": PROTO,
        "version": condition.version,
        "profile": condition.profile,
        "ip": condition.ip,
        "mac": condition.mac,
        "uptimeS": condition.uptime_s,
        "clock": _reading(condition.reading),
        "queue": {
            "depth": condition.queue_depth,
            "oldest": None if condition.queue_oldest is None else instant_text(condition.queue_oldest),
            "diskFreeMb": condition.disk_free_mb,
        },
        "reader": condition.reader,
        "update": None if condition.update is None else dict(zip(("state", "version"), condition.update, strict=True)),
        "platform": condition.platform,
        "storage": condition.storage,
        "certificate": (
            None
            if condition.certificate is None
            else dict(zip(("daysLeft", "days"), condition.certificate, strict=True))
        ),
        **({"scanners": plain(condition.scanners)} if condition.scanners else {}),
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "wall": instant_text(reading.wall),
        "boot": reading.boot,
        "boottimeMs": reading.boottime_ms,
        "quality": reading.quality.value,
    }


def stamp(seq: int, draft: Draft) -> dict[str, Any]:
    """Returns one stamp of a batch."""
    return {
        "id": draft.id,
        "seq": seq,
        "assignment": draft.assignment,
        "tag": draft.tag,
        "direction": draft.direction,
        **_reading(draft.reading),
        "via": draft.via,
        "shown": draft.shown,
    }


def batch(
    identifier: str,
    lease: int | None,
    lease_from: str | None,
    epoch: Epoch,
    rows: Sequence[Row],
    lost_ranges: Sequence[tuple[int, int]],
    anchors: Sequence[Anchor],
) -> dict[str, Any]:
    """Returns the body of a batch."""
    previous = None if epoch.previous is None else {"epoch": epoch.previous, "lastSeq": epoch.previous_last_seq}
    return {
        "proto": PROTO,
        "batch": identifier,
        "lease": lease,
        "leaseFrom": lease_from,
        "epoch": epoch.id,
        "previous": previous,
        "gone": [list(part) for part in lost_ranges],
        "anchors": [
            {
                "boot": anchor.boot,
                "boottimeMs": anchor.boottime_ms,
                "serverTime": instant_text(anchor.server_time),
                "rttMs": anchor.rtt_ms,
            }
            for anchor in anchors
        ],
        "stamps": [stamp(row.seq, row.draft) for row in rows],
    }


def logs(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the body of a log upload; an entry has id, at (datetime), level, code, message, meta."""
    return {"entries": [{**entry, "at": instant_text(entry["at"])} for entry in entries]}


def answers(gone_answers: Sequence[GoneAnswer]) -> dict[str, Any]:
    """Returns the body of people's answers about a missing Gehen."""
    return {
        "answers": [
            {
                "id": answer.id,
                "stampId": answer.stamp_id,
                "date": answer.date,
                "newEnd": answer.new_end,
                "at": instant_text(answer.at),
            }
            for answer in gone_answers
        ]
    }
