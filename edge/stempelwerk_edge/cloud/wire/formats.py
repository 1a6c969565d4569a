"""Instants, days and the canonical form, as the contract spells them."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from stempelwerk_edge.machine.clock import milliseconds

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def instant_text(instant: datetime) -> str:
    """Returns ISO 8601 in UTC with milliseconds and Z."""
    text = instant.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def read_instant(value: object) -> datetime | None:
    """Reads an instant with its zone, cut to milliseconds; None if it is not valid."""
    if not isinstance(value, str) or not _INSTANT.fullmatch(value):
        return None
    try:
        return milliseconds(datetime.fromisoformat(value))
    except (ValueError, OverflowError):
        return None


def read_day(value: object) -> date | None:
    """Reads a day; None if it is not valid."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def read_time(value: object) -> time | None:
    """Returns the local time that `HH:MM` spells, or None for any other value."""
    return time.fromisoformat(value) if isinstance(value, str) and _TIME.fullmatch(value) else None


def canonical_form(stamp: Mapping[str, Any]) -> bytes:
    """Returns the eleven members of a stamp in canonical form, as bytes. Two stamps with one id are variants if it
    differs.
    """
    members = {name: stamp.get(name) for name in _STAMP_MEMBERS}
    for name in ("id", "boot"):
        members[name] = str(members[name]).lower()
    return json.dumps(members, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def digest(stamp: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical_form(stamp)).hexdigest()


_STAMP_MEMBERS = (
    "assignment",
    "boot",
    "boottimeMs",
    "direction",
    "id",
    "quality",
    "seq",
    "shown",
    "tag",
    "via",
    "wall",
)
