"""Power cuts under the clock's journal: a tap whose `append` returned survives, whatever the disk forgets."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.powercut.campaign import Campaign


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yields a folder, in memory if possible: the simulated disk decides what counts as synced."""
    memory = Path("/dev/shm")
    folder_in_memory = Path(tempfile.mkdtemp(prefix="stempelwerk-", dir=memory if memory.is_dir() else None))
    yield folder_in_memory
    shutil.rmtree(folder_in_memory)


def test_200_power_cuts_lose_no_acknowledged_tap(folder):
    tally = Campaign(1, folder).run(200)
    assert tally.cuts == 200
    assert tally.acknowledged > 1000
    assert tally.refused > 50  # the cut interrupted an operation
    assert (tally.lost, tally.surplus) == (0, 0)


def test_a_tap_is_exactly_one_sync(folder):
    tally = Campaign(2, folder).run(20)
    assert set(tally.syncs_a_tap) == {1}


def test_the_same_cuts_with_synchronous_normal_do_lose_taps(folder):
    tally = Campaign(1, folder, synchronous="NORMAL").run(40)
    assert tally.lost > 0
    assert tally.surplus == 0
