"""Rollouts: refusals, and the versions offered to clocks over time."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.rollouts import advancing, offers, service
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.companies import set_setting_from

from cloud.tests.databases import ON_BOTH
from cloud.tests.fleet.rolling import (
    ALL,
    ROLLOUTS,
    RUNS_ON,
    SIZE,
    Fleet,
    channel_of,
    log_of,
    published,
    rollout_of,
    withdrawn,
)
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import MORNING, Site, enrolled

THURSDAY = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "stages",
    [[], [{"percent": 5}], [{"percent": 50}, {"percent": 50}, ALL], [{}, ALL], [{"clocks": 5, "percent": 5}, ALL]],
)
def test_invalid_stages_are_refused(fleet: Fleet, stages: Sequence[Any]) -> None:
    body = {"version": "1.6.0", "channel": "stable", "stages": stages}
    assert fleet.site.founder.post(ROLLOUTS, json=body).status_code == 422


def test_only_published_versions_of_the_channel_are_rolled_out(fleet: Fleet) -> None:
    founder = fleet.site.founder
    for version, channel in (("1.7.0", "stable"), ("1.6.0", "beta")):
        answer = founder.post(ROLLOUTS, json={"version": version, "channel": channel})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "version")
    withdrawn(fleet.site, "1.6.0")
    answer = founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable"})
    assert (answer.status_code, answer.json()["code"]) == (409, "version_withdrawn")
    assert founder.get(ROLLOUTS).json() == [] == log_of(fleet)


def test_a_channel_has_one_running_rollout(fleet: Fleet) -> None:
    published(fleet.platform, "1.7.0")
    published(fleet.platform, "1.7.0", "beta")
    fleet.start()
    founder, body = fleet.site.founder, {"version": "1.7.0", "channel": "stable"}
    assert founder.post(ROLLOUTS, json=body).json()["code"] == "rollout_running"
    assert founder.post(ROLLOUTS, json=body | {"channel": "beta"}).status_code == 201
    # A paused rollout gives way.
    first = next(row for row in founder.get(ROLLOUTS).json() if row["channel"] == "stable")
    founder.post(f"{ROLLOUTS}/{first['id']}/pause")
    assert founder.post(ROLLOUTS, json=body).status_code == 201
    (was,) = [row for row in founder.get(ROLLOUTS).json() if row["id"] == first["id"]]
    assert (was["state"], was["reason"]) == ("stopped", "Abgelöst durch Version 1.7.0.")
    assert founder.post(f"{ROLLOUTS}/{first['id']}/rollback").json()["code"] == "rollout_superseded"


def test_two_starts_at_once_leave_one_rollout(fleet: Fleet) -> None:
    founder, body = fleet.site.founder, {"version": "1.6.0", "channel": "stable"}
    answers = all_at_once(fleet.platform, *[lambda: founder.post(ROLLOUTS, json=body)] * 2)
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(founder.get(ROLLOUTS).json()) == 1


def test_an_offered_version_comes_with_the_closing_times_of_the_clock_s_company(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    workdays = {str(day): {"open": "08:00", "close": "17:00"} for day in range(5)}
    hours = {"mode": "none", "openingHours": workdays}
    assert site.boss.put(f"/api/companies/{site.firm.id}/working-hours-config", json=hours).status_code == 200
    stranger = enrolled(site.world, site.clock, "SW-T-9", 9)
    site.founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0})
    for device in (site.device, stranger):
        site.clock.advance(seconds=1)
        device.beat(platform=RUNS_ON)
    advancing.advance(site.world.platform)
    offers.refresh_cache(site.world.platform)
    site.clock.set(datetime(2026, 11, 27, 15, 0, tzinfo=UTC))  # a Friday
    weekend = {"from": "2026-11-27T16:00:00.000Z", "until": "2026-11-30T07:00:00.000Z"}
    assert site.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": weekend}
    assert stranger.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}


@ON_BOTH
def test_a_clock_that_was_just_heard_belongs_to_the_first_stage(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    site.clock.advance(seconds=30)
    site.device.beat(platform=RUNS_ON)
    body = {"version": "1.6.0", "channel": "stable", "stages": [{"clocks": 1}, ALL]}
    row = site.founder.post(ROLLOUTS, json=body).json()
    assert [stage["size"] for stage in row["stages"]] == [1, 0], row


@pytest.mark.parametrize("now", [False, True])
def test_a_rollout_of_now_tells_clocks_not_to_wait_until_it_is_rolled_back(site: Site, now: bool) -> None:
    platform, founder = site.world.platform, site.founder
    published(platform, "1.5.0")
    published(platform, "1.6.0")
    site.device.beat(platform=RUNS_ON)
    body = {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0, "now": now}
    assert founder.post(ROLLOUTS, json=body | {"now": "yes"}).status_code == 422
    row = founder.post(ROLLOUTS, json=body).json()
    assert (row["now"], founder.get(ROLLOUTS).json()[0]["now"]) == (now, now)

    def beat(version: str) -> Any:
        site.clock.advance(minutes=1)
        advancing.advance(platform)
        offers.refresh_cache(platform)
        return site.device.beat(platform=RUNS_ON, version=version).json()["update"]

    assert beat("1.0.0") == {"version": "1.6.0"} | ({"now": True} if now else {})
    assert beat("1.6.0") is None
    assert beat("1.6.0") is None
    assert founder.get(ROLLOUTS).json()[0]["state"] == "done"
    assert beat("1.0.0") == {"version": "1.6.0"} | ({"now": True} if now else {})  # a late clock
    assert founder.post(f"{ROLLOUTS}/{row['id']}/rollback").status_code == 200
    assert beat("1.6.0") == {"version": "1.5.0"}


def test_a_clock_cannot_ask_for_another_clock(site: Site) -> None:
    other_clock = site.another_clock()
    assert site.device.send("GET", f"/api/clocks/{other_clock.device_id}/update").status_code == 404
    path = f"/api/clocks/{site.device.device_id}/update"
    assert site.founder.get(path).status_code == 401
    assert site.device.send("GET", path).status_code == 204
    site.founder.post(f"/api/devices/{site.device.device_id}/revoke", json={"reason": "weg"})
    assert site.device.send("GET", path).status_code == 403


def test_a_clock_is_offered_the_version_from_its_stage_until_it_has_it(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    stranger = enrolled(site.world, site.clock, "SW-T-9", 9)  # unassigned, but updated
    for device in (site.device, stranger):
        site.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON).json()["update"] is None
    body = {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0}
    site.founder.post(ROLLOUTS, json=body)
    path = "/api/clocks/{}/update"
    assert stranger.send("GET", path.format(stranger.device_id)).status_code == 204
    advancing.advance(site.world.platform)
    offers.refresh_cache(site.world.platform)
    for device in (site.device, stranger):
        site.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}
        assert device.send("GET", path.format(device.device_id)).json() == {
            "channel": "stable",
            "version": "1.6.0",
            "target": f"stable/stempelwerk-edge-1.6.0-{RUNS_ON}.json",
            "notes": "Leiser.",
        }
        site.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON, version="1.6.0").json()["update"] is None
        assert device.send("GET", path.format(device.device_id)).status_code == 204
    detail = site.founder.get(f"/api/devices/{site.device.device_id}").json()
    assert (detail["version"], detail["platform"], detail["updateState"]) == ("1.6.0", RUNS_ON, None)


def test_a_clock_hears_when_its_company_is_closed(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    rollout_of(site.world.platform, "1.6.0", "done")
    offers.refresh_cache(site.world.platform)
    site.clock.set(THURSDAY + 2 * DAY)
    assert site.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}
    week = {str(day): {"open": "07:00", "close": "18:00"} for day in range(5)}
    body = {"mode": "none", "uniformWeeklyTargetMinutes": None, "openingHours": week}
    answer = site.founder.put(f"/api/companies/{site.firm.id}/working-hours-config", json=body)
    assert answer.status_code == 200, answer.text
    site.clock.advance(seconds=1)
    quiet = {"from": "2026-11-20T17:00:00.000Z", "until": "2026-11-23T06:00:00.000Z"}
    assert site.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": quiet}


def test_a_holiday_of_its_land_is_closed(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    rollout_of(site.world.platform, "1.6.0", "done")
    offers.refresh_cache(site.world.platform)
    week = {str(day): [7 * 60, 18 * 60] for day in range(5)}
    with site.world.platform.database.write(SYSTEM) as tx:
        for name, value in (("holiday_region", "DE-BY"), ("opening_hours", week)):
            set_setting_from(tx, site.firm.id, Change(name, date.min, json.dumps(value)), MORNING, None)
    site.clock.set(datetime(2027, 1, 5, 12, 0, tzinfo=UTC))  # before the Epiphany, which Bavaria keeps
    quiet = {"from": "2027-01-05T17:00:00.000Z", "until": "2027-01-07T06:00:00.000Z"}
    assert site.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": quiet}


def test_clocks_that_cannot_have_the_version_are_not_offered_it(fleet: Fleet) -> None:
    unknown, foreign, newer, beta, revoked = list(fleet.ids)[:5]
    fleet.heard([unknown], platform=None)
    fleet.heard([foreign], platform="cp311-aarch64")
    fleet.heard([newer], version="1.10.0")
    channel_of(fleet.platform, beta, "beta")
    fleet.site.founder.post(f"/api/devices/{fleet.ids[revoked]}/revoke", json={"reason": "weg"})
    assert fleet.start(stages=[ALL])["size"] == SIZE - 5
    assert fleet.told_nos() == list(fleet.ids)[5:]


def test_canaries_come_first_and_all_others_last(fleet: Fleet) -> None:
    fleet.site.device.beat(version="9.9.9")
    row = fleet.start()
    canaries = fleet.told_nos()
    assert (row["state"], row["stage"], len(canaries)) == ("running", 1, 4)
    assert [(stage["size"], stage["told"]) for stage in row["stages"]] == [(4, 4), (8, 0)]
    fleet.heard(canaries[:3], version="1.6.0")
    assert fleet.advance(minutes=1)["stage"] == 1  # three of four are not enough
    fleet.heard(canaries, version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["stage"], row["updated"], len(fleet.told_nos())) == (2, 4, 8)
    # A clock that comes in between belongs to the last stage.
    fleet.heard(version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["state"], row["updated"], row["size"]) == ("done", SIZE, SIZE)
    assert fleet.told_nos() == []
    # A clock that arrives later, or was away, is offered the version as well.
    late = next(iter(fleet.ids))
    fleet.heard([late], version="1.2.0")
    assert fleet.target_versions() == {late: "1.6.0"}
    assert log_of(fleet) == ["rollout.started", "rollout.done"]


@ON_BOTH
def test_a_stage_takes_a_whole_working_day(fleet: Fleet) -> None:
    fleet.site.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stageDays=1)
    fleet.site.clock.advance(hours=10)
    fleet.heard(fleet.told_nos(), version="1.6.0")
    row = fleet.advance()
    assert row["stage"] == 1
    assert row["settledAt"] is not None
    for hour in range(1, 28):  # until Friday is over
        fleet.heard()
        row = fleet.advance(hours=1)
        assert (row["stage"], row["days"]) == (1, 0), hour
    fleet.site.clock.advance(hours=4)
    fleet.heard()
    assert fleet.advance()["stage"] == 2


def test_two_pauses_at_once_leave_one_and_the_rollout_can_be_rolled_back(fleet: Fleet) -> None:
    path, founder = f"{ROLLOUTS}/{fleet.start()['id']}", fleet.site.founder
    pause, back = (partial(founder.post, f"{path}/{transition}") for transition in ("pause", "rollback"))
    answers = all_at_once(fleet.platform, pause, pause)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert founder.post(f"{path}/resume").status_code == 200
    answers = all_at_once(fleet.platform, pause, back)
    assert answers[1].status_code == 200
    assert answers[0].status_code in {200, 409}
    assert fleet.row()["state"] == "rolled_back"


def test_a_paused_rollout_offers_nothing_until_it_is_resumed(fleet: Fleet) -> None:
    fleet.start()
    canaries = fleet.told_nos()
    assert fleet.move("resume").json()["code"] == "rollout_state"
    assert fleet.move("pause").json()["state"] == "paused"
    assert fleet.advance(minutes=1)["state"] == "paused"
    assert fleet.told_nos() == []
    fleet.heard(canaries, version="1.6.0")
    assert fleet.advance(minutes=1)["updated"] == 4
    assert fleet.told_nos() == []
    assert fleet.move("resume").json()["state"] == "running"
    fleet.advance(minutes=1)
    assert len(fleet.told_nos()) == 8
    assert log_of(fleet) == ["rollout.started", "rollout.paused", "rollout.resumed"]


def test_a_withdrawn_version_reaches_no_further_clock(fleet: Fleet) -> None:
    fleet.start()
    withdrawn(fleet.site, "1.6.0")
    assert fleet.told_nos() == []
    row = fleet.row()
    assert (row["state"], row["reason"]) == ("stopped", "Die Version wurde zurückgezogen.")


def test_clocks_go_back_to_their_former_version_or_the_newest_remaining(fleet: Fleet) -> None:
    published(fleet.platform, "1.4.0")
    published(fleet.platform, "1.5.0")
    first, second, *_ = fleet.ids
    fleet.heard([first], version="1.4.0")
    fleet.start(stages=[ALL])
    fleet.heard([first, second], version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.move("rollback").json()["state"] == "rolled_back"
    # The other clocks lack it, and are offered nothing.
    assert fleet.target_versions() == {first: "1.4.0", second: "1.5.0"}
    withdrawn(fleet.site, "1.4.0")
    assert fleet.target_versions() == {first: "1.5.0", second: "1.5.0"}
    fleet.heard([first, second], version="1.5.0")
    assert fleet.target_versions() == {}
    assert fleet.move("rollback").json()["code"] == "rollout_state"


def test_no_clock_goes_below_its_package_and_another_channel_takes_no_way_back(fleet: Fleet) -> None:
    published(fleet.platform, "1.4.0")
    published(fleet.platform, "1.5.0", channel="beta")
    first, second, *_ = fleet.ids
    fleet.heard([first], version="1.5.0")
    fleet.heard([second], version="1.3.0")
    fleet.start(stages=[ALL])
    fleet.heard([first, second], version="1.6.0")
    fleet.advance(minutes=1)
    fleet.move("rollback")
    assert fleet.target_versions() == {second: "1.4.0"}
    offers.refresh_cache(fleet.platform)
    hint = service.hint(fleet.platform, first, "stable", "1.6.0", RUNS_ON)
    assert hint == service.Hint("1.5.0", at_once=False)


def test_clocks_of_a_first_release_go_back_to_the_version_that_they_came_with(site: Site) -> None:
    platform, founder = site.world.platform, site.founder
    published(platform, "1.6.0")
    site.device.beat(platform=RUNS_ON, version="1.0.0")
    body = {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0}
    row = founder.post(ROLLOUTS, json=body).json()

    def beat(version: str) -> Any:
        site.clock.advance(minutes=1)
        answer = site.device.beat(platform=RUNS_ON, version=version).json()["update"]
        advancing.advance(platform)
        offers.refresh_cache(platform)
        return answer

    def running() -> int:
        return int(founder.get(ROLLOUTS).json()[0]["clocks"])

    assert [beat("1.0.0"), beat("1.0.0"), beat("1.6.0")] == [None, {"version": "1.6.0"}, None]
    assert running() == 1
    assert founder.post(f"{ROLLOUTS}/{row['id']}/rollback").status_code == 200
    offers.refresh_cache(platform)
    assert beat("1.6.0") == {"version": "1.0.0"}
    assert site.device.send("GET", f"/api/clocks/{site.device.device_id}/update").status_code == 204
    assert beat("1.0.0") is None
    assert running() == 0
    # A newer version that was withdrawn does not come from a package.
    published(platform, "1.0.0")
    withdrawn(site, "1.0.0")
    offers.refresh_cache(platform)
    assert beat("1.6.0") is None


def test_a_clock_that_came_to_the_version_after_its_rollout_goes_back_too(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    late, *other_nos = fleet.ids
    fleet.heard([late], platform=None)  # its possible versions are unknown
    fleet.start(stages=[ALL])
    fleet.heard(other_nos, version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.advance(minutes=1)["state"] == "done"
    fleet.heard([late], platform=RUNS_ON)
    assert fleet.target_versions() == {late: "1.6.0"}
    fleet.heard([late], version="1.6.0")
    fleet.move("rollback")
    assert fleet.target_versions()[late] == "1.5.0"


def test_clocks_never_go_back_to_a_newer_version_or_one_that_is_not_there_for_them(fleet: Fleet) -> None:
    published(fleet.platform, "1.4.0")
    published(fleet.platform, "1.5.0", runs_on="cp311-aarch64")
    published(fleet.platform, "1.7.0")  # which no clock has tried yet
    fleet.start(stages=[ALL])
    fleet.heard(version="1.6.0")
    fleet.advance(minutes=1)
    fleet.move("rollback")
    assert set(fleet.target_versions().values()) == {"1.4.0"}
