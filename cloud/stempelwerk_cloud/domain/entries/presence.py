"""A person's presence: in or out, since when, and the minutes worked. A clock needs it to greet them.

The module only evaluates derived entries. The minutes are those of complete entries; the display of the clock adds the
running time from `since` on.
"""

import hashlib
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.derivation import Entry, view
from stempelwerk_cloud.domain.instants import DAY, local_day
from stempelwerk_cloud.domain.settings import DatedRules

SPREAD_S = 600
"""Clocks learn of a new day one after the other, within this number of seconds after midnight, to spread the load."""


class Presence(NamedTuple):
    """A person's presence at a moment. `since`: the start of the running entry, or the last known end; None if neither
    is known.
    """

    state: Literal["in", "out"]
    since: datetime | None
    today_minutes: int
    week_minutes: int


def week_of(day: date) -> tuple[date, date]:
    """Returns Monday and Sunday of the day's week."""
    monday = day - day.weekday() * DAY
    return monday, monday + 6 * DAY


def announced_day(device_id: str, now: datetime, zone: ZoneInfo) -> date:
    """Returns the local day that a clock shows. It changes some minutes after midnight, at a different time for each
    clock.
    """
    digest = hashlib.sha256(device_id.encode()).digest()
    return local_day(now - timedelta(seconds=int.from_bytes(digest[:4]) % SPREAD_S), zone)


def presence(entries: Iterable[Entry], now: datetime, rules: DatedRules) -> Presence:
    """Returns the presence at `now` from a person's entries of about this week, which are sorted. The day is the
    company's local day.
    """
    today = local_day(now, rules.at(now).zone)
    monday, _ = week_of(today)
    running: datetime | None = None
    last_end: datetime | None = None
    today_minutes = week_minutes = 0
    for entry in entries:
        if entry.end_at is not None:
            last_end = entry.end_at if last_end is None else max(last_end, entry.end_at)
        elif view(entry, now, rules).running:
            running = entry.start_at
        if entry.net_minutes is not None and monday <= entry.date <= today:
            week_minutes += entry.net_minutes
            if entry.date == today:
                today_minutes += entry.net_minutes
    if running is not None:
        return Presence("in", running, today_minutes, week_minutes)
    return Presence("out", last_end, today_minutes, week_minutes)
