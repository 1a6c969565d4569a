"""Decisions on vacation requests: by permitted people, once, up to some days, and their consequences."""

import asyncio
from collections.abc import Collection
from datetime import date
from typing import Any

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.room import ROOM

from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.leaving import (
    MINE,
    allow,
    approve,
    approved,
    asks,
    balance,
    code_of,
    create_request,
    decline,
    employ,
    of_company,
    vacation_of,
    was_employed,
)
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import Listener, listening
from cloud.tests.world import Firm, World

# -- deciding


def test_approval_uses_the_days_and_declining_frees_them(firm: Firm) -> None:
    allow(firm)
    first, second = create_request(firm.anna, "2026-12-07", "2026-12-11"), create_request(firm.anna, "2026-12-14")
    assert (
        vacation_of(firm.anna)["used"],
        vacation_of(firm.anna)["reserved"],
        vacation_of(firm.anna)["remainingDays"],
    ) == (0, 6, 30)
    done = approve(firm.boss, first, comment=" Viel Spaß ").json()
    assert (done["status"], done["comment"], done["decidedBy"]) == ("approved", "Viel Spaß", "chefin")
    refused = decline(firm.boss, second, comment="Inventur")
    assert refused.status_code == 200
    assert (refused.json()["status"], refused.json()["comment"]) == ("declined", "Inventur")
    assert (
        vacation_of(firm.anna)["used"],
        vacation_of(firm.anna)["reserved"],
        vacation_of(firm.anna)["remainingDays"],
    ) == (5, 0, 25)
    statuses = {row["id"]: (row["status"], row["comment"]) for row in firm.anna.get(MINE).json()}
    assert statuses == {first: ("approved", "Viel Spaß"), second: ("declined", "Inventur")}
    assert [body for _, _, body, _ in inbox(firm.anna)] == [
        "Dein Urlaub vom 7. bis 11. Dezember 2026 wurde genehmigt. Anmerkung: „Viel Spaß“",
        "Dein Urlaub am 14. Dezember 2026 wurde abgelehnt. Anmerkung: „Inventur“",
    ]


def test_a_decision_needs_no_body(firm: Firm) -> None:
    for path, status in (("approve", "approved"), ("decline", "declined")):
        request_id = create_request(firm.anna, "2026-12-07" if path == "approve" else "2026-12-08", kind="wish")
        assert firm.boss.post(f"/api/vacation-requests/{request_id}/{path}").json()["status"] == status


@pytest.mark.parametrize("first", [approve, decline])
@pytest.mark.parametrize("second", [approve, decline])
def test_a_request_is_decided_once(world: World, firm: Firm, first: Any, second: Any) -> None:
    request_id = create_request(firm.anna, "2026-12-07", kind="wish")
    assert first(world.founder, request_id).status_code == 200
    refused = second(firm.boss, request_id)
    assert (code_of(refused), refused.json()["decidedBy"]) == ((409, "already_decided"), "System-Admin")
    (row,) = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests").json()
    assert refused.json()["decidedAt"] == row["decidedAt"]
    assert len(inbox(firm.anna)) == 1


def test_more_than_remains_may_be_asked_for_and_is_approved_when_confirmed(firm: Firm) -> None:
    allow(firm, 6)
    approved(firm, firm.anna, "2026-11-02", "2026-11-05")
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-09", endHalf=True)
    refused = approve(firm.boss, request_id)
    assert code_of(refused) == (409, "over_allowance")
    assert (refused.json()["remaining"], refused.json()["days"]) == (2, 2.5)
    assert firm.anna.get(MINE).json()[0]["status"] == "pending"
    assert approve(firm.boss, request_id, overAllowance=True).json()["status"] == "approved"
    assert vacation_of(firm.anna)["remainingDays"] == -0.5


def test_an_administrator_confirms_more_than_remains_of_their_own_entry(firm: Firm) -> None:
    allow(firm, 2)
    refused = asks(firm.boss, "2026-12-07", "2026-12-09", userId=firm.anna.id)
    assert code_of(refused) == (409, "over_allowance")
    assert firm.anna.get(MINE).json() == []
    assert asks(firm.boss, "2026-12-07", "2026-12-09", userId=firm.anna.id, overAllowance=True).status_code == 201


def test_exactly_what_remains_needs_no_confirmation(firm: Firm) -> None:
    allow(firm, 3)
    assert asks(firm.boss, "2026-12-07", "2026-12-09", userId=firm.anna.id).status_code == 201
    assert code_of(asks(firm.boss, "2026-12-10", userId=firm.anna.id, endHalf=True)) == (409, "over_allowance")


def test_over_new_year_each_year_must_suffice(firm: Firm) -> None:
    """4 days of 2026 and 5 of 2027, which also has the remaining days of 2026."""
    allow(firm, 4)
    assert approve(firm.boss, create_request(firm.anna, "2026-12-28", "2027-01-06")).status_code == 200
    allow(firm, 3)
    refused = approve(firm.boss, create_request(firm.ben, "2026-12-30", "2027-01-13"))
    assert code_of(refused) == (409, "over_allowance")
    today = date(2026, 11, 20)
    with firm.world.platform.database.read(SYSTEM) as session:
        days_left = vacation.balance_of(session, firm.id, firm.ben.id, 2027, today).remaining
    assert (refused.json()["remaining"], refused.json()["days"]) == (days_left, 11)


def test_what_the_next_year_rests_on_needs_a_confirmation_as_well(firm: Firm) -> None:
    allow(firm, 30)
    employ(firm.anna, entryDate="2026-01-01")
    asks(firm.boss, "2027-01-04", "2027-03-26", userId=firm.anna.id)
    assert (balance(firm.anna, 2026).remaining, balance(firm.anna, 2027).remaining) == (30, 0)
    refused = asks(firm.boss, "2026-12-07", "2026-12-18", userId=firm.anna.id)
    assert code_of(refused) == (409, "over_allowance")
    assert (refused.json()["remaining"], refused.json()["days"]) == (0, 10)
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-18")
    assert code_of(approve(firm.boss, request_id)) == (409, "over_allowance")
    assert approve(firm.boss, request_id, overAllowance=True).status_code == 200
    assert balance(firm.anna, 2027).remaining == -10
    assert code_of(asks(firm.boss, "2026-12-21", userId=firm.anna.id)) == (409, "over_allowance")
    assert asks(firm.boss, "2028-02-07", userId=firm.anna.id).status_code == 201


def test_a_later_year_that_is_overdrawn_already_refuses_only_what_it_carries(firm: Firm) -> None:
    """Without an entry date 2026 carries nothing of the year before."""
    allow(firm, 2)
    approved(firm, firm.anna, "2026-11-02", "2026-11-06")
    assert asks(firm.boss, "2025-12-01", "2025-12-02", userId=firm.anna.id).status_code == 201
    employ(firm.anna, entryDate="2024-01-01")
    approved(firm, firm.anna, "2026-12-07")
    assert code_of(asks(firm.boss, "2025-12-03", userId=firm.anna.id)) == (409, "over_allowance")


def test_days_that_lie_outside_of_the_employment_by_now_are_not_approved(firm: Firm) -> None:
    allow(firm)
    for dates, start, end, kind, sentence in (
        ({"exit_date": "2026-12-09"}, "2026-12-14", "2026-12-16", "vacation", "Der Zeitraum liegt nach dem Austritt."),
        ({"exit_date": "2026-12-22"}, "2026-12-21", "2026-12-23", "wish", "Der Zeitraum liegt nach dem Austritt."),
        ({"entry_date": "2026-12-02"}, "2026-12-01", "2026-12-03", "vacation", "Der Zeitraum liegt vor dem Eintritt."),
    ):
        was_employed(firm.anna, entry_date=None, exit_date=None)
        request_id = create_request(firm.anna, start, end, kind)
        was_employed(firm.anna, **dates)
        for refused in (approve(firm.boss, request_id), approve(firm.boss, request_id, overAllowance=True)):
            assert (refused.status_code, refused.json()["message"]) == (422, sentence)
        assert decline(firm.boss, request_id).status_code == 200


def test_without_the_module_nothing_is_decided_and_the_roster_reads_what_is_approved(world: World, firm: Firm) -> None:
    waiting, approved_id = (
        create_request(firm.anna, "2026-12-07", kind="wish"),
        create_request(firm.ben, "2026-12-07", kind="wish", reason="x"),
    )
    approve(firm.boss, approved_id, comment="y")
    path = f"/api/companies/{firm.id}/vacation-requests"
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": ["schedule"]})
    for refused in (
        approve(firm.boss, waiting),
        decline(firm.boss, waiting),
        asks(firm.boss, "2026-12-14", kind="wish", userId=firm.anna.id),
        firm.boss.get(path),
        firm.boss.get(f"{path}?status=pending"),
        firm.boss.get(f"{path}?status=all"),
    ):
        assert code_of(refused) == (403, "feature_off")
    (row,) = firm.boss.get(f"{path}?status=approved").json()
    assert (row["id"], row["reason"], row["comment"]) == (approved_id, None, None)
    assert len(world.founder.get(path).json()) == 2
    assert asks(firm.anna, "2026-12-14", kind="wish").status_code == 201
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    assert code_of(firm.boss.get(f"{path}?status=approved")) == (403, "feature_off")


@ON_BOTH
def test_a_companys_requests_by_status_and_days(firm: Firm, clock: SettableClock) -> None:
    ids = {}
    for person, start, end in (
        (firm.anna, "2026-12-01", "2026-12-04"),
        (firm.ben, "2026-12-04", "2026-12-07"),
        (firm.anna, "2026-12-21", "2026-12-23"),
    ):
        ids[start] = create_request(person, start, end, kind="wish")
        clock.advance(minutes=1)
    decline(firm.boss, ids["2026-12-01"])
    approve(firm.boss, ids["2026-12-04"])

    def start_dates(query: str) -> list[str]:
        return [row["startDate"] for row in of_company(firm, firm.boss, query)]

    assert start_dates("") == start_dates("?status=all") == ["2026-12-21", "2026-12-04", "2026-12-01"]
    assert start_dates("?status=pending") == ["2026-12-21"]
    assert start_dates("?status=approved") == ["2026-12-04"]
    assert start_dates("?status=declined") == ["2026-12-01"]
    assert start_dates("?from=2026-12-05") == ["2026-12-21", "2026-12-04"]
    assert start_dates("?from=2026-12-04&to=2026-12-20") == ["2026-12-04", "2026-12-01"]
    for query in ("?status=open", "?from=2026-12-05&to=2026-12-04", "?from=x"):
        assert firm.boss.get(f"/api/companies/{firm.id}/vacation-requests{query}").status_code == 422


# -- pages that are open


def _plans(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """The topics of plans, which the roster lets people hear."""
    of_company = [f"plan:{hearer.company_id}"] if hearer.role == COMPANY_ADMIN else []
    return [f"plan:{hearer.company_id}:{hearer.user_id}", *of_company]


async def _plan_update(listener: Listener) -> None:
    while (await listener.next()).data["type"] != "plan_update":
        pass


def test_pages_of_the_person_and_of_the_administrators_look_again(app: FastAPI, firm: Firm, platform: Platform) -> None:
    platform.hears.append(_plans)

    async def story() -> None:
        async with (
            listening(app, "/api/events", firm.anna.headers) as anna,
            listening(app, "/api/events", firm.boss.headers) as boss,
            listening(app, "/api/events", firm.ben.headers) as ben,
        ):
            first = await asyncio.to_thread(create_request, firm.anna, "2026-12-07", kind="wish")
            second = await asyncio.to_thread(create_request, firm.anna, "2026-12-08", kind="wish")
            await asyncio.to_thread(approve, firm.boss, first)
            await asyncio.to_thread(firm.anna.delete, f"/api/vacation-requests/{second}")
            for listener in (anna, boss):
                for _ in range(4):
                    await _plan_update(listener)
            await asyncio.to_thread(allow, firm)
            await _plan_update(boss)
            assert await ben.quiet()

    asyncio.run(story())


# -- people who go, years that pass


def test_what_a_deleted_person_asked_for_is_declined_and_what_was_approved_stays(firm: Firm) -> None:
    waiting, approved_id = (
        create_request(firm.anna, "2026-12-07", kind="wish"),
        create_request(firm.anna, "2026-12-08", kind="wish"),
    )
    approve(firm.boss, approved_id)
    of_ben = create_request(firm.ben, "2026-12-07", kind="wish")
    count_before = len(inbox(firm.anna))
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    statuses = {row["id"]: row["status"] for row in of_company(firm, firm.boss)}
    assert statuses == {waiting: "declined", approved_id: "approved", of_ben: "pending"}
    assert len(inbox(firm.anna)) == count_before
    assert code_of(approve(firm.boss, waiting)) == (409, "already_decided")
    assert asks(firm.boss, "2026-12-14", kind="wish", userId=firm.anna.id).status_code == 404


def test_a_new_name_changes_no_request(firm: Firm) -> None:
    request_id = create_request(firm.anna, "2026-12-07", kind="wish")
    new = {"username": "Anna B.", "tagId": "04998877"}
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json=new).status_code == 200
    (row,) = of_company(firm, firm.boss)
    assert (row["id"], row["status"], row["username"]) == (request_id, "pending", "Anna B.")


def test_after_two_years_only_approved_vacation_is_kept(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    allow(firm)
    kept_id = approved(firm, firm.anna, "2024-11-04")
    declined, wish = (
        create_request(firm.anna, "2024-11-05", kind="wish"),
        approved(firm, firm.anna, "2024-11-06", kind="wish"),
    )
    decline(firm.boss, declined)
    young = approved(firm, firm.anna, "2024-12-02", kind="wish")
    with platform.database.write(SYSTEM) as session:
        (keep,) = ROOM.retention_rules
        keep.remove(session, clock.now())
    with platform.database.read(SYSTEM) as session:
        assert {row.id for row in session.query(VacationRequest)} == {kept_id, young}
    assert wish not in {row["id"] for row in of_company(firm, firm.boss)}


def test_the_log_says_who_asked_and_who_decided(firm: Firm) -> None:
    allow(firm, 1)
    first, second = (
        create_request(firm.anna, "2026-12-07", "2026-12-08"),
        create_request(firm.anna, "2026-12-09", reason="geheim"),
    )
    approve(firm.boss, first, overAllowance=True)
    firm.anna.delete(f"/api/vacation-requests/{second}")
    log = firm.boss.get(f"/api/companies/{firm.id}/audit").json()
    logged_rows = [
        (row["action"], row["actorName"], row["subjectName"]) for row in log if row["action"] != "vacation.policy"
    ]
    assert logged_rows[:4] == [
        ("vacation.withdrawn", "anna", "anna"),
        ("vacation.approved", "chefin", "anna"),
        ("vacation.requested", "anna", "anna"),
        ("vacation.requested", "anna", "anna"),
    ]
    decided = next(row for row in log if row["action"] == "vacation.approved")
    assert (decided["before"], decided["after"]["overAllowance"]) == ({"leaveStatus": "pending"}, True)
    assert "geheim" not in str(log)
