"""From the tag to the disk: the agent's whole way of a tap beside the bare commit it cannot do without.

Both work on the same disk in turns: a real `Tapper` with its journal, and one INSERT of the same columns into a bare
SQLite file in WAL mode with synchronous=FULL. The agent's way includes deciding, the sound and the screen's change.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import statistics
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.machine.hardware import SystemMachine
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Database
from stempelwerk_edge.signals.simulated import SimulatedSignals
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap.tapping import Tapper

from stempelwerk_tools.bench.sides.side import Void

_SLICE = 40
_INSERT = "INSERT INTO stamps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class TapTimes:
    """Medians in seconds over all slices, and the median of what the slices' taps took beside their commits."""

    tap_s: float
    raw_s: float
    beside_s: float


class _Screen:
    """A touchscreen that nobody looks at."""

    def show(self, answer: object) -> None:
        self.answer = answer

    def sent(self, stamp_ids: object) -> None:
        self.stamp_ids = stamp_ids

    def set_status(self, **changes: object) -> None:
        self.changes = changes

    def notice(self, code: str) -> None: ...


def _silent(*_: object, **__: object) -> None:
    """The journal's reports are not what is measured."""


@contextlib.contextmanager
def _tapper(folder: Path) -> Iterator[tuple[Tapper, Journal]]:
    clock = SystemClock()
    ids = SystemIds(clock)
    stores = Stores.of(Journal(folder, ids, _silent), Snapshot(folder, connect_sqlite, _silent))
    surroundings = Surroundings(
        time=TrustedTime(clock),
        ids=ids,
        random=random.Random(),
        screen=_Screen(),
        report=_silent,
        machine=SystemMachine("bench", folder),
        profile="core",
        version="0",
    )
    stores.journal.open()
    try:
        yield Tapper(stores, surroundings, SimulatedSignals(), lambda: None), stores.journal
    finally:
        stores.people.close()
        stores.journal.close()


def measure(folder: Path, slices: int) -> TapTimes:
    """Take turns for so many slices of 40 each. Raises Void if a tap is not on the disk or the settings differ."""
    with _tapper(folder) as (tapper, journal), contextlib.closing(sqlite3.connect(folder / "raw.db")) as raw:
        raw.isolation_level = None
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("PRAGMA wal_autocheckpoint=0")
        raw.execute(
            "CREATE TABLE stamps (row INTEGER PRIMARY KEY, id TEXT NOT NULL, assignment TEXT, tag TEXT NOT NULL,"
            " direction TEXT NOT NULL, wall INTEGER NOT NULL, boot TEXT NOT NULL, boottime_ms INTEGER NOT NULL,"
            " quality TEXT NOT NULL, via TEXT NOT NULL, shown TEXT)"
        )
        taps, bare, beside = [], [], []
        for number in range(slices + 1):
            one, other = _taps(tapper), _commits(raw, number)
            if number:  # the first round warms up
                taps.append(one)
                bare.append(other)
                beside.append(one - other)
        _guard(journal, (slices + 1) * _SLICE)
    return TapTimes(statistics.median(taps), statistics.median(bare), statistics.median(beside))


def _guard(journal: Journal, expected: int) -> None:
    def look(database: Database) -> tuple[int, int, str]:
        (count,) = next(iter(database.execute("SELECT count(*) FROM stamps")))
        (synchronous,) = next(iter(database.execute("PRAGMA synchronous")))
        (mode,) = next(iter(database.execute("PRAGMA journal_mode")))
        return count, synchronous, mode

    count, synchronous, mode = journal.read(look)
    if (synchronous, mode) != (2, "wal"):
        raise Void(f"the journal runs with synchronous={synchronous}, journal_mode={mode}")
    if count != expected:
        raise Void(f"{expected} taps, {count} rows in the journal")


def _taps(tapper: Tapper) -> float:
    times = []
    for number in range(_SLICE):
        tag = f"04A2{uuid.uuid4().int % 16**8:08X}{number % 256:02X}"
        began = time.perf_counter()
        answer = tapper.on_tag(tag)
        times.append(time.perf_counter() - began)
        if answer is None or answer.until - answer.at > timedelta(minutes=5):
            raise Void(f"a tap was answered {answer}")
    return statistics.median(times)


def _commits(raw: sqlite3.Connection, number: int) -> float:
    times = []
    for index in range(_SLICE):
        row = (
            1 << 32 | number * _SLICE + index + 1,
            str(uuid.uuid4()),
            None,
            "04A2245B6C7D80",
            "auto",
            1_790_000_000_000,
        )
        values = (*row, str(uuid.uuid4()), index, "ntp", "reader", "unknown")
        began = time.perf_counter()
        raw.execute(_INSERT, values)
        times.append(time.perf_counter() - began)
    return statistics.median(times)
