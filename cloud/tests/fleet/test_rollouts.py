"""Rollouts: what is refused, who is told of which version when, and what stops one."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select
from stempelwerk_cloud.domain.instants import DAY, HOUR
from stempelwerk_cloud.domain.rollouts import Taps
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.fleet.rollouts import advancing, offers
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.access.tables import SecondFactor
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.timekeeping.stamps import by_clock

from cloud.tests.databases import ON_SQLITE
from cloud.tests.fleet.rolling import (
    ALL,
    ROLLOUTS,
    RUNS_ON,
    Fleet,
    a_week_before,
    channel_of,
    platform_added,
    published,
    rollout_of,
    withdrawn,
)
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.meeting import all_at_once
from cloud.tests.people.noticing import settle
from cloud.tests.room import logged
from cloud.tests.stamping import ANNA, BEN, MORNING, Wall, enrolled, hours

THURSDAY = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)
SIZE = 12


@pytest.fixture
def fleet(wall: Wall) -> Fleet:
    """Twelve clocks with a week behind them, and version 1.6.0."""
    published(wall.world.platform, "1.6.0")
    return Fleet(wall, SIZE)


def log_of(fleet: Fleet) -> list[str]:
    return logged(fleet.wall.world, fleet.wall.world.operator_id, "rollout.")


# --- refusals ---


@pytest.mark.parametrize(
    "stages",
    [[], [{"percent": 5}], [{"percent": 50}, {"percent": 50}, ALL], [{}, ALL], [{"clocks": 5, "percent": 5}, ALL]],
)
def test_stages_that_are_none_are_refused(fleet: Fleet, stages: Sequence[Any]) -> None:
    body = {"version": "1.6.0", "channel": "stable", "stages": stages}
    assert fleet.wall.founder.post(ROLLOUTS, json=body).status_code == 422


def test_only_what_is_published_in_the_channel_and_not_withdrawn_is_rolled_out(fleet: Fleet) -> None:
    founder = fleet.wall.founder
    for version, channel in (("1.7.0", "stable"), ("1.6.0", "beta")):
        answer = founder.post(ROLLOUTS, json={"version": version, "channel": channel})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "version")
    withdrawn(fleet.wall, "1.6.0")
    answer = founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable"})
    assert (answer.status_code, answer.json()["code"]) == (409, "version_withdrawn")
    assert founder.get(ROLLOUTS).json() == [] == log_of(fleet)


def test_a_channel_has_one_running_rollout(fleet: Fleet) -> None:
    published(fleet.platform, "1.7.0")
    published(fleet.platform, "1.7.0", "beta")
    fleet.start()
    founder, body = fleet.wall.founder, {"version": "1.7.0", "channel": "stable"}
    assert founder.post(ROLLOUTS, json=body).json()["code"] == "rollout_running"
    assert founder.post(ROLLOUTS, json=body | {"channel": "beta"}).status_code == 201
    # One that is paused gives way.
    first = next(one for one in founder.get(ROLLOUTS).json() if one["channel"] == "stable")
    founder.post(f"{ROLLOUTS}/{first['id']}/pause")
    assert founder.post(ROLLOUTS, json=body).status_code == 201
    (was,) = [one for one in founder.get(ROLLOUTS).json() if one["id"] == first["id"]]
    assert (was["state"], was["reason"]) == ("stopped", "Abgelöst durch Version 1.7.0.")
    assert founder.post(f"{ROLLOUTS}/{first['id']}/rollback").json()["code"] == "rollout_superseded"


def test_of_two_who_start_at_once_one_does(fleet: Fleet) -> None:
    founder, body = fleet.wall.founder, {"version": "1.6.0", "channel": "stable"}
    answers = all_at_once(fleet.platform, *[lambda: founder.post(ROLLOUTS, json=body)] * 2)
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(founder.get(ROLLOUTS).json()) == 1


# --- who is told ---


def test_with_a_version_a_clock_is_told_when_its_own_company_is_closed(wall: Wall) -> None:
    published(wall.world.platform, "1.6.0")
    workdays = {str(day): {"open": "08:00", "close": "17:00"} for day in range(5)}
    hours = {"mode": "none", "openingHours": workdays}
    assert wall.boss.put(f"/api/companies/{wall.firm.id}/working-hours-config", json=hours).status_code == 200
    stranger = enrolled(wall.world, wall.clock, "SW-T-9", 9)
    wall.founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0})
    for device in (wall.device, stranger):
        wall.clock.advance(seconds=1)
        device.beat(platform=RUNS_ON)
    advancing.advance(wall.world.platform)
    offers.remember(wall.world.platform)
    wall.clock.set(datetime(2026, 11, 27, 15, 0, tzinfo=UTC))  # a Friday
    weekend = {"from": "2026-11-27T16:00:00.000Z", "until": "2026-11-30T07:00:00.000Z"}
    assert wall.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": weekend}
    assert stranger.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}


@pytest.mark.parametrize("now", [False, True])
def test_a_rollout_of_now_tells_clocks_not_to_wait_until_it_is_rolled_back(wall: Wall, now: bool) -> None:
    platform, founder = wall.world.platform, wall.founder
    published(platform, "1.5.0")
    published(platform, "1.6.0")
    wall.device.beat(platform=RUNS_ON)
    body = {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0, "now": now}
    assert founder.post(ROLLOUTS, json=body | {"now": "yes"}).status_code == 422
    row = founder.post(ROLLOUTS, json=body).json()
    assert (row["now"], founder.get(ROLLOUTS).json()[0]["now"]) == (now, now)

    def told(version: str) -> Any:
        wall.clock.advance(minutes=1)
        advancing.advance(platform)
        offers.remember(platform)
        return wall.device.beat(platform=RUNS_ON, version=version).json()["update"]

    assert told("1.0.0") == {"version": "1.6.0"} | ({"now": True} if now else {})
    assert told("1.6.0") is None
    assert told("1.6.0") is None
    assert founder.get(ROLLOUTS).json()[0]["state"] == "done"
    assert told("1.0.0") == {"version": "1.6.0"} | ({"now": True} if now else {})  # one that is late
    assert founder.post(f"{ROLLOUTS}/{row['id']}/rollback").status_code == 200
    assert told("1.6.0") == {"version": "1.5.0"}


def test_nobody_asks_for_another_clock(wall: Wall) -> None:
    other = wall.another_clock()
    assert wall.device.send("GET", f"/api/clocks/{other.device_id}/update").status_code == 404
    path = f"/api/clocks/{wall.device.device_id}/update"
    assert wall.founder.get(path).status_code == 401
    assert wall.device.send("GET", path).status_code == 204
    wall.founder.post(f"/api/devices/{wall.device.device_id}/revoke", json={"reason": "weg"})
    assert wall.device.send("GET", path).status_code == 403


def test_a_clock_is_told_once_its_stage_is_open_and_until_it_has_the_version(wall: Wall) -> None:
    published(wall.world.platform, "1.6.0")
    stranger = enrolled(wall.world, wall.clock, "SW-T-9", 9)  # nobody's, and updated all the same
    for device in (wall.device, stranger):
        wall.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON).json()["update"] is None
    body = {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0}
    wall.founder.post(ROLLOUTS, json=body)
    path = "/api/clocks/{}/update"
    assert stranger.send("GET", path.format(stranger.device_id)).status_code == 204
    advancing.advance(wall.world.platform)
    offers.remember(wall.world.platform)
    for device in (wall.device, stranger):
        wall.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}
        assert device.send("GET", path.format(device.device_id)).json() == {
            "channel": "stable",
            "version": "1.6.0",
            "target": f"stable/stempelwerk-edge-1.6.0-{RUNS_ON}.json",
            "notes": "Leiser.",
        }
        wall.clock.advance(seconds=1)
        assert device.beat(platform=RUNS_ON, version="1.6.0").json()["update"] is None
        assert device.send("GET", path.format(device.device_id)).status_code == 204
    detail = wall.founder.get(f"/api/devices/{wall.device.device_id}").json()
    assert (detail["version"], detail["platform"], detail["updateState"]) == ("1.6.0", RUNS_ON, None)


def test_a_clock_hears_when_its_company_is_closed(wall: Wall) -> None:
    published(wall.world.platform, "1.6.0")
    rollout_of(wall.world.platform, "1.6.0", "done")
    offers.remember(wall.world.platform)
    wall.clock.set(THURSDAY + 2 * DAY)
    assert wall.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0"}
    week = {str(day): {"open": "07:00", "close": "18:00"} for day in range(5)}
    body = {"mode": "none", "uniformWeeklyTargetMinutes": None, "openingHours": week}
    answer = wall.founder.put(f"/api/companies/{wall.firm.id}/working-hours-config", json=body)
    assert answer.status_code == 200, answer.text
    wall.clock.advance(seconds=1)
    quiet = {"from": "2026-11-20T17:00:00.000Z", "until": "2026-11-23T06:00:00.000Z"}
    assert wall.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": quiet}


def test_a_holiday_of_its_land_is_closed(wall: Wall) -> None:
    published(wall.world.platform, "1.6.0")
    rollout_of(wall.world.platform, "1.6.0", "done")
    offers.remember(wall.world.platform)
    week = {str(day): [7 * 60, 18 * 60] for day in range(5)}
    with wall.world.platform.database.write(SYSTEM) as tx:
        for name, value in (("holiday_region", "DE-BY"), ("opening_hours", week)):
            directory.set_setting_from(tx, wall.firm.id, Change(name, date.min, json.dumps(value)), MORNING, None)
    wall.clock.set(datetime(2027, 1, 5, 12, 0, tzinfo=UTC))  # before the Epiphany, which Bavaria keeps
    quiet = {"from": "2027-01-05T17:00:00.000Z", "until": "2027-01-07T06:00:00.000Z"}
    assert wall.device.beat(platform=RUNS_ON).json()["update"] == {"version": "1.6.0", "quiet": quiet}


def test_no_clock_is_told_that_cannot_have_the_version(fleet: Fleet) -> None:
    unknown, other, newer, beta, gone = list(fleet.ids)[:5]
    fleet.heard([unknown], platform=None)
    fleet.heard([other], platform="cp311-aarch64")
    fleet.heard([newer], version="1.10.0")
    channel_of(fleet.platform, beta, "beta")
    fleet.wall.founder.post(f"/api/devices/{fleet.ids[gone]}/revoke", json={"reason": "weg"})
    assert fleet.start(stages=[ALL])["size"] == SIZE - 5
    assert fleet.told() == list(fleet.ids)[5:]


def test_canaries_come_first_and_everybody_last(fleet: Fleet) -> None:
    fleet.wall.device.beat(version="9.9.9")
    row = fleet.start()
    canaries = fleet.told()
    assert (row["state"], row["stage"], len(canaries)) == ("running", 1, 4)
    assert [(one["size"], one["told"]) for one in row["stages"]] == [(4, 4), (8, 0)]
    fleet.heard(canaries[:3], version="1.6.0")
    assert fleet.advance(minutes=1)["stage"] == 1  # three of four are not enough
    fleet.heard(canaries, version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["stage"], row["updated"], len(fleet.told())) == (2, 4, 8)
    # A clock that comes in between belongs to the last stage.
    fleet.heard(version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["state"], row["updated"], row["size"]) == ("done", SIZE, SIZE)
    assert fleet.told() == []
    # Who comes later, or was away, is told as well.
    late = next(iter(fleet.ids))
    fleet.heard([late], version="1.2.0")
    assert fleet.wanted() == {late: "1.6.0"}
    assert log_of(fleet) == ["rollout.started", "rollout.done"]


def test_a_stage_takes_a_whole_working_day(fleet: Fleet) -> None:
    fleet.wall.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stageDays=1)
    fleet.wall.clock.advance(hours=10)
    fleet.heard(fleet.told(), version="1.6.0")
    row = fleet.advance()
    assert row["stage"] == 1
    assert row["settledAt"] is not None
    for hour in range(1, 28):  # until Friday is over
        fleet.heard()
        row = fleet.advance(hours=1)
        assert (row["stage"], row["days"]) == (1, 0), hour
    fleet.wall.clock.advance(hours=4)
    fleet.heard()
    assert fleet.advance()["stage"] == 2


def test_of_two_who_pause_at_once_one_does_and_it_can_be_rolled_back_then_or_before(fleet: Fleet) -> None:
    path, founder = f"{ROLLOUTS}/{fleet.start()['id']}", fleet.wall.founder
    pause, back = (partial(founder.post, f"{path}/{what}") for what in ("pause", "rollback"))
    answers = all_at_once(fleet.platform, pause, pause)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert founder.post(f"{path}/resume").status_code == 200
    answers = all_at_once(fleet.platform, pause, back)
    assert answers[1].status_code == 200
    assert answers[0].status_code in {200, 409}
    assert fleet.row()["state"] == "rolled_back"


def test_who_is_paused_is_not_told_until_it_goes_on(fleet: Fleet) -> None:
    fleet.start()
    canaries = fleet.told()
    assert fleet.move("resume").json()["code"] == "rollout_state"
    assert fleet.move("pause").json()["state"] == "paused"
    assert fleet.advance(minutes=1)["state"] == "paused"
    assert fleet.told() == []
    fleet.heard(canaries, version="1.6.0")
    assert fleet.advance(minutes=1)["updated"] == 4
    assert fleet.told() == []
    assert fleet.move("resume").json()["state"] == "running"
    fleet.advance(minutes=1)
    assert len(fleet.told()) == 8
    assert log_of(fleet) == ["rollout.started", "rollout.paused", "rollout.resumed"]


def test_a_withdrawn_version_reaches_nobody_else(fleet: Fleet) -> None:
    fleet.start()
    withdrawn(fleet.wall, "1.6.0")
    assert fleet.told() == []
    row = fleet.row()
    assert (row["state"], row["reason"]) == ("stopped", "Die Version wurde zurückgezogen.")


def test_clocks_go_back_to_what_they_had_or_to_the_newest_that_is_left(fleet: Fleet) -> None:
    published(fleet.platform, "1.4.0")
    published(fleet.platform, "1.5.0")
    first, second, *_ = fleet.ids
    fleet.heard([first], version="1.4.0")
    fleet.start(stages=[ALL])
    fleet.heard([first, second], version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.move("rollback").json()["state"] == "rolled_back"
    # The others have not got it, and hear of nothing.
    assert fleet.wanted() == {first: "1.4.0", second: "1.5.0"}
    withdrawn(fleet.wall, "1.4.0")
    assert fleet.wanted() == {second: "1.5.0"}
    fleet.heard([second], version="1.5.0")
    assert fleet.wanted() == {}
    assert fleet.move("rollback").json()["code"] == "rollout_state"


def test_a_clock_that_came_to_the_version_after_its_rollout_goes_back_too(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    late, *others = fleet.ids
    fleet.heard([late], platform=None)  # nothing is known of what it can have
    fleet.start(stages=[ALL])
    fleet.heard(others, version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.advance(minutes=1)["state"] == "done"
    fleet.heard([late], platform=RUNS_ON)
    assert fleet.wanted() == {late: "1.6.0"}
    fleet.heard([late], version="1.6.0")
    fleet.move("rollback")
    assert fleet.wanted()[late] == "1.5.0"


def test_clocks_never_go_back_to_a_newer_version_or_one_that_is_not_there_for_them(fleet: Fleet) -> None:
    published(fleet.platform, "1.4.0")
    published(fleet.platform, "1.5.0", runs_on="cp311-aarch64")
    published(fleet.platform, "1.7.0")  # which nobody has tried yet
    fleet.start(stages=[ALL])
    fleet.heard(version="1.6.0")
    fleet.advance(minutes=1)
    fleet.move("rollback")
    assert set(fleet.wanted().values()) == {"1.4.0"}


# --- what happens beside it ---


def test_clocks_that_go_out_of_use_or_to_another_channel_count_for_nothing(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    canaries = fleet.told()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    a_week_before(fleet, list(fleet.ids), at=4 * HOUR)
    for no in canaries[:2]:
        fleet.wall.founder.post(f"/api/devices/{fleet.ids[no]}/revoke", json={"reason": "weg"})
    for no in canaries[2:]:
        channel_of(fleet.platform, no, "beta")
    fleet.wall.clock.advance(hours=4)
    fleet.heard([no for no in fleet.ids if no not in canaries])
    row = fleet.advance()
    assert (row["state"], row["reason"]) == ("running", None)


def test_a_clock_that_has_come_to_a_newer_version_is_not_told_to_go_down(fleet: Fleet) -> None:
    fleet.start(stages=[ALL])
    ahead, *others = fleet.told()
    fleet.heard([ahead], version="1.7.0")  # by a package, and nobody has published it
    assert ahead not in fleet.wanted()
    fleet.heard(others, version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["size"], row["updated"]) == (SIZE - 1, SIZE - 1)
    assert fleet.wanted() == {}


def test_what_late_clocks_get_is_the_newest_that_reached_everybody_in_whatever_order_it_did(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    fleet.start(stages=[ALL])
    fleet.heard(version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.start("1.5.0", stages=[ALL])["state"] == "done", "nobody is older"
    late = next(iter(fleet.ids))
    fleet.heard([late], version="1.2.0")
    assert fleet.wanted() == {late: "1.6.0"}


def test_what_was_rolled_back_in_one_channel_is_left_in_the_other_too_unless_that_has_it(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    published(fleet.platform, "1.7.0", "beta")
    moved, *_ = fleet.ids
    channel_of(fleet.platform, moved, "beta")
    fleet.start("1.7.0", channel="beta", stages=[ALL])
    fleet.heard([moved], version="1.7.0")
    fleet.advance(minutes=1)
    channel_of(fleet.platform, moved, "stable")
    assert fleet.wanted() == {}, "a channel is no reason to go down"
    fleet.move("rollback")
    assert fleet.wanted() == {moved: "1.6.0"}
    published(fleet.platform, "1.7.0")
    assert fleet.wanted() == {}


def test_a_clock_that_is_given_to_another_company_goes_on_in_its_stage(wall: Wall) -> None:
    published(wall.world.platform, "1.6.0")
    wall.device.beat(platform=RUNS_ON)
    wall.founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0})
    advancing.advance(wall.world.platform)
    other = wall.world.firm("Nachbar & Söhne")
    answer = wall.founder.post(f"/api/devices/{wall.device.device_id}/assign-company", json={"companyId": other.id})
    assert answer.status_code == 200
    advancing.advance(wall.world.platform)
    offers.remember(wall.world.platform)
    wall.clock.advance(seconds=1)
    assert wall.device.beat(platform=RUNS_ON).json()["update"]["version"] == "1.6.0"


@pytest.mark.parametrize(("first", "second"), [("resume", "start"), ("resume", "rollback"), ("rollback", "start")])
def test_two_operators_at_a_paused_rollout_leave_one_that_speaks_and_a_line_for_each_thing_done(
    fleet: Fleet, first: str, second: str
) -> None:
    founder = fleet.wall.founder
    published(fleet.platform, "1.7.0")
    row = fleet.start()
    fleet.move("pause")
    before = len(log_of(fleet))
    calls: dict[str, Any] = {
        "start": partial(founder.post, ROLLOUTS, json={"version": "1.7.0", "channel": "stable"}),
        **{what: partial(founder.post, f"{ROLLOUTS}/{row['id']}/{what}") for what in ("resume", "rollback")},
    }
    answers = all_at_once(fleet.platform, calls[first], calls[second])
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    done = sum(answer.is_success for answer in answers)
    assert done >= 1
    rows = founder.get(ROLLOUTS).json()
    replaced = sum(one["reason"] == "Abgelöst durch Version 1.7.0." for one in rows)
    assert len(log_of(fleet)) == before + done + replaced
    assert sum(one["state"] in {"running", "paused"} for one in rows) <= 1
    assert set(fleet.wanted().values()) <= {"1.6.0", "1.7.0"}


@pytest.mark.parametrize("beside", ["start", "rollback", "resume", "round"])
def test_whoever_withdraws_a_version_at_the_same_time_as_something_else_has_it_reach_nobody(
    fleet: Fleet, beside: str
) -> None:
    founder, body = fleet.wall.founder, {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0}
    if beside != "start":
        fleet.start(stages=[ALL])
        if beside == "resume":
            fleet.move("pause")
    path = "" if beside == "start" else f"/{fleet.row()['id']}/{beside}"
    other: Any = partial(founder.post, ROLLOUTS + path, json=body if beside == "start" else None)
    if beside == "round":
        other = partial(advancing.advance, fleet.platform)
    gone, answer = all_at_once(
        fleet.platform, partial(founder.post, "/api/updates/releases/1.6.0/withdraw", json={"reason": "x"}), other
    )
    assert gone.status_code == 200
    assert answer is None or answer.status_code in {200, 201, 409}
    fleet.advance(minutes=1)
    assert fleet.told() == []
    assert all(row["state"] in {"stopped", "rolled_back"} for row in founder.get(ROLLOUTS).json())


@ON_SQLITE
@pytest.mark.parametrize("said", ["", "9" * 99, "٣.٤", "v1", "1..6", "-1"])
def test_a_version_that_nobody_published_and_no_sense_can_be_made_of_stops_nothing(fleet: Fleet, said: str) -> None:
    liar, *_ = fleet.ids
    fleet.start(stages=[ALL], stageDays=1)
    fleet.heard([liar], version=said, update_state="failed", update_version=said, platform=RUNS_ON)
    assert fleet.advance(minutes=61)["state"] == "running"
    assert set(fleet.wanted()) >= set(fleet.ids) - {liar}
    assert fleet.wall.founder.get("/api/updates/releases").status_code == 200


ARM = "cp311-aarch64"


def with_arm(fleet: Fleet) -> tuple[list[int], list[int]]:
    """Version 1.6.0 has reached everybody, and is now there for other clocks as well; those, and those that have it."""
    arm, others = list(fleet.ids)[:6], list(fleet.ids)[6:]
    fleet.heard(arm, platform=ARM)
    fleet.start(stages=[ALL])
    fleet.heard(others, version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.advance(minutes=1)["state"] == "done"
    platform_added(fleet.platform, "1.6.0", ARM)
    return arm, others


def test_a_platform_that_a_finished_version_gets_later_goes_by_stages_of_its_own(fleet: Fleet) -> None:
    arm, others = with_arm(fleet)
    assert fleet.wanted() == {}
    late = others[0]
    fleet.heard([late], version="1.2.0")
    assert fleet.wanted() == {late: "1.6.0"}, "for what it was rolled out for it goes on"
    fleet.heard([late], version="1.6.0")
    row = fleet.start(stages=[{"clocks": 2}, ALL], now=True)
    assert (row["size"], row["platforms"], row["now"]) == (6, [ARM, RUNS_ON], True)
    canaries = fleet.told()
    assert len(canaries) == 2
    assert set(canaries) < set(arm)


def test_a_platform_that_comes_while_a_rollout_runs_has_no_part_in_it(fleet: Fleet) -> None:
    arm = list(fleet.ids)[:6]
    fleet.heard(arm, platform=ARM)
    fleet.start(stages=[ALL])
    platform_added(fleet.platform, "1.6.0", ARM)
    assert fleet.advance(minutes=1)["size"] == SIZE - 6
    assert not set(fleet.told()) & set(arm)


def test_a_rollout_can_be_rolled_back_on_the_platforms_that_no_newer_one_is_for(fleet: Fleet) -> None:
    arm, others = with_arm(fleet)
    published(fleet.platform, "1.5.0")
    published(fleet.platform, "1.7.0", runs_on=ARM)
    first = fleet.row()["id"]
    fleet.start("1.7.0", stages=[ALL], now=True)
    assert set(fleet.told()) == set(arm)
    assert fleet.wall.founder.post(f"{ROLLOUTS}/{first}/rollback").status_code == 200
    assert fleet.wanted() == dict.fromkeys(arm, "1.7.0") | dict.fromkeys(others, "1.5.0")


# --- what stops one ---


def test_clocks_that_are_not_heard_any_more_stop_it(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    canaries = fleet.told()
    others = [no for no in fleet.ids if no not in canaries]
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    fleet.wall.clock.advance(hours=4)
    fleet.heard(others)
    a_week_before(fleet, list(fleet.ids), at=-HOUR / 2)
    row = fleet.advance()
    assert row["state"] == "stopped"
    assert row["reason"] == "Keine Meldung seit zwei Stunden: 4 von 4 aktualisierten Uhren, 0 von 8 anderen."
    assert fleet.told() == []
    assert log_of(fleet)[-1] == "rollout.stopped"


def test_silence_everywhere_stops_nothing(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    fleet.heard(fleet.told(), version="1.6.0")
    fleet.advance(minutes=1)
    a_week_before(fleet, list(fleet.ids), at=4 * HOUR)
    assert fleet.advance(hours=4)["state"] == "running"


def test_updates_that_fail_stop_it(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    fleet.heard(fleet.told(), update_state="failed", update_version="1.6.0")
    row = fleet.advance(minutes=61)
    assert (row["state"], row["failed"]) == ("stopped", 4)
    assert row["reason"] == "Update gescheitert: 4 von 4 aktualisierten Uhren."


@pytest.mark.parametrize("sign", ["odd", "taps", "errors"])
def test_a_bad_day_stops_it(fleet: Fleet, sign: str) -> None:
    fleet.wall.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stageDays=3)
    canaries = fleet.told()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    bad = {"odd": Taps(38, 10, 2), "taps": Taps(10, 10, 0), "errors": Taps(40, 10, 0)}[sign]

    def taps(_: Any, instants: Sequence[datetime]) -> list[dict[int, Taps]]:
        usual = dict.fromkeys(fleet.ids, Taps(40, 10, 0))
        return [usual] * (len(instants) - 2) + [usual | dict.fromkeys(canaries, bad)]

    fleet.platform.taps_by_clock = taps
    fleet.wall.clock.set(THURSDAY + DAY)
    if sign == "errors":
        with fleet.platform.database.write(SYSTEM) as tx:
            for no in canaries:
                now, id_ = fleet.platform.clock.now(), fleet.platform.ids.new()
                tx.add(DeviceLog(device_no=no, id=id_, at=now, received_at=now, level="error", code="x", message=""))
    fleet.wall.clock.set(THURSDAY + 2 * DAY)
    fleet.heard()
    row = fleet.advance()
    assert row["state"] == "stopped", row
    assert "4 von 4 aktualisierten Uhren, 0 von 8 anderen" in row["reason"]


def test_two_rounds_at_once_do_what_one_does(fleet: Fleet) -> None:
    fleet.start(stages=[{"clocks": 4}, {"percent": 50}, ALL])
    fleet.heard(fleet.told(), version="1.6.0")
    all_at_once(fleet.platform, lambda: advancing.advance(fleet.platform), lambda: advancing.advance(fleet.platform))
    row = fleet.row()
    assert (row["stage"], row["updated"]) == (2, 4)
    with fleet.platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "rollout.done")) == 0


# --- who hears of it ---


def silenced(fleet: Fleet) -> None:
    """The canaries have the version and are not heard any more: the next look stops it."""
    fleet.start(stageDays=5)
    canaries = fleet.told()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    fleet.wall.clock.advance(hours=4)
    fleet.heard([no for no in fleet.ids if no not in canaries])
    a_week_before(fleet, list(fleet.ids), at=-HOUR / 2)


def operators(fleet: Fleet, **settings: Any) -> None:
    """Two of them with an address, who want mails so; so does a company's administrator."""
    wall, mails = fleet.wall, {"mail": True, "quietFrom": None, "quietTo": None, "kinds": []}
    second = wall.world.user(wall.world.operator_id, "zweite", "admin")
    wall.world.user(wall.world.operator_id, "ohne-adresse", "admin")
    with fleet.platform.database.write(SYSTEM) as tx:
        for name, who in (("erste", wall.world.founder), ("zweite", second), ("chefin", wall.firm.boss)):
            tx.add(SecondFactor(company_id=who.company_id, user_id=who.id, email=f"{name}@example.org"))
    assert wall.founder.put("/api/alarm-settings", json=mails | settings).status_code == 200


def mails(fleet: Fleet, mailbox: Mailbox) -> list[str]:
    """To whom, of all that has gone out since it was last asked."""
    settle(fleet.platform)
    found = sorted(to for (to,), _ in mailbox.mails)
    mailbox.empty()
    return found


def test_two_rounds_that_stop_it_at_once_mail_each_of_the_operator_s_administrators_once(
    fleet: Fleet, mailbox: Mailbox
) -> None:
    operators(fleet)
    silenced(fleet)
    all_at_once(fleet.platform, *[lambda: advancing.advance(fleet.platform)] * 2)
    settle(fleet.platform)
    mail = mailbox.mails[0][1]
    assert mail["Subject"] == "Rollout gestoppt: 1.6.0 (stable)"
    assert "4 von 4 aktualisierten Uhren, 0 von 8 anderen." in text_of(mail)
    assert "Die Version haben 4 von 12 Uhren." in text_of(mail)
    assert mails(fleet, mailbox) == ["erste@example.org", "zweite@example.org"]
    fleet.advance(hours=2)
    assert mails(fleet, mailbox) == []
    assert log_of(fleet) == ["rollout.started", "rollout.stopped"]


def test_who_wants_no_mails_gets_none(fleet: Fleet, mailbox: Mailbox) -> None:
    operators(fleet, mail=False)
    silenced(fleet)
    assert fleet.advance()["state"] == "stopped"
    assert mails(fleet, mailbox) == []


def test_in_quiet_hours_the_mail_waits(fleet: Fleet, mailbox: Mailbox) -> None:
    operators(fleet, quietFrom="00:00", quietTo="23:59")
    silenced(fleet)
    assert fleet.advance()["state"] == "stopped"
    assert mails(fleet, mailbox) == []
    fleet.wall.clock.advance(days=1)
    assert len(mails(fleet, mailbox)) == 2


@pytest.mark.parametrize("how", ["withdrawn", "replaced"])
def test_nobody_is_mailed_of_a_stop_that_somebody_has_brought_about(fleet: Fleet, mailbox: Mailbox, how: str) -> None:
    operators(fleet)
    fleet.start()
    if how == "withdrawn":
        withdrawn(fleet.wall, "1.6.0")
    else:
        fleet.move("pause")
        published(fleet.platform, "1.7.0")
        fleet.start("1.7.0")
    assert "rollout.stopped" in log_of(fleet)
    assert mails(fleet, mailbox) == []


# --- what came of a clock ---


def test_taps_are_counted_by_clock_and_day_of_those_who_use_one_clock(wall: Wall) -> None:
    gate = wall.another_clock()
    day = MORNING.replace(hour=0)
    wall.device.deliver(wall.device.tap(ANNA, MORNING), wall.device.tap(ANNA, MORNING + hours(8)))
    wall.device.deliver(wall.device.tap(BEN, MORNING))
    gate.deliver(gate.tap(BEN, MORNING + hours(8)))
    wall.device.deliver(wall.device.tap(BEN, MORNING - hours(23)))
    with wall.world.platform.database.read(SYSTEM) as tx:
        before, found = by_clock.taps(tx, [day - DAY, day, day + DAY])
        ((no, counted),) = found.items()
        assert counted == Taps(taps=2, people=1, odd=0)
        assert before == {no: Taps(taps=1, people=1, odd=1)}
