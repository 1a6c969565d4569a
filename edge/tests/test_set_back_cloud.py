"""The cloud goes back to a backup and the clocks show it by their heartbeats: no tap is needed."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.ports import AnswerKind
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import MORNING, TAG
from edge.tests.model_cloud import ModelCloud
from edge.tests.rig import EICHE, Rig

STRANGER = "04FFFFFFFFFFFF"
TWO_BEATS_S = 75


@pytest.fixture
def rig(memory: Path) -> Iterator[Rig]:
    """A clock that has delivered three stamps, each in a batch of its own."""
    with simulated_loop() as loop:
        new_rig = Rig(loop, memory)
        new_rig.start()
        new_rig.wait(seconds=5)
        for tag in (STRANGER, STRANGER, TAG):
            new_rig.tap(tag)
            new_rig.wait(minutes=2)
        yield new_rig
        new_rig.crash()


def set_back(rig: Rig, target_cloud: ModelCloud | None = None) -> None:
    """Restores the cloud: to the day of the clock's enrolment without another one."""
    if target_cloud is None:
        target_cloud = ModelCloud(rig.cloud.now)
        target_cloud.handle("POST", wire.ENROLL, b"", next(iter(rig.cloud.devices)))
    rig.cloud.restore(target_cloud)


def log_messages(rig: Rig, code: str = "cloud_set_back") -> list[str]:
    """The messages of a code, as the clock has sent them or still keeps them."""
    sent = [entry for request in rig.requests(wire.LOGS) for entry in json.loads(request.content)["entries"]]
    entries = {entry["id"]: entry for entry in [*sent, *rig.agent.logbook.waiting(1000)]}
    return [entry["message"] for entry in entries.values() if entry["code"] == code]


def books(rig: Rig) -> None:
    """The people's list of the cloud is made of the stamps that it has; yesterday's is all that its backup holds."""
    yesterday = wire.instant_text(MORNING - timedelta(hours=14))

    def people(_: httpx.Request) -> httpx.Response:
        own_stamps = [stamp for stamp in rig.cloud.stamps.values() if stamp["tag"] == TAG]
        row = EICHE | ({"state": "in", "since": own_stamps[-1]["wall"]} if own_stamps else {"since": yesterday})
        return httpx.Response(200, json={"revision": "0", "reset": True, "people": [row], "removed": []})

    rig.answers(people, wire.PEOPLE)


def deliveries(rig: Rig) -> int:
    return len(rig.requests(wire.STAMPS))


def test_an_answer_that_comes_late_with_an_earlier_lease_is_no_cloud_that_was_set_back(rig: Rig) -> None:
    rig.net.under_way_s = lambda request: 20.0 if request.url.path == wire.HEARTBEAT else 0.0
    for _ in range(20):
        rig.tap(STRANGER)
        rig.wait(seconds=17)
    assert len(rig.cloud.heartbeats) > 5
    assert log_messages(rig) == []
    assert all(len(ids) == 1 for _, ids in rig.cloud.arrivals)


def test_another_server_and_another_copy_of_the_card_are_no_cloud_that_was_set_back(rig: Rig) -> None:
    (device,) = rig.cloud.devices.values()
    device.confirmed, device.confirmed_by, device.pending = device.pending + 1, "another copy's", device.pending + 2
    rig.wait(minutes=5)
    set_back(rig)
    rig.cloud.server_id = "server-2"
    rig.wait(minutes=5)
    assert log_messages(rig) == []
    assert sorted(rig.delivered()) == sorted(rig.toned)


def test_a_restored_cloud_has_everything_again_within_two_heartbeats_and_nobody_taps(rig: Rig) -> None:
    set_back(rig)
    rig.wait(seconds=TWO_BEATS_S)
    assert sorted(rig.delivered()) == sorted(rig.toned)
    (device,) = rig.cloud.devices.values()
    assert device.confirmed >= 4, "the clock has shown the lease that it held"
    assert not device.forked
    rig.wait(hours=1)
    assert log_messages(rig) == ["the cloud gives lease 1, this clock held 4 before"]


def test_so_has_one_that_does_not_even_know_the_clock_any_more(rig: Rig) -> None:
    set_back(rig, ModelCloud(rig.cloud.now))
    rig.wait(seconds=TWO_BEATS_S)
    assert sorted(rig.delivered()) == sorted(rig.toned)
    assert len(log_messages(rig)) == 1


def test_what_is_on_its_way_then_shows_the_lease(rig: Rig) -> None:
    rig.has_luck("lost answer", wire.STAMPS)
    rig.tap(STRANGER)
    rig.wait(seconds=2)
    set_back(rig)
    rig.has_luck("ok")
    rig.wait(minutes=3)
    assert sorted(rig.delivered()) == sorted(rig.toned)
    assert not any(device.forked for device in rig.cloud.devices.values())


def test_a_clock_that_has_nothing_left_to_send_says_so_once_and_shows_its_lease_with_the_next_tap(rig: Rig) -> None:
    rig.agent.state.forget_delivered(MORNING + timedelta(days=40), rig.clock.boot_id)
    deliveries_before = deliveries(rig)
    set_back(rig)
    rig.wait(hours=1)
    assert deliveries(rig) == deliveries_before
    assert len(log_messages(rig)) == 1
    rig.tap()
    rig.wait(minutes=1)
    (device,) = rig.cloud.devices.values()
    assert device.confirmed >= 4


def test_while_nothing_can_be_delivered_it_is_found_once_in_six_hours_and_delivered_afterwards(rig: Rig) -> None:
    set_back(rig)
    rig.has_luck("502", wire.STAMPS)
    deliveries_before = deliveries(rig)
    rig.wait(hours=5)
    assert len(log_messages(rig)) == 1
    assert deliveries(rig) - deliveries_before < 60, "a pause of up to a quarter of an hour between two tries"
    rig.wait(hours=2)
    assert len(log_messages(rig)) == 2
    rig.has_luck("ok")
    rig.wait(minutes=16)
    assert sorted(rig.delivered()) == sorted(rig.toned)


def test_an_answer_that_is_always_too_low_makes_no_storm(rig: Rig) -> None:
    """Two databases at one address; one of them lags."""
    low = ModelCloud(rig.cloud.now)
    low.assignment = rig.cloud.assignment
    (keyid,) = rig.cloud.devices
    low.handle("POST", wire.ENROLL, b"", keyid)
    rig.answers(
        lambda request: httpx.Response(200, json=low.handle("POST", wire.HEARTBEAT, request.content, keyid)[1]),
        wire.HEARTBEAT,
    )
    deliveries_before = deliveries(rig)
    rig.wait(hours=2)
    assert 1 <= deliveries(rig) - deliveries_before <= 8
    assert len(log_messages(rig)) <= 8


def test_a_cloud_that_is_set_back_twice_has_everything_twice(rig: Rig) -> None:
    backup = rig.cloud.backup()
    for _ in range(2):
        rig.tap(STRANGER)
        rig.wait(minutes=20)
        set_back(rig, backup)
        rig.wait(seconds=TWO_BEATS_S)
        assert sorted(rig.delivered()) == sorted(rig.toned)
    assert len(log_messages(rig)) == 2


@pytest.mark.parametrize("seconds", [0, 5, 35, TWO_BEATS_S])
def test_who_taps_meanwhile_is_greeted_as_who_came_before_the_restore(rig: Rig, seconds: float) -> None:
    """The list of the restored cloud does not know of their Kommen yet."""
    books(rig)
    set_back(rig)
    rig.wait(seconds=seconds)
    assert rig.tap().kind is AnswerKind.OUT


def test_a_list_of_people_that_was_asked_for_before_it_was_found_does_not_count(rig: Rig) -> None:
    rig.net.under_way_s = lambda request: 50.0 if request.url.path == wire.PEOPLE else 0.0
    books(rig)
    set_back(rig)
    rig.has_luck("502", wire.STAMPS)
    rig.wait(minutes=4)
    assert rig.tap().kind is AnswerKind.OUT


def test_the_same_number_of_the_lists_revision_does_not_hide_what_the_restored_cloud_says(rig: Rig) -> None:
    set_back(rig)
    rig.cloud.people = [EICHE | {"name": "M. Eiche-Ahorn"}]
    rig.wait(seconds=TWO_BEATS_S)
    assert rig.tap().name == "M. Eiche-Ahorn"
