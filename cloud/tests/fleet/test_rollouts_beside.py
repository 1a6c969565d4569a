"""Rollouts with concurrent changes: clocks come, go and change, versions are withdrawn, two operators act at once."""

from functools import partial
from typing import Any

import pytest
from stempelwerk_cloud.domain.instants import HOUR
from stempelwerk_cloud.fleet.rollouts import advancing, offers

from cloud.tests.databases import ON_SQLITE
from cloud.tests.fleet.rolling import (
    ALL,
    ROLLOUTS,
    RUNS_ON,
    SIZE,
    Fleet,
    a_week_before,
    channel_of,
    log_of,
    platform_added,
    published,
)
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import Site


def test_clocks_that_go_out_of_use_or_to_another_channel_count_for_nothing(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    canaries = fleet.told_nos()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    a_week_before(fleet, list(fleet.ids), offset=4 * HOUR)
    for no in canaries[:2]:
        fleet.site.founder.post(f"/api/devices/{fleet.ids[no]}/revoke", json={"reason": "weg"})
    for no in canaries[2:]:
        channel_of(fleet.platform, no, "beta")
    fleet.site.clock.advance(hours=4)
    fleet.heard([no for no in fleet.ids if no not in canaries])
    row = fleet.advance()
    assert (row["state"], row["reason"]) == ("running", None)


def test_a_clock_with_a_newer_version_is_offered_no_older_one(fleet: Fleet) -> None:
    fleet.start(stages=[ALL])
    ahead, *other_nos = fleet.told_nos()
    fleet.heard([ahead], version="1.7.0")  # from a package, never published
    assert ahead not in fleet.target_versions()
    fleet.heard(other_nos, version="1.6.0")
    row = fleet.advance(minutes=1)
    assert (row["size"], row["updated"]) == (SIZE - 1, SIZE - 1)
    assert fleet.target_versions() == {}


def test_late_clocks_get_the_newest_version_that_reached_all_clocks(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    fleet.start(stages=[ALL])
    fleet.heard(version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.start("1.5.0", stages=[ALL])["state"] == "done", "nobody is older"
    late = next(iter(fleet.ids))
    fleet.heard([late], version="1.2.0")
    assert fleet.target_versions() == {late: "1.6.0"}


def test_clocks_leave_a_version_rolled_back_in_another_channel_unless_theirs_serves_it(fleet: Fleet) -> None:
    published(fleet.platform, "1.5.0")
    published(fleet.platform, "1.7.0", "beta")
    moved, *_ = fleet.ids
    channel_of(fleet.platform, moved, "beta")
    fleet.start("1.7.0", channel="beta", stages=[ALL])
    fleet.heard([moved], version="1.7.0")
    fleet.advance(minutes=1)
    channel_of(fleet.platform, moved, "stable")
    assert fleet.target_versions() == {}, "a channel is no reason to go down"
    fleet.move("rollback")
    assert fleet.target_versions() == {moved: "1.6.0"}
    published(fleet.platform, "1.7.0")
    assert fleet.target_versions() == {}


def test_a_clock_that_is_given_to_another_company_goes_on_in_its_stage(site: Site) -> None:
    published(site.world.platform, "1.6.0")
    site.device.beat(platform=RUNS_ON)
    site.founder.post(ROLLOUTS, json={"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0})
    advancing.advance(site.world.platform)
    other_firm = site.world.firm("Nachbar & Söhne")
    answer = site.founder.post(
        f"/api/devices/{site.device.device_id}/assign-company", json={"companyId": other_firm.id}
    )
    assert answer.status_code == 200
    advancing.advance(site.world.platform)
    offers.refresh_cache(site.world.platform)
    site.clock.advance(seconds=1)
    assert site.device.beat(platform=RUNS_ON).json()["update"]["version"] == "1.6.0"


@pytest.mark.parametrize(("first", "second"), [("resume", "start"), ("resume", "rollback"), ("rollback", "start")])
def test_two_operators_at_a_paused_rollout_leave_one_effective_and_a_log_line_for_each_change(
    fleet: Fleet, first: str, second: str
) -> None:
    founder = fleet.site.founder
    published(fleet.platform, "1.7.0")
    row = fleet.start()
    fleet.move("pause")
    count_before = len(log_of(fleet))
    calls: dict[str, Any] = {
        "start": partial(founder.post, ROLLOUTS, json={"version": "1.7.0", "channel": "stable"}),
        **{
            transition: partial(founder.post, f"{ROLLOUTS}/{row['id']}/{transition}")
            for transition in ("resume", "rollback")
        },
    }
    answers = all_at_once(fleet.platform, calls[first], calls[second])
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    done = sum(answer.is_success for answer in answers)
    assert done >= 1
    rows = founder.get(ROLLOUTS).json()
    replaced = sum(row["reason"] == "Abgelöst durch Version 1.7.0." for row in rows)
    assert len(log_of(fleet)) == count_before + done + replaced
    assert sum(row["state"] in {"running", "paused"} for row in rows) <= 1
    assert set(fleet.target_versions().values()) <= {"1.6.0", "1.7.0"}


@pytest.mark.parametrize("beside", ["start", "rollback", "resume", "round"])
def test_a_version_withdrawn_during_another_change_reaches_no_clock(fleet: Fleet, beside: str) -> None:
    founder, body = fleet.site.founder, {"version": "1.6.0", "channel": "stable", "stages": [ALL], "stageDays": 0}
    if beside != "start":
        fleet.start(stages=[ALL])
        if beside == "resume":
            fleet.move("pause")
    path = "" if beside == "start" else f"/{fleet.row()['id']}/{beside}"
    other_call: Any = partial(founder.post, ROLLOUTS + path, json=body if beside == "start" else None)
    if beside == "round":
        other_call = partial(advancing.advance, fleet.platform)
    withdrawal, answer = all_at_once(
        fleet.platform, partial(founder.post, "/api/updates/releases/1.6.0/withdraw", json={"reason": "x"}), other_call
    )
    assert withdrawal.status_code == 200
    assert answer is None or answer.status_code in {200, 201, 409}
    fleet.site.clock.advance(minutes=1)
    advancing.advance(fleet.platform)
    assert fleet.told_nos() == []
    # If it was withdrawn before the start, there is no rollout at all.
    assert all(row["state"] in {"stopped", "rolled_back"} for row in founder.get(ROLLOUTS).json())


@ON_SQLITE
@pytest.mark.parametrize("version", ["", "9" * 99, "٣.٤", "v1", "1..6", "-1"])
def test_an_unpublished_and_malformed_version_stops_nothing(fleet: Fleet, version: str) -> None:
    liar, *_ = fleet.ids
    fleet.start(stages=[ALL], stageDays=1)
    fleet.heard([liar], version=version, update_state="failed", update_version=version, platform=RUNS_ON)
    assert fleet.advance(minutes=61)["state"] == "running"
    assert set(fleet.target_versions()) >= set(fleet.ids) - {liar}
    assert fleet.site.founder.get("/api/updates/releases").status_code == 200


ARM = "cp311-aarch64"


def with_arm(fleet: Fleet) -> tuple[list[int], list[int]]:
    """Version 1.6.0 has reached all clocks, and is now published for another platform. Returns the clocks of that
    platform, and the others.
    """
    arm, other_nos = list(fleet.ids)[:6], list(fleet.ids)[6:]
    fleet.heard(arm, platform=ARM)
    fleet.start(stages=[ALL])
    fleet.heard(other_nos, version="1.6.0")
    fleet.advance(minutes=1)
    assert fleet.advance(minutes=1)["state"] == "done"
    platform_added(fleet.platform, "1.6.0", ARM)
    return arm, other_nos


def test_a_platform_that_a_finished_version_gets_later_goes_by_stages_of_its_own(fleet: Fleet) -> None:
    arm, other_nos = with_arm(fleet)
    assert fleet.target_versions() == {}
    late = other_nos[0]
    fleet.heard([late], version="1.2.0")
    assert fleet.target_versions() == {late: "1.6.0"}, "for what it was rolled out for it goes on"
    fleet.heard([late], version="1.6.0")
    row = fleet.start(stages=[{"clocks": 2}, ALL], now=True)
    assert (row["size"], row["platforms"], row["now"]) == (6, [ARM, RUNS_ON], True)
    canaries = fleet.told_nos()
    assert len(canaries) == 2
    assert set(canaries) < set(arm)


def test_a_platform_that_comes_while_a_rollout_runs_has_no_part_in_it(fleet: Fleet) -> None:
    arm = list(fleet.ids)[:6]
    fleet.heard(arm, platform=ARM)
    fleet.start(stages=[ALL])
    platform_added(fleet.platform, "1.6.0", ARM)
    assert fleet.advance(minutes=1)["size"] == SIZE - 6
    assert not set(fleet.told_nos()) & set(arm)


def test_a_rollout_can_be_rolled_back_on_the_platforms_that_no_newer_one_is_for(fleet: Fleet) -> None:
    arm, other_nos = with_arm(fleet)
    published(fleet.platform, "1.5.0")
    published(fleet.platform, "1.7.0", runs_on=ARM)
    first = fleet.row()["id"]
    fleet.start("1.7.0", stages=[ALL], now=True)
    assert set(fleet.told_nos()) == set(arm)
    assert fleet.site.founder.post(f"{ROLLOUTS}/{first}/rollback").status_code == 200
    assert fleet.target_versions() == dict.fromkeys(arm, "1.7.0") | dict.fromkeys(other_nos, "1.5.0")
