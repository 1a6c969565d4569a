"""Answers of people on a touchscreen about a missing Gehen: stored once, decided once, and never a reason to stop a
clock.
"""

import json
import random
from datetime import timedelta
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from sqlalchemy import select, update
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.corrections.tables import ClockAnswer, CorrectionRequest
from stempelwerk_tools.contract import CONTRACT

from cloud.tests.correcting import (
    DAY,
    REQUESTS,
    approve,
    asked,
    at,
    decline,
    hang_long_since,
    hang_since,
    must_equal_a_rebuild,
    stamped,
    together,
    told,
)
from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.device_client import Clock, iso
from cloud.tests.stamping import NOBODY, Site, enrolled

ANSWERS = "/api/devices/answers"
YESTERDAY = "2026-11-19"


def answer(site: Site, stamp: str, new_end: str = "16:30", **changes: Any) -> dict[str, Any]:
    """An answer; not sent."""
    now = site.clock.now()
    return {
        "id": site.device.uuid4(),
        "stampId": stamp,
        "date": YESTERDAY,
        "newEnd": new_end,
        "at": iso(now - timedelta(minutes=1)),
    } | changes


def sent(device: Clock, *answers: Any) -> list[dict[str, Any]]:
    """Sends answers, which must be accepted; returns the results, which must match the contract."""
    got = device.post(ANSWERS, {"answers": list(answers)})
    assert got.status_code == 200, got.text
    _as_agreed(got.json())
    results: list[dict[str, Any]] = got.json()["results"]
    assert [row["id"] for row in results] == [
        sent_answer.get("id") if isinstance(sent_answer, dict) and isinstance(sent_answer.get("id"), str) else None
        for sent_answer in answers
    ]
    return results


def _as_agreed(message: Any) -> None:
    folder = CONTRACT / "v1" / "schemas"
    schemas = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.json")}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas.items()
    )
    Draft202012Validator(schemas["answers-answer.json"], registry=registry).validate(message)


def outcome(device: Clock, sent_answer: Any) -> str:
    """Returns `stored`, `duplicate`, or the code of the rejection."""
    (result,) = sent(device, sent_answer)
    assert (result["outcome"] == "rejected") == ("code" in result)
    code: str = result.get("code", result["outcome"])
    return code


def requests(site: Site) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = site.boss.get(f"/api/companies/{site.firm.id}/time-corrections").json()
    return rows


@pytest.fixture
def left_open(site: Site) -> str:
    """Anna's stamp of yesterday at seven; her Gehen is missing."""
    hang_since(site, "2026-11-01 00:00")
    (stamp,) = stamped(site, f"{YESTERDAY} 07:00")
    return stamp


# -- who is let in


def test_only_a_clock_of_ours_is_let_in(site: Site, left_open: str) -> None:
    assert site.founder.post(ANSWERS, json={"answers": [answer(site, left_open)]}).status_code == 401
    stranger = Clock(site.world.client, site.clock, "SW-X-1", random.Random(99))
    assert stranger.post(ANSWERS, {"answers": [answer(site, left_open)]}).json()["code"] == "unknown_device"
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(Device).where(Device.id == site.device.device_id).values(revoked_at=site.clock.now()))
    refused = site.device.post(ANSWERS, {"answers": [answer(site, left_open)]})
    assert (refused.status_code, refused.json()["code"]) == (403, "revoked")
    assert requests(site) == []


@ON_SQLITE
@pytest.mark.parametrize("message", [{}, {"answers": []}, {"answers": {}}, {"answers": None}, [], "answers"])
def test_an_envelope_that_cannot_be_read_is_refused(site: Site, message: Any) -> None:
    got = site.device.post(ANSWERS, message)
    assert (got.status_code, got.json()["code"]) == (422, "unreadable_answers")


def test_what_is_too_much_or_of_another_version_is_refused(site: Site, left_open: str) -> None:
    many = site.device.post(ANSWERS, {"answers": [answer(site, left_open)] * 501})
    assert (many.status_code, many.json()["code"]) == (413, "batch_too_large")
    newer = site.device.post(ANSWERS, {"proto": 2, "answers": [answer(site, left_open)]})
    assert (newer.status_code, newer.json()["code"]) == (422, "unknown_proto")
    assert requests(site) == []


def test_another_companys_stamp_is_none(site: Site, left_open: str) -> None:
    other_firm = site.world.firm("Andere GmbH")
    device = site.another_clock(firm=other_firm)
    assert outcome(device, answer(site, left_open)) == "unknown_stamp"
    assert requests(site) == []
    assert told(site.boss) == []
    assert [message[2] for message in told(other_firm.boss)] == [{"what": "answer", "date": YESTERDAY}]


def test_a_clock_of_nobody_is_told_and_nobody_else(site: Site, left_open: str) -> None:
    stock = enrolled(site.world, site.clock, "SW-T-9", 9)
    assert outcome(stock, answer(site, left_open)) == "unknown_stamp"
    assert told(site.boss) == []


# -- what becomes of it


def test_an_answer_becomes_a_request_that_an_administrator_decides(site: Site, left_open: str) -> None:
    sent_answer = answer(site, left_open)
    assert outcome(site.device, sent_answer) == "stored"
    (row,) = requests(site)
    asked_for = {name: row[name] for name in ("date", "newStart", "newEnd", "status", "username", "entryId", "before")}
    assert asked_for == {
        "date": YESTERDAY,
        "newStart": "07:00",
        "newEnd": "16:30",
        "status": "pending",
        "username": "anna",
        "entryId": left_open,
        "before": [{"start": "07:00", "end": None}],
    }
    payload = {"what": "correction", "date": YESTERDAY, "userId": site.firm.anna.id, "requestId": row["id"]}
    assert told(site.boss) == [("request", "Neuer Korrekturantrag", payload)]
    assert approve(site.boss, row["id"]).status_code == 200
    assert site.spans() == [(YESTERDAY, "07:00", "16:30")]
    assert told(site.firm.anna)[0][2] == {"status": "approved", "date": YESTERDAY}
    must_equal_a_rebuild(site)


def test_an_answer_is_taken_once_whatever_became_of_it(site: Site, left_open: str) -> None:
    sent_answer = answer(site, left_open)
    (first, second) = sent(site.device, sent_answer, sent_answer | {"newEnd": "17:00"})
    assert (first["outcome"], second["outcome"]) == ("stored", "duplicate")
    assert decline(site.boss, requests(site)[0]["id"]).status_code == 200
    assert outcome(site.device, sent_answer | {"id": sent_answer["id"].upper()}) == "duplicate"
    assert [row["status"] for row in requests(site)] == ["rejected"]
    with site.world.platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(ClockAnswer)).all()) == 1


@ON_BOTH
def test_the_mark_of_what_the_service_has_is_another_after_each_answer_that_is_new(site: Site, left_open: str) -> None:
    second_clock = site.another_clock()

    def marks(*answers: Any) -> tuple[str, str]:
        got = site.device.post(ANSWERS, {"answers": list(answers)}).json()
        assert site.device.beat().json()["answersMark"] == got["mark"]
        return got["markBefore"], got["mark"]

    assert site.device.beat().json()["answersMark"] == "0"
    sent_answer = answer(site, left_open)
    mark_before, first = marks(sent_answer)
    assert mark_before == "0" != first
    assert marks(sent_answer) == (first, first)
    mark_before, second = marks(answer(site, site.device.uuid4()), sent_answer)
    assert mark_before == first != second
    assert len({first, second, "0"}) == 3
    assert second_clock.beat().json()["answersMark"] == "0"


def test_what_was_rejected_stays_so_and_is_told_once(site: Site, left_open: str) -> None:
    site.clock.set(at(f"{YESTERDAY} 16:00"))
    site.device.beat()
    sent_answer = answer(site, left_open)
    assert outcome(site.device, sent_answer) == "end_in_future"
    site.clock.set(at(f"{DAY} 16:00"))
    assert outcome(site.device, sent_answer) == "end_in_future"
    assert told(site.boss) == [
        ("request", "Antwort an der Stempeluhr", {"what": "answer", "date": YESTERDAY, "userId": site.firm.anna.id}),
    ]
    assert requests(site) == []
    assert outcome(site.device, sent_answer | {"id": site.device.uuid4()}) == "stored"


@pytest.mark.parametrize(
    ("new_end", "code"), [("23:01", "too_long"), ("07:00", "too_long"), ("06:59", "too_long"), ("23:00", "stored")]
)
def test_nobody_worked_longer_than_a_shift_can_be(site: Site, left_open: str, new_end: str, code: str) -> None:
    assert outcome(site.device, answer(site, left_open, new_end)) == code
    assert len(requests(site)) == (code == "stored")


def test_nobody_speaks_of_what_was_more_than_ten_years_ago(site: Site) -> None:
    hang_long_since(site, "2016-11-01 00:00")
    (stamp,) = stamped(site, "2016-11-18 07:00")
    site.device.beat()
    assert outcome(site.device, answer(site, stamp, date="2016-11-18")) == "too_long_ago"
    assert requests(site) == []
    assert told(site.boss)[-1][:2] == ("request", "Antwort an der Stempeluhr")


def test_stamps_that_open_nothing_are_rejected(site: Site, left_open: str) -> None:
    (nobodys,) = stamped(site, f"{YESTERDAY} 07:10", tag=NOBODY)
    _, closing_stamp = stamped(site, "2026-11-16 07:00", "2026-11-16 12:00")
    for stamp in (nobodys, closing_stamp, site.device.uuid4()):
        assert outcome(site.device, answer(site, stamp)) == "unknown_stamp"
    site.somebody(site.firm.anna).delete(f"/api/work-times/{left_open}")
    site.boss.delete(f"/api/users/{site.firm.anna.id}")
    assert outcome(site.device, answer(site, left_open)) == "unknown_stamp"
    assert len(told(site.boss)) == 5, "each of them, and the deletion"


def test_a_deleted_persons_answer_is_rejected(site: Site, left_open: str) -> None:
    assert site.boss.delete(f"/api/users/{site.firm.anna.id}").status_code == 204
    assert outcome(site.device, answer(site, left_open)) == "unknown_person"


def test_a_closed_companys_answer_is_rejected_and_nobody_is_told(site: Site, left_open: str) -> None:
    assert site.founder.delete(f"/api/companies/{site.firm.id}").status_code == 204
    assert outcome(site.device, answer(site, left_open)) == "company_closed"
    assert told(site.firm.boss) == []


def test_a_request_that_waits_already_is_not_doubled(site: Site, left_open: str) -> None:
    asked(site.somebody(site.firm.anna), date=YESTERDAY, newEnd="17:00")
    assert outcome(site.device, answer(site, left_open)) == "already_open"
    assert [row["newEnd"] for row in requests(site)] == ["17:00"]


@pytest.mark.parametrize(
    "broken",
    [
        {"stampId": "nicht da"},
        {"newEnd": "16:30:00"},
        {"newEnd": None},
        {"date": "19.11.2026"},
        {"date": "2026-02-30"},
        {"at": "gestern"},
        {"at": 5},
    ],
)
def test_what_cannot_be_read_is_rejected_and_the_others_are_taken(
    site: Site, left_open: str, broken: dict[str, Any]
) -> None:
    results = sent(site.device, answer(site, left_open) | broken, answer(site, left_open))
    assert [row.get("code", row["outcome"]) for row in results] == ["unreadable", "stored"]
    assert [message[1] for message in told(site.boss)] == ["Antwort an der Stempeluhr", "Neuer Korrekturantrag"]


def test_what_has_no_id_is_rejected(site: Site) -> None:
    results = sent(site.device, "answer", None, {}, {"id": 5}, {"id": "nicht da"})
    assert [row["code"] for row in results] == ["unreadable"] * 5


def test_another_clock_of_the_company_may_have_asked(site: Site, left_open: str) -> None:
    assert outcome(site.another_clock(), answer(site, left_open)) == "stored"
    assert len(requests(site)) == 1


def test_an_answer_goes_to_the_company_of_its_stamp_after_the_clock_has_moved(site: Site, left_open: str) -> None:
    other_firm = site.world.firm("Andere GmbH")
    site.assign(site.device, other_firm.id)
    assert outcome(site.device, answer(site, left_open)) == "stored"
    assert len(requests(site)) == 1
    assert told(other_firm.boss) == []


# -- shifts


def test_breaks_of_a_day_without_an_end_are_not_paid(site: Site) -> None:
    hang_since(site, "2026-11-01 00:00")
    *_, stamp = stamped(site, f"{YESTERDAY} 07:00", f"{YESTERDAY} 11:30", f"{YESTERDAY} 12:30")
    assert outcome(site.device, answer(site, stamp)) == "stored"
    (row,) = requests(site)
    assert (row["newStart"], row["newEnd"], row["breakMinutes"]) == ("07:00", "16:30", 60)
    approve(site.boss, row["id"])
    assert [(entry["start"], entry["end"], entry["workedMinutesNet"]) for entry in site.times()] == [
        ("07:00", "16:30", 510)
    ]


def test_what_is_deducted_by_rule_needs_no_words(site: Site) -> None:
    hang_since(site, "2026-11-01 00:00")
    *_, stamp = stamped(site, f"{YESTERDAY} 07:00", f"{YESTERDAY} 11:30", f"{YESTERDAY} 11:50")
    assert outcome(site.device, answer(site, stamp)) == "stored"
    (row,) = requests(site)
    assert row["breakMinutes"] is None
    approve(site.boss, row["id"])
    assert [entry["workedMinutesNet"] for entry in site.times()] == [570 - 30]


def test_whoever_says_when_their_break_began_goes_on_as_they_were(site: Site) -> None:
    hang_since(site, "2026-11-01 00:00")
    (stamp,) = stamped(site, f"{DAY} 07:00")
    stamped(site, f"{DAY} 12:00", direction="in")
    site.clock.set(at(f"{DAY} 12:01"))
    site.device.beat()
    late = answer(site, stamp, "12:00", date=DAY)
    assert outcome(site.device, late | {"newEnd": "11:59", "id": site.device.uuid4()}) == "stored"
    (row,) = requests(site)
    assert outcome(site.device, answer(site, stamp, "12:01", date=DAY)) == "overlap"
    approve(site.boss, row["id"])
    assert site.spans() == [(DAY, "07:00", "11:59"), (DAY, "12:00", None)]
    site.clock.set(at(f"{DAY} 17:00"))
    stamped(site, f"{DAY} 16:00")
    assert site.spans() == [(DAY, "07:00", "11:59"), (DAY, "12:00", "16:00")]
    must_equal_a_rebuild(site)


def test_hours_after_the_end_that_arrive_later_are_not_taken(site: Site, left_open: str) -> None:
    assert outcome(site.device, answer(site, left_open)) == "stored"
    (row,) = requests(site)
    assert row["leavesOut"] == []
    approve(site.boss, row["id"])
    stamped(site, f"{YESTERDAY} 18:00", f"{YESTERDAY} 20:00")
    assert site.spans() == [(YESTERDAY, "07:00", "16:30"), (YESTERDAY, "18:00", "20:00")]
    must_equal_a_rebuild(site)


def test_a_night_ends_on_the_next_day(site: Site) -> None:
    hang_since(site, "2026-11-01 00:00")
    (stamp,) = stamped(site, "2026-11-18 22:00")
    assert outcome(site.device, answer(site, stamp, "06:00", date="2026-11-18")) == "stored"
    (row,) = requests(site)
    assert (row["date"], row["newStart"], row["newEnd"]) == ("2026-11-18", "22:00", "06:00")
    approve(site.boss, row["id"])
    assert [entry["workedMinutesRaw"] for entry in site.times()] == [480]


@pytest.mark.parametrize(
    ("came", "new_end", "minutes"),
    [("2026-10-24 22:00", "06:00", 540), ("2026-03-28 22:00", "06:00", 420), ("2026-10-25 01:00", "02:30", 150)],
)
def test_a_night_of_a_clock_change_has_its_true_length(site: Site, came: str, new_end: str, minutes: int) -> None:
    hang_since(site, "2026-03-01 00:00")
    (stamp,) = stamped(site, came)
    assert outcome(site.device, answer(site, stamp, new_end, date=came[:10])) == "stored"
    approve(site.boss, requests(site)[0]["id"])
    (entry,) = site.times(first="2026-03-01", last="2026-10-31")
    assert (entry["end"], entry["workedMinutesRaw"]) == (new_end, minutes)


def test_a_time_that_a_clock_change_left_out_is_rejected(site: Site) -> None:
    hang_since(site, "2026-03-01 00:00")
    (stamp,) = stamped(site, "2026-03-28 22:00")
    assert outcome(site.device, answer(site, stamp, "02:30", date="2026-03-28")) == "no_such_end"


# -- at once


def test_the_same_answer_at_once_is_taken_once(site: Site, left_open: str) -> None:
    body = {"answers": [answer(site, left_open)]}
    answers = together(*[lambda: site.device.post(ANSWERS, body)] * 3)
    assert [response.status_code for response in answers] == [200, 200, 200], [response.text for response in answers]
    outcomes = [response.json()["results"][0]["outcome"] for response in answers]
    assert sorted(outcomes) == ["duplicate", "duplicate", "stored"]
    with site.world.platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(CorrectionRequest)).all()) == 1


def test_an_answer_and_a_request_at_once_leave_one_open(site: Site, left_open: str) -> None:
    anna = site.somebody(site.firm.anna)
    answers = together(
        lambda: site.device.post(ANSWERS, {"answers": [answer(site, left_open)]}),
        lambda: anna.post(REQUESTS, json={"date": YESTERDAY, "newEnd": "17:00"}),
    )
    by_clock = answers[0].json()["results"][0]
    assert (by_clock.get("code", by_clock["outcome"]), answers[1].status_code) in {
        ("stored", 409),
        ("already_open", 201),
    }
    assert [row["status"] for row in requests(site)] == ["pending"]


def test_an_answer_while_stamps_arrive_leaves_what_the_facts_come_to(site: Site, left_open: str) -> None:
    device = site.device
    batch = device.batch(device.tap("04A1B2C3", at(f"{DAY} 07:00")))
    answers = together(
        lambda: device.post(ANSWERS, {"answers": [answer(site, left_open)]}),
        lambda: device.post("/api/devices/stamps", batch),
    )
    assert [response.status_code for response in answers] == [200, 200]
    approve(site.boss, requests(site)[0]["id"])
    assert site.spans() == [(YESTERDAY, "07:00", "16:30"), (DAY, "07:00", None)]
    must_equal_a_rebuild(site)
