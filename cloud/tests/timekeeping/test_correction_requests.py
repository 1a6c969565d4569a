"""Corrections: requests, who decides, the resulting entries, and everything that is refused."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.corrections.queries import KEPT
from stempelwerk_cloud.timekeeping.corrections.room import ROOM
from stempelwerk_cloud.timekeeping.corrections.tables import ClockAnswer, CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.tables import CorrectionRow

from cloud.tests.correcting import (
    DAY,
    REQUESTS,
    approve,
    ask,
    asked,
    decline,
    hang_since,
    must_equal_a_rebuild,
    refusal,
    stamped,
    told,
)
from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.stamping import BEN, Site
from cloud.tests.streams import listening
from cloud.tests.world import Somebody

TIMES_MISSING = "Bitte Datum und mindestens eine Zeit (Start oder Ende) ausfüllen."
DAY_MALFORMED = "Ungültiges Datumsformat. Bitte Tag neu wählen."
START_MISSING = "Startzeit fehlt. Bitte Startzeit angeben, bevor du genehmigst."
END_MISSING = "Endzeit fehlt. Bitte Endzeit angeben, bevor du genehmigst."
OPEN = "Für dieses Datum ist bereits ein offener Korrekturantrag vorhanden."
OVERLAP = "Die Zeit überschneidet sich mit einer anderen Schicht."
WHOLE = {"newStart": "08:00", "newEnd": "16:00"}


@pytest.fixture
def anna(site: Site) -> Somebody:
    return site.somebody(site.firm.anna)


@pytest.fixture
def ben(site: Site) -> Somebody:
    return site.somebody(site.firm.ben)


@pytest.fixture
def boss(site: Site) -> Somebody:
    return site.boss


@pytest.fixture
def stranger(site: Site) -> Somebody:
    """The administrator of another company."""
    return site.somebody(site.world.firm("Andere GmbH").boss)


def pending(boss: Somebody, status: str = "pending") -> Any:
    answer = boss.get(f"/api/companies/{boss.company_id}/time-corrections?status={status}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def own_requests(user: Somebody, query: str = "") -> Any:
    answer = user.get(f"{REQUESTS}/mine{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- what is refused


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({}, "newStart"),
        ({"reason": "Vergessen"}, "newStart"),
        ({"newStart": "", "newEnd": None}, "newStart"),
        ({"breakMinutes": 30}, "newStart"),
        ({"date": None} | WHOLE, "date"),
        ({"date": ""} | WHOLE, "date"),
    ],
)
def test_a_day_and_one_time_at_least_are_needed(anna: Somebody, body: dict[str, Any], member: str) -> None:
    assert refusal(ask(anna, **body)) == (422, TIMES_MISSING, [member])


@ON_SQLITE
@pytest.mark.parametrize("day", ["20.11.2026", "2026-11", "2026-02-30", "2026-11-20T08:00", 20261120, ["2026-11-20"]])
def test_a_day_that_is_none_is_told_in_words_of_its_own(anna: Somebody, day: Any) -> None:
    assert refusal(ask(anna, date=day, **WHOLE)) == (422, DAY_MALFORMED, ["date"])


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({"newStart": "8:00"}, "newStart"),
        ({"newEnd": "24:00"}, "newEnd"),
        ({"start": "acht"}, "start"),
        ({"end": 8}, "end"),
        ({"newStart": "08:00", "start": "09:00"}, "start"),
        ({"newStart": "08:00", "breakMinutes": -1}, "breakMinutes"),
        ({"newStart": "08:00", "breakMinutes": True}, "breakMinutes"),
        ({"newStart": "08:00", "reason": "x" * 2001}, "reason"),
    ],
)
def test_what_is_malformed_is_refused_at_its_member(anna: Somebody, body: dict[str, Any], member: str) -> None:
    status, sentence, members = refusal(ask(anna, **body))
    assert (status, members) == (422, [member])
    assert sentence


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "code", "member"),
    [
        ({"newStart": "08:00", "newEnd": "08:00"}, "equal_times", "newEnd"),
        ({"newStart": "01:00", "newEnd": "17:01"}, "too_long", "newEnd"),
        ({"newStart": "08:00", "newEnd": "19:01"}, "in_future", "newEnd"),
        ({"newStart": "19:01"}, "in_future", "newStart"),
        ({"newEnd": "19:01"}, "in_future", "newEnd"),
        ({"date": "2026-11-21", "newEnd": "08:00"}, "in_future", "newEnd"),
        ({"date": "2026-03-29", "newStart": "02:30", "newEnd": "08:00"}, "no_such_start", "newStart"),
        ({"date": "2026-03-29", "newStart": "02:30"}, "no_such_start", "newStart"),
        ({"date": "2026-03-28", "newStart": "22:00", "newEnd": "02:30"}, "no_such_end", "newEnd"),
        ({"newStart": "08:00", "newEnd": "09:00", "breakMinutes": 61}, "break_too_long", "breakMinutes"),
        ({"date": "0026-10-01", "newStart": "08:00", "newEnd": "09:00"}, "too_long_ago", "date"),
        ({"date": "2016-11-19", "newEnd": "09:00"}, "too_long_ago", "date"),
    ],
)
def test_what_cannot_have_been_is_refused(anna: Somebody, body: dict[str, Any], code: str, member: str) -> None:
    answer = ask(anna, **body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert [user["field"] for user in answer.json()["errors"]] == [member]
    assert own_requests(anna) == []


def test_what_overlaps_another_shift_is_refused(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 06:00", f"{DAY} 08:00", f"{DAY} 14:00", f"{DAY} 18:00")
    late = site.times()[1]
    assert refusal(ask(anna, newStart="07:30", newEnd="18:00", entryId=late["id"])) == (422, OVERLAP, ["newEnd"])
    assert asked(anna, newStart="08:00", newEnd="18:00", entryId=late["id"])["status"] == "pending"


def test_a_missing_time_is_taken_from_the_shift_to_judge_the_other(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00", f"{DAY} 13:00", f"{DAY} 17:00")
    second = site.times()[1]
    assert ask(anna, newEnd="08:00").json()["code"] == "equal_times", "the shift began at 08:00"
    assert ask(anna, newEnd="00:30", entryId=second["id"]).json()["code"] == "too_long"
    assert ask(anna, newStart="17:00").json()["code"] == "equal_times"
    row = asked(anna, newEnd="18:00", entryId=second["id"])
    assert (row["newStart"], row["newEnd"]) == (None, "18:00"), "what nobody asked for is not asked for"


def test_the_named_entry_must_be_ones_own(site: Site, anna: Somebody, ben: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00", tag=BEN)
    (entry,) = site.times(site.firm.ben)
    for unknown in (entry["id"], site.world.platform.ids.new(), "nicht da"):
        assert ask(anna, **WHOLE, entryId=unknown).status_code == 404
    assert ask(ben, **WHOLE, entryId=entry["id"]).status_code == 201


def test_nobody_asks_for_a_colleague_or_in_another_company(site: Site, anna: Somebody, stranger: Somebody) -> None:
    elsewhere = site.world.firm("Andere GmbH")
    assert ask(anna, **WHOLE, userId=site.firm.ben.id).status_code == 403
    assert ask(anna, **WHOLE, userId=elsewhere.anna.id).status_code == 404
    assert ask(stranger, **WHOLE, userId=site.firm.anna.id).status_code == 404
    assert asked(anna, **WHOLE, userId=site.firm.anna.id)["userId"] == site.firm.anna.id


def test_a_second_request_waits_for_the_first(site: Site, anna: Somebody, ben: Somebody, boss: Somebody) -> None:
    first = asked(anna, **WHOLE)
    answer = ask(anna, newStart="09:00")
    assert (answer.status_code, answer.json()["message"]) == (409, OPEN)
    assert ask(boss, **WHOLE, userId=site.firm.anna.id).status_code == 409
    assert asked(ben, **WHOLE)["status"] == "pending", "a colleague's request is their own"
    assert asked(anna, date="2026-11-19", **WHOLE)["status"] == "pending"
    assert decline(boss, first["id"]).status_code == 200
    assert asked(anna, **WHOLE)["status"] == "pending"


def test_an_administrator_names_an_employee_and_both_times(site: Site, boss: Somebody) -> None:
    anna = site.firm.anna.id
    assert refusal(ask(boss, **WHOLE)) == (422, "Bitte Mitarbeiter auswählen.", ["userId"])
    assert refusal(ask(boss, userId=anna, newEnd="16:00")) == (422, START_MISSING, ["newStart"])
    assert refusal(ask(boss, userId=anna, newStart="08:00")) == (422, END_MISSING, ["newEnd"])
    assert refusal(ask(boss, userId=anna)) == (422, TIMES_MISSING, ["newStart"])
    founder = site.world.again(site.world.founder)
    status, sentence, members = refusal(ask(founder, userId=founder.id, **WHOLE))
    assert (status, members) == (422, ["userId"])
    assert "Systemadministratoren" in sentence
    for unknown in (site.world.platform.ids.new(), site.world.founder.id):
        assert ask(boss, userId=unknown, **WHOLE).status_code == 404


@ON_SQLITE
@pytest.mark.parametrize(
    ("call", "body"),
    [
        (approve, {"decision": "declined"}),
        (approve, {"approved": False}),
        (approve, {"status": "rejected"}),
        (approve, {"decision": "approved", "status": "rejected"}),
        (approve, {"decision": "vielleicht"}),
        (decline, {"decision": "approve"}),
        (decline, {"approved": True}),
        (decline, {"status": "approved"}),
    ],
)
def test_the_path_decides_and_a_body_that_contradicts_it_is_refused(
    site: Site, anna: Somebody, boss: Somebody, call: Any, body: dict[str, Any]
) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert call(boss, request, **body).status_code == 422
    assert [error["status"] for error in own_requests(anna)] == ["pending"]


@ON_BOTH
def test_an_approval_needs_both_times(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, newStart="08:00")["id"]
    assert refusal(approve(boss, request)) == (422, END_MISSING, ["newEnd"])
    row = asked(anna, date="2026-11-19", newEnd="16:00")["id"]
    assert refusal(approve(boss, row)) == (422, START_MISSING, ["newStart"])
    assert site.times() == []
    assert approve(boss, request, newEnd="16:00").json()["newEnd"] == "16:00"
    assert approve(boss, row, start="08:00").json()["newStart"] == "08:00", "by its older name as well"
    assert site.spans() == [("2026-11-19", "08:00", "16:00"), (DAY, "08:00", "16:00")]


def test_the_administrators_times_are_judged_as_well(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert approve(boss, request, newEnd="08:00").json()["code"] == "equal_times"
    assert approve(boss, request, newEnd="23:00").json()["code"] == "in_future"
    assert approve(boss, request, breakMinutes=481).json()["code"] == "break_too_long"
    assert pending(boss)[0]["newEnd"] == "16:00", "a refusal changes nothing"


def test_what_overlaps_by_the_time_of_its_approval_is_refused(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, newStart="06:00", newEnd="09:00")["id"]
    stamped(site, f"{DAY} 06:10", f"{DAY} 06:40", f"{DAY} 11:45", f"{DAY} 12:00")
    answer = approve(boss, request, newStart="06:00", newEnd="11:50")
    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (409, "overlap", OVERLAP)
    assert approve(boss, request).status_code == 200


def test_a_day_long_ago_is_refused_to_administrators_as_well(site: Site, boss: Somebody) -> None:
    refused = ask(boss, userId=site.firm.anna.id, date="0026-10-01", **WHOLE)
    assert refusal(refused) == (422, "Das Datum liegt zu weit zurück.", ["date"])
    assert ask(boss, userId=site.firm.anna.id, date="2016-11-20", **WHOLE).status_code == 201


def test_a_request_is_decided_once(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert decline(boss, request).status_code == 200
    for second_request in (approve(boss, request), decline(boss, request), anna.delete(f"{REQUESTS}/{request}")):
        assert second_request.status_code == 409
        assert (second_request.json()["code"], second_request.json()["decidedBy"]) == ("already_decided", "chefin")
        assert second_request.json()["decidedAt"] == own_requests(anna)[0]["decidedAt"]
    assert site.times() == []


def test_who_was_a_system_administrator_is_not_told(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert approve(site.founder, request).status_code == 200
    assert decline(boss, request).json()["decidedBy"] == "System-Admin"
    assert own_requests(anna)[0]["decidedBy"] == "System-Admin"


def test_nobody_decides_about_a_deleted_person(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert boss.delete(f"/api/users/{site.firm.anna.id}").status_code == 204
    for answer in (approve(boss, request), decline(boss, request)):
        assert (answer.status_code, answer.json()["code"]) == (409, "person_deleted")
    assert pending(boss) == [], "nobody is asked about it"
    assert [call["username"] for call in pending(boss, "all")] == ["anna"]


# -- what becomes of it


@ON_BOTH
def test_a_request_is_answered_whole(site: Site, anna: Somebody) -> None:
    row = asked(anna, start="08:00", end="16:00", reason="  Uhr war aus ", breakMinutes=45)
    assert row == {
        "id": row["id"],
        "date": DAY,
        "newStart": "08:00",
        "newEnd": "16:00",
        "reason": "Uhr war aus",
        "status": "pending",
        "entryId": None,
        "breakMinutes": 45,
        "createdAt": "2026-11-20T18:00:00.000Z",
        "userId": site.firm.anna.id,
        "username": "anna",
        "decidedBy": None,
        "decidedAt": None,
        "before": [],
        "leavesOut": [],
    }
    assert own_requests(anna, "?status=pending") == [row]
    assert asked(anna, date="2026-11-19", **WHOLE, reason="  ")["reason"] is None


def test_administrators_hear_of_a_request_and_the_employee_of_its_decision(
    site: Site, anna: Somebody, boss: Somebody
) -> None:
    first, second = (asked(anna, date=day, **WHOLE)["id"] for day in ("2026-11-18", "2026-11-19"))
    assert [(row[0], row[2]) for row in told(boss)] == [
        ("request", {"what": "correction", "date": "2026-11-18", "userId": anna.id, "requestId": first}),
        ("request", {"what": "correction", "date": "2026-11-19", "userId": anna.id, "requestId": second}),
    ]
    assert approve(boss, first).json()["status"] == "approved"
    assert decline(boss, second).json()["status"] == "rejected"
    assert told(anna) == [
        ("correction_response", "Zeitkorrektur genehmigt", {"status": "approved", "date": "2026-11-18"}),
        ("correction_response", "Zeitkorrektur abgelehnt", {"status": "rejected", "date": "2026-11-19"}),
    ]
    assert told(site.firm.ben) == []
    with site.world.platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(CorrectionRow.id)).all() == [first], "the fact has the request's id"


def test_the_employee_reads_what_the_administrator_adds(anna: Somebody, boss: Somebody) -> None:
    first, second, third = (asked(anna, date=f"2026-11-{day}", **WHOLE)["id"] for day in (17, 18, 19))
    assert approve(boss, first, comment=" Danke! ").status_code == 200
    assert boss.post(f"{REQUESTS}/{second}/decline", json={"comment": "Da war zu."}).status_code == 200
    assert decline(boss, third, comment="\u200b").status_code == 200
    assert boss.post(f"{REQUESTS}/{third}/approve", json={"comment": {}}).status_code == 422
    bodies = [message["body"] for message in anna.get("/api/messages").json()]
    assert [body.partition("Anmerkung: ")[2] for body in reversed(bodies)] == ["„Danke!“", "„Da war zu.“", ""]


def test_an_approved_request_takes_the_place_of_what_stood(site: Site, anna: Somebody, boss: Somebody) -> None:
    (opened,) = stamped(site, f"{DAY} 07:00")
    request = asked(anna, newStart="07:00", newEnd="15:30", entryId=opened)
    assert request["before"] == [{"start": "07:00", "end": None}]
    row = approve(boss, request["id"], decision="approved", approved=True, status="approved").json()
    assert (row["status"], row["decidedBy"], row["before"]) == ("approved", "chefin", None)
    assert (request["leavesOut"], row["leavesOut"]) == ([], None)
    (entry,) = site.times()
    assert (entry["start"], entry["end"], entry["source"], entry["running"]) == ("07:00", "15:30", "correction", False)
    assert (entry["workedMinutesRaw"], entry["breakMinutes"]) == (510, 30)
    must_equal_a_rebuild(site)


def test_a_declined_request_leaves_everything_as_it_was(site: Site, anna: Somebody, boss: Somebody) -> None:
    stamped(site, f"{DAY} 07:00", f"{DAY} 12:00")
    message = site.times()
    assert boss.post(f"{REQUESTS}/{asked(anna, **WHOLE)['id']}/decline").status_code == 200, "without a body"
    assert site.times() == message


def test_the_break_can_be_contested(site: Site, anna: Somebody, boss: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 17:00")
    assert site.times()[0]["breakMinutes"] == 30
    request = asked(anna, newStart="08:00", newEnd="17:00", breakMinutes=60, entryId=site.times()[0]["id"])["id"]
    assert approve(boss, request).json()["breakMinutes"] == 60
    assert [(times_before["breakMinutes"], times_before["workedMinutesNet"]) for times_before in site.times()] == [
        (60, 480)
    ]


def test_an_administrator_corrects_at_once_and_the_employee_is_told(site: Site, anna: Somebody, boss: Somebody) -> None:
    row = asked(boss, userId=site.firm.anna.id, **WHOLE)
    assert (row["status"], row["username"], row["decidedBy"]) == ("approved", "anna", "chefin")
    assert site.spans() == [(DAY, "08:00", "16:00")]
    assert told(boss) == []
    assert told(anna) == [("correction_response", "Zeitkorrektur eingetragen", {"status": "approved", "date": DAY})]
    audit = site.boss.get(f"/api/companies/{site.firm.id}/audit?action=correction.approved").json()
    assert [(row["actorName"], row["subjectName"]) for row in audit] == [("chefin", "anna")]
    assert asked(boss, userId=site.firm.anna.id, newStart="09:00", newEnd="16:00")["status"] == "approved"
    assert site.spans() == [(DAY, "09:00", "16:00")], "a newer correction of the shift replaces the older"
    overlapping = {"date": "2026-11-19", "newStart": "22:00", "newEnd": "09:30"}
    assert refusal(ask(boss, userId=site.firm.anna.id, **overlapping))[0:2] == (422, OVERLAP)


def test_a_request_is_withdrawn_by_who_made_it(site: Site, anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    assert anna.delete(f"{REQUESTS}/{request}").status_code == 204
    assert (own_requests(anna), pending(boss, "all")) == ([], [])
    assert anna.delete(f"{REQUESTS}/{request}").status_code == 404
    assert approve(boss, request).status_code == 404
    assert asked(anna, **WHOLE)["status"] == "pending"


@ON_BOTH
def test_lists_are_by_status_newest_first_and_go_on(site: Site, anna: Somebody, ben: Somebody, boss: Somebody) -> None:
    ids = [asked(event, date=f"2026-11-{day}", **WHOLE)["id"] for day in (16, 17) for event in (anna, ben)]
    approve(boss, ids[0])
    decline(boss, ids[1])
    assert [user["id"] for user in pending(boss, "all")] == ids[::-1]
    assert [row["id"] for row in pending(boss)] == [ids[3], ids[2]]
    assert [row["id"] for row in pending(boss, "approved")] == [ids[0]]
    assert [row["id"] for row in pending(boss, "rejected")] == [ids[1]]
    assert [row["id"] for row in own_requests(anna)] == [ids[2], ids[0]]
    assert [row["id"] for row in own_requests(ben, "?status=rejected")] == [ids[1]]
    assert anna.get(f"{REQUESTS}/mine?status=offen").status_code == 422


def test_a_list_shows_what_stands_where_each_is_about(site: Site, anna: Somebody, boss: Somebody) -> None:
    hang_since(site, "2026-11-01 00:00")
    stamped(site, "2026-11-10 22:00", "2026-11-11 02:00", "2026-11-11 02:30", "2026-11-11 06:00")
    stamped(site, "2026-11-11 14:00", "2026-11-11 18:00")
    night, later, evening = site.times()
    asked(anna, date="2026-11-10", newEnd="06:30")
    asked(anna, date="2026-11-11", newEnd="18:30")
    rows = pending(boss)
    shift = [{"start": "22:00", "end": "02:00"}, {"start": "02:30", "end": "06:00"}]
    assert [row["before"] for row in rows] == [[{"start": "14:00", "end": "18:00"}], shift]
    assert anna.delete(f"{REQUESTS}/{rows[0]['id']}").status_code == 204
    assert asked(anna, date="2026-11-11", newEnd="06:30", entryId=later["id"])["before"] == shift
    assert (night["date"], later["date"], evening["date"]) == ("2026-11-10", "2026-11-11", "2026-11-11")


def test_a_request_says_what_its_bounds_leave_out(site: Site, anna: Somebody, boss: Somebody) -> None:
    morning, *_ = stamped(site, f"{DAY} 08:00", f"{DAY} 12:00", f"{DAY} 12:30", f"{DAY} 17:14")
    request = asked(anna, newStart="08:15", newEnd="12:00", entryId=morning)
    assert request["leavesOut"] == [
        {"start": "08:00", "end": "08:15", "minutes": 15},
        {"start": "12:30", "end": "17:14", "minutes": 284},
    ]
    assert [row["leavesOut"] for row in pending(boss)] == [request["leavesOut"]]
    assert anna.delete(f"{REQUESTS}/{request['id']}").status_code == 204
    assert asked(anna, newEnd="17:00")["leavesOut"] == [{"start": "17:00", "end": "17:14", "minutes": 14}]


def preview(row: Somebody, request: str, **times: str) -> Any:
    return row.get(f"{REQUESTS}/{request}/preview", params=times)


def test_what_approval_would_refuse_has_no_preview(
    site: Site, anna: Somebody, boss: Somebody, stranger: Somebody
) -> None:
    stamped(site, f"{DAY} 06:00", f"{DAY} 07:00")
    half = asked(anna, date="2026-11-19", newEnd="16:00")["id"]
    assert refusal(preview(boss, half)) == (422, START_MISSING, ["newStart"])
    assert preview(boss, half, newStart="16:00").json()["message"] == "Start und Ende dürfen nicht gleich sein."
    assert preview(boss, half, newStart="25:00").status_code == 422
    assert (preview(anna, half).status_code, preview(stranger, half).status_code) == (403, 404)
    assert decline(boss, half).status_code == 200
    assert preview(boss, half).json()["code"] == "already_decided"


def test_a_preview_reads_a_tag_that_no_stamp_has_had_yet(site: Site, anna: Somebody, boss: Somebody) -> None:
    row = asked(anna, date="2026-11-19", newStart="08:00", newEnd="16:00")["id"]
    assert boss.put(f"/api/users/{anna.id}", json={"tagId": "04C0FFEE"}).status_code == 200
    user = preview(boss, row)
    assert (user.status_code, len(user.json()["after"])) == (200, 1)


def test_a_preview_shows_the_day_before_and_after_with_stamps_breaks_and_what_is_lost(
    site: Site, anna: Somebody, boss: Somebody
) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00", f"{DAY} 12:30", f"{DAY} 17:14")
    request = asked(anna, newStart="08:15", newEnd="17:00")["id"]
    complete_request = preview(boss, request).json()
    assert complete_request["before"] == [
        {"start": "08:00", "end": "12:00", "breakMinutes": 0, "minutes": 240},
        {"start": "12:30", "end": "17:14", "breakMinutes": 0, "minutes": 284},
    ]
    assert [(day_preview["start"], day_preview["end"]) for day_preview in complete_request["after"]] == [
        ("08:15", "12:00"),
        ("12:30", "17:00"),
    ]
    assert complete_request["stamps"] == ["08:00", "12:00", "12:30", "17:14"]
    assert [
        (day_preview["start"], day_preview["end"], day_preview["minutes"])
        for day_preview in complete_request["leavesOut"]
    ] == [
        ("08:00", "08:15", 15),
        ("17:00", "17:14", 14),
    ]
    row = preview(boss, request, newStart="05:00", newEnd="06:00").json()
    assert row["after"] != complete_request["after"]
    assert site.spans() == [(DAY, "08:00", "12:00"), (DAY, "12:30", "17:14")], "nothing has changed"
    assert approve(boss, request).status_code == 200
    assert [(row["start"], row["end"]) for row in site.times()] == [("08:15", "12:00"), ("12:30", "17:00")]


def test_a_preview_says_which_break_is_deducted_where_nobody_stamped_one(anna: Somebody, boss: Somebody) -> None:
    request = asked(anna, **WHOLE)["id"]
    other_preview = preview(boss, request).json()
    assert other_preview == {
        "before": [],
        "after": [{"start": "08:00", "end": "16:00", "breakMinutes": 30, "minutes": 450}],
        "stamps": [],
        "leavesOut": [],
    }


def test_a_preview_shows_what_joins_a_shift_that_began_the_day_before(
    site: Site, anna: Somebody, boss: Somebody
) -> None:
    stamped(site, "2026-11-19 20:00", "2026-11-19 23:30")
    request = asked(anna, newStart="01:00", newEnd="05:00")["id"]
    row = preview(boss, request)
    assert row.status_code == 200, row.text
    assert [(day_preview["start"], day_preview["end"]) for day_preview in row.json()["before"]] == [("20:00", "23:30")]
    assert [(day_preview["start"], day_preview["end"]) for day_preview in row.json()["after"]] == [
        ("20:00", "23:30"),
        ("01:00", "05:00"),
    ]
    assert row.json()["stamps"] == ["20:00", "23:30"]


def test_of_several_shifts_only_that_is_left_out_which_a_request_takes_the_place_of(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 02:00", f"{DAY} 04:00", f"{DAY} 10:00", f"{DAY} 14:00")
    assert asked(anna, newStart="11:00", newEnd="14:00")["leavesOut"] == [
        {"start": "10:00", "end": "11:00", "minutes": 60}
    ]
    assert approve(site.boss, own_requests(anna)[0]["id"]).status_code == 200
    assert asked(anna, newStart="05:00", newEnd="06:00")["leavesOut"] == []


def test_what_is_stamped_after_the_request_is_not_left_out(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 15:00", f"{DAY} 18:30")
    asked(anna, newStart="15:00", newEnd="18:00")
    site.clock.advance(hours=2)
    stamped(site, f"{DAY} 19:30", f"{DAY} 20:00")
    (row,) = own_requests(site.somebody(site.firm.anna))
    assert row["leavesOut"] == [{"start": "18:00", "end": "18:30", "minutes": 30}]
    assert approve(site.boss, row["id"]).status_code == 200
    assert site.spans() == [(DAY, "15:00", "18:00"), (DAY, "19:30", "20:00")]


# -- nights


def test_a_night_shift_is_corrected_as_one(site: Site, anna: Somebody, boss: Somebody) -> None:
    (opened,) = stamped(site, "2026-11-19 22:00")
    request = asked(anna, date="2026-11-19", newStart="22:00", newEnd="06:15", entryId=opened)["id"]
    approve(boss, request)
    (entry,) = site.times()
    assert (entry["date"], entry["start"], entry["end"]) == ("2026-11-19", "22:00", "06:15")
    assert entry["workedMinutesRaw"] == 495


@pytest.mark.parametrize(
    ("day", "start", "end", "minutes"),
    [
        ("2026-10-24", "22:00", "06:00", 540),
        ("2026-03-28", "22:00", "06:00", 420),
        ("2026-10-25", "01:00", "02:30", 150),
        ("2026-10-25", "02:30", "04:00", 150),
        ("2026-10-25", "02:45", "02:15", 30),
        ("2026-03-29", "01:30", "03:30", 60),
    ],
)
def test_across_a_clock_change_the_true_time_counts(
    anna: Somebody, boss: Somebody, site: Site, day: str, start: str, end: str, minutes: int
) -> None:
    approve(boss, asked(anna, date=day, newStart=start, newEnd=end)["id"])
    (entry,) = site.times(first=day, last=day)
    assert (entry["date"], entry["start"], entry["end"]) == (day, start, end)
    assert entry["workedMinutesRaw"] == minutes


# -- who is notified, and how long


def test_open_pages_hear_of_a_request_and_of_its_decision(app: FastAPI, site: Site) -> None:
    anna, boss = site.somebody(site.firm.anna), site.boss
    event = {"type": "times_update"}

    async def story() -> None:
        administrators = site.world.platform.live.subscribe(f"plan:{site.firm.id}")
        async with listening(app, f"/api/users/{anna.id}/times/stream", anna.headers) as row:
            request = (await asyncio.to_thread(lambda: asked(anna, **WHOLE)))["id"]
            assert (await row.next()).data == event
            await asyncio.to_thread(lambda: decline(boss, request))
            assert (await row.next()).data == event
        for _ in range(2):
            heard = await administrators.next(20)
            assert heard is not None
            assert heard[1].data == {"type": "plan_update"}
        administrators.close()

    asyncio.run(story())


@ON_BOTH
def test_what_was_decided_is_forgotten_after_two_years_and_its_fact_stays(
    site: Site, anna: Somebody, boss: Somebody
) -> None:
    approve(boss, asked(anna, **WHOLE)["id"])
    waiting = asked(anna, date="2026-11-19", **WHOLE)["id"]
    later = site.clock.now() + KEPT
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.add(ClockAnswer(device_id=site.device.device_id, id=waiting, received_at=site.clock.now()))
    with site.world.platform.database.write(SYSTEM) as tx:
        for keep in ROOM.retention_rules:
            keep.remove(tx, later)
        assert tx.scalars(select(CorrectionRequest.id)).all() == [waiting], "what waits is not forgotten"
        assert tx.scalars(select(ClockAnswer)).all() == []
    assert site.spans() == [(DAY, "08:00", "16:00")]
