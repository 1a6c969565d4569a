"""Concurrent changes of hand-overs, duties and people: a duty has one holder, and no duty is lost or doubled."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

from httpx2 import Response
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.planning.hand_overs.tables import HandOver

from cloud.tests.meeting import all_at_once
from cloud.tests.planning.rosters import add_duty, add_hand_over, assigned, holders, offer, path
from cloud.tests.room import inbox
from cloud.tests.world import Firm, Somebody, World

DAY = "2026-12-01"
MANY = 50
ROUNDS = range(4)


def _accepted(firm: Firm, request_ids: list[str]) -> list[int]:
    """The statuses of as many acceptances by `ben`, all begun together."""
    gate = Barrier(len(request_ids))

    def accept(request_id: str) -> int:
        gate.wait(60)
        return firm.ben.post(f"/api/schedule/swap-requests/{request_id}/accept").status_code

    with ThreadPoolExecutor(len(request_ids)) as pool:
        return sorted(pool.map(accept, request_ids))


def _statuses(platform: Platform, firm: Firm) -> list[str]:
    with platform.database.read(SYSTEM) as tx:
        statement = select(HandOver.status).where(HandOver.company_id == firm.id)
        return sorted(tx.scalars(statement))


def test_of_fifty_requests_for_one_person_and_day_that_are_accepted_at_once_one_is(
    world: World, firm: Firm, platform: Platform
) -> None:
    givers = [world.user(firm.id, f"kollege {number}") for number in range(MANY)]
    duties = {giver.id: add_duty(giver, DAY) for giver in givers}
    requests = [add_hand_over(giver, firm.ben, duties[giver.id], DAY) for giver in givers]
    assert _accepted(firm, requests) == [200] + [409] * (MANY - 1)
    assert _statuses(platform, firm) == ["accepted"] + ["pending"] * (MANY - 1)
    now = holders(platform, firm.id)
    assert sorted(now.values()) == sorted(duties.values())
    assert [duty for (user_id, _), duty in now.items() if user_id == firm.ben.id] != []


def test_of_fifty_answers_to_one_request_one_counts(firm: Firm, platform: Platform) -> None:
    duty = add_duty(firm.anna, DAY)
    request_id = add_hand_over(firm.anna, firm.ben, duty, DAY)
    assert _accepted(firm, [request_id] * MANY) == [200] + [409] * (MANY - 1)
    assert holders(platform, firm.id) == {(firm.ben.id, DAY): duty}
    assert len(inbox(firm.anna)) == len(inbox(firm.ben)) == len(inbox(firm.boss)) == 1
    with platform.database.read(SYSTEM) as tx:
        logged = select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "handoff.accepted")
        assert tx.scalar(logged) == 1


def test_a_person_is_assigned_once_a_day_also_by_two_at_once(firm: Firm, platform: Platform) -> None:
    def assign() -> Response:
        return firm.boss.post(path(firm), json={"date": DAY, "userId": firm.anna.id})

    for _ in ROUNDS:
        answers = all_at_once(platform, assign, assign, assign)
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
        (duty,) = holders(platform, firm.id).values()
        assert firm.boss.delete(f"{path(firm)}/{duty}").status_code == 204


def _taking(person: Somebody, request_id: str) -> Callable[[], Response]:
    return partial(person.post, f"/api/schedule/swap-requests/{request_id}/accept")


def test_a_duty_that_is_taken_away_and_taken_over_at_once_is_gone_or_was_never_taken(
    firm: Firm, platform: Platform
) -> None:
    for _ in ROUNDS:
        duty = assigned(firm, firm.anna, DAY)
        request_id = offer(firm.anna, firm.ben, DAY)
        accepted, removed = all_at_once(
            platform, _taking(firm.ben, request_id), partial(firm.boss.delete, f"{path(firm)}/{duty['id']}")
        )
        assert (accepted.status_code, removed.status_code) in {(200, 204), (409, 204)}
        assert holders(platform, firm.id) == {}
        with platform.database.read(SYSTEM) as tx:
            status = tx.get_one(HandOver, (firm.id, request_id)).status
        assert status == ("accepted" if accepted.status_code == 200 else "void")


def test_who_is_made_an_administrator_while_a_duty_is_given_to_them_has_none(
    world: World, firm: Firm, platform: Platform
) -> None:
    for number in ROUNDS:
        person = world.user(firm.id, f"person {number}")
        assignment, promoted = all_at_once(
            platform,
            partial(firm.boss.post, path(firm), json={"date": DAY, "userId": person.id}),
            partial(firm.boss.put, f"/api/users/{person.id}", json={"role": "companyAdmin"}),
        )
        assert (assignment.status_code, promoted.status_code) in {(201, 200), (422, 200)}
        assert holders(platform, firm.id) == {}


def test_who_is_deleted_while_taking_a_duty_over_has_none_and_it_is_nobodys_twice(
    world: World, firm: Firm, platform: Platform
) -> None:
    for number in ROUNDS:
        person = world.user(firm.id, f"person {number}")
        duty = assigned(firm, firm.anna, DAY)
        request_id = offer(firm.anna, person, DAY)
        accepted, deletion = all_at_once(
            platform, _taking(person, request_id), partial(firm.boss.delete, f"/api/users/{person.id}")
        )
        assert deletion.status_code == 204
        if accepted.status_code == 200:  # it was theirs, and has ended with them
            assert holders(platform, firm.id) == {}
        else:
            assert accepted.status_code in {401, 409}
            assert holders(platform, firm.id) == {(firm.anna.id, DAY): duty["id"]}
            assert firm.boss.delete(f"{path(firm)}/{duty['id']}").status_code == 204


def test_two_who_publish_a_roster_at_once_leave_one_unread_message(firm: Firm, platform: Platform) -> None:
    def assign(day: str) -> Response:
        return firm.boss.post(path(firm), json={"date": day, "userId": firm.anna.id})

    days = [f"2026-12-{day:02d}" for day in range(1, 9)]
    answers = all_at_once(platform, *[partial(assign, day) for day in days])
    assert {answer.status_code for answer in answers} == {201}
    published = all_at_once(
        platform,
        *[partial(firm.boss.post, f"{path(firm)}/publish", json={"from": days[0], "to": day}) for day in days],
    )
    assert {answer.status_code for answer in published} == {200}
    (message,) = inbox(firm.anna)
    assert message.payload == {"dates": days}
