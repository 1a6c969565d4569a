"""Cuts the power under the clock's real journal, again and again, and counts what is missing afterwards.

One journal lives through the whole campaign: taps, bookkeeping and checkpoints, a cut at a random step between two
writes or syncs, a restart on what the disk has kept. A tap counts as acknowledged when `append` has returned. The
control runs the same journal with another `synchronous` than its own, to show that the campaign would find losses.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import apsw
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.trusted_time import Reading
from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.journal import FOLDER_NAME, Journal
from stempelwerk_edge.storage.rows import Draft

from stempelwerk_tools.powercut.disk import ForgetfulDisk
from stempelwerk_tools.powercut.vfs import ForgetfulVFS, abandon

_LONGEST_LIFE = 120  # writes and syncs
_RESERVE_BYTES = 4096
_MORNING = datetime(2026, 11, 20, 7, tzinfo=UTC)


@dataclass
class Tally:
    """The findings of a campaign.

    `surplus` counts rows without a tap, `refused` the operations that the cut interrupted; `syncs_a_tap` is a histogram
    of the syncs that an acknowledged tap took.
    """

    cuts: int = 0
    acknowledged: int = 0
    lost: int = 0
    surplus: int = 0
    refused: int = 0
    syncs_a_tap: dict[int, int] = field(default_factory=dict)


class _Ids:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def new(self) -> str:
        return str(UUID(int=self._rng.getrandbits(128)))

    def nonce(self) -> str:
        return self._rng.randbytes(16).hex()


class _OtherSynchronous(apsw.Connection):
    """A connection with another `PRAGMA synchronous` than the journal requests, for the control."""

    synchronous = "NORMAL"

    def execute(self, statements: str, *arguments: Any, **options: Any) -> apsw.Cursor:
        """Runs a statement, with the one pragma replaced."""
        if statements.lower().replace(" ", "") == "pragmasynchronous=full":
            statements = f"PRAGMA synchronous={self.synchronous}"
        return super().execute(statements, *arguments, **options)


class Campaign:
    """The life of one journal in `folder` through many power cuts. `synchronous` FULL is the journal's own setting."""

    def __init__(self, seed: int, folder: Path, *, synchronous: str = "FULL") -> None:
        self._rng = random.Random(seed)
        self._ids = _Ids(self._rng)
        self._folder = folder
        self._normal = synchronous == "NORMAL"
        self._taps = 0
        self._expected: set[str] = set()
        self._unsure: set[str] = set()
        self.tally = Tally()

    def run(self, cuts: int) -> Tally:
        """Cuts the power `cuts` times; the last restart is checked, too."""
        home = self._folder / "0"
        home.mkdir(parents=True)
        for number in range(1, cuts + 1):
            later = self._folder / str(number)
            self._live(home, later)
            shutil.rmtree(home)
            home = later
        self._boot(home, lambda journal, _: self._check(journal))
        return self.tally

    def _live(self, home: Path, later: Path) -> None:
        (later / FOLDER_NAME).mkdir(parents=True)

        def life(journal: Journal, disk: ForgetfulDisk) -> None:
            self._check(journal)
            disk.cut_in = self._rng.randrange(_LONGEST_LIFE)
            for _ in range(self._rng.randrange(1, 40)):
                if not self._step(journal, disk):
                    break
            disk.after_cut(self._rng, later / FOLDER_NAME)
            self.tally.cuts += 1

        self._boot(home, life)

    def _boot(self, home: Path, life: Callable[[Journal, ForgetfulDisk], None]) -> None:
        vfs = ForgetfulVFS(ForgetfulDisk())
        opened: list[apsw.Connection] = []

        def connect(path: Path) -> Database:
            opened.append(vfs.connect(path, _OtherSynchronous if self._normal else apsw.Connection))
            opened[-1].execute("PRAGMA locking_mode = EXCLUSIVE")  # as the clock opens it
            return opened[-1]

        journal = Journal(home, self._ids, _silent, connect, _RESERVE_BYTES)
        try:
            journal.open()
            life(journal, vfs.disk)
        finally:
            for connection in opened:
                abandon(connection)
            vfs.unregister()

    def _step(self, journal: Journal, disk: ForgetfulDisk) -> bool:
        """Makes a tap, or now and then bookkeeping or a checkpoint; False once the power is gone."""
        draft, syncs_before = self._draft(), len(disk.syncs)
        try:
            fate = self._rng.random()
            if fate < 0.1:
                journal.checkpoint(at_least_bytes=0)
            elif fate < 0.3:
                journal.write(_remember)
            else:
                self._unsure.add(draft.id)  # until it is acknowledged it may be there or not
                journal.append(draft)
                self._unsure.discard(draft.id)
                self._expected.add(draft.id)
                self.tally.acknowledged += 1
                syncs = len(disk.syncs) - syncs_before
                self.tally.syncs_a_tap[syncs] = self.tally.syncs_a_tap.get(syncs, 0) + 1
        except JournalError:
            self.tally.refused += 1
            return False
        return disk.on

    def _draft(self) -> Draft:
        self._taps += 1
        reading = Reading(_MORNING + timedelta(seconds=self._taps), str(UUID(int=1)), self._taps * 1000, Quality.NTP)
        return Draft(self._ids.new(), None, "04A2245B6C7D80", "auto", reading, "reader", "in")

    def _check(self, journal: Journal) -> None:
        stored_ids = {str(row[0]) for row in journal.read(lambda db: list(db.execute("SELECT id FROM stamps")))}
        self.tally.lost += len(self._expected - stored_ids)
        self.tally.surplus += len(stored_ids - self._expected - self._unsure)
        self._expected, self._unsure = stored_ids, set()  # an unsure one that is found here stays


def _remember(database: Database) -> None:
    database.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('campaign', 'x')")


def _silent(*_: object, **__: object) -> None:
    """Ignores the journal's reports."""
