"""A clock's base and a scanner at its line, in one simulated time; a crash of either is one call."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_edge.cloud.membership import Membership
from stempelwerk_edge.cloud.wire import Assignment, PeopleChange, PersonRow
from stempelwerk_edge.satellites.base import Satellites
from stempelwerk_edge.satellites.session import Line
from stempelwerk_edge.satellites.updating import Image
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import Draft
from stempelwerk_edge.tap.tapping import Tapper
from stempelwerk_tools.simulators.scanner import ModelScanner

from edge.tests.clockwork import (
    MORNING,
    TAG,
    TestClock,
    TestIds,
    TestLog,
    TestScreen,
    TestSignals,
    stores_on,
    surroundings,
)
from edge.tests.test_journal import Fault

UID = bytes.fromhex(TAG)


class Dock:
    """A clock with one socket for a scanner. `spoil` sees every piece on the way and may change it; `disk` refuses."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock, self.ids, self.log = folder, TestClock(), TestIds(), TestLog()
        self.screen, self.signals, self.disk = TestScreen(), TestSignals(), Fault()
        self.adopting, self.entropy = True, random.Random(7)
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self.sent: list[bytes] = []
        self.scanner: ModelScanner | None = None
        self.images: dict[str, Image] = {}
        self.shown: tuple[dict[str, Any], ...] = ()
        self.start()

    def start(self) -> None:
        """Start the clock's program, as after a crash: nothing of the one before is closed."""
        self.disk.result = None
        self.journal = Journal(self.folder, self.ids, self.log, self.disk.connect, 65_536)
        self.stores = stores_on(self.folder, self.journal, self.log)
        around = self.around = surroundings(self.clock, ids=self.ids, screen=self.screen, report=self.log)
        self.time = around.time
        self.stores.membership.change(Membership("key", "device", "server", "Tor 1", Assignment("a-1", "c-1", "Ahorn")))
        person = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, 0, 0, -30)
        self.stores.people.apply(PeopleChange("1", True, (person,), ()), 0, MORNING.date())
        self.tapper = Tapper(self.stores, around, self.signals, lambda: None)
        self.tapper.load()
        self.base = Satellites(
            self.journal,
            around,
            self.tapper,
            lambda: self.adopting,
            self.entropy.randbytes,
            on_change=lambda scanners: setattr(self, "shown", scanners),
            images=self.images,
        )
        self.base.load()
        self.line: Line = self.base.line()

    def now_ms(self) -> int:
        """The world's time."""
        return self.clock.boottime_ms()

    def dock(self, scanner: ModelScanner) -> None:
        """Puts a scanner into the base in place of the present one."""
        self.base.unplugged(self.line)
        self.line, self.scanner = self.base.line(), scanner
        scanner.dock()

    def run(self, seconds: float = 10.0, step_ms: int = 250) -> None:
        """Lets both talk for this time."""
        assert self.scanner is not None
        for _ in range(int(seconds * 1000 / step_ms)):
            to_scanner = b""
            for _ in range(4):  # there and back takes no time
                reply = self.scanner.exchange(to_scanner, self.now_ms())
                self.sent.append(reply)
                heard = self.spoil(reply)
                to_scanner = self.spoil(self.base.received(self.line, heard)) if heard else b""
                if not to_scanner:
                    break
            offered = self.spoil(self.base.offer(self.line))
            if offered:
                self.base.received(self.line, self.spoil(self.scanner.exchange(offered, self.now_ms())))
            self.clock.advance(milliseconds=step_ms)

    def stamps(self) -> list[Draft]:
        """Returns the stamps of the journal, in its order."""
        return [row.draft for row in self.stores.state.recent(20_000)]

    def taps(self) -> list[tuple[str, int, str]]:
        """The taps of scanners in the journal: start, tick, tag."""
        drafts = (draft for draft in self.stamps() if draft.via.startswith("scanner:"))
        return [(draft.reading.boot, draft.reading.boottime_ms, draft.tag) for draft in drafts]

    def close(self) -> None:
        """Let go of the files."""
        self.journal.close()
        self.stores.people.close()


@pytest.fixture
def base(memory: Path) -> Iterator[Dock]:
    dock = Dock(memory)
    yield dock
    dock.close()


@pytest.fixture
def scanner(base: Dock) -> ModelScanner:
    """An adopted scanner, in its base."""
    model_scanner = ModelScanner("SW-BEACON-000042", random.Random(1), capacity=40)
    model_scanner.power_on(base.now_ms())
    base.dock(model_scanner)
    base.run(3)
    base.adopting = False
    assert model_scanner.flash.key is not None
    return model_scanner
