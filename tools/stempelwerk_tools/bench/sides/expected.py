"""The expected entries for the taps of a benchmark: a second, plain statement of the rules, for the taps that it makes.

A person's taps are far apart, alternately Kommen and Gehen, and no two entries of a person belong to one shift. So
every two taps are an entry, whose break is the statutory one. The service must derive exactly these entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from operator import attrgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

_ZONE = ZoneInfo("Europe/Berlin")
_MINUTE_MS = 60_000


class Tap(NamedTuple):
    """A tap that was sent to the service: its tag and its time."""

    tag: str
    at_ms: int
    id: str


class Entry(NamedTuple):
    """An expected entry, with the columns of its table; `id` is its first stamp's, `date` local. Unknown values are
    None.
    """

    id: str
    user_id: str
    date: str
    start_ms: int
    end_ms: int | None
    start_minute: int
    end_minute: int | None
    raw_minutes: int | None
    break_minutes: int | None


def entries_of(taps: Iterable[Tap], holders: dict[str, str], first_ms: int) -> list[Entry]:
    """Returns the entries that these taps make from this time on: each holder's taps two by two, in order of time."""
    open_taps: dict[str, Tap] = {}
    pairs: list[tuple[Tap, Tap | None]] = []
    for tap in sorted(taps, key=attrgetter("at_ms")):
        begun = open_taps.pop(tap.tag, None)
        if begun is None:
            open_taps[tap.tag] = tap
        else:
            pairs.append((begun, tap))
    pairs += [(begun, None) for begun in open_taps.values()]
    return [_entry(begun, ended, holders[begun.tag]) for begun, ended in pairs if begun.at_ms >= first_ms]


def _entry(begun: Tap, ended: Tap | None, user_id: str) -> Entry:
    start = _local(begun.at_ms)
    start_columns = (begun.id, user_id, start.date().isoformat(), begun.at_ms)
    if ended is None:
        return Entry(*start_columns, None, _minute(start), None, None, None)
    raw = ended.at_ms // _MINUTE_MS - begun.at_ms // _MINUTE_MS
    pause = max(min(30, raw - 360), min(45, raw - 540), 0)
    return Entry(*start_columns, ended.at_ms, _minute(start), _minute(_local(ended.at_ms)), raw, pause)


def _local(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(_ZONE)


def _minute(local: datetime) -> int:
    return local.hour * 60 + local.minute
