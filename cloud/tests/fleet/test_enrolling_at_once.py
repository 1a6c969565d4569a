"""Clocks that enrol in the same moment: no conflict is overlooked, and no clock is sent away."""

import random
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from httpx2 import Response
from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices import queries

from cloud.tests.databases import ON_POSTGRESQL
from cloud.tests.device_client import Clock
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import enrolled
from cloud.tests.world import World

ROUNDS = 15


def _at_once(*calls: Callable[[], Response]) -> list[Response]:
    start = Barrier(len(calls))

    def begin(call: Callable[[], Response]) -> Response:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def _new(world: World, clock: SettableClock, serial: str, seed: int) -> Clock:
    return Clock(world.client, clock, serial, random.Random(seed))


def _conflicts(world: World, serials: Sequence[str]) -> list[list[bool]]:
    """Returns for each serial the conflict flags of its devices."""
    devices = world.founder.get("/api/devices").json()
    return [[row["identityConflict"] for row in devices if row["serial"] == serial] for serial in serials]


def test_two_keys_with_one_serial_at_once_are_both_flagged(world: World, clock: SettableClock) -> None:
    serials = [f"SW-{number}" for number in range(ROUNDS)]
    for number, serial in enumerate(serials):
        pair = [_new(world, clock, serial, 2 * number + side) for side in (0, 1)]
        answers = _at_once(*(device.enrol for device in pair))
        assert [answer.status_code for answer in answers] == [200, 200]
    assert _conflicts(world, serials) == [[True, True]] * ROUNDS


def test_two_known_keys_that_take_one_serial_at_once_are_both_flagged(world: World, clock: SettableClock) -> None:
    serials = [f"SW-{number}" for number in range(ROUNDS)]
    for number, serial in enumerate(serials):
        pair = [enrolled(world, clock, f"old-{number}-{side}", 2 * number + side) for side in (0, 1)]
        answers = _at_once(*(partial(device.enrol, serial=serial) for device in pair))
        assert [answer.status_code for answer in answers] == [200, 200]
    assert _conflicts(world, serials) == [[True, True]] * ROUNDS


def test_enrolling_flagging_and_setting_channels_at_once_do_not_deadlock(world: World, clock: SettableClock) -> None:
    for number in range(ROUNDS):
        device = enrolled(world, clock, f"SW-{number}", 2 * number)
        rival = _new(world, clock, f"SW-{number}", 2 * number + 1)
        body = {"channel": "beta" if number % 2 else "stable"}
        channels = partial(world.founder.put, "/api/clocks/channel", json=body)
        answers = _at_once(rival.enrol, channels, device.enrol)
        assert [answer.status_code for answer in answers] == [200, 200, 200]


@ON_POSTGRESQL  # SQLite has one writer
def test_a_key_that_is_reset_while_it_enrols_is_judged_after_the_reset(
    world: World, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = enrolled(world, clock, "SW-1", 1)
    keep = queries.lock_serials
    path = f"/api/devices/{device.device_id}/reset-key"

    def reset_before(session: Session, serials: Collection[str]) -> None:
        monkeypatch.setattr(queries, "lock_serials", keep)
        assert world.founder.post(path, json={"reason": "Platine"}).status_code == 200
        keep(session, serials)

    monkeypatch.setattr(queries, "lock_serials", reset_before)
    assert device.enrol(hardwareId="hw-2").status_code == 200
    assert _conflicts(world, ["SW-1"]) == [[False]]


def test_two_clocks_that_swap_their_serials_do_not_deadlock(world: World, clock: SettableClock) -> None:
    first, second = enrolled(world, clock, "SW-A", 1), enrolled(world, clock, "SW-B", 2)
    for _ in range(ROUNDS):
        answers = _at_once(lambda: first.enrol(serial="SW-B"), lambda: second.enrol(serial="SW-A"))
        answers += _at_once(lambda: first.enrol(serial="SW-A"), lambda: second.enrol(serial="SW-B"))
        assert [answer.status_code for answer in answers] == [200] * 4


def test_a_new_key_that_enrols_in_four_threads_at_once_is_one_device(world: World, clock: SettableClock) -> None:
    for number in range(ROUNDS):
        device = _new(world, clock, f"SW-{number}", number)
        answers = _at_once(*[device.enrol] * 4)
        assert [answer.status_code for answer in answers] == [200] * 4
        assert len({answer.json()["deviceId"] for answer in answers}) == 1
    rows = world.founder.get("/api/devices").json()
    assert len(rows) == ROUNDS
    assert not any(row["identityConflict"] for row in rows)
