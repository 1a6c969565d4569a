"""A card that was set back while a batch waited repeats that batch and is given the lease: the fork is found
nevertheless.
"""

import json
import random
from copy import deepcopy
from datetime import timedelta

import pytest

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, MORNING, Site, enrolled, hours

LATER = timedelta(minutes=10)


def with_open_batch(site: Site) -> tuple[Clock, dict[str, object]]:
    """The card as it was when its newest batch had been written down and not been answered."""
    site.device.deliver(site.device.tap(ANNA, MORNING))
    batch = site.device.batch(site.device.tap(ANNA, MORNING + hours(4)))
    card = deepcopy(site.device, {id(site.device.client): site.device.client, id(site.clock): site.clock})
    card.rng = random.Random(99)  # what it draws from now on is its own
    return card, batch


def test_a_known_batch_signed_anew_long_after_the_last_one_is_a_card_set_back(site: Site) -> None:
    old, batch = with_open_batch(site)
    site.device.sent(batch)
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    site.clock.set(site.clock.now() + LATER)
    old.sent(batch)
    assert site.listed()["forked"] is True


def test_a_known_batch_that_comes_late_is_no_fork(site: Site) -> None:
    _, batch = with_open_batch(site)
    sent_at = int(site.clock.now().timestamp())
    site.device.sent(batch)
    site.clock.set(site.clock.now() + LATER)
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    site.clock.set(site.clock.now() + LATER)
    body = json.dumps(batch).encode()
    answer = site.device.send("POST", "/api/devices/stamps", body, created=sent_at)
    assert answer.status_code == 200
    assert site.listed()["forked"] is False


def test_the_newest_batch_repeated_long_after_is_no_fork(site: Site) -> None:
    _, batch = with_open_batch(site)
    site.device.sent(batch)
    for _ in range(3):
        site.clock.set(site.clock.now() + LATER)
        site.device.sent(batch)
    assert site.listed()["forked"] is False


@ON_BOTH
def test_a_lease_from_the_answer_to_an_outdated_batch_is_a_fork_whatever_the_time(site: Site) -> None:
    """The card is put back within minutes: its signature and its epochs look like those of a single card."""
    old, batch = with_open_batch(site)
    site.device.sent(batch)
    site.clock.set(site.clock.now() + timedelta(minutes=1))
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    site.clock.set(site.clock.now() + timedelta(minutes=1))
    old.sent(batch)
    assert site.listed()["forked"] is False
    answer = old.deliver(old.tap(ANNA, MORNING + hours(6)), leaseFrom=batch["batch"])
    assert answer["results"][0]["outcome"] == "stored"
    assert site.listed()["forked"] is True


def test_a_lease_from_the_answer_to_the_last_batch_is_no_fork(site: Site) -> None:
    _, batch = with_open_batch(site)
    for _ in range(2):  # the first answer is lost
        site.device.sent(batch)
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)), leaseFrom=batch["batch"])
    assert site.listed()["forked"] is False


def test_a_lease_from_the_answer_to_a_batch_without_a_lease_is_no_fork(site: Site) -> None:
    _, batch = with_open_batch(site)
    site.device.sent(batch)
    unchecked = site.device.batch(site.device.tap(ANNA, MORNING + hours(5)), lease=None)
    site.clock.set(site.clock.now() + LATER)
    site.device.sent(unchecked)
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(6)), leaseFrom=unchecked["batch"])
    assert site.listed()["forked"] is False


@pytest.mark.parametrize("value", [7, "x", None, [], "6f1c0e52-77a1-4f0e-9b1d-0a1b2c3d4e5f"])
def test_a_lease_from_an_unreadable_or_unknown_batch_is_no_fork(site: Site, value: object) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    answer = site.device.deliver(site.device.tap(ANNA, MORNING + hours(4)), leaseFrom=value)
    assert answer["results"][0]["outcome"] == "stored"
    assert site.listed()["forked"] is False


def test_two_epochs_that_name_one_predecessor_are_a_fork(site: Site) -> None:
    old, batch = with_open_batch(site)
    site.device.sent(batch)
    site.device.start_agent()
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    old.sent(batch)  # known; at once, so that its signature proves nothing
    assert site.listed()["forked"] is False
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)))
    assert site.listed()["forked"] is True


def test_an_epoch_that_names_too_early_an_end_of_its_predecessor_is_a_fork(site: Site) -> None:
    old, batch = with_open_batch(site)
    site.device.sent(batch)
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    old.sent(batch)
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)))
    assert site.listed()["forked"] is True


def test_a_clock_that_starts_anew_each_day_is_no_fork(site: Site) -> None:
    for day in range(4):
        site.device.deliver(
            site.device.tap(ANNA, MORNING + hours(day)), site.device.tap(ANNA, MORNING + hours(day + 1))
        )
        site.device.start_agent()
        if day == 2:
            site.device.start_agent()  # one start without a single tap
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(6)))
    assert site.listed()["forked"] is False


def test_without_a_lease_the_epochs_are_not_asked(site: Site) -> None:
    old, batch = with_open_batch(site)
    site.device.sent(batch)
    site.device.start_agent()
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(5)))
    old.start_agent()
    old.deliver(old.tap(ANNA, MORNING + hours(6)), lease=None)
    assert site.listed()["forked"] is False


def test_a_batch_of_another_past_that_the_network_held_back_moves_no_lease(site: Site) -> None:
    """A backup was restored, the clock has started over with the lease given there; only then its old batch comes."""
    device = site.device
    held_back = device.batch(device.tap(ANNA, MORNING), lease=9)
    sent_at = int(site.clock.now().timestamp())
    site.clock.set(site.clock.now() + LATER)
    device.deliver(device.tap(ANNA, MORNING + hours(4)))
    old_lease = device.lease
    late = device.send("POST", "/api/devices/stamps", json.dumps(held_back).encode(), created=sent_at)
    assert [row["outcome"] for row in late.json()["results"]] == ["stored"]
    assert late.json()["lease"] == old_lease
    device.lease = old_lease
    device.deliver(device.tap(ANNA, MORNING + hours(5)))
    assert device.lease == old_lease + 1
    assert site.listed()["forked"] is False


def test_a_batch_of_another_past_that_is_signed_now_shows_a_restored_backup(site: Site) -> None:
    device = site.device
    device.deliver(device.tap(ANNA, MORNING))
    answer = device.sent(device.batch(device.tap(ANNA, MORNING + hours(4)), lease=9))
    assert answer["lease"] == 10
    assert any("replay" in action for action in answer["actions"])


@ON_BOTH
def test_two_copies_of_a_card_in_one_new_machine_are_an_identity_conflict_and_no_fork(site: Site) -> None:
    """The new machine makes a key from each copy, and each continues the epochs of the card; its own key lives once."""
    card = site.device
    stamp, first_epoch = card.tap(ANNA, MORNING), card.epoch
    card.deliver(stamp)
    card.start_agent()
    parting = card.previous
    card.deliver(card.tap(ANNA, MORNING + hours(1)))
    copies = [enrolled(site.world, site.clock, "SW-T-9", seed) for seed in (5, 6)]
    for hour, copy in enumerate(copies, start=2):
        copy.previous = parting
        answer = copy.deliver(copy.tap(ANNA, MORNING + hours(hour)))
        assert [result["outcome"] for result in answer["results"]] == ["stored"]
        answer = copy.deliver(stamp, epoch=first_epoch, previous=None)
        assert [result["outcome"] for result in answer["results"]] == ["duplicate"]
    card.deliver(card.tap(ANNA, MORNING + hours(4)))
    assert [site.listed(device)["forked"] for device in (card, *copies)] == [False, False, False]
    assert [site.listed(device)["identityConflict"] for device in (card, *copies)] == [False, True, True]
