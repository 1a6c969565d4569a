"""The roster: assignments, refusals, warnings, and notifications."""

import asyncio
import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import MESSAGE_SENT
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.companies import feature_keys
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.days import service as facts_of_days
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.planning.schedule.service import topics_of

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.planning.illness import read_all
from cloud.tests.planning.leaving import employ, falls_ill
from cloud.tests.planning.rosters import assigned, holders, offer, on_leave, path, published
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import Listener, listening
from cloud.tests.world import Firm, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
DAY = "2026-12-01"


def _bulk(firm: Firm, add: list[dict[str, Any]], remove: list[str] | None = None) -> Any:
    return firm.boss.post(f"{path(firm)}/bulk", json={"add": add, "remove": remove or []})


def _warned(row: dict[str, Any]) -> list[tuple[str, str]]:
    return [(warning["code"], warning["date"]) for warning in row["warnings"]]


# -- who may not


def test_another_companys_duties_and_people_are_unknown(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    theirs = assigned(other_firm, other_firm.anna, DAY)
    assert firm.boss.get(path(other_firm)).status_code == 404
    assert firm.boss.post(path(other_firm), json={"date": DAY, "userId": other_firm.ben.id}).status_code == 404
    for user_id in (other_firm.anna.id, UNKNOWN, "nonsense"):
        refused = firm.boss.post(path(firm), json={"date": DAY, "userId": user_id})
        assert (refused.status_code, refused.json()["message"]) == (404, "Nicht gefunden.")
        bulk_answer = _bulk(firm, [{"date": DAY, "userId": firm.anna.id}, {"date": DAY, "userId": user_id}])
        assert (bulk_answer.status_code, bulk_answer.json()["errors"]) == (
            404,
            [{"field": "add.1", "message": "Nicht gefunden."}],
        )
    for duty_id in (theirs["id"], UNKNOWN, "nonsense"):
        assert firm.boss.delete(f"{path(firm)}/{duty_id}").status_code == 404
        assert _bulk(firm, [], [duty_id]).json()["errors"][0]["field"] == "remove.0"
    assert firm.boss.get(path(firm)).json() == []
    assert [row["id"] for row in other_firm.boss.get(path(other_firm)).json()] == [theirs["id"]]


@ON_BOTH
def test_without_the_module_an_administrator_sees_no_roster_and_an_employee_their_own(world: World, firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": ["absences"]})
    for refused in (
        firm.boss.get(path(firm)),
        firm.boss.post(path(firm), json={"date": DAY, "userId": firm.ben.id}),
        _bulk(firm, []),
        firm.boss.delete(f"{path(firm)}/{UNKNOWN}"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "feature_off")
    assert [row["date"] for row in firm.anna.get(path(firm)).json()] == [DAY]
    assert world.founder.post(path(firm), json={"date": DAY, "userId": firm.ben.id}).status_code == 201


# -- what is refused


def test_somebody_must_be_chosen(firm: Firm) -> None:
    for body in ({}, {"userId": None}, {"userId": ""}, {"userId": "  "}):
        refused = firm.boss.post(path(firm), json={"date": DAY, **body})
        assert (refused.status_code, refused.json()["message"]) == (422, "Bitte Mitarbeiter auswählen.")


def test_only_employees_are_assigned(world: World, firm: Firm) -> None:
    sentence = "Nur Mitarbeitende mit Rolle „user“ können zugewiesen werden."
    refused = firm.boss.post(path(firm), json={"date": DAY, "userId": firm.boss.id})
    assert (refused.status_code, refused.json()["message"]) == (422, sentence)
    deleted = world.user(firm.id, "carla")
    assert firm.boss.delete(f"/api/users/{deleted.id}").status_code == 204
    assert firm.boss.post(path(firm), json={"date": DAY, "userId": deleted.id}).status_code == 404


def test_somebody_who_is_locked_may_be_assigned(world: World, firm: Firm) -> None:
    with world.platform.database.write(SYSTEM) as tx:
        tx.get_one(User, (firm.id, firm.anna.id)).is_locked = True
    assigned(firm, firm.anna, DAY)


@ON_SQLITE
def test_a_plan_goes_ten_years_ahead(firm: Firm) -> None:
    assigned(firm, firm.anna, "2036-12-31")
    for day in ("2037-01-01", "9999-12-31"):
        refused = firm.boss.post(path(firm), json={"date": day, "userId": firm.anna.id})
        sentence = "Der Dienst liegt zu weit voraus. Geplant wird höchstens bis Ende 2036."
        assert (refused.status_code, refused.json()["code"], refused.json()["message"]) == (
            422,
            "too_far_ahead",
            sentence,
        )
    both = [{"date": day, "userId": firm.anna.id} for day in ("2026-12-03", "9999-12-31")]
    bulk = firm.boss.post(f"{path(firm)}/bulk", json={"add": both, "remove": []})
    assert [error["field"] for error in bulk.json()["errors"]] == ["add.1"]


def test_and_not_into_a_year_that_nobody_means(firm: Firm) -> None:
    for day in ("0026-12-01", "1800-01-01"):
        refused = firm.boss.post(path(firm), json={"date": day, "userId": firm.anna.id})
        assert (refused.status_code, refused.json()["message"]) == (422, "Das Datum liegt zu weit zurück.")
    assert firm.boss.post(path(firm), json={"date": "2017-01-02", "userId": firm.anna.id}).status_code == 201


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"date": "2026-02-30"}, "date"),
        ({"date": "01.12.2026"}, "date"),
        ({"date": "2026-12-01T08:00"}, "date"),
        ({"date": None}, "date"),
        ({"start": "24:00"}, "start"),
        ({"start": "8:00"}, "start"),
        ({"start": "08:00", "end": "08:00"}, "end"),
        ({"end": "16:00"}, "start"),
    ],
)
def test_malformed_duties_are_refused(firm: Firm, body: dict[str, Any], field: str) -> None:
    refused = firm.boss.post(path(firm), json={"date": DAY, "userId": firm.anna.id} | body)
    assert refused.status_code == 422
    assert [error["field"] for error in refused.json()["errors"]] == [field]
    assert _bulk(firm, [{"date": DAY, "userId": firm.anna.id} | body]).json()["errors"][0]["field"].startswith("add.0")
    assert firm.boss.get(path(firm)).json() == []


def test_nobody_has_two_duties_on_one_day(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY, start="06:00", end="10:00")
    refused = firm.boss.post(path(firm), json={"date": DAY, "userId": firm.anna.id, "start": "18:00", "end": "20:00"})
    assert (refused.status_code, refused.json()["message"]) == (409, "Mitarbeiter ist an dem Tag bereits eingeteilt.")
    assigned(firm, firm.ben, DAY)


@pytest.mark.parametrize("leave", [{"kind": "vacation"}, {"kind": "wish"}, {"end_half": True}, {"start_half": True}])
def test_whoever_is_on_approved_leave_is_not_available(firm: Firm, platform: Platform, leave: dict[str, Any]) -> None:
    on_leave(firm.anna, DAY, DAY, **leave)
    refused = firm.boss.post(path(firm), json={"date": DAY, "userId": firm.anna.id})
    assert (refused.status_code, refused.json()["message"]) == (409, "Mitarbeiter ist an diesem Tag nicht verfügbar.")
    assigned(firm, firm.anna, "2026-11-30")
    assigned(firm, firm.anna, "2026-12-02")


@pytest.mark.parametrize(
    ("employment", "sentence"),
    [
        ({"entryDate": "2026-12-02"}, "Der Dienst liegt vor dem Eintritt."),
        ({"exitDate": "2026-11-30"}, "Der Dienst liegt nach dem Austritt."),
    ],
)
def test_nobody_is_assigned_before_the_entry_or_after_the_exit(
    firm: Firm, employment: dict[str, str], sentence: str
) -> None:
    employ(firm.anna, **employment)
    body = {"date": DAY, "userId": firm.anna.id}
    for refused, field in ((firm.boss.post(path(firm), json=body), "date"), (_bulk(firm, [body]), "add.0")):
        assert (refused.status_code, refused.json()["message"]) == (422, sentence)
        assert [error["field"] for error in refused.json()["errors"]] == [field]
    assigned(firm, firm.anna, next(iter(employment.values())))


MORNING, AFTERNOON = {"end_half": True}, {"start_half": True}


@ON_BOTH
@pytest.mark.parametrize(
    ("leave", "times", "refused"),
    [
        (MORNING, {"start": "10:59", "end": "18:00"}, True),
        (MORNING, {"start": "11:00", "end": "18:00"}, False),
        (MORNING, {"start": "11:00"}, False),
        (MORNING, {"start": "22:00", "end": "06:00"}, False),
        (AFTERNOON, {"start": "06:00", "end": "14:01"}, True),
        (AFTERNOON, {"start": "06:00", "end": "14:00"}, False),
        (AFTERNOON, {"start": "06:00"}, True),
        (AFTERNOON, {"start": "22:00", "end": "06:00"}, True),
        ({}, {"start": "11:00", "end": "14:00"}, True),
    ],
)
def test_half_a_day_off_refuses_the_duties_of_that_half_alone(
    firm: Firm, leave: dict[str, bool], times: dict[str, str], refused: bool
) -> None:
    on_leave(firm.anna, DAY, DAY, **leave)
    duty = {"date": DAY, "userId": firm.anna.id} | times
    earlier_duty = assigned(firm, firm.anna, "2026-12-08")["id"]
    single, many, moved = (
        firm.boss.post(path(firm), json=duty),
        _bulk(firm, [duty], [row["id"] for row in firm.boss.get(path(firm)).json() if row["date"] == DAY]),
        _bulk(
            firm, [duty], [earlier_duty, *(row["id"] for row in firm.boss.get(path(firm)).json() if row["date"] == DAY)]
        ),
    )
    codes = [answer.status_code for answer in (single, many, moved)]
    assert codes == ([409, 409, 409] if refused else [201, 200, 200])
    if refused:
        assert single.json()["code"] == "not_available"
        assert many.json()["errors"][0]["field"] == "add.0"


def test_two_halves_of_one_day_are_the_whole_of_it(firm: Firm) -> None:
    on_leave(firm.anna, DAY, DAY, **MORNING)
    on_leave(firm.anna, DAY, DAY, **AFTERNOON, kind="wish")
    duty = {"date": DAY, "userId": firm.anna.id, "start": "11:00", "end": "14:00"}
    assert firm.boss.post(path(firm), json=duty).status_code == 409


def test_half_a_day_that_is_asked_for_warns_of_the_duties_of_that_half_alone(firm: Firm) -> None:
    on_leave(firm.anna, DAY, DAY, status="pending", **AFTERNOON)
    on_leave(firm.ben, DAY, DAY, status="pending", **AFTERNOON)
    assert _warned(assigned(firm, firm.anna, DAY, start="06:00", end="14:00")) == []
    assert _warned(assigned(firm, firm.ben, DAY, start="06:00", end="15:00")) == [("pending_leave", DAY)]


def test_leave_that_was_approved_over_a_duty_warns_of_it_if_it_takes_its_time(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY, start="06:00", end="14:00")
    assigned(firm, firm.ben, DAY, start="08:00", end="16:00")
    for person in (firm.anna, firm.ben):
        on_leave(person, DAY, DAY, **AFTERNOON)
    warned = firm.boss.get(f"{path(firm)}/warnings?from={DAY}&to={DAY}").json()
    assert warned == [{"code": "on_leave", "userId": firm.ben.id, "date": DAY}]


def test_declined_leave_says_nothing_and_pending_leave_warns(firm: Firm, platform: Platform) -> None:
    on_leave(firm.anna, DAY, DAY, status="declined")
    on_leave(firm.ben, DAY, DAY, status="pending", kind="wish")
    assert assigned(firm, firm.anna, DAY)["warnings"] == []
    assert assigned(firm, firm.ben, DAY)["warnings"] == [
        {"code": "pending_leave", "userId": firm.ben.id, "date": DAY},
    ]


def test_a_duty_of_who_is_ill_is_assigned_and_warned_of(firm: Firm) -> None:
    day = date.fromisoformat(DAY)
    falls_ill(firm.anna, day, day)
    falls_ill(firm.ben, day, day, status="declined")
    assert assigned(firm, firm.anna, DAY)["warnings"] == [{"code": "ill", "userId": firm.anna.id, "date": DAY}]
    assert assigned(firm, firm.ben, DAY)["warnings"] == []


# -- reading


def test_a_duty_is_answered_whole_and_listed_by_day_and_name(world: World, firm: Firm) -> None:
    first = firm.boss.post(path(firm), json={"date": DAY, "userId": firm.ben.id, "start": "22:00", "end": "06:00"})
    assert (first.status_code, first.json()) == (
        201,
        {
            "id": first.json()["id"],
            "date": DAY,
            "userId": firm.ben.id,
            "username": "ben",
            "start": "22:00",
            "end": "06:00",
            "published": False,
            "warnings": [],
        },
    )
    assigned(firm, firm.anna, DAY)
    assigned(firm, firm.anna, "2026-11-30", start="08:00")
    rows = firm.boss.get(path(firm)).json()
    assert [(row["date"], row["username"], row["start"], row["end"]) for row in rows] == [
        ("2026-11-30", "anna", "08:00", None),
        (DAY, "anna", None, None),
        (DAY, "ben", "22:00", "06:00"),
    ]
    assert set(rows[0]) == {"id", "date", "userId", "username", "start", "end", "published"}
    assert world.founder.get(path(firm)).json() == rows
    assert firm.anna.get(path(firm)).json() == rows[:2]


def test_without_days_everything_from_last_month_on_is_listed(firm: Firm) -> None:
    for day in ("2026-09-30", "2026-10-01", "2026-11-20", "2031-01-01", "2036-12-31"):
        assigned(firm, firm.anna, day)
    dates_listed = lambda query: [row["date"] for row in firm.boss.get(path(firm) + query).json()]  # noqa: E731
    assert dates_listed("") == ["2026-10-01", "2026-11-20", "2031-01-01", "2036-12-31"]
    assert dates_listed("?from=2026-09-01&to=2026-09-30") == ["2026-09-30"]
    assert dates_listed("?from=2026-11-20") == ["2026-11-20"]
    assert dates_listed("?to=2026-10-01") == ["2026-10-01"]


@ON_SQLITE
@pytest.mark.parametrize(
    "query", ["from=2026-12-02&to=2026-12-01", "from=2026-01-01&to=2027-02-05", "from=morgen", "to=2026-13-01"]
)
def test_days_that_are_no_period_are_refused(firm: Firm, query: str) -> None:
    assert firm.boss.get(f"{path(firm)}?{query}").status_code == 422
    assert firm.boss.get(f"{path(firm)}?from=2026-01-01&to=2027-02-04").status_code == 200


def test_taking_a_duty_away_is_done_once(firm: Firm) -> None:
    duty = assigned(firm, firm.anna, DAY)
    assert firm.boss.delete(f"{path(firm)}/{duty['id']}").status_code == 204
    assert firm.boss.delete(f"{path(firm)}/{duty['id']}").status_code == 404
    assert firm.boss.get(path(firm)).json() == []


# -- many at once


def test_many_changes_happen_together_and_removing_comes_first(firm: Firm, platform: Platform) -> None:
    old = assigned(firm, firm.anna, DAY)
    days = [f"2026-12-{day:02d}" for day in range(1, 8)]
    done = _bulk(firm, [{"date": day, "userId": firm.anna.id, "start": "08:00"} for day in days], [old["id"]] * 2)
    assert (done.status_code, done.json()) == (
        200,
        {
            "added": 7,
            "removed": 1,
            "warnings": [{"code": "seventh_day", "userId": firm.anna.id, "date": "2026-12-07"}],
        },
    )
    assert {row["start"] for row in firm.boss.get(path(firm)).json()} == {"08:00"}
    with platform.database.read(SYSTEM) as tx:
        logged = tx.scalars(
            select(AuditEntry).where(AuditEntry.action.startswith("schedule.")).order_by(AuditEntry.no)
        ).all()
    assert [entry.action for entry in logged] == ["schedule.assigned", "schedule.changed"]
    assert json.loads(logged[1].after or "") == {"added": 7, "removed": 1}


def test_one_refusal_refuses_all_and_each_is_named(firm: Firm, platform: Platform) -> None:
    on_leave(firm.ben, DAY, DAY)
    kept_duty = assigned(firm, firm.ben, "2026-12-02")
    add = [
        {"date": "2026-12-03", "userId": firm.anna.id},
        {"date": "2026-12-03", "userId": firm.anna.id},
        {"date": DAY, "userId": firm.ben.id},
        {"date": "2026-12-04", "userId": firm.boss.id},
        {"date": "2026-12-05"},
    ]
    refused = _bulk(firm, add, [kept_duty["id"]])
    assert (refused.status_code, refused.json()["code"]) == (409, "already_assigned")
    assert [error["field"] for error in refused.json()["errors"]] == ["add.1", "add.2", "add.3", "add.4"]
    assert refused.json()["errors"][3]["message"] == "Bitte Mitarbeiter auswählen."
    assert [row["id"] for row in firm.boss.get(path(firm)).json()] == [kept_duty["id"]]


def test_a_thousand_changes_are_the_most(firm: Firm) -> None:
    duty = assigned(firm, firm.anna, DAY)
    days = [f"{year}-{month:02d}-{day:02d}" for year in (2027, 2028) for month in range(1, 13) for day in range(1, 29)]
    add = [{"date": day, "userId": person.id} for person in (firm.anna, firm.ben) for day in days[:500]]
    assert _bulk(firm, add, [duty["id"]]).status_code == 422
    done = _bulk(firm, add[:999], [duty["id"]])
    assert (done.status_code, done.json()["added"], done.json()["removed"]) == (200, 999, 1)


def test_nothing_to_change_changes_nothing(firm: Firm) -> None:
    assert _bulk(firm, []).json() == {"added": 0, "removed": 0, "warnings": []}


# -- warnings


def test_a_seventh_day_in_a_row_is_warned_of_where_it_is(firm: Firm) -> None:
    for day in (23, 24, 25, 27, 28, 29):
        assert _warned(assigned(firm, firm.anna, f"2026-11-{day}")) == []
    assert _warned(assigned(firm, firm.anna, "2026-11-26")) == [("seventh_day", "2026-11-29")]
    assert _warned(assigned(firm, firm.anna, "2026-12-15")) == []


def test_a_sunday_needs_a_free_weekday_in_the_two_weeks_after_it(firm: Firm) -> None:
    sunday = "2026-11-22"
    assert _warned(assigned(firm, firm.anna, sunday)) == []
    weekdays = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28"]
    weekdays += ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04"]
    done = _bulk(firm, [{"date": day, "userId": firm.anna.id} for day in weekdays])
    assert [warning["code"] for warning in done.json()["warnings"]] == ["seventh_day"]
    assert ("sunday", sunday) in _warned(assigned(firm, firm.anna, "2026-12-05"))


@pytest.mark.parametrize("legal", [True, False])
def test_a_free_day_needs_a_free_weekday_only_if_it_is_a_holiday_by_law(firm: Firm, legal: bool) -> None:
    holiday, last = date(2026, 11, 18), date(2027, 1, 12)
    day = {"date": holiday.isoformat(), "name": "Stadtfeiertag", "half": False, "legal": legal}
    answer = firm.boss.put(f"/api/companies/{firm.id}/free-days", json={"year": 2026, "days": [day]})
    assert answer.status_code == 200
    weekdays = [day for day in days(holiday, last) if day.weekday() < 6]
    add = [{"date": day.isoformat(), "userId": firm.anna.id} for day in weekdays[:-1]]
    assert _bulk(firm, add).status_code == 200
    expected = [("sunday", holiday.isoformat())] if legal else []
    assert _warned(assigned(firm, firm.anna, last.isoformat())) == expected


def test_a_holiday_of_the_chosen_land_needs_a_free_weekday_within_eight_weeks(firm: Firm) -> None:
    settings = f"/api/companies/{firm.id}/settings"
    saxony = {"holidayRegion": "DE-SN", "validFrom": "2026-01-01"}
    assert firm.boss.put(settings, json=saxony).status_code == 200
    holiday, last = date(2026, 11, 18), date(2027, 1, 12)  # Buß- und Bettag, a Wednesday
    holidays = {date(2026, 12, 25), date(2026, 12, 26), date(2027, 1, 1)}
    weekdays = [day for day in days(holiday, last) if day.weekday() < 6 and day not in holidays]
    for person in (firm.anna, firm.ben):
        add = [{"date": day.isoformat(), "userId": person.id} for day in weekdays[:-1]]
        assert _bulk(firm, add).json()["warnings"] == []
    assert _warned(assigned(firm, firm.anna, last.isoformat())) == [("sunday", holiday.isoformat())]
    assert firm.boss.put(settings, json=saxony | {"holidayRegion": None}).status_code == 200
    assert _warned(assigned(firm, firm.ben, last.isoformat())) == []


def test_a_short_rest_is_warned_of_between_known_times(firm: Firm) -> None:
    assert _warned(assigned(firm, firm.anna, "2026-12-01", start="14:00", end="22:00")) == []
    assert _warned(assigned(firm, firm.anna, "2026-12-02", start="08:00", end="16:00")) == [
        ("short_rest", "2026-12-02")
    ]
    assert _warned(assigned(firm, firm.anna, "2026-12-03")) == []
    assert _warned(assigned(firm, firm.anna, "2026-11-30", start="20:00", end="03:00")) == []
    assert _warned(assigned(firm, firm.anna, "2026-11-29", start="20:00", end="09:00")) == [("over_10_h", "2026-11-29")]
    assert _warned(assigned(firm, firm.anna, "2026-11-28", start="22:00", end="09:01")) == [
        ("over_10_h", "2026-11-28"),
        ("short_rest", "2026-11-29"),
    ]


def test_younger_people_need_a_longer_rest(firm: Firm) -> None:
    young = firm.boss.put(f"/api/users/{firm.anna.id}/employment", json={"limits": "youth"})
    assert young.status_code == 200
    for person, warned in ((firm.anna, [("short_rest", "2026-12-02")]), (firm.ben, [])):
        assigned(firm, person, "2026-12-01", start="10:00", end="20:00")
        assert _warned(assigned(firm, person, "2026-12-02", start="07:30")) == warned


@ON_BOTH
@pytest.mark.parametrize(
    ("limits", "times", "code"),
    [
        ("adult", {"start": "06:00", "end": "20:00"}, "over_10_h"),
        ("adult", {"start": "06:00", "end": "16:45"}, None),
        ("adult", {"start": "06:00", "end": "16:46"}, "over_10_h"),
        ("adult", {"start": "22:00", "end": "06:00"}, None),
        ("youth", {"start": "06:00", "end": "15:00"}, None),
        ("youth", {"start": "06:00", "end": "15:01"}, "youth"),
        ("youth", {"start": "06:00", "end": "17:00"}, "youth"),
        ("youth", {"start": "05:59", "end": "12:00"}, "youth"),
        ("youth", {"start": "12:00", "end": "20:00"}, None),
        ("youth", {"start": "12:00", "end": "20:01"}, "youth"),
        ("youth", {"start": "20:00", "end": "04:00"}, "youth"),
        ("youth", {"start": "20:00"}, "youth"),
        ("youth", {"start": "19:00"}, None),
        ("youth", {}, None),
        ("maternity", {"start": "08:00", "end": "17:00"}, None),
        ("maternity", {"start": "08:00", "end": "17:01"}, "maternity"),
        ("maternity", {"start": "14:00", "end": "20:30"}, "maternity"),
        ("maternity", {}, None),
    ],
)
def test_a_duty_beyond_the_persons_own_limits_is_warned_of(
    firm: Firm, limits: str, times: dict[str, str], code: str | None
) -> None:
    employ(firm.anna, limits=limits, validFrom="2026-01-01")
    warned = [] if code is None else [(code, DAY)]
    assert _warned(assigned(firm, firm.anna, DAY, **times)) == warned
    warning_rows = firm.boss.get(f"{path(firm)}/warnings?from={DAY}&to={DAY}").json()
    assert [(warning["code"], warning["date"]) for warning in warning_rows] == warned
    bulk_warnings = _bulk(firm, [{"date": "2026-12-08", "userId": firm.anna.id} | times]).json()["warnings"]
    assert bulk_warnings == ([] if code is None else [{"code": code, "userId": firm.anna.id, "date": "2026-12-08"}])


def test_a_plan_is_judged_by_the_limits_of_its_day(firm: Firm) -> None:
    employ(firm.anna, limits="youth", validFrom="2026-01-01")
    employ(firm.anna, limits="adult", validFrom="2026-12-03")
    for day, warned in (("2026-12-01", [("youth", "2026-12-01")]), ("2026-12-04", [])):
        assert _warned(assigned(firm, firm.anna, day, start="18:00", end="02:00")) == warned


def test_duties_less_than_five_hours_apart_are_one_shift(firm: Firm) -> None:
    for person, start_time, codes in (
        (firm.anna, "06:59", {"over_10_h", "short_rest"}),
        (firm.ben, "07:00", {"short_rest"}),
    ):
        assert _warned(assigned(firm, person, DAY, start="20:00", end="02:00")) == []
        warned = _warned(assigned(firm, person, "2026-12-02", start=start_time, end="11:30"))
        assert set(warned) == {(code, "2026-12-02") for code in codes}


@ON_BOTH
@pytest.mark.parametrize("away", ["vacation", "wish", "ill", "morning", "afternoon", "pending", "declined"])
@pytest.mark.parametrize("end", ["06:00", "00:00", None])
def test_a_night_that_ends_in_leave_or_illness_is_warned_of(firm: Firm, away: str, end: str | None) -> None:
    next_day = "2026-12-02"
    if away == "ill":
        falls_ill(firm.anna, date.fromisoformat(next_day), date.fromisoformat(next_day))
    else:
        half = {"morning": MORNING, "afternoon": AFTERNOON}.get(away, {})
        status = away if away in ("pending", "declined") else "approved"
        kind = "wish" if away == "wish" else "vacation"
        on_leave(firm.anna, next_day, next_day, kind=kind, status=status, **half)
    times = {"start": "22:00"} | ({} if end is None else {"end": end})
    expected = end == "06:00" and away in ("vacation", "wish", "ill", "morning")
    assert _warned(assigned(firm, firm.anna, DAY, **times)) == ([("into_leave", DAY)] if expected else [])


# -- who hears of it


def test_pages_of_whoever_is_concerned_look_again(app: FastAPI, firm: Firm) -> None:
    async def plan_update(listener: Listener) -> None:
        while (await listener.next()).data != {"type": "plan_update"}:
            pass

    async def story() -> None:
        async with (
            listening(app, "/api/events", firm.anna.headers) as anna,
            listening(app, "/api/events", firm.boss.headers) as boss,
            listening(app, "/api/events", firm.ben.headers) as ben,
        ):
            await asyncio.to_thread(assigned, firm, firm.anna, DAY)
            await plan_update(anna)
            await plan_update(boss)
            assert await ben.quiet()
            await asyncio.to_thread(offer, firm.anna, firm.ben, DAY)
            for listener in (anna, boss, ben):
                await plan_update(listener)

    asyncio.run(story())


def test_a_changed_roster_is_one_unread_message_that_grows(firm: Firm, platform: Platform) -> None:
    sent: list[list[str]] = []
    platform.signals.on(MESSAGE_SENT, lambda _work, company_id, user_ids, type_: sent.append(list(user_ids)))
    duty = assigned(firm, firm.anna, DAY)
    published(firm, DAY)
    _bulk(firm, [{"date": f"2026-11-{day}", "userId": firm.anna.id} for day in (19, 20, 21)])
    firm.boss.delete(f"{path(firm)}/{duty['id']}")
    published(firm, DAY)
    (message,) = inbox(firm.anna)
    assert (message.type, message.title) == ("schedule", "Dein Dienstplan hat sich geändert")
    assert message.payload == {"dates": ["2026-11-20", "2026-11-21", DAY]}
    assert sent == [[firm.anna.id]]
    read_all(firm.anna)
    assigned(firm, firm.anna, "2026-12-05")
    published(firm, "2026-12-05")
    assert [message.payload["dates"] for message in inbox(firm.anna)][1:] == [["2026-12-05"]]
    assert inbox(firm.ben) == []


def test_what_is_over_is_told_nobody(firm: Firm, platform: Platform) -> None:
    duty = assigned(firm, firm.anna, "2026-11-19")
    firm.boss.delete(f"{path(firm)}/{duty['id']}")
    assert inbox(firm.anna) == []


def test_a_companys_day_begins_in_its_own_zone(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    clock.set(datetime(2026, 11, 20, 23, 30, tzinfo=UTC))  # the 21st in Berlin
    boss = firm.world.again(firm.boss)
    for day in ("2026-11-20", "2026-11-21"):
        assert boss.post(path(firm), json={"date": day, "userId": firm.anna.id}).status_code == 201
    (message,) = inbox(firm.anna)
    assert message.payload == {"dates": ["2026-11-21"]}


def test_everybody_hears_of_their_own_plan_and_administrators_with_a_module_of_all(world: World, firm: Firm) -> None:
    def heard(user_id: str, role: str) -> list[str]:
        hearer = type("Hearer", (), {"user_id": user_id, "company_id": firm.id, "role": role})()
        with world.platform.database.read(SYSTEM) as tx:
            return topics_of(hearer, feature_keys(tx, firm.id))

    company_topic = f"plan:{firm.id}"
    assert heard(firm.anna.id, "user") == [f"{company_topic}:{firm.anna.id}"]
    assert heard(firm.boss.id, "companyAdmin") == [f"{company_topic}:{firm.boss.id}", company_topic]
    for module, company_topics in (("absences", [company_topic]), ("schedule", [company_topic]), ("devices", [])):
        world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": [module]})
        assert heard(firm.boss.id, "companyAdmin") == [f"{company_topic}:{firm.boss.id}", *company_topics]


# -- people who go


@pytest.mark.parametrize("way", ["deleted", "promoted"])
def test_who_is_no_employee_any_more_has_no_duties_from_today_on(firm: Firm, platform: Platform, way: str) -> None:
    for day in ("2026-11-19", "2026-11-20", DAY):
        assigned(firm, firm.anna, day)
    offered = offer(firm.anna, firm.ben, DAY)
    assigned(firm, firm.ben, "2026-12-02")
    requested_offer = offer(firm.ben, firm.anna, "2026-12-02")
    if way == "deleted":
        assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    else:
        change = {"role": "companyAdmin", "username": "Anna M.", "tagId": "04998877"}
        assert firm.boss.put(f"/api/users/{firm.anna.id}", json=change).status_code == 200
    rows = firm.boss.get(path(firm)).json()
    assert [(row["date"], row["userId"]) for row in rows] == [
        ("2026-11-19", firm.anna.id),
        ("2026-12-02", firm.ben.id),
    ]
    with platform.database.read(SYSTEM) as tx:
        for request_id in (offered, requested_offer):
            assert tx.get_one(HandOver, (firm.id, request_id)).status == "void"
        ended = tx.scalars(select(AuditEntry).where(AuditEntry.action == "schedule.ended")).one()
    assert (ended.subject, json.loads(ended.before or "")) == (firm.anna.id, {"dates": ["2026-11-20", DAY]})
    types = [message.type for message in inbox(firm.ben)]
    assert sorted(types) == ["handoff", "handoff_response"]
    assert {message.type for message in inbox(firm.anna)} == {"schedule"}
    assert len(holders(platform, firm.id)) == 2


def test_rooms_below_learn_which_duties_leave_would_meet(firm: Firm, platform: Platform) -> None:
    for day in ("2026-12-03", "2026-12-02", "2026-12-05"):
        assigned(firm, firm.anna, day)
    assigned(firm, firm.anna, "2026-12-01", start="06:00", end="14:00")
    assigned(firm, firm.ben, "2026-12-04")
    span = LeaveSpan(date(2026, 12, 1), date(2026, 12, 4), start_half=True)
    with platform.database.read(SYSTEM) as tx:
        read = facts_of_days.load(tx, firm.id, [firm.anna.id], span.start, span.end)
    assert read.people[firm.anna.id].duties_in(span) == [date(2026, 12, 2), date(2026, 12, 3)]


def test_whoever_is_renamed_keeps_their_duties(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "anne"}).status_code == 200
    assert [row["username"] for row in firm.boss.get(path(firm)).json()] == ["anne"]
