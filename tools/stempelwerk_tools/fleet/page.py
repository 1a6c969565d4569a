"""Whether the operator's list of clocks says what is so: it is asked all the while, and held against the lines.

A clock is there 2 s after its beat, and away 2 s after the 90 s that a clock counts as there without one. Between them
nothing is claimed, nor while a beat may be on its way.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import httpx

from stempelwerk_tools.fleet.clocks import FleetClock

SHOWN_WITHIN_S = 2.0
AWAY_AFTER_S = 90.0
_SAME = timedelta(milliseconds=50)  # of the time that one process and another read from one clock


@dataclass
class Page:
    """What was looked at: `looks` at all clocks, `seconds` for each; `wrong` says what was not as it should."""

    looks: int = 0
    claims: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    async def look(self, office: httpx.AsyncClient, clocks: Collection[FleetClock]) -> None:
        """One look at the whole list."""
        asked_s = time.monotonic()
        due = {
            clock.serial: (asked_s - clock.beaten_s, asked_s - clock.sent_s, clock.beat_at)
            for clock in clocks
            if clock.beat_at is not None
        }
        try:
            answer = await office.get("/api/devices")
            answer.raise_for_status()
        except httpx.HTTPError as fault:
            self.wrong.append(f"the list cannot be read: {type(fault).__name__} {fault}")
            return
        took_s = time.monotonic() - asked_s
        self.looks += 1
        self.seconds.append(took_s)
        for row in answer.json():
            if row["serial"] in due:
                self.compare(row["serial"], row["isOnline"], row["lastSeen"], *due[row["serial"]], took_s)

    def compare(
        self, serial: str, online: bool, seen: str | None, age_s: float, sent_s: float, beat_at: datetime, took_s: float
    ) -> None:
        """What a row of an answer that took `took_s` says of a clock whose last answered beat was `age_s` before the
        asking, and the last that it sent `sent_s`.
        """
        if age_s >= SHOWN_WITHIN_S and age_s + took_s < AWAY_AFTER_S:
            self.claims += 1
            if not online or seen is None or datetime.fromisoformat(seen) < beat_at - _SAME:
                self.wrong.append(f"{serial}: {age_s:.1f} s after its beat of {beat_at} it is {online=}, {seen=}")
        elif sent_s > AWAY_AFTER_S + SHOWN_WITHIN_S:
            self.claims += 1
            if online:
                self.wrong.append(f"{serial}: {sent_s:.1f} s after its last beat it is still there")
