"""A card that was set back while a batch waited repeats that batch and is given the lease: it is found all the same."""

import json
import random
from copy import deepcopy
from datetime import timedelta

from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, MORNING, Wall, hours

LATER = timedelta(minutes=10)


def with_open_batch(wall: Wall) -> tuple[Clock, dict[str, object]]:
    """The card as it was when its newest batch had been written down and not been answered."""
    wall.device.deliver(wall.device.tap(ANNA, MORNING))
    batch = wall.device.batch(wall.device.tap(ANNA, MORNING + hours(4)))
    card = deepcopy(wall.device, {id(wall.device.client): wall.device.client, id(wall.clock): wall.clock})
    card.rng = random.Random(99)  # what it draws from now on is its own
    return card, batch


def test_a_known_batch_signed_anew_long_after_the_last_one_is_a_card_set_back(wall: Wall) -> None:
    old, batch = with_open_batch(wall)
    wall.device.sent(batch)
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(5)))
    wall.clock.set(wall.clock.now() + LATER)
    old.sent(batch)
    assert wall.listed()["forked"] is True


def test_a_known_batch_that_comes_late_is_no_fork(wall: Wall) -> None:
    _, batch = with_open_batch(wall)
    sent_at = int(wall.clock.now().timestamp())
    wall.device.sent(batch)
    wall.clock.set(wall.clock.now() + LATER)
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(5)))
    wall.clock.set(wall.clock.now() + LATER)
    body = json.dumps(batch).encode()
    answer = wall.device.send("POST", "/api/devices/stamps", body, created=sent_at)
    assert answer.status_code == 200
    assert wall.listed()["forked"] is False


def test_the_newest_batch_repeated_long_after_is_no_fork(wall: Wall) -> None:
    _, batch = with_open_batch(wall)
    wall.device.sent(batch)
    for _ in range(3):
        wall.clock.set(wall.clock.now() + LATER)
        wall.device.sent(batch)
    assert wall.listed()["forked"] is False


def test_two_epochs_that_name_one_predecessor_are_a_fork(wall: Wall) -> None:
    old, batch = with_open_batch(wall)
    wall.device.sent(batch)
    wall.device.start_agent()
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(5)))
    old.sent(batch)  # known; at once, so that nothing is said about its signature
    assert wall.listed()["forked"] is False
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)))
    assert wall.listed()["forked"] is True


def test_an_epoch_that_names_too_early_an_end_of_its_predecessor_is_a_fork(wall: Wall) -> None:
    old, batch = with_open_batch(wall)
    wall.device.sent(batch)
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(5)))
    old.sent(batch)
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)))
    assert wall.listed()["forked"] is True


def test_a_clock_that_starts_anew_each_day_is_no_fork(wall: Wall) -> None:
    for day in range(4):
        wall.device.deliver(
            wall.device.tap(ANNA, MORNING + hours(day)), wall.device.tap(ANNA, MORNING + hours(day + 1))
        )
        wall.device.start_agent()
        if day == 2:
            wall.device.start_agent()  # one start without a single tap
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(6)))
    assert wall.listed()["forked"] is False


def test_without_a_lease_the_epochs_are_not_asked(wall: Wall) -> None:
    old, batch = with_open_batch(wall)
    wall.device.sent(batch)
    wall.device.start_agent()
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(5)))
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)), lease=None)
    assert wall.listed()["forked"] is False


def test_a_batch_of_another_past_that_the_network_held_back_moves_no_lease(wall: Wall) -> None:
    """A backup was restored, the clock has begun anew with the lease given there, and only then its old batch comes."""
    device = wall.device
    held_back = device.batch(device.tap(ANNA, MORNING), lease=9)
    sent_at = int(wall.clock.now().timestamp())
    wall.clock.set(wall.clock.now() + LATER)
    device.deliver(device.tap(ANNA, MORNING + hours(4)))
    given = device.lease
    late = device.send("POST", "/api/devices/stamps", json.dumps(held_back).encode(), created=sent_at)
    assert [one["outcome"] for one in late.json()["results"]] == ["stored"]
    assert late.json()["lease"] == given
    device.lease = given
    device.deliver(device.tap(ANNA, MORNING + hours(5)))
    assert device.lease == given + 1
    assert wall.listed()["forked"] is False


def test_a_batch_of_another_past_that_is_signed_now_shows_a_restored_backup(wall: Wall) -> None:
    device = wall.device
    device.deliver(device.tap(ANNA, MORNING))
    answer = device.sent(device.batch(device.tap(ANNA, MORNING + hours(4)), lease=9))
    assert answer["lease"] == 10
    assert any("replay" in action for action in answer["actions"])
