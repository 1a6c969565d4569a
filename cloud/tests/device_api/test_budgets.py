"""Limits for clocks that are not assigned: a flood ends soon, a waiting clock notices nothing."""

import json
from datetime import timedelta
from typing import Any

import pytest
from fastapi import Request
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.device_api.signed.budgets import Budgets

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock
from cloud.tests.settable_clock import START
from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled, hours

SECOND = timedelta(seconds=1)
BEAT = 400
"""Bytes of a heartbeat."""


def until_refused(call: Any, most_calls: int) -> tuple[int, Any]:
    """Returns how many calls are accepted, and the first refusal (or the last answer)."""
    for count in range(most_calls):
        answer = call()
        if answer.status_code != 200:
            return count, answer
    return most_calls, answer


def assert_refused(answer: Any) -> int:
    """It is the refusal that clocks know; after how many seconds to come again."""
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    seconds = int(answer.headers["Retry-After"])
    assert seconds >= 1
    return seconds


def test_a_flood_of_small_requests_from_an_unassigned_clock_is_refused(site: Site) -> None:
    stranger = enrolled(site.world, site.clock, "SW-X", 9)
    batch = stranger.batch(stranger.tap(NOBODY, MORNING))
    count, refusal = until_refused(lambda: stranger.post("/api/devices/stamps", batch), 400)
    seconds = assert_refused(refusal)
    assert count < 200
    for refused in (stranger.beat(), stranger.send("GET", "/api/devices/people"), logs(stranger)):
        assert_refused(refused)
    assert site.device.beat().status_code == 200
    site.device.deliver(site.device.tap(NOBODY, MORNING))
    site.clock.advance(seconds=seconds)
    assert stranger.post("/api/devices/stamps", batch).status_code == 200


def test_a_flood_of_large_batches_from_an_unassigned_clock_is_refused(site: Site) -> None:
    stranger = enrolled(site.world, site.clock, "SW-X", 9)
    padding = "x" * 1_000_000
    count, refusal = until_refused(
        lambda: stranger.post("/api/devices/stamps", stranger.batch(stranger.tap(NOBODY, MORNING), padding=padding)), 12
    )
    seconds = assert_refused(refusal)
    assert 1 < count < 8
    assert len(site.unassigned()) == count
    site.clock.advance(seconds=seconds)
    assert (
        stranger.post("/api/devices/stamps", stranger.batch(stranger.tap(NOBODY), padding=padding)).status_code == 200
    )


def test_an_assigned_clock_is_not_counted(site: Site) -> None:
    count, _ = until_refused(site.device.beat, 320)
    assert count == 320


def logs(clock: Clock) -> Any:
    entry = {"id": clock.uuid4(), "at": "2026-11-20T08:00:00.000Z", "level": "info", "code": "x", "message": "x"}
    return clock.post("/api/devices/logs", {"entries": [entry]})


def test_many_devices_behind_one_address_share_a_budget_and_another_address_has_its_own() -> None:
    budgets = Budgets()
    count = 0
    while not budgets.unassigned(f"device {count}", "10.0.0.1", BEAT, START):
        count += 1
        assert count < 1000
    assert budgets.unassigned("somebody", "10.0.0.2", BEAT, START) == 0


def test_many_addresses_share_a_budget_too() -> None:
    budgets = Budgets()
    count = 0
    while not budgets.unassigned(f"device {count}", f"address {count}", BEAT, START):
        count += 1
        assert count < 10_000


def test_a_refused_request_takes_nothing_from_the_others() -> None:
    budgets = Budgets()
    for _ in range(5000):
        budgets.unassigned("flood", "10.0.0.1", BEAT, START)
    assert budgets.unassigned("neighbour", "10.0.0.1", BEAT, START) == 0


def test_a_clock_that_waited_a_week_delivers_five_thousand_stamps_without_a_pause(site: Site) -> None:
    clock = enrolled(site.world, site.clock, "SW-X", 9)
    taps = [clock.tap(NOBODY, MORNING - hours(160) + timedelta(minutes=n), shown="double_tap") for n in range(500)]
    size = len(json.dumps(clock.batch(*taps)))
    for batches, each in ((10, size), (100, size // 10 + 500)):
        budgets, now = Budgets(), START
        for beat in range(7 * 2880):
            assert budgets.unassigned("clock", "10.0.0.1", BEAT, now) == 0
            now += SECOND * 30
            if beat % 10 == 0:
                assert budgets.unassigned("clock", "10.0.0.1", 0, now) == 0
        assert [budgets.unassigned("clock", "10.0.0.1", each, now) for _ in range(batches)] == [0] * batches


def test_fifty_clocks_that_wait_in_one_building_beat_for_hours() -> None:
    budgets = Budgets()
    waits = {
        budgets.unassigned(f"clock {n}", "10.0.0.1", BEAT, START + SECOND * (30 * beat + n // 2))
        for beat in range(720)
        for n in range(50)
    }
    assert waits == {0}


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 30_000_000), st.integers(0, 90)), min_size=1
    )
)
def test_whoever_waits_as_long_as_told_is_let_in(requests: list[tuple[int, int, int, int]]) -> None:
    budgets, now = Budgets(), START
    for device, address, size, pause in requests * 3:
        now += SECOND * pause
        wait = budgets.unassigned(f"device {device}", f"address {address}", size, now)
        if wait:
            now += SECOND * wait
            assert budgets.unassigned(f"device {device}", f"address {address}", size, now) == 0


@ON_BOTH
@pytest.mark.parametrize("call", ["enroll", "heartbeat", "stamps", "logs", "answers"])
def test_whose_budget_is_used_up_is_refused_before_the_body_is_read(
    site: Site, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = enrolled(site.world, site.clock, "SW-X", 9)
    batch = stranger.batch(stranger.tap(NOBODY, MORNING))
    until_refused(lambda: stranger.post("/api/devices/stamps", batch), 400)
    read: list[str] = []
    read_whole_body = Request.body

    async def noting(self: Request) -> bytes:
        read.append(self.url.path)
        return await read_whole_body(self)

    monkeypatch.setattr(Request, "body", noting)
    assert_refused(stranger.post(f"/api/devices/{call}", batch))
    assert read == []
    assert site.device.beat().status_code == 200
    assert read == ["/api/devices/heartbeat"]


def test_a_clock_that_is_assigned_then_is_taken_at_once(site: Site) -> None:
    clock = enrolled(site.world, site.clock, "SW-X", 9)
    batch = clock.batch(clock.tap(NOBODY, MORNING))
    assert_refused(until_refused(lambda: clock.post("/api/devices/stamps", batch), 400)[1])
    site.assign(clock, site.firm.id)
    assert clock.post("/api/devices/stamps", batch).status_code == 200


def test_who_names_another_clock_s_key_takes_nothing_of_its_budget(site: Site) -> None:
    clock, thief = enrolled(site.world, site.clock, "SW-X", 9), enrolled(site.world, site.clock, "SW-Y", 8)
    headers, body = clock.signed(clock.batch(clock.tap(NOBODY, MORNING)))
    forged = headers | {"Signature": thief.signed({})[0]["Signature"]}
    for _ in range(200):
        answer = site.world.client.post("/api/devices/stamps", content=body, headers=forged)
        assert answer.status_code == 401
    assert clock.beat().status_code == 200
