"""Bookings on a person's account: made by administrators, sent to the person, never removed."""

import json
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages.tables import Message

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import employ
from cloud.tests.world import Firm, World

HOURS = {"date": "2026-11-20", "minutes": 90, "reason": "Inventur am Samstag"}


def _path(firm: Firm) -> str:
    return f"/api/users/{firm.anna.id}/bookings"


def _book(firm: Firm, **fields: Any) -> Any:
    answer = firm.boss.post(_path(firm), json={"date": "2026-11-20", "reason": "Ausgleich"} | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def _booked(firm: Firm) -> Any:
    answer = firm.anna.get(_path(firm))
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- who


def test_nothing_is_booked_for_who_was_deleted(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert firm.boss.post(_path(firm), json=HOURS).status_code == 404


# -- what


def test_minutes_are_booked_and_seen_by_the_person_and_the_administrators(firm: Firm, world: World) -> None:
    booking = _book(firm, minutes=-90, reason="  Inventur \n")
    assert booking == {
        "id": booking["id"],
        "date": "2026-11-20",
        "minutes": -90,
        "vacationDays": None,
        "reason": "Inventur",
        "by": "chefin",
        "at": "2026-11-20T08:00:00.000Z",
    }
    assert _booked(firm) == [booking]
    for person in (firm.boss, world.founder):
        assert person.get(_path(firm)).json() == [booking]
    assert firm.ben.get(f"/api/users/{firm.ben.id}/bookings").json() == []


def test_vacation_days_are_booked_by_halves(firm: Firm) -> None:
    bookings = [_book(firm, vacationDays=days) for days in (2.5, -1, 0.5, 400)]
    assert [(booking["minutes"], booking["vacationDays"]) for booking in bookings] == [
        (None, 2.5),
        (None, -1),
        (None, 0.5),
        (None, 400),
    ]
    assert '"vacationDays":-1,' in firm.anna.get(_path(firm)).text


def test_the_newest_day_stands_first_and_of_one_day_the_newest_booking(firm: Firm) -> None:
    for day, minutes in (("2026-11-20", 1), ("2027-01-01", 2), ("2026-01-01", 3), ("2026-11-20", 4)):
        _book(firm, date=day, minutes=minutes)
    assert [booking["minutes"] for booking in _booked(firm)] == [2, 4, 1, 3]


@ON_BOTH
def test_a_booking_stays(firm: Firm) -> None:
    booking = _book(firm, minutes=5)
    for method in ("DELETE", "PUT"):
        assert firm.boss.request(method, f"{_path(firm)}/{booking['id']}").status_code in {404, 405}
    assert _booked(firm) == [booking]


@ON_SQLITE
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"minutes": None, "vacationDays": None},
        {"minutes": 1, "vacationDays": 1},
        {"minutes": 0},
        {"vacationDays": 0},
        {"minutes": 100_001},
        {"minutes": -100_001},
        {"minutes": 1.5},
        {"minutes": "5"},
        {"minutes": True},
        {"vacationDays": 0.25},
        {"vacationDays": 400.5},
        {"vacationDays": "1"},
        {"minutes": 5, "reason": None},
        {"minutes": 5, "reason": "  "},
        {"minutes": 5, "reason": "x" * 2001},
        {"minutes": 5, "reason": "a\0b"},
        {"minutes": 5, "date": None},
        {"minutes": 5, "date": "20.11.2026"},
        {"minutes": 5, "date": "2026-11-31"},
    ],
)
def test_a_malformed_booking_is_refused(firm: Firm, fields: dict[str, Any]) -> None:
    body = {"date": "2026-11-20", "reason": "Ausgleich"} | fields
    answer = firm.boss.post(_path(firm), json={name: value for name, value in body.items() if value is not None})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"]
    assert _booked(firm) == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("0001-01-01", "Das Datum liegt zu weit zurück."),
        ("2016-11-19", "Das Datum liegt zu weit zurück."),
        ("2027-11-21", "Das Datum liegt zu weit in der Zukunft."),
        ("9999-12-31", "Das Datum liegt zu weit in der Zukunft."),
    ],
)
def test_a_day_that_is_far_away_is_refused(firm: Firm, day: str, sentence: str) -> None:
    answer = firm.boss.post(_path(firm), json=HOURS | {"date": day})
    assert (answer.status_code, answer.json()["errors"]) == (422, [{"field": "date", "message": sentence}])
    assert _booked(firm) == []


def test_ten_years_back_and_a_year_ahead_can_be_booked(firm: Firm) -> None:
    for day in ("2016-11-20", "2027-11-20"):
        _book(firm, date=day, minutes=5)
    assert len(_booked(firm)) == 2


def test_nothing_is_booked_before_the_entry(firm: Firm) -> None:
    employ(firm.anna, entryDate="2026-07-01")
    answer = firm.boss.post(_path(firm), json=HOURS | {"date": "2026-06-30"})
    errors = [{"field": "date", "message": "Das Datum liegt vor dem Eintritt."}]
    assert (answer.status_code, answer.json()["errors"]) == (422, errors)
    _book(firm, date="2026-07-01", minutes=5)
    assert len(_booked(firm)) == 1


def test_which_system_administrator_booked_is_not_the_companys_business(firm: Firm, world: World) -> None:
    answer = world.admin("technik").post(_path(firm), json=HOURS)
    assert answer.status_code == 201
    assert _booked(firm)[0]["by"] == "System-Admin"


def test_who_booked_is_named_also_when_they_are_gone(firm: Firm, world: World) -> None:
    second = world.user(firm.id, "vertretung", "companyAdmin")
    assert second.post(_path(firm), json=HOURS).status_code == 201
    assert firm.boss.delete(f"/api/users/{second.id}").status_code == 204
    assert _booked(firm)[0]["by"] == "vertretung"


# -- notifications


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"minutes": 90}, "+1h 30m zum 20. November 2026: Ausgleich"),
        ({"minutes": -5}, "−0h 05m zum 20. November 2026: Ausgleich"),
        ({"vacationDays": 1}, "+1 Urlaubstag zum 20. November 2026: Ausgleich"),
        ({"vacationDays": -2.5}, "−2,5 Urlaubstage zum 20. November 2026: Ausgleich"),
    ],
)
def test_the_person_is_told_and_nobody_else(firm: Firm, platform: Platform, fields: dict[str, Any], body: str) -> None:
    booking = _book(firm, **fields)
    with platform.database.read(SYSTEM) as tx:
        (message,) = tx.scalars(select(Message))
        assert (message.company_id, message.user_id, message.type) == (firm.id, firm.anna.id, "booking")
        assert (message.title, message.body) == ("Buchung auf deinem Konto", body)
        assert json.loads(message.payload) == {"bookingId": booking["id"], "date": "2026-11-20"} | fields


def test_a_booking_is_logged(firm: Firm) -> None:
    _book(firm, minutes=90)
    booking = _book(firm, vacationDays=-2.5)
    logged = firm.boss.get(f"/api/companies/{firm.id}/audit?action=booking.made").json()
    expected = {"userId": firm.anna.id, "date": "2026-11-20", "reason": "Ausgleich"}
    assert [(row["subjectName"], row["before"], row["after"]) for row in logged] == [
        ("anna", None, expected | {"vacationDays": "-2.5"}),
        ("anna", None, expected | {"minutes": 90}),
    ]
    assert logged[0]["subject"] == booking["id"]


# -- events for other rooms


# -- at once


def test_of_two_bookings_both_stand(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(
        platform,
        lambda: firm.boss.post(_path(firm), json=HOURS),
        lambda: firm.boss.post(_path(firm), json=HOURS | {"minutes": -30}),
    )
    assert [answer.status_code for answer in answers] == [201, 201]
    assert sorted(booking["minutes"] for booking in _booked(firm)) == [-30, 90]
