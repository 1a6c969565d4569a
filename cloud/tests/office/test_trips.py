"""Trips: asked for by employees, decided once, told, counted by the month they were made in, gone after two years."""

from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.trips.tables import Trip

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.office.trips_calls import TRIP, asked
from cloud.tests.room import inbox, logged
from cloud.tests.world import Firm, Somebody, World

NO = {"status": "declined", "comment": "Dafür gibt es den Bus."}
YES = {"status": "approved"}


def _month(firm: Firm, query: str = "?month=2026-11") -> Any:
    answer = firm.boss.get(f"/api/companies/{firm.id}/trips{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _decided(by: Somebody, trip_id: str, said: dict[str, Any]) -> Any:
    return by.post(f"/api/trips/{trip_id}/decide", json=said)


# -- what is refused


@ON_SQLITE
@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"date": "2026-11-31"}, "date"),
        ({"destination": "  "}, "destination"),
        ({"destination": "x" * 201}, "destination"),
        ({"kilometres": 0}, "kilometres"),
        ({"kilometres": 5001}, "kilometres"),
        ({"kilometres": 1.5}, "kilometres"),
        ({"kilometres": "42"}, "kilometres"),
        ({"purpose": ""}, "purpose"),
    ],
)
def test_a_malformed_trip_is_refused(firm: Firm, said: dict[str, Any], field: str) -> None:
    answer = firm.anna.post("/api/trips", json=TRIP | said)
    assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (422, [field])
    assert _month(firm) == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2026-11-21", "Die Fahrt liegt noch in der Zukunft."),
        ("2024-11-18", "Die Fahrt liegt mehr als zwei Jahre zurück."),
    ],
)
def test_a_day_ahead_or_longer_ago_than_trips_are_kept_is_refused(firm: Firm, day: str, sentence: str) -> None:
    answer = firm.anna.post("/api/trips", json=TRIP | {"date": day})
    assert (answer.status_code, answer.json()["errors"]) == (422, [{"field": "date", "message": sentence}])
    assert firm.anna.post("/api/trips", json=TRIP | {"date": "2024-11-19"}).status_code == 201
    assert firm.anna.post("/api/trips", json=TRIP | {"date": "2026-11-20"}).status_code == 201


def test_who_has_a_hundred_open_trips_waits_for_a_decision(firm: Firm) -> None:
    first, *_ = [asked(firm.anna) for _ in range(100)]
    answer = firm.anna.post("/api/trips", json=TRIP)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_open")
    assert firm.ben.post("/api/trips", json=TRIP).status_code == 201
    assert _decided(firm.boss, first, YES).status_code == 200
    assert firm.anna.post("/api/trips", json=TRIP).status_code == 201


@pytest.mark.parametrize("comment", [None, "", "  "])
def test_who_declines_says_why(firm: Firm, comment: str | None) -> None:
    trip_id = asked(firm.anna)
    answer = _decided(firm.boss, trip_id, {"status": "declined", "comment": comment})
    errors = [{"field": "comment", "message": "Bitte sag, warum du ablehnst."}]
    assert (answer.status_code, answer.json()["errors"]) == (422, errors)
    assert _month(firm)[0]["status"] == "pending"
    assert inbox(firm.anna) == []


# -- what is asked for, and decided


def test_a_trip_waits_in_its_month_and_the_administrators_are_told(firm: Firm, world: World) -> None:
    made = firm.anna.post("/api/trips", json=TRIP | {"destination": " Baumarkt Süd\n"}).json()
    waiting = {"status": "pending", "createdAt": "2026-11-20T08:00:00.000Z"}
    undecided = {"decidedAt": None, "decidedBy": None, "comment": None}
    whose = {"id": made["id"], "userId": firm.anna.id, "username": "anna"}
    assert made == TRIP | whose | waiting | undecided
    assert _month(firm) == _month(firm, "") == [made]
    assert _month(firm, "?month=2026-10") == []
    (told,) = inbox(firm.boss)
    assert (told.type, told.title) == ("request", "Neue Dienstfahrt")
    assert told.body == (
        "anna reicht eine Dienstfahrt ein: am 19. November 2026 nach Baumarkt Süd (42\N{NO-BREAK SPACE}km)."
    )
    assert told.payload == {"what": "trip", "requestId": made["id"], "date": "2026-11-19"}
    assert logged(world, firm.id, "trip.") == ["trip.asked"]


def test_a_month_has_its_own_days_alone_in_their_order(firm: Firm) -> None:
    for day in ("2026-11-30", "2026-10-31", "2026-11-01", "2026-12-01"):
        asked(firm.anna, date=day)
    assert [trip["date"] for trip in _month(firm)] == ["2026-11-01", "2026-11-30"]


@ON_SQLITE
@pytest.mark.parametrize("month", ["2026-13", "November", "", "2040-01"])
def test_what_is_no_month_is_refused(firm: Firm, month: str) -> None:
    answer = firm.boss.get(f"/api/companies/{firm.id}/trips?month={month}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "month")


@pytest.mark.parametrize(
    ("said", "title", "body"),
    [
        (YES, "Dienstfahrt genehmigt", "wurde genehmigt."),
        (YES | {"comment": "Danke!"}, "Dienstfahrt genehmigt", "wurde genehmigt. Anmerkung: „Danke!“"),
        (NO, "Dienstfahrt abgelehnt", "wurde abgelehnt. Anmerkung: „Dafür gibt es den Bus.“"),
    ],
)
def test_who_asked_is_told_what_was_decided(
    firm: Firm, world: World, said: dict[str, Any], title: str, body: str
) -> None:
    answer = _decided(firm.boss, asked(firm.anna), said)
    assert answer.status_code == 200, answer.text
    (trip,) = _month(firm)
    assert answer.json() == trip
    assert (trip["status"], trip["decidedBy"], trip["comment"]) == (said["status"], "chefin", said.get("comment"))
    (told,) = inbox(firm.anna)
    assert (told.type, told.title) == ("trip_response", title)
    assert told.body == f"Deine Dienstfahrt am 1. November 2026 nach Baumarkt Süd {body}"
    assert told.payload == {"status": said["status"], "date": "2026-11-01"}
    assert inbox(firm.ben) == []
    assert logged(world, firm.id, "trip.") == [f"trip.{said['status']}"]


def test_the_log_says_how_far_and_neither_where_to_nor_what_for(firm: Firm) -> None:
    firm.anna.post("/api/trips", json=TRIP)
    (entry,) = firm.boss.get(f"/api/companies/{firm.id}/audit?action=trip.asked").json()
    assert entry["after"] == {"userId": firm.anna.id, "date": "2026-11-19", "kilometres": 42}


# -- two at once


@ON_BOTH
def test_of_two_who_decide_at_once_one_does_and_one_message_says_so(firm: Firm, world: World) -> None:
    other, trip_id = world.user(firm.id, "vertretung", "companyAdmin"), asked(firm.anna)
    answers = all_at_once(
        world.platform,
        lambda: _decided(firm.boss, trip_id, YES),
        lambda: _decided(other, trip_id, NO),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (refused,) = [answer.json() for answer in answers if answer.status_code == 409]
    (trip,), (told,) = _month(firm), inbox(firm.anna)
    assert refused["decidedBy"] == trip["decidedBy"]
    assert told.payload["status"] == trip["status"]


@ON_BOTH
def test_of_two_trips_asked_at_once_beside_ninety_nine_one_waits(firm: Firm, platform: Platform) -> None:
    for _ in range(99):
        asked(firm.anna)
    ask = lambda: firm.anna.post("/api/trips", json=TRIP)  # noqa: E731
    assert sorted(answer.status_code for answer in all_at_once(platform, ask, ask)) == [201, 409]


# -- what goes


def test_after_two_years_a_decided_trip_goes_and_one_that_waits_stays(firm: Firm, platform: Platform) -> None:
    gone = asked(firm.anna, date="2024-11-17", status="approved")
    stays = [asked(firm.anna, date="2024-11-17"), asked(firm.anna, date="2024-11-19", status="declined")]
    jobs.run_once(platform, next(job for job in JOBS if job.name == "purge_trips"))
    with platform.database.read(SYSTEM) as tx:
        assert set(tx.scalars(select(Trip.id))) == set(stays) != {gone}
