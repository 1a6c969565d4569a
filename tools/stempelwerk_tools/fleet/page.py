"""Whether the operator's list of clocks says what is so: it is asked all the while, and held against the lines.

A clock is there from 2 s after its beat was answered until 90 s after it was sent, and away 2 s after the 90 s in
which none can have been heard. Between them nothing is claimed, nor while a beat is on its way: what comes late (the
beat, its answer, the list itself) lies between the two.
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
_SAME = timedelta(milliseconds=50)  # of the time that one process and another read from one clock


class Since(NamedTuple):
    """How long before the list was asked for a clock's last answered beat was sent, and answered; and how long before
    that none can have been heard, as is known when the list is there. Negative: a beat is on its way, or was meanwhile.
    """

    sent_s: float
    answered_s: float
    unheard_s: float


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
        self, serial: str, online: bool, seen: str | None, beat_at: datetime, since: Since, took_s: float
    ) -> None:
        """What a row of an answer that took `took_s` says of a clock whose last answered beat was sent at `beat_at`."""
        if since.answered_s >= SHOWN_WITHIN_S and since.sent_s + took_s < AWAY_AFTER_S:
            self.claims += 1
            if not online or seen is None or datetime.fromisoformat(seen) < beat_at - _SAME:
                self.wrong.append(
                    f"{serial}: {since.answered_s:.1f} s after its beat of {beat_at} it is {online=}, {seen=}"
                )
        elif since.unheard_s > AWAY_AFTER_S + SHOWN_WITHIN_S:
            self.claims += 1
            if online:
                self.wrong.append(f"{serial}: {since.unheard_s:.1f} s after its last beat it is still there")
