"""Power cuts under the clock's journal: a tap whose `append` returned is there, whatever the disk forgets."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.powercut.campaign import Campaign


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: what counts as synced is decided by the simulated disk."""
    memory = Path("/dev/shm")
    found = Path(tempfile.mkdtemp(prefix="stempelwerk-", dir=memory if memory.is_dir() else None))
    yield found
    shutil.rmtree(found)


def test_200_power_cuts_lose_no_acknowledged_tap(folder):
    tally = Campaign(1, folder).run(200)
    assert tally.cuts == 200
    assert tally.acknowledged > 1000
    assert tally.refused > 50  # the cut struck in the middle of something
    assert (tally.lost, tally.surplus) == (0, 0)


def test_a_tap_is_exactly_one_sync(folder):
    tally = Campaign(2, folder).run(20)
    assert set(tally.syncs_a_tap) == {1}


def test_the_same_cuts_with_synchronous_normal_do_lose_taps(folder):
    tally = Campaign(1, folder, synchronous="NORMAL").run(40)
    assert tally.lost > 0
    assert tally.surplus == 0
