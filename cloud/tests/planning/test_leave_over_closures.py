"""Leave that meets company holidays: it holds and costs its other days, and each day counts once."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from sqlalchemy import select
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.facts.leave import span_of
from stempelwerk_cloud.planning.facts.tables import VacationRequest

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import allow, approve, approved, asks, balance, code_of, create_request, vacation_of
from cloud.tests.planning.rosters import add_duty
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

CLOSED = ("2026-12-14", "2026-12-18")
AROUND = ("2026-12-10", "2026-12-22")
"""Thursday to Tuesday: nine workdays, five of them closed."""
LEFT_OUT = [{"startDate": CLOSED[0], "endDate": CLOSED[1]}]


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/closures"


def _close(firm: Firm, first: str = CLOSED[0], last: str = CLOSED[1], name: str = "Winterpause") -> Any:
    return firm.boss.post(_path(firm), json={"startDate": first, "endDate": last, "name": name})


def _closed(firm: Firm, first: str = CLOSED[0], last: str = CLOSED[1]) -> str:
    answer = _close(firm, first, last)
    assert answer.status_code == 201, answer.text
    closure_id: str = answer.json()["id"]
    return closure_id


def _open(firm: Firm, closure_id: str) -> Any:
    return firm.world.again(firm.boss).delete(f"{_path(firm)}/{closure_id}")


def _row(person: Somebody, request_id: str) -> dict[str, Any]:
    rows = person.world.again(person).get("/api/vacation-requests/mine").json()
    row: dict[str, Any] = next(row for row in rows if row["id"] == request_id)
    return row


def _look(person: Somebody, start: str, end: str, kind: str = "vacation", **fields: Any) -> Any:
    return person.get(
        "/api/vacation-requests/preview", params={"kind": kind, "startDate": start, "endDate": end} | fields
    )


def _move(firm: Firm, request_id: str, start: str, end: str, **fields: Any) -> Any:
    body = {"startDate": start, "endDate": end, "comment": "Abgesprochen."} | fields
    return firm.boss.put(f"/api/vacation-requests/{request_id}", json=body)


def _cancel(firm: Firm, request_id: str) -> Any:
    boss = firm.world.again(firm.boss)
    return boss.post(f"/api/vacation-requests/{request_id}/cancel", json={"comment": "Abgesprochen."})


def _closure_request(firm: Firm, person: Somebody) -> str:
    """The id of the vacation that company holidays gave."""
    rows = person.get("/api/vacation-requests/mine").json()
    (row,) = (row for row in rows if row["reason"] == "Winterpause")
    request_id: str = row["id"]
    return request_id


# -- refusals


def test_a_range_of_closed_days_alone_is_refused_with_why(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    sentence = (
        "In diesem Zeitraum ist die Firma ohnehin geschlossen: Die Betriebsferien sind schon als Urlaub eingetragen."
        " Bitte wähle Tage davor oder danach."
    )
    for refused in (
        asks(firm.anna, "2026-12-15", "2026-12-16"),
        asks(firm.anna, "2026-12-12", "2026-12-20"),  # with both weekends
        asks(firm.boss, *CLOSED, userId=firm.anna.id, overAllowance=True),
        asks(firm.anna, "2026-12-15", kind="wish"),
        _look(firm.anna, *CLOSED),
        _move(firm, approved(firm, firm.anna, "2026-12-02"), *CLOSED),
    ):
        assert code_of(refused) == (409, "company_closed")
        assert refused.json()["message"] == sentence
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["reserved"]) == (6, 0)


def test_any_other_open_or_approved_request_still_overlaps(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    create_request(firm.anna, "2026-12-21", kind="wish")
    approved(firm, firm.ben, "2026-12-10")
    for person in (firm.anna, firm.ben):
        assert code_of(asks(person, *AROUND)) == (409, "overlap")
        assert _look(person, *AROUND).json()["overlaps"] is True
    create_request(firm.anna, "2026-12-10", "2026-12-18")
    assert code_of(asks(firm.anna, "2026-12-10")) == (409, "overlap")


def test_a_closure_of_another_company_leaves_nothing_out(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    for company in (firm, other_firm):
        allow(company)
    _closed(other_firm)
    assert _row(firm.anna, create_request(firm.anna, *AROUND))["leftOut"] == []


def test_who_was_given_nothing_by_the_closure_asks_for_its_days(firm: Firm) -> None:
    allow(firm, 4)
    assert _close(firm).json()["created"] == 0
    row = _row(firm.anna, approved(firm, firm.anna, *AROUND))
    assert (row["days"], row["leftOut"]) == (9, [])


# -- what it holds and costs


@ON_BOTH
@pytest.mark.parametrize("by_administrator", [False, True])
def test_a_request_over_a_closure_costs_its_other_days(firm: Firm, by_administrator: bool) -> None:
    allow(firm)
    _closed(firm)
    preview = _look(firm.anna, *AROUND).json()
    assert (preview["days"], preview["freeDays"], preview["leftOut"], preview["overlaps"]) == (4, 9, LEFT_OUT, False)
    assert (preview["remainingAfter"], preview["reservedAfter"]) == (21, 4)
    request_id = approved(firm, firm.anna, *AROUND) if by_administrator else create_request(firm.anna, *AROUND)
    row = _row(firm.anna, request_id)
    assert (row["startDate"], row["endDate"], row["days"], row["leftOut"]) == (*AROUND, 4, LEFT_OUT)
    balances = vacation_of(firm.anna)
    assert (balances["used"], balances["reserved"]) == ((9, 0) if by_administrator else (5, 4))
    if not by_administrator:
        params = {"insteadOf": request_id, "userId": firm.anna.id}
        assert _look(firm.boss, *AROUND, **params).json()["remainingAfter"] == 21
        assert approve(firm.boss, request_id).status_code == 200
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["reserved"]) == (9, 0)


def test_no_more_than_the_other_days_is_held_against_what_remains(firm: Firm) -> None:
    allow(firm, 9)
    _closed(firm)
    assert approve(firm.boss, create_request(firm.anna, *AROUND)).status_code == 200
    assert asks(firm.boss, *AROUND, userId=firm.ben.id).status_code == 201
    assert [vacation_of(person)["remainingDays"] for person in (firm.anna, firm.ben)] == [0, 0]


def test_half_days_count_at_edges_that_it_holds_alone(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    halves = {"startHalf": True, "endHalf": True}
    assert _row(firm.anna, create_request(firm.anna, "2026-12-16", "2026-12-22", **halves))["days"] == 1.5
    assert _row(firm.anna, create_request(firm.anna, "2026-12-10", "2026-12-15", **halves))["days"] == 1.5


def test_a_closed_day_of_which_an_administrator_gave_half_back_is_in_the_way(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    assert _move(firm, _closure_request(firm, firm.anna), *CLOSED, endHalf=True).status_code == 200
    assert code_of(asks(firm.anna, *AROUND)) == (409, "overlap")
    assert _row(firm.anna, create_request(firm.anna, "2026-12-10", "2026-12-17"))["days"] == 2


def test_a_wish_over_a_closure_is_one_of_its_other_days(firm: Firm, platform: Platform) -> None:
    allow(firm)
    _closed(firm)
    wish = create_request(firm.anna, *AROUND, kind="wish")
    assert (_row(firm.anna, wish)["days"], _row(firm.anna, wish)["leftOut"]) == (0, LEFT_OUT)
    with platform.database.read(SYSTEM) as session:
        first, last = map(date.fromisoformat, AROUND)
        person = days.load(session, firm.id, [firm.anna.id], first, last, ["leave"]).people[firm.anna.id]
    assert [len(leave) for leave in person.leave.values()] == [1] * 13


def test_vacation_is_asked_for_as_of_the_first_day_that_it_holds(firm: Firm) -> None:
    allow(firm, 4)
    allow(firm, 0, validFrom="2027-01-01")
    _closed(firm, "2026-12-28", "2026-12-31")
    assert vacation_of(firm.anna)["remainingDays"] == 0
    assert code_of(asks(firm.anna, "2026-12-28", "2027-01-05")) == (409, "vacation_disabled")


def test_leave_that_is_moved_is_judged_anew(firm: Firm) -> None:
    allow(firm)
    closure_id, request_id = _closed(firm), approved(firm, firm.anna, "2026-12-10", "2026-12-11")
    moved = _move(firm, request_id, *AROUND)
    assert (moved.json()["days"], moved.json()["leftOut"]) == (4, LEFT_OUT)
    assert _open(firm, closure_id).status_code == 204
    moved_back = _move(firm, request_id, *AROUND)
    assert (moved_back.json()["days"], moved_back.json()["leftOut"], vacation_of(firm.anna)["used"]) == (9, [], 9)


def test_vacation_of_a_closure_that_is_moved_onto_leave_around_it_is_refused(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    approved(firm, firm.anna, *AROUND)
    own_request = _closure_request(firm, firm.anna)
    assert code_of(_move(firm, own_request, "2026-12-17", "2026-12-21")) == (409, "overlap")
    assert _move(firm, own_request, "2026-12-15", "2026-12-17").status_code == 200
    assert vacation_of(firm.anna)["used"] == 7


def test_a_closure_after_the_request_gives_the_other_days(firm: Firm) -> None:
    allow(firm)
    request_id = create_request(firm.anna, "2026-12-17", "2026-12-22")
    assert [row["reason"] for row in _close(firm).json()["skipped"]] == ["pending_request"]
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["reserved"]) == (3, 4)
    assert approve(firm.boss, request_id).status_code == 200
    assert (vacation_of(firm.anna)["used"], _row(firm.anna, request_id)["leftOut"]) == (7, [])


# -- what ends


@ON_BOTH
def test_a_closure_that_goes_adds_nothing_to_a_request_and_its_person_is_told(firm: Firm, platform: Platform) -> None:
    allow(firm)
    closure_id, request_id = _closed(firm), create_request(firm.anna, *AROUND)
    add_duty(firm.anna, "2026-12-15")
    assert _open(firm, closure_id).status_code == 204
    assert [(message.title, message.body) for message in inbox(firm.anna)][-1] == (
        "Betriebsferien entfallen",
        "„Winterpause“ entfällt, und damit dein Urlaub vom 14. bis 18. Dezember 2026. Die Urlaubstage hast du wieder."
        " Das sind wieder Arbeitstage: Dein Urlaub vom 10. bis 22. Dezember 2026 enthält sie nicht."
        " Möchtest du trotzdem frei haben, beantrage sie bitte noch.",
    )
    assert "Arbeitstage" not in inbox(firm.ben)[-1].body
    decided = approve(firm.boss, request_id).json()
    assert (decided["days"], decided["warnings"], vacation_of(firm.anna)["used"]) == (4, [], 4)
    with platform.database.read(SYSTEM) as session:
        december = date(2026, 12, 1), date(2026, 12, 31)
        off = days.load(session, firm.id, [firm.anna.id], *december, ["leave"]).people[firm.anna.id].leave
        decided_on = [
            days.decided_on(session, firm.id, firm.anna.id, day) for day in (date(2026, 12, 11), date(2026, 12, 15))
        ]
    assert sorted(off) == [date(2026, 12, day) for day in (10, 11, 12, 13, 19, 20, 21, 22)]
    # The closure's own vacation is the only decision about the 15th.
    assert [len(decisions) for decisions in decided_on] == [1, 1]
    assert asks(firm.anna, *CLOSED).status_code == 201


def test_begun_leave_is_cut_or_cancelled_by_the_days_that_it_holds(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    _closed(firm)
    earlier, later = (
        approved(firm, firm.anna, "2026-12-10", "2026-12-16"),
        approved(firm, firm.ben, "2026-12-15", "2026-12-22"),
    )
    clock.advance(days=26)  # Wednesday the 16th
    assert code_of(_cancel(firm, earlier)) == (409, "all_passed")
    assert _cancel(firm, later).json()["status"] == "cancelled"
    wished = firm.world.again(firm.anna).post(f"/api/vacation-requests/{earlier}/cancel-request")
    assert code_of(wished) == (409, "all_passed")


def test_begun_leave_that_is_cut_names_no_closed_days_behind_its_end(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    _closed(firm)
    request_id = approved(firm, firm.anna, *AROUND)
    clock.advance(days=26)
    row = _cancel(firm, request_id).json()
    assert (row["endDate"], row["days"]) == ("2026-12-15", 2)
    assert row["leftOut"] == [{"startDate": "2026-12-14", "endDate": "2026-12-15"}]


def test_an_exit_within_the_closed_days_ends_leave_that_begins_behind_them(firm: Firm) -> None:
    allow(firm)
    _closed(firm)
    earlier, later = (
        approved(firm, firm.anna, "2026-12-10", "2026-12-17"),
        approved(firm, firm.anna, "2026-12-16", "2026-12-22"),
    )
    path = f"/api/users/{firm.anna.id}/employment"
    refused = firm.boss.put(path, json={"exitDate": "2026-12-16"})
    assert code_of(refused) == (409, "plans_after_exit")
    plans = {plan["id"]: plan["date"] for plan in refused.json()["plans"]}
    assert (earlier in plans, plans[later]) == (False, "2026-12-19")
    assert firm.boss.put(path, json={"exitDate": "2026-12-16", "endPlans": True}).status_code == 200
    assert [_row(firm.anna, request_id)["status"] for request_id in (earlier, later)] == ["approved", "declined"]


# -- at once, and in any order


@ON_BOTH
def test_asking_beside_a_closure_that_is_made_or_removed_doubles_no_day(firm: Firm, platform: Platform) -> None:
    allow(firm)
    old = _closed(firm, "2027-03-01", "2027-03-05")
    closed, removed, first, second = all_at_once(
        platform,
        lambda: _close(firm),
        lambda: firm.boss.delete(f"{_path(firm)}/{old}"),
        lambda: asks(firm.anna, *AROUND),
        lambda: asks(firm.anna, "2027-02-26", "2027-03-08"),
    )
    assert [answer.status_code for answer in (closed, removed, first, second)] == [201, 204, 201, 201]
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["reserved"]) in ((5, 4), (0, 9))
    assert balance(firm.anna, 2027).reserved in (2, 7)
    assert balance(firm.anna, 2027).used == 0
    _ensure_no_day_is_held_twice(platform, firm)


def _ensure_no_day_is_held_twice(platform: Platform, firm: Firm) -> None:
    halves_of: dict[date, int] = {}
    with platform.database.read(SYSTEM) as session:
        for request in session.scalars(select(VacationRequest).where(VacationRequest.user_id == firm.anna.id)):
            for day, halves in span_of(request).parts() if request.status in ("pending", "approved") else ():
                halves_of[day] = halves_of.get(day, 0) + halves
    assert max(halves_of.values(), default=0) <= 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "enter", "close", "open", "approve", "decline", "move", "cancel"]),
        st.integers(0, 13),
        st.integers(0, 8),
        st.booleans(),
    ),
    min_size=2,
    max_size=9,
)


@ON_SQLITE
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@drawn(steps=STEPS)
def test_closures_and_requests_in_any_order_cost_each_day_once(world: World, steps: list[Any]) -> None:
    world.platform.rates = Rates()
    firm = world.firm(f"Firma {len(world.firms)}")
    allow(firm)
    requests: list[str] = []
    closures: list[str] = []
    for action, offset, length, half in steps:
        first = date(2026, 12, 7) + timedelta(days=offset)
        span = (f"{first}", f"{first + timedelta(days=length)}")
        request_id = requests[offset % len(requests)] if requests else None
        costs = {row["id"]: row["days"] for row in firm.anna.get("/api/vacation-requests/mine").json()}
        if action in ("ask", "enter"):
            body = {"userId": firm.anna.id, "overAllowance": True} if action == "enter" else {}
            answer = asks(firm.boss if body else firm.anna, *span, startHalf=half, **body)
            requests += [answer.json()["id"]] if answer.status_code == 201 else []
        elif action == "close":
            answer = _close(firm, *span)
            closures += [answer.json()["id"]] if answer.status_code == 201 else []
        elif action == "open" and closures:
            assert _open(firm, closures.pop(offset % len(closures))).status_code == 204
            rows = firm.anna.get("/api/vacation-requests/mine").json()
            assert {row["id"]: row["days"] for row in rows} == costs
        elif action == "move" and request_id is not None:
            _move(firm, request_id, *span, startHalf=half)
        elif request_id is not None and action != "open":
            firm.boss.post(f"/api/vacation-requests/{request_id}/{action}", json={"comment": "Gut."})
        _ensure_no_day_is_held_twice(world.platform, firm)
        rows = firm.anna.get("/api/vacation-requests/mine").json()
        costs = {
            status: sum(row["days"] for row in rows if row["status"] == status) for status in ("approved", "pending")
        }
        now = vacation_of(firm.anna)
        assert (now["used"], now["reserved"]) == (costs["approved"], costs["pending"])


@drawn(
    st.integers(0, 20),
    st.integers(0, 20),
    st.booleans(),
    st.booleans(),
    st.sets(st.integers(0, 40)),
    st.sets(st.integers(0, 40)),
)
def test_two_spans_overlap_where_they_share_half_a_day(
    start: int, length: int, start_half: bool, end_half: bool, gaps: set[int], other_gaps: set[int]
) -> None:
    day = lambda number: date(2026, 12, 1) + timedelta(days=number)  # noqa: E731
    span = LeaveSpan(day(start), day(start + length), start_half, end_half and length > 0).without(set(map(day, gaps)))
    second = LeaveSpan(day(10), day(20), end_half=True).without(set(map(day, other_gaps)))

    def halves(span: LeaveSpan) -> set[tuple[date, int]]:
        return {
            (date_held, half) for date_held, _ in span.parts() for half in (0, 1) if span.halves_off(date_held)[half]
        }

    assert span.overlaps(second) == second.overlaps(span) == bool(halves(span) & halves(second))
    assert {date_held for date_held, _ in span.parts()} == {
        day(n) for n in range(start, start + length + 1) if n not in gaps
    }
    held_days = [date_held for date_held, _ in span.parts()]
    assert (span.first, span.last) == (held_days[0], held_days[-1]) if held_days else span.last < span.first
