"""Requests for vacation and wishes: permissions, previews, withdrawal, costs, and notifications."""

from datetime import date
from typing import Any

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN

from cloud.tests.databases import ON_SQLITE
from cloud.tests.planning.leaving import (
    MINE,
    allow,
    approve,
    approved,
    asks,
    code_of,
    create_request,
    decline,
    employ,
    falls_ill,
    keep_holidays,
    of_company,
    vacation_of,
)
from cloud.tests.planning.rosters import add_duty
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
PREVIEW = "/api/vacation-requests/preview"


# -- refusals


def test_nobody_without_a_session_and_administrators_ask_for_nothing_of_their_own(
    client: TestClient, firm: Firm, world: World
) -> None:
    for path in (MINE, "/api/vacation-policy/mine"):
        assert client.get(path).status_code == 401
        assert firm.boss.get(path).status_code == 403
        assert world.founder.get(path).status_code == 403
    refused = asks(firm.boss, "2026-12-07", kind="wish")
    assert (refused.status_code, refused.json()["message"]) == (422, "Bitte Mitarbeiter auswählen.")
    assert refused.json()["errors"][0]["field"] == "userId"


def test_nobody_asks_for_a_colleague_or_for_a_system_administrator(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert asks(firm.anna, "2026-12-07", kind="wish", userId=firm.ben.id).status_code == 403
    for user_id in (other_firm.anna.id, UNKNOWN, "nonsense"):
        assert asks(firm.anna, "2026-12-07", kind="wish", userId=user_id).status_code == 404
        assert asks(firm.boss, "2026-12-07", kind="wish", userId=user_id).status_code == 404
    admin = world.founder
    refused = asks(admin, "2026-12-07", kind="wish", userId=admin.id)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "userId")
    assert asks(firm.anna, "2026-12-07", kind="wish", userId=firm.anna.id).status_code == 201


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


@ON_SQLITE
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
    for person, start, end in (
        (firm.anna, "2026-12-25", "2026-12-27"),
        (firm.ben, "2026-12-13", "2026-12-14"),
        (firm.boss, "2026-12-26", "2026-12-26"),
    ):
        refused = asks(person, start, end, **({"userId": firm.anna.id} if person is firm.boss else {}))
        assert (refused.status_code, refused.json()["message"]) == (422, sentence)
    assert asks(firm.ben, "2026-12-12").json()["days"] == 1
    assert asks(firm.anna, "2026-12-26", kind="wish").status_code == 201


def test_a_status_that_is_none_is_refused_in_german(firm: Firm) -> None:
    refused = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=foo")
    assert (refused.status_code, refused.json()["message"]) == (422, "Ungültige Eingabe. status: Unbekannter Wert.")


@pytest.mark.parametrize("days", [None, 0])
def test_without_an_allowance_only_wishes_are_left(firm: Firm, days: int | None) -> None:
    allow(firm, days)
    for refused in (asks(firm.anna, "2026-12-07"), asks(firm.boss, "2026-12-07", userId=firm.anna.id)):
        assert (refused.status_code, refused.json()["message"]) == (409, "Urlaub ist derzeit deaktiviert.")
    assert asks(firm.anna, "2026-12-07", kind="wish").status_code == 201
    assert vacation_of(firm.anna)["vacationEnabled"] is False


def test_a_company_that_has_said_nothing_has_no_vacation(firm: Firm) -> None:
    assert code_of(asks(firm.anna, "2026-12-07")) == (409, "vacation_disabled")
    assert vacation_of(firm.anna) == {
        "mode": "uniform",
        "uniformDays": None,
        "myAllowance": 0,
        "remainingDays": 0,
        "vacationEnabled": False,
        "used": 0,
        "reserved": 0,
        "carried": 0,
        "booked": 0,
        "lapsed": 0,
        "year": 2026,
    }


def test_a_range_overlaps_an_open_or_an_approved_one_and_nothing_else(firm: Firm) -> None:
    allow(firm)
    open_one, approved_id = (
        create_request(firm.anna, "2026-12-07", "2026-12-09"),
        approved(firm, firm.anna, "2026-12-14"),
    )
    declined = create_request(firm.anna, "2026-12-21", kind="wish")
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
    assert approved_id in {row["id"] for row in firm.anna.get(MINE).json()}


def test_a_morning_and_an_afternoon_of_one_day_do_not_overlap(firm: Firm) -> None:
    allow(firm)
    approved(firm, firm.anna, "2026-12-07", endHalf=True)
    assert code_of(asks(firm.anna, "2026-12-07", endHalf=True)) == (409, "overlap")
    assert asks(firm.anna, "2026-12-07", startHalf=True).status_code == 201
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["reserved"]) == (0.5, 0.5)


# -- asking


def test_a_request_is_answered_as_a_whole_and_waits(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    answer = asks(
        firm.anna, "2026-12-23", "2026-12-29", reason="  Skifahren ", startHalf=True, endHalf=True, overAllowance=True
    )
    assert answer.status_code == 201
    row = answer.json()
    assert row == {
        "id": row["id"],
        "kind": "vacation",
        "startDate": "2026-12-23",
        "endDate": "2026-12-29",
        "startHalf": True,
        "leftOut": [],
        "endHalf": True,
        "days": 3,
        "returned": 0,
        "reason": "Skifahren",
        "status": "pending",
        "createdAt": "2026-11-20T08:00:00.000Z",
        "comment": None,
        "decidedAt": None,
        "cancelRequested": False,
        "cancelReason": None,
        "userId": firm.anna.id,
        "username": "anna",
        "decidedBy": None,
        "warnings": [],
    }
    (own_row,) = firm.anna.get(MINE).json()
    assert own_row == {name: row[name] for name in own_row}
    assert set(row) - set(own_row) == {"userId", "username", "decidedBy", "warnings"}
    assert of_company(firm, firm.boss, "?status=pending") == [{k: v for k, v in row.items() if k != "warnings"}]


def test_own_requests_stand_newest_first(firm: Firm, clock: SettableClock) -> None:
    ids = []
    for start in ("2026-12-14", "2026-12-07", "2026-12-21"):
        ids.append(create_request(firm.anna, start, kind="wish"))
        clock.advance(minutes=1)
    create_request(firm.ben, "2026-12-07", kind="wish")
    assert [row["id"] for row in firm.anna.get(MINE).json()] == ids[::-1]


def test_blank_words_are_none(firm: Firm) -> None:
    assert asks(firm.anna, "2026-12-07", kind="wish", reason="  ").json()["reason"] is None
    request_id = create_request(firm.anna, "2026-12-08", kind="wish")
    assert decline(firm.boss, request_id, comment=" ").json()["comment"] is None


def test_a_wish_costs_nothing(firm: Firm) -> None:
    allow(firm, 1)
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-18", kind="wish")
    assert approve(firm.boss, request_id).json()["days"] == 0
    assert (vacation_of(firm.anna)["remainingDays"], vacation_of(firm.anna)["used"]) == (1, 0)


def test_administrators_are_told_of_a_request(world: World, firm: Firm) -> None:
    second = world.user(firm.id, "zweite", COMPANY_ADMIN)
    allow(firm)
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-09", reason="privat")
    days = {"startDate": "2026-12-07", "endDate": "2026-12-09"}
    message = (
        "request",
        "Neuer Antrag: Urlaub",
        "anna beantragt Urlaub vom 7. bis 9. Dezember 2026.",
        {"what": "vacation", "requestId": request_id, "userId": firm.anna.id} | days,
    )
    assert inbox(firm.boss) == inbox(second) == [message]
    assert inbox(firm.anna) == inbox(firm.ben) == []


def test_what_an_administrator_enters_is_approved_at_once_and_the_employee_is_told(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    allow(firm)
    answer = asks(firm.boss, "2026-12-07", userId=firm.anna.id, endHalf=True)
    assert answer.status_code == 201
    row = answer.json()
    assert (row["status"], row["decidedBy"], row["days"]) == ("approved", "chefin", 0.5)
    assert row["decidedAt"] == "2026-11-20T08:00:00.000Z"
    assert inbox(firm.anna) == [
        (
            "vacation_response",
            "Urlaub genehmigt",
            "Dein Urlaub am 7. Dezember 2026 wurde genehmigt.",
            {"status": "approved", "kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-07"},
        )
    ]
    assert inbox(firm.boss) == []
    by_operator = asks(world.founder, "2026-12-08", userId=firm.anna.id).json()
    assert (by_operator["status"], by_operator["decidedBy"]) == ("approved", "System-Admin")


def test_an_administrator_is_told_of_duties_in_the_way(firm: Firm) -> None:
    for day in ("2026-12-04", "2026-12-07", "2026-12-09"):
        add_duty(firm.anna, day)
    allow(firm)
    warned = asks(firm.boss, "2026-12-04", userId=firm.anna.id)
    assert warned.json()["warnings"] == [{"code": "duty", "date": "2026-12-04"}]
    request_id = create_request(firm.anna, "2026-12-07", "2026-12-11")
    both = [{"code": "duty", "date": "2026-12-07"}, {"code": "duty", "date": "2026-12-09"}]
    assert approve(firm.boss, request_id).json()["warnings"] == both
    assert asks(firm.ben, "2026-12-07").json()["warnings"] == []


@pytest.mark.parametrize(("half", "met"), [("startHalf", "2026-12-08"), ("endHalf", "2026-12-07")])
def test_leave_of_half_a_day_warns_of_the_duties_of_that_half_alone(firm: Firm, half: str, met: str) -> None:
    allow(firm)
    add_duty(firm.anna, "2026-12-07", 6 * 60, 12 * 60)
    add_duty(firm.anna, "2026-12-08", 12 * 60, 18 * 60)
    for day in ("2026-12-07", "2026-12-08"):
        warned = [{"code": "duty", "date": day}] if day == met else []
        assert look(firm.anna, day, day, **{half: True})["warnings"] == warned
        request_id = create_request(firm.anna, day, **{half: True})
        assert approve(firm.boss, request_id).json()["warnings"] == warned


# -- looking at it beforehand


def look(person: Somebody, start: str, end: str, kind: str = "vacation", **fields: Any) -> dict[str, Any]:
    answer = person.get(PREVIEW, params={"kind": kind, "startDate": start, "endDate": end} | fields)
    assert answer.status_code == 200, answer.text
    row: dict[str, Any] = answer.json()
    return row


def test_a_preview_says_what_a_request_would_come_to(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    approved(firm, firm.anna, "2026-11-02", "2026-11-06")
    create_request(firm.anna, "2026-12-07", "2026-12-08")
    preview = look(firm.anna, "2026-12-21", "2026-12-27", startHalf=True)
    assert preview == {
        "days": 3.5,
        "holidays": [
            {"date": "2026-12-25", "name": "Erster Weihnachtstag"},
            {"date": "2026-12-26", "name": "Zweiter Weihnachtstag"},
        ],
        "freeDays": 2,
        "leftOut": [],
        "remainingAfter": 21.5,
        "reservedAfter": 5.5,
        "overlaps": False,
        "warnings": [],
        "years": [{"year": 2026, "remaining": 21.5}],
        "around": [],
    }
    assert look(firm.anna, "2026-12-08", "2026-12-10")["overlaps"] is True
    wish = look(firm.anna, "2026-12-21", "2026-12-22", "wish")
    assert (wish["days"], wish["remainingAfter"], wish["reservedAfter"]) == (0, 25, 2)
    assert len(firm.anna.get(MINE).json()) == 2


def test_a_preview_names_the_duties_in_the_way_before_anything_is_sent(firm: Firm) -> None:
    for day in ("2026-12-07", "2026-12-09"):
        add_duty(firm.anna, day)
    for kind in ("vacation", "wish"):
        allow(firm)
        preview = look(firm.anna, "2026-12-07", "2026-12-08", kind)
        assert preview["warnings"] == [{"code": "duty", "date": "2026-12-07"}]
    assert look(firm.ben, "2026-12-07", "2026-12-08", "wish")["warnings"] == []


def test_a_preview_over_new_year_speaks_of_the_year_with_the_least_and_reserves_in_the_first(firm: Firm) -> None:
    allow(firm)
    preview = look(firm.anna, "2026-12-28", "2027-01-08")
    assert (preview["days"], preview["remainingAfter"], preview["reservedAfter"]) == (10, 26, 4)
    allow(firm, 0, validFrom="2027-01-01")
    approved(firm, firm.anna, "2027-03-01", "2027-03-26")  # twenty of what is carried
    assert look(firm.anna, "2026-12-28", "2027-01-08")["remainingAfter"] == 0
    assert look(firm.anna, "2026-12-21", "2026-12-23")["remainingAfter"] == 7


def test_a_preview_is_of_nobody_elses_days_and_of_no_other_persons_request(world: World, firm: Firm) -> None:
    allow(firm)
    days = {"kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-08"}
    other_firm = world.firm("Andere")
    theirs, bens = create_request(firm.anna, "2026-12-07"), create_request(firm.ben, "2026-12-07")
    assert firm.anna.get(PREVIEW, params=days | {"userId": firm.ben.id}).status_code == 403
    for person in (firm.anna, firm.boss, other_firm.boss):
        assert person.get(PREVIEW, params=days | {"userId": UNKNOWN}).status_code == 404
    assert other_firm.boss.get(PREVIEW, params=days | {"userId": firm.anna.id}).status_code == 404
    assert firm.boss.get(PREVIEW, params=days).json()["message"] == "Bitte Mitarbeiter auswählen."
    assert firm.boss.get(PREVIEW, params=days | {"userId": firm.anna.id, "insteadOf": bens}).status_code == 404
    assert firm.ben.get(PREVIEW, params=days | {"insteadOf": theirs}).status_code == 404
    assert (
        other_firm.boss.get(PREVIEW, params=days | {"userId": other_firm.anna.id, "insteadOf": theirs}).status_code
        == 404
    )


def test_an_administrator_sees_the_rest_of_each_year_as_if_the_request_itself_were_not_there(firm: Firm) -> None:
    allow(firm)
    over_new_year = ("2026-12-28", "2027-01-08")
    pending = create_request(firm.anna, *over_new_year)
    preview = look(firm.boss, *over_new_year, userId=firm.anna.id, insteadOf=pending)
    assert preview["years"] == [{"year": 2026, "remaining": 26}, {"year": 2027, "remaining": 50}]
    assert (preview["overlaps"], preview["reservedAfter"]) == (False, 4)
    approve(firm.boss, pending)
    preview_again = look(firm.boss, *over_new_year, userId=firm.anna.id, insteadOf=pending)
    assert (preview_again["years"], preview_again["remainingAfter"], preview_again["overlaps"]) == (
        preview["years"],
        26,
        False,
    )
    assert look(firm.boss, *over_new_year, userId=firm.anna.id)["overlaps"] is True
    shorter = look(firm.boss, "2026-12-28", "2026-12-28", userId=firm.anna.id, insteadOf=pending)
    assert shorter["years"] == [{"year": 2026, "remaining": 29}]


def test_an_administrator_sees_the_months_around_with_who_else_of_the_department_is_away(firm: Firm) -> None:
    allow(firm)
    keep_holidays(firm)
    employ(firm.anna, department="Küche")
    duty = {"userId": firm.anna.id, "date": "2026-12-10"}
    assert firm.boss.post(f"/api/companies/{firm.id}/schedule", json=duty).status_code == 201
    approved(firm, firm.ben, "2026-12-07", "2026-12-08")
    create_request(firm.anna, "2026-12-21", "2026-12-22")
    falls_ill(firm.ben, date(2026, 12, 9), date(2026, 12, 9))
    apart = look(firm.boss, "2026-12-07", "2026-12-08", userId=firm.anna.id)["around"]
    assert (apart[0]["date"], apart[-1]["date"]) == ("2026-12-01", "2026-12-31")
    assert not any(day["away"] for day in apart)
    employ(firm.ben, department="Küche")
    around = {day["date"]: day for day in look(firm.boss, "2026-12-07", "2026-12-08", userId=firm.anna.id)["around"]}
    away = [day for day, around_day in around.items() if around_day["away"] == [firm.ben.username]]
    assert away == ["2026-12-07", "2026-12-08", "2026-12-09"]
    assert around["2026-12-25"]["holiday"] == "Erster Weihnachtstag"
    assert [day for day, around_day in around.items() if around_day["duty"]] == ["2026-12-10"]
    assert {day: around_day["own"] for day, around_day in around.items() if around_day["own"]} == {
        "2026-12-21": "vacation",
        "2026-12-22": "vacation",
    }
    assert [day for day, around_day in around.items() if around_day["free"]][:2] == ["2026-12-05", "2026-12-06"]


def test_what_is_carried_can_be_taken_in_a_year_without_an_allowance_and_no_more(firm: Firm) -> None:
    allow(firm, 30)
    allow(firm, 0, validFrom="2027-01-01")
    create_request(firm.anna, "2027-02-01", "2027-02-05")
    approved(firm, firm.anna, "2026-11-02", "2026-12-11")
    assert code_of(asks(firm.anna, "2027-02-08")) == (409, "vacation_disabled")


# -- withdrawing


def test_a_pending_request_is_withdrawn_once_and_a_decided_one_never(firm: Firm) -> None:
    request_id, decided = (
        create_request(firm.anna, "2026-12-07", kind="wish"),
        create_request(firm.anna, "2026-12-08", kind="wish"),
    )
    assert firm.anna.delete(f"/api/vacation-requests/{request_id}").status_code == 204
    assert firm.anna.delete(f"/api/vacation-requests/{request_id}").status_code == 404
    approve(firm.boss, decided)
    refused = firm.anna.delete(f"/api/vacation-requests/{decided}")
    assert (code_of(refused), refused.json()["decidedBy"]) == ((409, "already_decided"), "chefin")
    assert [row["id"] for row in firm.anna.get(MINE).json()] == [decided]
