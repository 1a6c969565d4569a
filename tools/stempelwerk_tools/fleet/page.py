"""Checks the operator's list of clocks: requests it again and again, and compares it with what the lines have recorded.

A clock must be shown as online from 2 s after its heartbeat was answered until 90 s after it was sent, and as away 2 s
after 90 s without any heartbeat that can have arrived. In between, and while a heartbeat is on its way, nothing is
asserted: late events (the heartbeat, its answer, the list itself) fall into that gap.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

import httpx

from stempelwerk_tools.fleet.clocks import FleetClock

SHOWN_WITHIN_S = 2.0
AWAY_AFTER_S = 90.0
_SAME = timedelta(milliseconds=50)  # for the reading of one clock by two processes


class Since(NamedTuple):
    """Ages in seconds when the list was requested. `sent_s`, `answered_s`: since the clock's last answered heartbeat
    was sent and was answered. `unheard_s`: since when no heartbeat can have arrived, as known when the list arrives.

    A negative age: a heartbeat is or was on its way meanwhile.
    """

    sent_s: float
    answered_s: float
    unheard_s: float


@dataclass
class Page:
    """The observations of the list: `looks` is the number of requests, `seconds` the time of each; `wrong` describes
    each error.
    """

    looks: int = 0
    claims: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    async def look(self, office: httpx.AsyncClient, clocks: Collection[FleetClock]) -> None:
        """Checks the whole list once."""
        asked_s = time.monotonic()
        due = {
            clock.serial: (clock, clock.beat_at, asked_s - clock.beat_s, asked_s - clock.beaten_s)
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
                clock, beat_at, sent_s, answered_s = due[row["serial"]]
                claimed = Since(sent_s, answered_s, asked_s - clock.unheard_s)
                self.compare(row["serial"], row["isOnline"], row["lastSeen"], beat_at, claimed, took_s)

    def compare(
        self, serial: str, online: bool, last_seen: str | None, beat_at: datetime, timing: Since, took_s: float
    ) -> None:
        """Checks a row of an answer that took `took_s`, for a clock whose last answered beat was sent at `beat_at`."""
        if timing.answered_s >= SHOWN_WITHIN_S and timing.sent_s + took_s < AWAY_AFTER_S:
            self.claims += 1
            if not online or last_seen is None or datetime.fromisoformat(last_seen) < beat_at - _SAME:
                self.wrong.append(
                    f"{serial}: {timing.answered_s:.1f} s after its beat of {beat_at} it is {online=}, {last_seen=}"
                )
        elif timing.unheard_s > AWAY_AFTER_S + SHOWN_WITHIN_S:
            self.claims += 1
            if online:
                self.wrong.append(f"{serial}: {timing.unheard_s:.1f} s after its last beat it is still there")
