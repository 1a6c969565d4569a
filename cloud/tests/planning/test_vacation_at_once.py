"""Requests and decisions that meet: whoever comes second is judged by what the first has decided."""

from typing import Any

from httpx2 import Response
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import allow, approve, asks, create_request, policy_path, vacation_of
from cloud.tests.world import Firm

MINE = "/api/vacation-requests/mine"


def statuses(answers: list[Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def second(answers: list[Response]) -> dict[str, Any]:
    """The body of the one that was refused."""
    (refused,) = (answer.json() for answer in answers if answer.status_code >= 400)
    body: dict[str, Any] = refused
    return body


def test_of_two_requests_that_overlap_one_is_taken(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(
        platform,
        lambda: asks(firm.anna, "2026-12-07", "2026-12-09", "wish"),
        lambda: asks(firm.boss, "2026-12-09", "2026-12-11", "wish", userId=firm.anna.id),
    )
    assert statuses(answers) == [201, 409]
    assert second(answers)["code"] == "overlap"
    assert len(firm.anna.get(MINE).json()) == 1


def test_requests_of_two_people_do_not_hinder_each_other(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(
        platform,
        lambda: asks(firm.anna, "2026-12-07", kind="wish"),
        lambda: asks(firm.ben, "2026-12-07", kind="wish"),
    )
    assert statuses(answers) == [201, 201]


def test_two_approvals_that_together_exceed_the_allowance_are_not_both_unconfirmed(
    firm: Firm, platform: Platform
) -> None:
    allow(firm, 5)
    first, later = (
        create_request(firm.anna, "2026-12-07", "2026-12-09"),
        create_request(firm.anna, "2026-12-14", "2026-12-16"),
    )
    answers = all_at_once(platform, lambda: approve(firm.boss, first), lambda: approve(firm.world.founder, later))
    assert statuses(answers) == [200, 409]
    refused = second(answers)
    assert (refused["code"], refused["remaining"], refused["days"]) == ("over_allowance", 2, 3)
    assert vacation_of(firm.anna)["remainingDays"] == 2


def test_an_approval_is_judged_by_the_policy_that_came_between(firm: Firm, platform: Platform) -> None:
    allow(firm, 5)
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-09")
    allowed, decided = all_at_once(
        platform,
        lambda: firm.boss.put(policy_path(firm), json={"mode": "uniform", "uniformDays": 2, "validFrom": "2026-01-01"}),
        lambda: approve(firm.world.founder, request_id),
    )
    assert allowed.status_code == 200
    remaining = vacation_of(firm.anna)["remainingDays"]
    assert (decided.status_code, remaining) in [(200, -1), (409, 2)]


def test_two_changes_of_the_policy_follow_each_other(firm: Firm, platform: Platform) -> None:
    def put(days: int) -> Response:
        body = {"mode": "perUser", "uniformDays": days, "perUser": {firm.anna.id: days, firm.ben.id: days}}
        return firm.boss.put(policy_path(firm), json=body)

    assert statuses(all_at_once(platform, lambda: put(20), lambda: put(30))) == [200, 200]
    policy = firm.boss.get(policy_path(firm)).json()
    assert {policy["uniformDays"], *policy["perUser"].values()} in ({20}, {30})


def test_what_somebody_asks_for_who_is_being_deleted_does_not_wait(firm: Firm, platform: Platform) -> None:
    deletion, answer = all_at_once(
        platform,
        lambda: firm.boss.delete(f"/api/users/{firm.anna.id}"),
        lambda: asks(firm.anna, "2026-12-07", kind="wish"),
    )
    assert (deletion.status_code, answer.status_code in {201, 401, 404}) == (204, True)
    rows = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests").json()
    assert [row["status"] for row in rows] == ["declined"] * (answer.status_code == 201)
