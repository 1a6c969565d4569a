"""A lease that is not the next one: another copy of the card lives, or this one was set back. All is sent once more."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.model_cloud import ModelCloud
from edge.tests.rig import Rig


@pytest.fixture
def rig(memory: Path) -> Iterator[Rig]:
    """A clock that has delivered one stamp."""
    with simulated_loop() as loop:
        new_rig = Rig(loop, memory)
        new_rig.start()
        new_rig.wait(seconds=1)
        new_rig.tap()
        new_rig.wait(minutes=2)
        yield new_rig
        new_rig.crash()


def times_sent(rig: Rig, stamp: str) -> int:
    return sum(stamp in ids for _, ids in rig.cloud.arrivals)


def other_copy_delivers(rig: Rig) -> None:
    """Delivers two batches: after only one the lease looks as it should."""
    (device,) = rig.cloud.devices.values()
    device.confirmed, device.confirmed_by, device.pending = device.pending + 1, "another batch", device.pending + 2


def test_after_a_lease_of_another_past_everything_is_sent_again(rig: Rig) -> None:
    (first,) = rig.toned
    rig.cloud.receipts.clear()  # the cloud has lost it, and given it to the other copy
    other_copy_delivers(rig)
    rig.tap()
    rig.wait(minutes=1)
    assert first in rig.cloud.receipts
    assert sorted(rig.cloud.receipts) == sorted(rig.toned)


def test_each_batch_names_the_batch_whose_answer_gave_its_lease(rig: Rig) -> None:
    (device,) = rig.cloud.devices.values()
    rig.tap()
    rig.wait(minutes=1)
    assert device.confirmed_by == device.batches[-1]
    device.batches.append(device.batches.pop(0))  # as if the other copy's batch had come after this one's
    device.confirmed_by = device.batches[-1]
    rig.tap()
    rig.wait(minutes=1)
    assert device.forked


def test_a_set_back_cloud_is_noticed_although_it_refused_a_batch_that_may_have_arrived(rig: Rig) -> None:
    rig.restart()
    rig.restart()  # an epoch without stamps: no gap in the next one's numbers shows the first stamp
    rig.wait(seconds=5)
    rig.cloud.restore(ModelCloud(rig.cloud.now))
    rig.has_luck("down")
    for _ in range(2):
        rig.tap("04FFFFFFFFFFFF")
    rig.wait(seconds=5)
    rig.cloud.largest_batch = 1
    rig.has_luck("ok")
    rig.wait(hours=1)
    assert sorted(rig.cloud.receipts) == sorted(rig.toned)
    assert not any(device.forked for device in rig.cloud.devices.values())


def test_two_living_copies_do_not_send_everything_all_day(rig: Rig) -> None:
    (first,) = rig.toned
    for _ in range(12):
        other_copy_delivers(rig)
        rig.tap()
        rig.wait(minutes=30)
    assert times_sent(rig, first) == 2


def test_a_clock_alone_sends_everything_once(rig: Rig) -> None:
    for _ in range(5):
        rig.tap()
        rig.wait(hours=1)
    rig.restart()
    rig.tap()
    rig.wait(hours=1)
    assert Counter(stamp for _, ids in rig.cloud.arrivals for stamp in ids) == Counter(rig.toned)
