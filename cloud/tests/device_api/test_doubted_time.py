"""No clock places a stamp by a server's time that cannot be right: it keeps its stamps until the time is clear."""

from datetime import timedelta

import pytest
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.operations import service_time
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import HEARTBEAT, STAMPS
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, EVENING, MORNING, Site

pytestmark = ON_BOTH

JUMPS = pytest.mark.parametrize("jump", [1500 * DAY, -1500 * DAY], ids=["years ahead", "years back"])


@pytest.fixture
def watched(site: Site, platform: Platform) -> Site:
    service_time.observe(platform)
    return site


@JUMPS
def test_stamps_of_a_night_with_a_wrong_clock_are_placed_by_the_right_time(
    watched: Site, platform: Platform, clock: SettableClock, jump: timedelta
) -> None:
    device = watched.device
    taps = [device.tap(ANNA, MORNING + timedelta(hours=hour), quality="none") for hour in (0, 8)]
    batch = device.batch(*taps, anchors=[device.anchor(EVENING)])
    clock.set(EVENING + jump)
    answers = [device.post(HEARTBEAT, device.heartbeat(EVENING)), device.post(STAMPS, batch)]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(503, "time_in_doubt")] * 2
    assert all("serverTime" not in answer.json() and answer.headers["Retry-After"] == "60" for answer in answers)
    clock.set(EVENING + timedelta(hours=1))
    device.beat()
    assert device.post(STAMPS, batch).status_code == 200
    assert watched.spans() == [("2026-11-20", "07:00", "15:00")]


@JUMPS
def test_no_clock_enrols_while_the_time_is_in_doubt(watched: Site, clock: SettableClock, jump: timedelta) -> None:
    clock.advance(seconds=jump.total_seconds())
    answer = watched.device.enrol()
    assert (answer.status_code, answer.json()["code"]) == (503, "time_in_doubt")


def test_a_heartbeat_counts_though_it_is_refused(watched: Site, platform: Platform, clock: SettableClock) -> None:
    clock.advance(days=60)
    watched.device.post(HEARTBEAT, watched.device.heartbeat(reader="absent"))
    row = watched.listed()
    assert (row["isOnline"], row["reader"]) == (True, "absent")


def test_clocks_with_a_time_server_of_their_own_end_the_wait(
    watched: Site, platform: Platform, clock: SettableClock
) -> None:
    clock.advance(days=60)
    device = watched.device
    assert device.post(HEARTBEAT, device.heartbeat(clock.now())).status_code == 503
    devices.write_beats(platform)
    service_time.observe(platform)
    answer = device.post(HEARTBEAT, device.heartbeat(clock.now()))
    assert answer.status_code == 200


def test_clocks_are_answered_as_soon_as_an_operator_confirms_the_time(
    watched: Site, platform: Platform, clock: SettableClock
) -> None:
    clock.advance(days=60)
    assert service_time.misleads_clocks(platform)
    service_time.confirm(platform.database, clock.now())
    service_time.observe(platform)
    assert not service_time.misleads_clocks(platform)
