"""One clock of the fleet: the real agent, with everything in it that speaks to the cloud, on a simulated machine.

Its disk is in memory, its reader is a call, its line can be cut. The line, and not the agent, counts the traffic: so
the count is what the network would have seen.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import random
import sqlite3
import ssl
import time
import uuid
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx
from stempelwerk_edge.agent import Agent
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.identity import Identity, load_or_make
from stempelwerk_edge.configuration import CloudSettings, Settings
from stempelwerk_edge.machine.clock import Quality, SystemIds, milliseconds
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.ports import Signal

from stempelwerk_tools import headless_clock

_RESERVE_BYTES = 4096


@dataclass
class Traffic:
    """The traffic of all lines. `unanswered`: heartbeats without a 200, although their line was not cut and the fleet's
    own cloud was not `down`.
    """

    beats: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)
    seconds: array[float] = field(default_factory=lambda: array("d"))
    outcomes: Counter[str] = field(default_factory=Counter)
    down: bool = False


class _Line(httpx.AsyncBaseTransport):
    """The clock's line to the cloud, as an httpx transport that fails while the line is cut."""

    def __init__(self, inner: httpx.AsyncBaseTransport, clock: FleetClock) -> None:
        self._inner, self._clock = inner, clock

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        clock, path = self._clock, request.url.path
        if clock.cut:
            raise httpx.ConnectError("the line is cut")
        is_beat, began, sent_at = path == wire.HEARTBEAT, time.perf_counter(), datetime.now(UTC)
        was_down = clock.traffic.down
        if is_beat:
            clock.traffic.beats += 1
            sent_s, clock.unheard_s = time.monotonic(), math.inf
        try:
            response = await self._inner.handle_async_request(request)
            await response.aread()
        except httpx.TransportError as fault:
            if is_beat and not (clock.cut or was_down or clock.traffic.down):
                clock.traffic.unanswered[type(fault).__name__] += 1
            raise
        finally:
            if is_beat:
                clock.unheard_s = time.monotonic()
        if is_beat and response.status_code == httpx.codes.OK:
            clock.traffic.seconds.append(time.perf_counter() - began)
            clock.beat_at, clock.beat_s, clock.beaten_s = sent_at, sent_s, time.monotonic()
        elif is_beat and not (was_down or clock.traffic.down):
            clock.traffic.unanswered[str(response.status_code)] += 1
        if path == wire.STAMPS and response.status_code == httpx.codes.OK:
            outcomes = (result["outcome"] for result in json.loads(response.content)["results"])
            clock.traffic.outcomes.update(outcomes)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Time:
    """The real time of this machine, with a boot id of the clock's own."""

    def __init__(self, boot_id: str) -> None:
        self.boot_id = boot_id
        self._booted = time.monotonic() - 60

    def wall(self) -> datetime:
        return milliseconds(datetime.now(UTC))

    def boottime_ms(self) -> int:
        return int((time.monotonic() - self._booted) * 1000)

    def quality(self) -> Quality:
        return Quality.NTP


class _Sounds:
    def play(self, signal: Signal) -> None: ...


class FleetClock:
    """A clock of the fleet, with its serial.

    `saved` are the stamps that it confirmed by a tone. `beat_at` and `beat_s`: when its last answered heartbeat was
    sent; `beaten_s`: when that was answered. `unheard_s`: the time since which the cloud may not have received a
    heartbeat, answered or not. `whole_s`: since when its line is not cut.
    """

    def __init__(self, number: int, folder: Path, url: str, traffic: Traffic, seed: int) -> None:
        rng = random.Random(f"{seed} clock {number}")
        self.serial, self.traffic, self.cuts = serial_of(seed, number), traffic, 0
        self.beat_at: datetime | None = None
        self.beat_s = self.beaten_s = self.unheard_s = self.whole_s = 0.0
        self.saved: set[str] = set()
        self._screen = headless_clock.Screen()
        clock = _Time(str(uuid.UUID(int=rng.getrandbits(128), version=4)))
        ports = headless_clock.ports(
            hardware_of(self.serial),
            clock=clock,
            ids=SystemIds(clock),
            random=rng,
            transport=lambda _check_dates: _Line(_transport(), self),
            signals=_Sounds(),
            connect=lambda _path: sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False),
            reserve_bytes=_RESERVE_BYTES,
            screen=self._screen,
        )
        self.agent = Agent(Settings(folder / self.serial, CloudSettings(url)), ports)

    def tap(self, tag: str) -> None:
        """Holds a tag to the clock."""
        answer = self.agent.tap(tag)
        assert answer is not None
        if answer.stamp_id is not None:
            self.saved.add(answer.stamp_id)

    @contextlib.contextmanager
    def cut_off(self) -> Iterator[None]:
        """Cuts the line; overlapping cuts end with the last of them."""
        self.cuts += 1
        try:
            yield
        finally:
            self.cuts -= 1
            self.whole_s = time.monotonic()

    @property
    def cut(self) -> bool:
        return self.cuts > 0

    @property
    def waiting(self) -> int:
        """The number of stamps whose delivery is not confirmed to the clock."""
        return len(self.saved - self._screen.delivered)

    @property
    def is_assigned(self) -> bool:
        """Whether the clock knows its company."""
        return self.agent.membership.current.assignment is not None


def serial_of(seed: int, number: int) -> str:
    """Returns the serial number on a clock's label."""
    return f"FLEET-{seed}-{number:05}"


def hardware_of(serial: str) -> Hardware:
    """Returns the machine of a clock."""
    return Hardware(f"board:{serial}", serial, "02:00:00:00:00:01")


def identity_in(folder: Path, serial: str) -> Identity:
    """Returns the key of a clock, made before its first start: its agent will find it in the folder and use it."""
    return load_or_make(folder / serial, hardware_of(serial).all_ids)


@functools.cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _transport() -> httpx.AsyncBaseTransport:
    """Returns a transport with connections of the clock's own; the certificate authorities are read once for all
    clocks.
    """
    return httpx.AsyncHTTPTransport(verify=_context())
