"""A simulated clock on a wall: a machine, a card in it, and the real agent running on both while there is power.

A program dies as a process does: it loses its files and its network first, then its tasks are ended. The card outlives
everything; `Card.taps` is the world's own list of its required content, which no agent ever sees.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import httpx
from stempelwerk_edge.agent import Agent
from stempelwerk_edge.configuration import CloudSettings, Settings
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.ports import Answer, Direction, Signal
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rescue import Taken, journal_on, read_copy, take
from stempelwerk_edge.storage.salvage import Rescued

from stempelwerk_tools import headless_clock
from stempelwerk_tools.simulation.machines.loop import Process
from stempelwerk_tools.simulation.machines.machine import FAR_AHEAD, NOTHING, MachineClock, MachineIds, TrueTime
from stempelwerk_tools.simulation.machines.network import Link

URL = "http://cloud.simulated"
OK_TONES = frozenset({Signal.OK_IN, Signal.OK_OUT, Signal.DOUBLE, Signal.UNKNOWN})

Battery = Literal["good", "none", "year_2040"]
TapKey = tuple[str, int]
"""Identifies a tap: the boot of the machine and its milliseconds since then."""


class ProgramKilled(BaseException):
    """Ends a program in the middle of a tap."""


@dataclass
class Card:
    """A memory card: its folder, and the keys of the taps whose rows are on it."""

    folder: Path
    taps: set[TapKey] = field(default_factory=set)

    def copy_to(self, folder: Path) -> Card:
        """Returns another card (or an image in a drawer) with the same content."""
        shutil.copytree(self.folder, folder)
        return Card(folder, set(self.taps))


@dataclass(frozen=True)
class Tapped:
    """The result of holding a tag to a clock. `sound` is the signal that was heard; None if the program died before
    it.
    """

    key: TapKey
    sound: Signal | None
    answer: Answer | None


class _Signals:
    """The clock's sound; `dies` makes the program die before the next one is heard."""

    def __init__(self) -> None:
        self.heard: list[Signal] = []
        self.dies = False

    def play(self, signal: Signal) -> None:
        if self.dies:
            raise ProgramKilled
        self.heard.append(signal)


class _Files:
    """The files of one run of the program, closed when it dies."""

    def __init__(self) -> None:
        self._open: list[sqlite3.Connection] = []
        self._alive = True

    def connect(self, path: Path) -> sqlite3.Connection:
        if not self._alive:
            raise OSError(5, "the program is dead")
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._open.append(connection)
        return connection

    def lose(self) -> None:
        self._alive = False
        for connection in self._open:
            connection.close()  # what was not committed is rolled back
        self._open.clear()


class Station:
    """One clock. `battery` keeps its wall time while it is off, `place` is its location."""

    def __init__(
        self, name: str, hardware_id: str, card: Card, link: Link, true_time: TrueTime, rng: random.Random
    ) -> None:
        self.name = name
        self.card = card
        self.link = link
        self.hardware_id = hardware_id
        self.place = 0
        self.free_at_s = 0.0
        self.battery: Battery = "good"
        self.hands = asyncio.Lock()  # exclusive access for work on the clock
        self.broken = False
        self.clock: MachineClock | None = None
        self.agent: Agent | None = None
        self.failures: list[BaseException] = []
        self._hardware = Hardware(hardware_id, f"SIM-{hardware_id.removeprefix('board:')}", "02:00:00:00:00:01")
        self._true_time, self._rng = true_time, rng
        self._signals = _Signals()
        self._files = _Files()
        self._process: Process | None = None

    @property
    def runs(self) -> bool:
        """Whether the program runs."""
        return self.agent is not None

    @property
    def company(self) -> str | None:
        """The company that the clock shows."""
        assignment = self.agent.membership.current.assignment if self.agent else None
        return assignment.company_id if assignment else None

    @property
    def queue(self) -> int:
        """The number of stamps that wait on the running clock."""
        return self.agent.outbox.backlog().depth if self.agent else 0

    def power_on(self) -> None:
        """Starts the machine: a new boot, with the wall time of its battery. A broken one stays off."""
        if self.broken:
            return
        now = self._true_time.now()
        if self.battery == "good":
            wall, quality = now + timedelta(seconds=self._rng.uniform(-1.5, 1.5)), Quality.RTC
        elif self.battery == "none":
            wall, quality = NOTHING + timedelta(seconds=self._rng.uniform(5, 60)), Quality.NONE
        else:
            wall, quality = FAR_AHEAD + timedelta(hours=self._rng.uniform(0, 100)), Quality.NONE
        self.clock = MachineClock(self._true_time, self._rng, wall, quality)
        self.start_program()

    async def power_off(self) -> None:
        """Pulls the plug."""
        await self.kill_program()
        self.clock = None

    def start_program(self) -> None:
        """Starts the agent on the card."""
        assert self.clock is not None
        assert self._process is None
        process = Process(self.name)
        self._files, self._signals = _Files(), _Signals()

        def transport(_check_dates: bool) -> httpx.AsyncBaseTransport:
            return self.link.transport(process)

        ports = headless_clock.ports(
            self._hardware,
            clock=self.clock,
            ids=MachineIds(self.clock, self._rng),
            random=self._rng,
            transport=transport,
            signals=self._signals,
            connect=self._files.connect,
            entropy=self._rng.randbytes,
            version="0.1.0",
        )
        self.agent = Agent(Settings(self.card.folder, CloudSettings(URL)), ports)
        self._process = process
        process.start(self.agent.run(), "agent")

    async def kill_program(self) -> None:
        """Ends the program as SIGKILL does."""
        process, self._process, self.agent = self._process, None, None
        if process is not None:
            self.failures += process.failures
            process.failures = []
            self._files.lose()
            await process.kill()

    def rescue(self, card: Card) -> Taken:
        """Runs `stempelwerk-edge rescue` on this machine's card; neither this clock nor that of the other card runs."""
        ids = MachineIds(MachineClock(self._true_time, self._rng, self._true_time.now(), Quality.NTP), self._rng)
        scratch = self.card.folder.with_name(f"{self.card.folder.name}-scratch")
        scratch.mkdir()
        file = journal_on(card.folder)
        rescued = Rescued() if file is None else read_copy(file, scratch, connect_sqlite)
        shutil.rmtree(scratch)
        with closing(Journal(self.card.folder, ids, lambda *_: None)) as journal:
            taken_over = journal.write(partial(take, card=rescued, new_id=ids.new))
        self.card.taps |= card.taps
        return taken_over

    def tap(self, tag: str, direction: Direction | None, dies_before_sound: bool) -> Tapped:
        """Holds a tag to the clock, which must run. If the program dies over it, the caller kills it next."""
        assert self.agent is not None
        assert self.clock is not None
        key = (self.clock.boot_id, self.clock.boottime_ms())
        if direction is not None:
            self.agent.tapper.choose(direction)
        self._signals.heard.clear()
        self._signals.dies = dies_before_sound
        self.card.taps.add(key)
        try:
            answer = self.agent.tap(tag)
        except ProgramKilled:
            return Tapped(key, None, None)
        (sound,) = self._signals.heard
        if sound not in OK_TONES:
            self.card.taps.discard(key)
        return Tapped(key, sound, answer)
