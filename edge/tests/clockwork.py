"""Twins of what surrounds the clock's core, for its tests: time, ids, chance, screen, signals, log."""

import itertools
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, Unpack
from uuid import UUID

from stempelwerk_edge.machine.clock import Quality, to_ms
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.machine.trusted_time import Reading, TrustedTime
from stempelwerk_edge.ports import Answer, Report, Signal, StatusChanges
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rows import Draft
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

MORNING = datetime(2026, 11, 20, 7, 0, tzinfo=UTC)
TAG = "04A1B2C3D4E5F6"


class TestClock:
    """A machine's clocks that stop until a test moves them; `follow` ties them to a loop's time."""

    __test__ = False

    def __init__(self, wall: datetime = MORNING, quality: Quality = Quality.NTP, boot: int = 1) -> None:
        self._wall, self._boottime_ms = wall, 10_000
        self.said = quality
        self.boot_id = str(UUID(int=boot, version=4))
        self._elapsed: Callable[[], float] = lambda: 0.0

    def follow(self, elapsed: Callable[[], float]) -> None:
        """Let the seconds that `elapsed` counts pass here too."""
        began = elapsed()
        self._elapsed = lambda: elapsed() - began

    def advance(self, **duration: float) -> None:
        """Let time pass: the arguments of a timedelta."""
        passed = timedelta(**duration)
        self._wall += passed
        self._boottime_ms += int(passed.total_seconds() * 1000)

    def set_wall(self, wall: datetime, quality: Quality | None = None) -> None:
        """Set the wall time, which time since boot does not notice."""
        self._wall = wall - timedelta(seconds=self._elapsed())
        self.said = quality or self.said

    def wall(self) -> datetime:
        """The wall time."""
        return self._wall + timedelta(milliseconds=int(self._elapsed() * 1000))

    def boottime_ms(self) -> int:
        """Since boot."""
        return self._boottime_ms + int(self._elapsed() * 1000)

    def quality(self) -> Quality:
        """As set."""
        return self.said


class TestIds:
    """UUIDv7 in a row, the same in every run."""

    __test__ = False

    def __init__(self, first: int = 1) -> None:
        self._numbers = itertools.count(first)

    def new(self) -> str:
        """The next."""
        return str(UUID(int=to_ms(MORNING) << 80 | 7 << 76 | 2 << 62 | next(self._numbers)))

    def nonce(self) -> str:
        """The next, as text."""
        return f"nonce-{next(self._numbers)}"


@dataclass
class TestLog:
    """The recorded reports."""

    __test__ = False
    entries: list[tuple[str, str, str, dict[str, object]]] = field(default_factory=list)

    def __call__(
        self, level: Literal["info", "warn", "error"], code: str, message: str, meta: dict[str, object]
    ) -> None:
        self.entries.append((level, code, message, meta))

    @property
    def codes(self) -> list[str]:
        """The codes in order."""
        return [entry[1] for entry in self.entries]


@dataclass
class TestScreen:
    """A screen that records its calls."""

    __test__ = False
    answers: list[Answer] = field(default_factory=list)
    told_sent: set[str] = field(default_factory=set)
    status: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def show(self, answer: Answer) -> None:
        """Remember it."""
        self.answers.append(answer)

    def sent(self, stamp_ids: Collection[str]) -> None:
        """Remember them."""
        self.told_sent.update(stamp_ids)

    def set_status(self, **changes: Unpack[StatusChanges]) -> None:
        """Remember them."""
        self.status.update(changes)

    def notice(self, code: str) -> None:
        """Remember it."""
        self.notices.append(code)


@dataclass
class TestSignals:
    """Signals that record what was played."""

    __test__ = False
    played: list[Signal] = field(default_factory=list)

    def play(self, signal: Signal) -> None:
        """Remember it."""
        self.played.append(signal)


@dataclass
class TestMachine:
    """A machine with a name."""

    __test__ = False
    hardware: Hardware = field(default_factory=lambda: Hardware("board:1", "SW-TEST-1", "02:00:00:00:00:01"))

    def address(self) -> str | None:
        """In a network of its own."""
        return "192.0.2.7"

    def disk_free_mb(self) -> int:
        """Plenty."""
        return 4096


def chance(seed: int = 1) -> random.Random:
    """A source of chance that is the same in every run."""
    return random.Random(seed)


def stores_on(directory: Path, journal: Journal, report: Report) -> Stores:
    """The stores of a card: this journal, and the people."""
    return Stores.from_journal(journal, Snapshot(directory, connect_sqlite, report))


def surroundings(clock: TestClock | None = None, **chosen: Any) -> Surroundings:
    """Twins of everything around a part of the agent; a test chooses those that it moves or looks at."""
    members = {
        "time": TrustedTime(clock or TestClock()),
        "ids": TestIds(),
        "random": chance(),
        "screen": TestScreen(),
        "report": TestLog(),
        "machine": TestMachine(),
        "profile": "core",
        "version": "1",
    }
    return Surroundings(**{**members, **chosen})


def draft(identifier: str, tag: str = TAG, tapped_at: datetime = MORNING, **changes: Any) -> Draft:
    """A stamp as a test needs one."""
    reading = Reading(tapped_at, str(UUID(int=1, version=4)), 10_000, Quality.NTP)
    members = {"assignment": "company-1", "direction": "auto", "via": "reader", "shown": "in", "reading": reading}
    return Draft(id=identifier, tag=tag, **{**members, **changes})
