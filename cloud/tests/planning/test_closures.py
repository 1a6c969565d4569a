"""Company holidays: the vacation of all employees in one step, and exactly its removal."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from sqlalchemy import select
from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.facts.tables import Absence, VacationRequest

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import (
    allow,
    approve,
    approved,
    asks,
    code_of,
    create_request,
    employ,
    keep_holidays,
    of_company,
    vacation_of,
)
from cloud.tests.planning.rosters import add_duty, assigned, offer
from cloud.tests.planning.rosters import path as roster
from cloud.tests.room import given, inbox, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

FIRST, LAST = "2026-12-21", "2026-12-31"
"""A Monday and a Thursday: nine workdays where no holidays are chosen."""


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/closures"


def _close(firm: Firm, first: str = FIRST, last: str = LAST, name: str = "Betriebsferien") -> Any:
    return firm.boss.post(_path(firm), json={"startDate": first, "endDate": last, "name": name})


def _closed(firm: Firm, first: str = FIRST, last: str = LAST) -> dict[str, Any]:
    answer = _close(firm, first, last)
    assert answer.status_code == 201, answer.text
    row: dict[str, Any] = answer.json()
    return row


def _open(firm: Firm, closure: dict[str, Any]) -> int:
    status: int = firm.world.again(firm.boss).delete(f"{_path(firm)}/{closure['id']}").status_code
    return status


def _hired(firm: Firm, username: str = "carla") -> Somebody:
    body = {"username": username, "password": "lang genug", "tagId": "04:11:22:33", "role": "user"}
    answer = firm.world.again(firm.boss).post("/api/users", json=body)
    assert answer.status_code == 201, answer.text
    return firm.world.again(replace(firm.anna, id=answer.json()["id"]))


def _approved_rows(firm: Firm, person: Somebody) -> list[dict[str, Any]]:
    rows = of_company(firm, firm.boss, "?status=approved")
    return [row for row in rows if row["userId"] == person.id]


def _halves_taken(platform: Platform, firm: Firm) -> dict[tuple[str, date], int]:
    """Returns the halves of approved vacation by person and day."""
    with platform.database.read(SYSTEM) as session:
        halves_by_day: dict[tuple[str, date], int] = {}
        rows = session.scalars(select(VacationRequest).where(VacationRequest.company_id == firm.id))
        for request in rows:
            if (request.kind, request.status) == ("vacation", "approved"):
                for day, halves in LeaveSpan(
                    request.start_date, request.end_date, request.start_half, request.end_half
                ).parts():
                    halves_by_day[request.user_id, day] = halves_by_day.get((request.user_id, day), 0) + halves
    return halves_by_day


# -- refusals


def test_another_companys_closure_is_unknown_and_none_is_made_for_it(world: World, firm: Firm) -> None:
    allow(firm)
    other_firm, closure = world.firm("Andere"), _closed(firm)
    assert other_firm.boss.delete(f"{_path(other_firm)}/{closure['id']}").status_code == 404
    assert other_firm.boss.post(_path(firm), json={"startDate": FIRST, "endDate": LAST, "name": "x"}).status_code == 404
    assert (other_firm.boss.get(_path(other_firm)).json(), vacation_of(firm.anna)["used"]) == ([], 9)


@ON_SQLITE
@pytest.mark.parametrize(
    ("first", "last", "name", "field"),
    [
        (LAST, FIRST, "x", "endDate"),
        (FIRST, "2028-12-31", "x", "endDate"),
        ("2012-12-21", "2012-12-31", "x", "startDate"),
        (FIRST, LAST, "  ", "name"),
    ],
)
def test_days_that_make_no_leave_are_refused(firm: Firm, first: str, last: str, name: str, field: str) -> None:
    refused = _close(firm, first, last, name)
    assert (refused.status_code, [error["field"] for error in refused.json()["errors"]]) == (422, [field])


def test_two_closures_do_not_overlap_and_what_is_over_stays(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    closure = _closed(firm)
    assert _close(firm, LAST, "2027-01-05").json()["code"] == "overlap"
    clock.advance(days=60)
    boss_later = firm.world.again(firm.boss)
    refused = boss_later.delete(f"{_path(firm)}/{closure['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "all_passed")


# -- what is given


def test_everybody_has_vacation_but_where_they_have_or_ask_for_it_or_work_not(firm: Firm, platform: Platform) -> None:
    allow(firm)
    keep_holidays(firm)
    carla = firm.world.user(firm.id, "carla")
    approved(firm, firm.anna, "2026-12-22", "2026-12-23")
    pending = create_request(firm.ben, "2026-12-28", endHalf=True)
    create_request(firm.ben, "2026-12-29", kind="wish")
    employ(carla, exitDate="2026-12-22")
    closure = _closed(firm)
    assert closure["created"] == 3
    assert closure["skipped"] == [{"userId": firm.ben.id, "reason": "pending_request"}]
    # The 25th is a holiday; the 24th and 31st are not. Anna: 2 of her own and 6; Ben: 8 less the 28th.
    assert [vacation_of(person)["used"] for person in (firm.anna, firm.ben, carla)] == [8, 7, 2]
    assert max(_halves_taken(platform, firm).values()) == 2
    (message,) = [candidate for candidate in inbox(carla) if candidate.title == "Betriebsferien"]
    assert "vom 21. bis 22. Dezember 2026" in message.body
    assert approve(firm.boss, pending).status_code == 200
    assert _open(firm, closure) == 204
    assert [vacation_of(person)["used"] for person in (firm.anna, firm.ben, carla)] == [2, 0.5, 0]
    assert logged(firm.world, firm.id, "closure") == ["closure.created", "closure.removed"]


def test_who_has_too_few_days_or_none_is_named_and_given_nothing(firm: Firm) -> None:
    body = {"mode": "perUser", "perUser": {firm.anna.id: 8.5, firm.ben.id: 0}}
    allow(firm, None, **body)
    closure = _closed(firm)
    assert closure["created"] == 0
    assert {(row["userId"], row["reason"]) for row in closure["skipped"]} == {
        (firm.anna.id, "too_few_days"),
        (firm.ben.id, "no_vacation"),
    }
    assert vacation_of(firm.anna)["used"] == 0


def test_who_is_off_for_another_reason_gives_no_vacation_for_it(firm: Firm) -> None:
    allow(firm)
    row = {"kind": "special", "status": "excused", "reason": "Elternzeit", "report_id": firm.world.platform.ids.new()}
    for day in ("2026-12-21", "2026-12-22"):
        given(firm.anna, Absence, date=day, **row)
    _closed(firm)
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.ben)["used"]) == (7, 9)


def test_duties_stay_and_are_warned_of(firm: Firm) -> None:
    allow(firm)
    for day in ("2026-12-18", FIRST, LAST, "2027-01-01"):
        add_duty(firm.anna, day)
    _closed(firm)
    rows = firm.boss.get(f"{roster(firm)}/warnings", params={"from": "2026-12-01", "to": "2027-01-31"}).json()
    assert [(row["code"], row["userId"], row["date"]) for row in rows] == [
        ("closure", firm.anna.id, FIRST),
        ("closure", firm.anna.id, LAST),
    ]


def test_who_has_no_vacation_by_a_closure_is_given_a_duty_with_a_warning(firm: Firm) -> None:
    other_firm = firm.world.firm("Malerei Sommer")
    for company in (firm, other_firm):
        allow(company, 5)  # too few for nine
    assert [row["reason"] for row in _closed(firm)["skipped"]] == ["too_few_days", "too_few_days"]
    assert assigned(firm, firm.ben, FIRST)["warnings"] == [{"code": "closure", "userId": firm.ben.id, "date": FIRST}]
    assert assigned(other_firm, other_firm.ben, FIRST)["warnings"] == []


def test_of_a_closure_that_has_begun_the_passed_days_stay_taken(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    closure = _closed(firm, "2026-11-19", "2026-11-26")  # today is Friday the 20th
    assert vacation_of(firm.anna)["used"] == 6
    assert _open(firm, closure) == 204
    assert vacation_of(firm.anna)["used"] == 1
    (row,) = firm.boss.get(_path(firm)).json()
    assert (row["startDate"], row["endDate"]) == ("2026-11-19", "2026-11-19")


@ON_BOTH
def test_what_was_moved_elsewhere_is_no_part_of_it_any_more(firm: Firm) -> None:
    allow(firm)
    closure = _closed(firm)
    rows = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=approved").json()
    request_ids = {row["userId"]: row["id"] for row in rows}
    for person, first, last in ((firm.anna, "2027-02-01", "2027-02-05"), (firm.ben, FIRST, "2026-12-23")):
        body = {"startDate": first, "endDate": last, "comment": "Abgesprochen."}
        assert firm.boss.put(f"/api/vacation-requests/{request_ids[person.id]}", json=body).status_code == 200
    assert _open(firm, closure) == 204
    remaining_rows = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=approved").json()
    assert [(row["userId"], row["startDate"]) for row in remaining_rows] == [(firm.anna.id, "2027-02-01")]


def test_moving_it_over_a_wish_is_refused_with_what_lies_there(firm: Firm) -> None:
    allow(firm)
    create_request(firm.anna, "2026-12-29", kind="wish")
    _closed(firm)
    (row,) = _approved_rows(firm, firm.anna)
    body = {"startDate": "2026-12-28", "endDate": LAST, "comment": "Nur die letzte Woche."}
    refused = firm.boss.put(f"/api/vacation-requests/{row['id']}", json=body)
    assert code_of(refused) == (409, "overlap")
    assert refused.json()["message"] == (
        "Im Zeitraum liegt bereits ein offener oder genehmigter Antrag: Wunschfrei am 29. Dezember 2026."
    )


# -- who is hired later


@ON_BOTH
def test_who_is_hired_later_has_the_days_that_are_still_to_come(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    closure, over = _closed(firm, "2026-11-19", "2026-11-26"), _closed(firm, "2026-11-02", "2026-11-03")
    clock.advance(days=1)
    carla = _hired(firm)
    assert (vacation_of(carla)["used"], vacation_of(firm.world.again(firm.anna))["used"]) == (
        4,
        8,
    )  # today is Saturday the 21st
    (message,) = inbox(carla)
    assert (message.title, "vom 23. bis 26. November 2026" in message.body) == ("Betriebsferien", True)
    assert logged(firm.world, firm.id, "closure") == ["closure.created", "closure.created", "closure.given"]
    assert (_open(firm, over), _open(firm, closure), vacation_of(carla)["used"]) == (409, 204, 0)


def test_it_follows_the_day_of_entry_and_gives_nobody_more_than_they_have(firm: Firm) -> None:
    allow(firm, 24)
    _closed(firm, "2027-01-04", "2027-01-08")
    carla = _hired(firm)
    for entry, expected_days in (("2027-01-06", 3), ("2028-01-01", 0), ("2026-11-01", 5), ("2026-12-16", 5)):
        employ(carla, entryDate=entry)
        assert sum(row["days"] for row in _approved_rows(firm, carla)) == expected_days, entry
    assert [message.title for message in inbox(carla)].count("Betriebsferien entfallen") == 1
    allow(firm, None, mode="perUser", perUser={carla.id: 0})
    employ(carla, entryDate="2026-12-01")
    assert not _approved_rows(firm, carla)


def test_what_an_administrator_took_back_does_not_come_again_and_who_was_there_is_not_asked_anew(
    firm: Firm, clock: SettableClock
) -> None:
    allow(firm, None, mode="perUser", perUser={firm.anna.id: 3})
    _closed(firm)
    clock.advance(seconds=1)
    allow(firm, validFrom="2026-01-01")
    carla = _hired(firm)
    (row,) = _approved_rows(firm, carla)
    back = firm.boss.post(f"/api/vacation-requests/{row['id']}/cancel", json={"comment": "Sie hält die Stellung."})
    assert back.status_code == 200
    for person in (carla, firm.anna):
        employ(person, entryDate="2026-11-01")
        assert firm.boss.put(f"/api/users/{person.id}", json={"username": f"neu {person.id[-4:]}"}).status_code == 200
        assert vacation_of(person)["used"] == 0


def _wished_back(carla: Somebody, row: dict[str, Any]) -> Any:
    return carla.post(f"/api/vacation-requests/{row['id']}/cancel-request", json={"reason": "Ich arbeite lieber."})


@ON_BOTH
def test_what_somebody_wishes_to_cancel_waits_for_its_answer_whatever_day_they_enter_on(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    carla = _hired(firm)
    (row,) = _approved_rows(firm, carla)
    assert _wished_back(carla, row).status_code == 200
    employ(carla, entryDate="2026-12-22")
    (still,) = _approved_rows(firm, carla)
    assert (still["id"], still["cancelRequested"]) == (row["id"], True)
    rejected = firm.boss.post(f"/api/vacation-requests/{row['id']}/keep", json={})
    assert rejected.status_code == 200


# -- at once, and in any order


@ON_BOTH
def test_of_a_wish_to_cancel_beside_another_day_of_entry_none_is_lost(firm: Firm, platform: Platform) -> None:
    allow(firm)
    _closed(firm)
    carla = _hired(firm)
    (row,) = _approved_rows(firm, carla)
    path = f"/api/users/{carla.id}/employment"
    wished, employment_answer = all_at_once(
        platform,
        lambda: _wished_back(carla, row),
        lambda: firm.boss.put(path, json={"entryDate": "2026-12-22"}),
    )
    assert employment_answer.status_code == 200
    own_rows = _approved_rows(firm, carla)
    assert wished.status_code in (200, 404)
    assert any(own_row["id"] == row["id"] and own_row["cancelRequested"] for own_row in own_rows) == (
        wished.status_code == 200
    )


def test_of_a_hiring_beside_a_closure_and_its_removal_nothing_is_left_over(firm: Firm, platform: Platform) -> None:
    allow(firm)
    old = _closed(firm, "2027-03-01", "2027-03-05")
    new = {"username": "carla", "password": "lang genug", "tagId": "04:11:22:33", "role": "user"}
    answers = all_at_once(
        platform,
        lambda: firm.boss.post("/api/users", json=new),
        lambda: _close(firm),
        lambda: firm.boss.delete(f"{_path(firm)}/{old['id']}"),
    )
    assert [answer.status_code for answer in answers] == [201, 201, 204]
    halves_taken = _halves_taken(platform, firm)
    assert {day.year for _, day in halves_taken} <= {2026}
    assert len({user_id for user_id, _ in halves_taken}) == 3


def test_a_closure_beside_a_request_a_hand_over_and_its_removal_doubles_no_day(firm: Firm, platform: Platform) -> None:
    allow(firm)
    assigned(firm, firm.anna, "2026-12-22")
    swap = offer(firm.anna, firm.ben, "2026-12-22")
    first, own_request = _closed(firm, "2027-03-01", "2027-03-05"), approved(firm, firm.ben, "2026-12-23")
    answers = all_at_once(
        platform,
        lambda: _close(firm),
        lambda: asks(firm.anna, "2026-12-23", "2026-12-28"),
        lambda: firm.ben.post(f"/api/schedule/swap-requests/{swap}/accept", json={}),
        lambda: firm.boss.post(f"/api/vacation-requests/{own_request}/cancel", json={"comment": "Doch nicht."}),
        lambda: firm.boss.delete(f"{_path(firm)}/{first['id']}"),
    )
    assert [answer.status_code for answer in (answers[0], *answers[3:])] == [201, 200, 204]
    halves_taken = _halves_taken(platform, firm)
    assert set(halves_taken.values()) == {2}
    asked_first = answers[1].status_code == 201
    assert ((firm.anna.id, date(2026, 12, 28)) in halves_taken) is not asked_first
    assert not [day for _, day in halves_taken if day.year == 2027]


DAYS = st.integers(0, 13).map(lambda n: date(2026, 12, 14) + timedelta(days=n))


@ON_SQLITE
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@drawn(
    own_requests=st.lists(st.tuples(DAYS, st.integers(0, 4), st.booleans(), st.booleans()), max_size=4),
    span=st.tuples(DAYS, st.integers(0, 9)),
    later=st.lists(st.tuples(st.sampled_from(["approve", "cancel"]), st.integers(0, 3)), max_size=3),
)
def test_whatever_else_is_decided_meanwhile_nothing_is_lost_and_no_day_counts_twice(
    world: World, own_requests: list[Any], span: Any, later: list[Any]
) -> None:
    world.platform.rates = Rates()
    firm = world.firm(f"Firma {len(world.firms)}")
    allow(firm)
    request_ids = []
    for first, length, half, waits in own_requests:
        days_ = (f"{first}", f"{first + timedelta(days=length)}")
        how = (firm.anna, {}) if waits else (firm.boss, {"userId": firm.anna.id})
        answer = asks(how[0], *days_, startHalf=half, **how[1])
        request_ids += [answer.json()["id"]] if answer.status_code == 201 else []
    used_before = vacation_of(firm.anna)["used"]
    last = span[0] + timedelta(days=span[1])
    closure = _closed(firm, f"{span[0]}", f"{last}")
    for action, which in later:
        if which < len(request_ids):
            firm.boss.post(f"/api/vacation-requests/{request_ids[which]}/{action}", json={"comment": "Ja."})
            used_before = None
    assert max(_halves_taken(world.platform, firm).values(), default=0) <= 2
    assert _open(firm, closure) == 204
    days_taken = {day for user, day in _halves_taken(world.platform, firm) if user == firm.anna.id}
    rows = firm.anna.get("/api/vacation-requests/mine").json()
    asked_for = [row for row in rows if row["id"] in request_ids and row["status"] == "approved"]
    assert days_taken == {
        day for row in asked_for for day in days(*map(date.fromisoformat, (row["startDate"], row["endDate"])))
    }
    assert used_before is None or vacation_of(firm.anna)["used"] == used_before


@drawn(costs=st.lists(st.integers(0, 2), min_size=1, max_size=20), busy=st.sets(st.integers(0, 19)))
def test_the_gaps_are_all_days_that_cost_and_are_not_busy(costs: list[int], busy: set[int]) -> None:
    first = date(2026, 12, 1)
    place = lambda day: (day - first).days  # noqa: E731
    last = first + timedelta(days=len(costs) - 1)
    spans = leave.gaps(first, last, lambda day: costs[place(day)], lambda day: place(day) in busy)
    covered = [place(day) for span in spans for day, _ in span.parts()]
    assert {n for n in covered if costs[n]} == {n for n, cost in enumerate(costs) if cost and n not in busy}
    assert len(covered) == len(set(covered) - busy)
    assert all(costs[place(end)] for span in spans for end in (span.start, span.end))
