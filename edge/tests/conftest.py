"""The fixtures of the clock's tests."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
from stempelwerk_edge.ports import Connect
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import TestIds, TestLog
from edge.tests.rig import Rig

RESERVE_BYTES = 65_536


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory, if the machine has one, for tests that sync thousands of times."""
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="stempelwerk-", dir=in_memory if in_memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def card(memory: Path) -> Iterator[Rig]:
    """A clock that was never started."""
    with simulated_loop() as loop:
        card_rig = Rig(loop, memory)
        yield card_rig
        card_rig.crash()


@pytest.fixture
def rig(card: Rig) -> Rig:
    """A clock that runs."""
    card.start()
    return card


@pytest.fixture
def log() -> TestLog:
    return TestLog()


@pytest.fixture
def ids() -> TestIds:
    return TestIds()


@pytest.fixture
def start(tmp_path: Path, ids: TestIds, log: TestLog) -> Iterator[Callable[..., Journal]]:
    """Starts an agent's journal on one card; each call is one more, and the one before is never closed properly."""
    journals: list[Journal] = []

    def begin(connect: Connect = connect_sqlite) -> Journal:
        journal = Journal(tmp_path, ids, log, connect, RESERVE_BYTES)
        journals.append(journal)
        return journal

    yield begin
    for journal in journals:
        journal.close()


@pytest.fixture
def journal(start: Callable[..., Journal]) -> Journal:
    opened = start()
    opened.open()
    return opened
