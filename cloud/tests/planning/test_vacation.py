"""Requests for vacation and wishes: who may ask, look, withdraw and decide, what it costs, and who is told."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.planning.vacation import reactions
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.tables import VacationRequest
from stempelwerk_cloud.timekeeping.entries.tables import PersonNumber, TimeEntry
from structlog.contextvars import bound_contextvars

from cloud.tests.planning.leaving import (
    allow,
    approve,
    approved,
    asked,
    asks,
    book,
    decline,
    employ,
    falls_ill,
    keep_holidays,
    mine,
)
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import Listener, listening
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
MINE = "/api/vacation-requests/mine"
PREVIEW = "/api/vacation-requests/preview"


def of_company(firm: Firm, who: Somebody, query: str = "") -> Any:
    return who.get(f"/api/companies/{firm.id}/vacation-requests{query}").json()


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def inbox(somebody: Somebody) -> list[tuple[str, str, str, str]]:
    """Type, title, body and payload of everything that somebody was told."""
    with somebody.world.platform.database.read(SYSTEM) as session:
        rows = session.query(Message).filter(Message.user_id == somebody.id).order_by(Message.id)
        return [(row.type, row.title, row.body, row.payload) for row in rows]


# -- refusals


def test_nobody_without_a_session_and_administrators_ask_for_nothing_of_their_own(
    client: TestClient, firm: Firm, world: World
) -> None:
    for path in (MINE, "/api/vacation-policy/mine", f"{PREVIEW}?kind=wish&startDate=2026-12-07&endDate=2026-12-07"):
        assert client.get(path).status_code == 401
        assert firm.boss.get(path).status_code == 403
        assert world.founder.get(path).status_code == 403
    refused = asks(firm.boss, "2026-12-07", kind="wish")
    assert (refused.status_code, refused.json()["message"]) == (422, "Bitte Mitarbeiter auswählen.")
    assert refused.json()["errors"][0]["field"] == "userId"


def test_nobody_asks_for_a_colleague_or_for_who_is_no_employee(world: World, firm: Firm) -> None:
    other = world.firm("Andere")
    assert asks(firm.anna, "2026-12-07", kind="wish", userId=firm.ben.id).status_code == 403
    for user_id in (other.anna.id, UNKNOWN, "nonsense"):
        assert asks(firm.anna, "2026-12-07", kind="wish", userId=user_id).status_code == 404
        assert asks(firm.boss, "2026-12-07", kind="wish", userId=user_id).status_code == 404
    refused = asks(firm.boss, "2026-12-07", kind="wish", userId=firm.boss.id)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "userId")
    assert asks(firm.anna, "2026-12-07", kind="wish", userId=firm.anna.id).status_code == 201


def test_another_companys_requests_are_unknown_and_a_colleagues_are_refused(world: World, firm: Firm) -> None:
    other = world.firm("Andere")
    request_id = asked(firm.anna, "2026-12-07", kind="wish")
    for unknown in (request_id, UNKNOWN, "nonsense"):
        assert other.anna.delete(f"/api/vacation-requests/{unknown}").status_code == 404
        assert approve(other.boss, unknown).status_code == 404
        assert decline(other.boss, unknown).status_code == 404
    assert firm.ben.delete(f"/api/vacation-requests/{request_id}").status_code == 403
    assert approve(firm.anna, request_id).status_code == 403
    assert other.boss.get(f"/api/companies/{firm.id}/vacation-requests").status_code == 404
    assert firm.anna.get(f"/api/companies/{firm.id}/vacation-requests").status_code == 403
    assert of_company(other, other.boss) == []
    assert [row["status"] for row in of_company(firm, firm.boss)] == ["pending"]


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "holiday"}, "kind"),
    ({"kind": None}, "kind"),
    ({"startDate": "07.12.2026"}, "startDate"),
    ({"endDate": None}, "endDate"),
    ({"endDate": "2026-12-06"}, "endDate"),
    ({"endDate": "2027-12-08"}, "endDate"),
    ({"startDate": "2101-01-03", "endDate": "2101-01-03"}, "endDate"),
    ({"startDate": "0001-01-01", "endDate": "0001-01-01"}, "startDate"),
    ({"startDate": "2016-11-18", "endDate": "2016-11-21"}, "startDate"),
    ({"startHalf": True, "endHalf": True}, "endHalf"),
    ({"reason": "x" * 2001}, "reason"),
    ({"reason": "a\0b"}, "reason"),
    ({"startDate": "2026-12-05", "endDate": "2026-12-06"}, "startDate"),
]


@pytest.mark.parametrize(("changes", "field"), MALFORMED)
def test_what_makes_no_request_is_refused_at_its_field(firm: Firm, changes: dict[str, Any], field: str) -> None:
    allow(firm)
    body = {"kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-07"} | changes
    refused = firm.anna.post("/api/vacation-requests", json=body)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field), refused.text
    assert firm.anna.get(MINE).json() == []
    if "reason" not in changes and None not in changes.values():
        assert firm.anna.get(PREVIEW, params=body).status_code == 422


def test_ten_years_back_can_be_entered_and_no_day_more(firm: Firm) -> None:
    allow(firm)
    refused = asks(firm.boss, "2016-11-18", "2016-11-22", userId=firm.anna.id)
    assert (refused.status_code, refused.json()["message"]) == (422, "Das Datum liegt zu weit zurück.")
    assert asks(firm.boss, "2016-11-21", userId=firm.anna.id).status_code == 201
    assert asks(firm.anna, "2016-11-22", kind="wish").status_code == 201


def test_a_year_and_a_day_may_be_asked_for_at_once(firm: Firm) -> None:
    allow(firm)
    assert asks(firm.anna, "2027-01-01", "2028-01-01").status_code == 201
    assert asks(firm.ben, "2027-01-01", "2028-01-02").status_code == 422


def test_days_outside_of_the_employment_are_refused(firm: Firm) -> None:
    allow(firm)
    employ(firm.anna, entryDate="2026-04-01", exitDate="2026-12-31")
    for start, end, field in (
        ("2026-03-30", "2026-04-02", "startDate"),
        ("2026-12-30", "2027-01-04", "endDate"),
        ("2027-01-04", "2027-01-04", "endDate"),
    ):
        for kind in ("vacation", "wish"):
            refused = asks(firm.anna, start, end, kind)
            assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    assert asks(firm.anna, "2026-04-01", "2026-12-31").status_code == 201


def test_vacation_on_free_days_alone_is_refused_and_a_wish_is_not(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    employ(firm.ben, workdays=[1, 5])
    sentence = "Im Zeitraum liegt kein Arbeitstag."
    for who, start, end in (
        (firm.anna, "2026-12-25", "2026-12-27"),
        (firm.ben, "2026-12-13", "2026-12-14"),
        (firm.boss, "2026-12-26", "2026-12-26"),
    ):
        refused = asks(who, start, end, **({"userId": firm.anna.id} if who is firm.boss else {}))
        assert (refused.status_code, refused.json()["message"]) == (422, sentence)
    assert asks(firm.ben, "2026-12-12").json()["days"] == 1
    assert asks(firm.anna, "2026-12-26", kind="wish").status_code == 201


@pytest.mark.parametrize("days", [None, 0])
def test_without_an_allowance_only_wishes_are_left(firm: Firm, days: int | None) -> None:
    allow(firm, days)
    for refused in (asks(firm.anna, "2026-12-07"), asks(firm.boss, "2026-12-07", userId=firm.anna.id)):
        assert (refused.status_code, refused.json()["message"]) == (409, "Urlaub ist derzeit deaktiviert.")
    assert asks(firm.anna, "2026-12-07", kind="wish").status_code == 201
    assert mine(firm.anna)["vacationEnabled"] is False


def test_a_company_that_has_said_nothing_has_no_vacation(firm: Firm) -> None:
    assert code_of(asks(firm.anna, "2026-12-07")) == (409, "vacation_disabled")
    assert mine(firm.anna) == {
        "mode": "uniform",
        "uniformDays": None,
        "myAllowance": 0,
        "remainingDays": 0,
        "vacationEnabled": False,
        "used": 0,
        "reserved": 0,
        "carried": 0,
        "booked": 0,
        "year": 2026,
    }


def test_a_range_overlaps_an_open_or_an_approved_one_and_nothing_else(firm: Firm) -> None:
    allow(firm)
    open_one, taken = asked(firm.anna, "2026-12-07", "2026-12-09"), approved(firm, firm.anna, "2026-12-14")
    declined = asked(firm.anna, "2026-12-21", kind="wish")
    decline(firm.boss, declined)
    for start, end in (("2026-12-09", "2026-12-11"), ("2026-12-01", "2026-12-07"), ("2026-12-14", "2026-12-14")):
        for refused in (
            asks(firm.anna, start, end),
            asks(firm.anna, start, end, "wish"),
            asks(firm.boss, start, end, userId=firm.anna.id),
        ):
            assert code_of(refused) == (409, "overlap")
    assert asks(firm.ben, "2026-12-07").status_code == 201
    assert asks(firm.anna, "2026-12-21").status_code == 201
    assert firm.anna.delete(f"/api/vacation-requests/{open_one}").status_code == 204
    assert asks(firm.anna, "2026-12-07").status_code == 201
    assert taken in {row["id"] for row in firm.anna.get(MINE).json()}


def test_a_morning_and_an_afternoon_of_one_day_do_not_overlap(firm: Firm) -> None:
    allow(firm)
    approved(firm, firm.anna, "2026-12-07", endHalf=True)
    assert code_of(asks(firm.anna, "2026-12-07", endHalf=True)) == (409, "overlap")
    assert asks(firm.anna, "2026-12-07", startHalf=True).status_code == 201
    assert (mine(firm.anna)["used"], mine(firm.anna)["reserved"]) == (0.5, 0.5)


# -- asking


def test_a_request_is_answered_as_a_whole_and_waits(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    made = asks(
        firm.anna, "2026-12-23", "2026-12-29", reason="  Skifahren ", startHalf=True, endHalf=True, overAllowance=True
    )
    assert made.status_code == 201
    row = made.json()
    assert row == {
        "id": row["id"],
        "kind": "vacation",
        "startDate": "2026-12-23",
        "endDate": "2026-12-29",
        "startHalf": True,
        "endHalf": True,
        "days": 3,
        "reason": "Skifahren",
        "status": "pending",
        "createdAt": "2026-11-20T08:00:00.000Z",
        "comment": None,
        "decidedAt": None,
        "userId": firm.anna.id,
        "username": "anna",
        "decidedBy": None,
        "warnings": [],
    }
    (own,) = firm.anna.get(MINE).json()
    assert own == {name: row[name] for name in own}
    assert set(row) - set(own) == {"userId", "username", "decidedBy", "warnings"}
    assert of_company(firm, firm.boss, "?status=pending") == [{k: v for k, v in row.items() if k != "warnings"}]


def test_own_requests_stand_newest_first(firm: Firm, clock: SettableClock) -> None:
    ids = []
    for start in ("2026-12-14", "2026-12-07", "2026-12-21"):
        ids.append(asked(firm.anna, start, kind="wish"))
        clock.advance(minutes=1)
    asked(firm.ben, "2026-12-07", kind="wish")
    assert [row["id"] for row in firm.anna.get(MINE).json()] == ids[::-1]


def test_blank_words_are_none(firm: Firm) -> None:
    assert asks(firm.anna, "2026-12-07", kind="wish", reason="  ").json()["reason"] is None
    request_id = asked(firm.anna, "2026-12-08", kind="wish")
    assert decline(firm.boss, request_id, comment=" ").json()["comment"] is None


def test_a_wish_costs_nothing(firm: Firm) -> None:
    allow(firm, 1)
    request_id = asked(firm.anna, "2026-12-07", "2026-12-18", kind="wish")
    assert approve(firm.boss, request_id).json()["days"] == 0
    assert (mine(firm.anna)["remainingDays"], mine(firm.anna)["used"]) == (1, 0)


def test_administrators_are_told_of_a_request(world: World, firm: Firm) -> None:
    second = world.user(firm.id, "zweite", COMPANY_ADMIN)
    allow(firm)
    asked(firm.anna, "2026-12-07", "2026-12-09", reason="privat")
    told = (
        "request",
        "Neuer Antrag: Urlaub",
        "anna beantragt Urlaub vom 07.12.2026 bis 09.12.2026.",
        '{"what": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-09"}',
    )
    assert inbox(firm.boss) == inbox(second) == [told]
    assert inbox(firm.anna) == inbox(firm.ben) == []


def test_the_same_key_makes_one_request(firm: Firm) -> None:
    body = {"kind": "wish", "startDate": "2026-12-07", "endDate": "2026-12-07"}
    first, second = (
        firm.anna.post("/api/vacation-requests", json=body, headers={"Idempotency-Key": "k-1"}) for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert len(firm.anna.get(MINE).json()) == 1


def test_what_an_administrator_enters_is_approved_at_once_and_the_employee_is_told(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    allow(firm)
    made = asks(firm.boss, "2026-12-07", userId=firm.anna.id, endHalf=True)
    assert made.status_code == 201
    row = made.json()
    assert (row["status"], row["decidedBy"], row["days"]) == ("approved", "chefin", 0.5)
    assert row["decidedAt"] == "2026-11-20T08:00:00.000Z"
    assert inbox(firm.anna) == [
        (
            "vacation_response",
            "Urlaub genehmigt",
            "Dein Urlaub am 07.12.2026 wurde genehmigt.",
            '{"status": "approved", "kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-07"}',
        )
    ]
    assert inbox(firm.boss) == []
    by_operator = asks(world.founder, "2026-12-08", userId=firm.anna.id).json()
    assert (by_operator["status"], by_operator["decidedBy"]) == ("approved", "System-Admin")


def test_an_administrator_is_told_of_duties_in_the_way(firm: Firm, platform: Platform) -> None:
    duties = [date(2026, 12, 4), date(2026, 12, 7), date(2026, 12, 9)]

    def of_anna(_session: object, company_id: str, user_id: str, first: date, last: date) -> list[date]:
        return [one for one in duties if (company_id, user_id) == (firm.id, firm.anna.id) and first <= one <= last]

    platform.duties_between = of_anna
    allow(firm)
    warned = asks(firm.boss, "2026-12-04", userId=firm.anna.id)
    assert warned.json()["warnings"] == [{"code": "duty", "date": "2026-12-04"}]
    request_id = asked(firm.anna, "2026-12-07", "2026-12-11")
    both = [{"code": "duty", "date": "2026-12-07"}, {"code": "duty", "date": "2026-12-09"}]
    assert approve(firm.boss, request_id).json()["warnings"] == both
    assert asks(firm.ben, "2026-12-07").json()["warnings"] == []


# -- looking at it beforehand


def look(somebody: Somebody, start: str, end: str, kind: str = "vacation", **more: Any) -> dict[str, Any]:
    answer = somebody.get(PREVIEW, params={"kind": kind, "startDate": start, "endDate": end} | more)
    assert answer.status_code == 200, answer.text
    row: dict[str, Any] = answer.json()
    return row


def test_a_preview_says_what_a_request_would_come_to(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    approved(firm, firm.anna, "2026-11-02", "2026-11-06")
    asked(firm.anna, "2026-12-07", "2026-12-08")
    seen = look(firm.anna, "2026-12-21", "2026-12-27", startHalf=True)
    assert seen == {
        "days": 3.5,
        "holidays": [
            {"date": "2026-12-25", "name": "Erster Weihnachtstag"},
            {"date": "2026-12-26", "name": "Zweiter Weihnachtstag"},
        ],
        "freeDays": 2,
        "remainingAfter": 21.5,
        "reservedAfter": 5.5,
        "overlaps": False,
    }
    assert look(firm.anna, "2026-12-08", "2026-12-10")["overlaps"] is True
    wish = look(firm.anna, "2026-12-21", "2026-12-22", "wish")
    assert (wish["days"], wish["remainingAfter"], wish["reservedAfter"]) == (0, 25, 2)
    assert len(firm.anna.get(MINE).json()) == 2


def test_a_preview_over_new_year_speaks_of_the_year_in_which_it_starts(firm: Firm) -> None:
    allow(firm)
    seen = look(firm.anna, "2026-12-28", "2027-01-08")
    assert (seen["days"], seen["remainingAfter"], seen["reservedAfter"]) == (10, 26, 4)


# -- withdrawing


def test_a_pending_request_is_withdrawn_once_and_a_decided_one_never(firm: Firm) -> None:
    request_id, decided = asked(firm.anna, "2026-12-07", kind="wish"), asked(firm.anna, "2026-12-08", kind="wish")
    assert firm.anna.delete(f"/api/vacation-requests/{request_id}").status_code == 204
    assert firm.anna.delete(f"/api/vacation-requests/{request_id}").status_code == 404
    approve(firm.boss, decided)
    refused = firm.anna.delete(f"/api/vacation-requests/{decided}")
    assert (code_of(refused), refused.json()["decidedBy"]) == ((409, "already_decided"), "chefin")
    assert [row["id"] for row in firm.anna.get(MINE).json()] == [decided]


# -- deciding


def test_approval_uses_the_days_and_declining_frees_them(firm: Firm) -> None:
    allow(firm)
    first, second = asked(firm.anna, "2026-12-07", "2026-12-11"), asked(firm.anna, "2026-12-14")
    assert (mine(firm.anna)["used"], mine(firm.anna)["reserved"], mine(firm.anna)["remainingDays"]) == (0, 6, 30)
    done = approve(firm.boss, first, comment=" Viel Spaß ").json()
    assert (done["status"], done["comment"], done["decidedBy"]) == ("approved", "Viel Spaß", "chefin")
    refused = decline(firm.boss, second, comment="Inventur")
    assert refused.status_code == 200
    assert (refused.json()["status"], refused.json()["comment"]) == ("declined", "Inventur")
    assert (mine(firm.anna)["used"], mine(firm.anna)["reserved"], mine(firm.anna)["remainingDays"]) == (5, 0, 25)
    statuses = {row["id"]: (row["status"], row["comment"]) for row in firm.anna.get(MINE).json()}
    assert statuses == {first: ("approved", "Viel Spaß"), second: ("declined", "Inventur")}
    assert [body for _, _, body, _ in inbox(firm.anna)] == [
        "Dein Urlaub vom 07.12.2026 bis 11.12.2026 wurde genehmigt. Anmerkung: Viel Spaß",
        "Dein Urlaub am 14.12.2026 wurde abgelehnt. Anmerkung: Inventur",
    ]


def test_a_decision_needs_no_body(firm: Firm) -> None:
    for path, status in (("approve", "approved"), ("decline", "declined")):
        request_id = asked(firm.anna, "2026-12-07" if path == "approve" else "2026-12-08", kind="wish")
        assert firm.boss.post(f"/api/vacation-requests/{request_id}/{path}").json()["status"] == status


@pytest.mark.parametrize("first", [approve, decline])
@pytest.mark.parametrize("second", [approve, decline])
def test_a_request_is_decided_once(world: World, firm: Firm, first: Any, second: Any) -> None:
    request_id = asked(firm.anna, "2026-12-07", kind="wish")
    assert first(world.founder, request_id).status_code == 200
    refused = second(firm.boss, request_id)
    assert (code_of(refused), refused.json()["decidedBy"]) == ((409, "already_decided"), "System-Admin")
    assert len(inbox(firm.anna)) == 1


def test_more_than_remains_may_be_asked_for_and_is_approved_when_confirmed(firm: Firm) -> None:
    allow(firm, 6)
    approved(firm, firm.anna, "2026-11-02", "2026-11-05")
    request_id = asked(firm.anna, "2026-12-07", "2026-12-09", endHalf=True)
    refused = approve(firm.boss, request_id)
    assert code_of(refused) == (409, "over_allowance")
    assert (refused.json()["remaining"], refused.json()["days"]) == (2, 2.5)
    assert firm.anna.get(MINE).json()[0]["status"] == "pending"
    assert approve(firm.boss, request_id, overAllowance=True).json()["status"] == "approved"
    assert mine(firm.anna)["remainingDays"] == -0.5


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
    """4 days of 2026 and 5 of 2027, which has what is left of 2026 besides."""
    allow(firm, 4)
    assert approve(firm.boss, asked(firm.anna, "2026-12-28", "2027-01-06")).status_code == 200
    allow(firm, 3)
    refused = approve(firm.boss, asked(firm.ben, "2026-12-30", "2027-01-13"))
    assert code_of(refused) == (409, "over_allowance")
    today = date(2026, 11, 20)
    with firm.world.platform.database.read(SYSTEM) as session:
        left = vacation.balance_of(session, firm.id, firm.ben.id, 2027, today).remaining
    assert (refused.json()["remaining"], refused.json()["days"]) == (left, 11)


def test_what_the_next_year_rests_on_needs_a_confirmation_as_well(firm: Firm) -> None:
    allow(firm, 30)
    employ(firm.anna, entryDate="2026-01-01")
    asks(firm.boss, "2027-01-04", "2027-03-26", userId=firm.anna.id)
    assert (balance(firm.anna, 2026).remaining, balance(firm.anna, 2027).remaining) == (30, 0)
    refused = asks(firm.boss, "2026-12-07", "2026-12-18", userId=firm.anna.id)
    assert code_of(refused) == (409, "over_allowance")
    assert (refused.json()["remaining"], refused.json()["days"]) == (0, 10)
    request_id = asked(firm.anna, "2026-12-07", "2026-12-18")
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
        ({"exitDate": "2026-12-09"}, "2026-12-14", "2026-12-16", "vacation", "Der Zeitraum liegt nach dem Austritt."),
        ({"exitDate": "2026-12-22"}, "2026-12-21", "2026-12-23", "wish", "Der Zeitraum liegt nach dem Austritt."),
        ({"entryDate": "2026-12-02"}, "2026-12-01", "2026-12-03", "vacation", "Der Zeitraum liegt vor dem Eintritt."),
    ):
        employ(firm.anna, entryDate=None, exitDate=None)
        request_id = asked(firm.anna, start, end, kind)
        employ(firm.anna, **dates)
        for refused in (approve(firm.boss, request_id), approve(firm.boss, request_id, overAllowance=True)):
            assert (refused.status_code, refused.json()["message"]) == (422, sentence)
        assert decline(firm.boss, request_id).status_code == 200


def test_without_the_module_nothing_is_decided_and_the_roster_reads_what_is_approved(world: World, firm: Firm) -> None:
    waiting, taken = asked(firm.anna, "2026-12-07", kind="wish"), asked(firm.ben, "2026-12-07", kind="wish", reason="x")
    approve(firm.boss, taken, comment="y")
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
    assert (row["id"], row["reason"], row["comment"]) == (taken, None, None)
    assert len(world.founder.get(path).json()) == 2
    assert asks(firm.anna, "2026-12-14", kind="wish").status_code == 201
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    assert code_of(firm.boss.get(f"{path}?status=approved")) == (403, "feature_off")


def test_a_companys_requests_by_status_and_days(firm: Firm, clock: SettableClock) -> None:
    ids = {}
    for who, start, end in (
        (firm.anna, "2026-12-01", "2026-12-04"),
        (firm.ben, "2026-12-04", "2026-12-07"),
        (firm.anna, "2026-12-21", "2026-12-23"),
    ):
        ids[start] = asked(who, start, end, kind="wish")
        clock.advance(minutes=1)
    decline(firm.boss, ids["2026-12-01"])
    approve(firm.boss, ids["2026-12-04"])

    def found(query: str) -> list[str]:
        return [row["startDate"] for row in of_company(firm, firm.boss, query)]

    assert found("") == found("?status=all") == ["2026-12-21", "2026-12-04", "2026-12-01"]
    assert found("?status=pending") == ["2026-12-21"]
    assert found("?status=approved") == ["2026-12-04"]
    assert found("?status=declined") == ["2026-12-01"]
    assert found("?from=2026-12-05") == ["2026-12-21", "2026-12-04"]
    assert found("?from=2026-12-04&to=2026-12-20") == ["2026-12-04", "2026-12-01"]
    for query in ("?status=open", "?from=2026-12-05&to=2026-12-04", "?from=x"):
        assert firm.boss.get(f"/api/companies/{firm.id}/vacation-requests{query}").status_code == 422


# -- what remains


def test_sick_days_with_a_note_inside_approved_vacation_return(firm: Firm) -> None:
    allow(firm)
    approved(firm, firm.anna, "2026-11-02", "2026-11-06", endHalf=True)
    falls_ill(firm.anna, date(2026, 11, 5), date(2026, 11, 8))
    assert (mine(firm.anna)["used"], mine(firm.anna)["remainingDays"]) == (3, 27)
    falls_ill(firm.anna, date(2026, 11, 2), date(2026, 11, 2), noted=False)
    falls_ill(firm.anna, date(2026, 11, 3), date(2026, 11, 3), status="declined")
    falls_ill(firm.anna, date(2026, 11, 9), date(2026, 11, 9))
    falls_ill(firm.ben, date(2026, 11, 4), date(2026, 11, 4))
    assert mine(firm.anna)["used"] == 3
    falls_ill(firm.anna, date(2026, 11, 4), date(2026, 11, 4), status="excused")
    assert mine(firm.anna)["used"] == 2
    assert firm.anna.get(MINE).json()[0]["days"] == 4.5


def balance(somebody: Somebody, year: int, today: date = date(2026, 11, 20)) -> vacation.VacationBalance:
    with somebody.world.platform.database.read(SYSTEM) as session:
        return vacation.balance_of(session, somebody.company_id, somebody.id, year, today)


def test_last_years_rest_is_carried_from_the_entry_year_on_with_the_opening_days(firm: Firm) -> None:
    allow(firm)
    employ(firm.anna, entryDate="2024-07-01", openingVacationDays=3.5)
    approved(firm, firm.anna, "2024-08-05", "2024-08-09")
    approved(firm, firm.anna, "2025-12-29", "2026-01-02")
    book(firm.anna, "2025-03-01", 1.5)
    book(firm.anna, "2026-03-01", -0.5)
    book(firm.anna, "2027-01-01", 10)
    assert balance(firm.anna, 2023) == (0, 0, 0, 0, 0, 0)
    assert balance(firm.anna, 2024) == (15, 3.5, 5, 0, 13.5, 0)
    assert balance(firm.anna, 2025) == (30, 13.5, 3, 0, 42, 1.5)
    assert balance(firm.anna, 2026) == (30, 42, 2, 0, 69.5, -0.5)
    assert balance(firm.anna, 2027).carried == 69.5
    assert (mine(firm.anna)["carried"], mine(firm.anna)["booked"], mine(firm.anna)["remainingDays"]) == (42, -0.5, 69.5)


def test_without_an_entry_date_carrying_begins_with_the_first_time_entry(firm: Firm, platform: Platform) -> None:
    allow(firm, 20)
    employ(firm.anna, openingVacationDays=2)
    approved(firm, firm.anna, "2025-08-04", "2025-08-08")
    assert balance(firm.anna, 2026) == (20, 2, 0, 0, 22, 0)
    with platform.database.write(SYSTEM) as session:
        number = session.query(PersonNumber.no).filter_by(company_id=firm.id, user_id=firm.anna.id).scalar()
        for first in (date(2026, 2, 2), date(2025, 9, 1)):
            session.add(
                TimeEntry(
                    company_id=firm.id,
                    person_no=number,
                    date=first,
                    id=platform.ids.new(),
                    start_at=datetime(first.year, first.month, first.day, 8, tzinfo=UTC),
                    end_at=datetime(first.year, first.month, first.day, 16, tzinfo=UTC),
                    start_minute=480,
                    end_minute=960,
                    raw_minutes=480,
                    break_minutes=30,
                    flags=0,
                    is_correction=False,
                )
            )
    assert balance(firm.anna, 2025) == (20, 2, 5, 0, 17, 0)
    assert balance(firm.anna, 2026) == (20, 17, 0, 0, 37, 0)
    assert balance(firm.ben, 2027) == (20, 20, 0, 0, 40, 0)
    assert balance(firm.ben, 2026) == (20, 0, 0, 0, 20, 0)


def test_a_changed_workweek_and_holidays_change_what_vacation_costs(firm: Firm) -> None:
    allow(firm)
    employ(firm.anna, workdays=[0, 1, 2])
    employ(firm.anna, workdays=[4], validFrom="2026-12-28")
    approved(firm, firm.anna, "2026-12-21", "2027-01-03")
    assert (balance(firm.anna, 2026).used, balance(firm.anna, 2027).used) == (3, 1)
    keep_holidays(firm)
    assert (balance(firm.anna, 2026).used, balance(firm.anna, 2027).used) == (3, 0)


def test_vacation_after_a_later_exit_costs_nothing(firm: Firm) -> None:
    allow(firm)
    request_id = approved(firm, firm.anna, "2026-12-28", "2027-01-08")
    employ(firm.anna, exitDate="2026-12-30")
    assert next(row["days"] for row in firm.anna.get(MINE).json() if row["id"] == request_id) == 3
    assert balance(firm.anna, 2026).used == 3


def test_many_balances_are_those_of_each_by_as_many_statements(firm: Firm, world: World, asked: list[str]) -> None:
    allow(firm)
    employ(firm.ben, entryDate="2025-05-01")
    approved(firm, firm.anna, "2026-11-02", "2026-11-06")
    approved(firm, firm.ben, "2026-11-03", "2026-11-06")
    people = [firm.anna.id, firm.ben.id, *(world.user(firm.id, f"person {number}").id for number in range(20))]
    today = date(2026, 11, 20)
    with world.platform.database.read(SYSTEM) as session, bound_contextvars(request_id="direct"):
        counted: list[int] = []
        for some in (people[:2], people):
            asked.clear()
            vacation.year_of(session, firm.id, some, 2026, today)
            counted.append(len(asked))
        assert counted[1] <= counted[0] <= 10  # the first of a transaction begins it
        many = vacation.year_of(session, firm.id, people, 2026, today)
        assert many == {one: vacation.balance_of(session, firm.id, one, 2026, today) for one in people}
    assert (many[firm.anna.id].used, many[firm.ben.id].used, many[firm.ben.id].carried) == (5, 4, 20)


def test_other_rooms_find_leave_by_days_people_and_status(world: World, firm: Firm) -> None:
    other = world.firm("Andere")
    asked(other.anna, "2026-12-07", kind="wish")
    waiting, taken = (
        asked(firm.anna, "2026-12-07", "2026-12-09", kind="wish"),
        asked(firm.ben, "2026-12-09", kind="wish"),
    )
    approve(firm.boss, taken)
    with world.platform.database.read(SYSTEM) as session:

        def found(first: date, last: date, statuses: Any, people: Any = None) -> list[str]:
            return [one.id for one in vacation.leave_between(session, firm.id, people, first, last, statuses)]

        both: Any = ("pending", "approved")
        nine, ten = date(2026, 12, 9), date(2026, 12, 10)
        assert set(found(nine, ten, both)) == {waiting, taken}
        assert found(date(2026, 12, 1), date(2026, 12, 8), both) == [waiting]
        assert found(nine, nine, ("approved",)) == [taken]
        assert found(nine, nine, both, [firm.anna.id]) == [waiting]
        assert found(ten, ten, both) == []
        (leave,) = vacation.leave_between(session, firm.id, [firm.ben.id], nine, nine, both)
    assert leave == vacation.Leave(taken, firm.ben.id, "wish", nine, nine, False, False, "approved")
    assert list(leave.span.parts()) == [(nine, 2)]


# -- pages that are open


def _plans(_session: Session, hearer: Hearer) -> list[str]:
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
            first = await asyncio.to_thread(asked, firm.anna, "2026-12-07", kind="wish")
            second = await asyncio.to_thread(asked, firm.anna, "2026-12-08", kind="wish")
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
    waiting, taken = asked(firm.anna, "2026-12-07", kind="wish"), asked(firm.anna, "2026-12-08", kind="wish")
    approve(firm.boss, taken)
    of_ben = asked(firm.ben, "2026-12-07", kind="wish")
    before = len(inbox(firm.anna))
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    statuses = {row["id"]: row["status"] for row in of_company(firm, firm.boss)}
    assert statuses == {waiting: "declined", taken: "approved", of_ben: "pending"}
    assert len(inbox(firm.anna)) == before
    assert code_of(approve(firm.boss, waiting)) == (409, "already_decided")
    assert asks(firm.boss, "2026-12-14", kind="wish", userId=firm.anna.id).status_code == 404


def test_a_new_name_changes_no_request(firm: Firm) -> None:
    request_id = asked(firm.anna, "2026-12-07", kind="wish")
    new = {"username": "Anna B.", "tagId": "04998877"}
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json=new).status_code == 200
    (row,) = of_company(firm, firm.boss)
    assert (row["id"], row["status"], row["username"]) == (request_id, "pending", "Anna B.")


def test_after_two_years_only_approved_vacation_is_kept(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    allow(firm)
    kept = approved(firm, firm.anna, "2024-11-04")
    declined, wish = asked(firm.anna, "2024-11-05", kind="wish"), approved(firm, firm.anna, "2024-11-06", kind="wish")
    decline(firm.boss, declined)
    young = approved(firm, firm.anna, "2024-12-02", kind="wish")
    with platform.database.write(SYSTEM) as session:
        reactions.purge(session, clock.now())
    with platform.database.read(SYSTEM) as session:
        assert {row.id for row in session.query(VacationRequest)} == {kept, young}
    assert wish not in {row["id"] for row in of_company(firm, firm.boss)}


def test_the_log_says_who_asked_and_who_decided(firm: Firm) -> None:
    allow(firm, 1)
    first, second = asked(firm.anna, "2026-12-07", "2026-12-08"), asked(firm.anna, "2026-12-09", reason="geheim")
    approve(firm.boss, first, overAllowance=True)
    firm.anna.delete(f"/api/vacation-requests/{second}")
    log = firm.boss.get(f"/api/companies/{firm.id}/audit").json()
    told = [(row["action"], row["actorName"], row["subjectName"]) for row in log if row["action"] != "vacation.policy"]
    assert told[:4] == [
        ("vacation.withdrawn", "anna", "anna"),
        ("vacation.approved", "chefin", "anna"),
        ("vacation.requested", "anna", "anna"),
        ("vacation.requested", "anna", "anna"),
    ]
    decided = next(row for row in log if row["action"] == "vacation.approved")
    assert (decided["before"], decided["after"]["overAllowance"]) == ({"leaveStatus": "pending"}, True)
    assert "geheim" not in str(log)
