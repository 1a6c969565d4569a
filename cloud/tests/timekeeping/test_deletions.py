"""Deleting an entry: who may, what is gone with it, and what arrives for it later."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.decisions.tables import VoidRow
from stempelwerk_cloud.timekeeping.entries import service as entries

from cloud.tests.correcting import DAY, approve, asked, at, hang_since, must_equal_a_rebuild, stamped, together, told
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import ANNA, BEN, Wall
from cloud.tests.world import Somebody


@pytest.fixture
def anna(wall: Wall) -> Somebody:
    return wall.somebody(wall.firm.anna)


def delete(user: Somebody, entry: str) -> int:
    return user.delete(f"/api/work-times/{entry}").status_code


def only(wall: Wall) -> str:
    """The id of Anna's one entry."""
    (entry,) = wall.times()
    entry_id: str = entry["id"]
    return entry_id


# -- who may


def test_a_colleagues_entry_and_another_companys_are_refused(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00", tag=BEN)
    (entry,) = wall.times(wall.firm.ben)
    elsewhere = wall.world.firm("Andere GmbH")
    assert delete(anna, entry["id"]) == 403
    for stranger in (elsewhere.anna, elsewhere.boss):
        assert delete(wall.somebody(stranger), entry["id"]) == 404
    for unknown in (wall.world.platform.ids.new(), "nicht da", "2f1c9a54-0000-5000-8000-000000000000"):
        assert delete(anna, unknown) == 404
        assert delete(wall.boss, unknown) == 404
        assert delete(wall.founder, unknown) == 404
    assert len(wall.times(wall.firm.ben)) == 1


def test_a_company_can_leave_deleting_to_its_administrators(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    assert wall.boss.put(f"/api/companies/{wall.firm.id}/settings", json={"employeesMayDelete": False}).is_success
    answer = anna.delete(f"/api/work-times/{only(wall)}")
    assert (answer.status_code, answer.json()["code"]) == (403, "deleting_off")
    assert answer.json()["message"] == "In dieser Firma kann nur die Verwaltung Zeiteinträge löschen."
    assert delete(wall.boss, only(wall)) == 204
    assert wall.times() == []


def test_an_administrator_needs_the_module(wall: Wall) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    assert wall.founder.put(f"/api/companies/{wall.firm.id}/features", json={"featureIds": []}).is_success
    assert delete(wall.boss, only(wall)) == 403
    assert delete(wall.founder, only(wall)) == 204


def test_a_running_entry_is_not_deleted(wall: Wall, anna: Somebody) -> None:
    (entry,) = stamped(wall, f"{DAY} 08:00")
    answer = anna.delete(f"/api/work-times/{entry}")
    assert (answer.status_code, answer.json()["code"]) == (409, "entry_running")
    wall.clock.set(at("2026-11-21 00:30"))
    assert delete(wall.somebody(wall.firm.anna), entry) == 204, "after sixteen hours it is one without an end"
    assert wall.times() == []


# -- what becomes of it


def test_an_entry_is_gone_with_its_double_taps_and_the_others_stay(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 08:00", f"{DAY} 12:00", f"{DAY} 13:00", f"{DAY} 17:00")
    morning, _ = wall.times()
    assert delete(anna, morning["id"]) == 204
    assert wall.spans() == [(DAY, "13:00", "17:00")]
    assert delete(anna, morning["id"]) == 404
    must_equal_a_rebuild(wall)


def test_administrators_are_told_and_the_log_keeps_who_deleted_what(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    assert delete(anna, only(wall)) == 204
    assert told(wall.boss) == [
        ("request", "Zeiteintrag gelöscht", {"what": "deletion", "date": DAY, "userId": anna.id})
    ]
    (entry,) = wall.boss.get(f"/api/companies/{wall.firm.id}/audit?action=entry.deleted").json()
    assert (entry["actorName"], entry["subjectName"]) == ("anna", "anna")
    assert (entry["before"]["start"], entry["before"]["end"]) == (
        "2026-11-20T07:00:00.000Z",
        "2026-11-20T11:00:00.000Z",
    )
    stamped(wall, f"{DAY} 13:00", f"{DAY} 14:00")
    assert delete(wall.boss, only(wall)) == 204
    assert len(told(wall.boss)) == 1, "nobody is told what they did themselves"


def test_what_arrives_later_for_its_time_does_not_count(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    assert delete(anna, only(wall)) == 204
    second_clock = wall.another_clock()
    stamped(wall, f"{DAY} 09:00", f"{DAY} 10:00", device=second_clock)
    assert wall.times() == []
    stamped(wall, f"{DAY} 13:00", f"{DAY} 15:00", device=second_clock)
    assert wall.spans() == [(DAY, "13:00", "15:00")]
    must_equal_a_rebuild(wall)


# -- stamps that arrive later wait for a decision


def resolve(wall: Wall, stamp: str, action: str) -> tuple[int, Any]:
    path = f"/api/companies/{wall.firm.id}/held-stamps/{stamp}/resolve"
    answer = wall.boss.post(path, json={"action": action})
    return answer.status_code, answer.json().get("state", answer.json().get("code"))


@pytest.fixture
def late(wall: Wall, anna: Somebody) -> list[str]:
    """The ids of three taps of an offline clock for a time whose entry was deleted."""
    stamped(wall, f"{DAY} 08:00", f"{DAY} 16:00")
    assert delete(anna, only(wall)) == 204
    return stamped(wall, *(f"{DAY} {hour}" for hour in ("09:00", "10:00", "11:00")), device=wall.another_clock())


def test_it_stands_among_the_held_stamps(wall: Wall, late: list[str]) -> None:
    assert wall.times() == []
    assert [(row["id"], row["state"], row["takenAt"]) for row in wall.held()] == [
        (late[0], "late_in_deleted", "2026-11-20T08:00:00.000Z"),
        (late[1], "late_in_deleted", "2026-11-20T09:00:00.000Z"),
        (late[2], "late_in_deleted", "2026-11-20T10:00:00.000Z"),
    ]


def test_booked_it_counts_at_its_true_time_and_the_rest_stays_deleted(wall: Wall, late: list[str]) -> None:
    assert [resolve(wall, stamp, "book") for stamp in late[:2]] == [(200, "booked")] * 2
    assert wall.spans() == [(DAY, "09:00", "10:00")]
    assert [row["id"] for row in wall.held()] == [late[2]]
    must_equal_a_rebuild(wall)


def test_discarded_it_is_told_of_no_more(wall: Wall, late: list[str]) -> None:
    assert [resolve(wall, stamp, "discard") for stamp in late] == [(200, "not_counted")] * 3
    assert (wall.held(), wall.times()) == ([], [])
    must_equal_a_rebuild(wall)


@pytest.mark.parametrize("action", ["book", "discard"])
def test_it_is_decided_once(wall: Wall, late: list[str], action: str) -> None:
    assert resolve(wall, late[0], action)[0] == 200
    assert [resolve(wall, late[0], action)[0] for action in ("book", "discard")] == [409, 409]


def test_what_was_booked_can_be_deleted_again(wall: Wall, anna: Somebody, late: list[str]) -> None:
    assert [resolve(wall, stamp, "book")[0] for stamp in late[:2]] == [200, 200]
    assert delete(anna, only(wall)) == 204
    assert wall.times() == []
    assert [row["id"] for row in wall.held()] == [late[2]]
    must_equal_a_rebuild(wall)


def test_its_clock_shows_that_it_does_not_count(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 16:00")
    assert delete(anna, only(wall)) == 204
    (result,) = wall.device.sent(wall.device.batch(wall.device.tap(ANNA, at(f"{DAY} 09:00"))))["results"]
    assert (result["outcome"], result["state"]) == ("stored", "not_counted")


def test_of_an_incomplete_entry_only_its_one_moment_holds_what_arrives(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00")
    stamped(wall, f"{DAY} 10:00", direction="in")
    stamped(wall, f"{DAY} 12:00")
    assert delete(anna, wall.times()[0]["id"]) == 204
    moment, *_ = stamped(wall, *(f"{DAY} {hour}" for hour in ("08:00", "08:30", "09:30")), device=wall.another_clock())
    assert [(row["id"], row["state"]) for row in wall.held()] == [(moment, "late_in_deleted")]
    assert wall.spans() == [(DAY, "08:30", "09:30"), (DAY, "10:00", "12:00")]
    must_equal_a_rebuild(wall)


# -- what is deleted


def test_an_entry_without_an_end_is_deleted_alone(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00")
    stamped(wall, f"{DAY} 10:00", direction="in")
    stamped(wall, f"{DAY} 12:00")
    remaining, _ = wall.times()
    assert remaining["flags"] == ["missing_out"]
    assert delete(anna, remaining["id"]) == 204
    assert wall.spans() == [(DAY, "10:00", "12:00")]


def test_what_a_correction_made_can_be_deleted(wall: Wall, anna: Somebody) -> None:
    request = asked(anna, newStart="08:00", newEnd="16:00")["id"]
    approve(wall.boss, request)
    assert only(wall) == request
    assert delete(anna, request) == 204
    assert wall.times() == []
    must_equal_a_rebuild(wall)


def test_what_a_deletion_cut_off_can_be_deleted_as_well(wall: Wall, anna: Somebody) -> None:
    platform, firm = wall.world.platform, wall.firm
    start, end, now = at(f"{DAY} 08:00"), at(f"{DAY} 16:00"), wall.clock.now()
    with platform.database.write(SYSTEM) as tx:
        work = UnitOfWork(tx, platform)
        correction = Correction(platform.ids.new(), date(2026, 11, 20), start, end, None, now, now)
        entries.correct(work, firm.id, firm.anna.id, correction)
        cut = Void(platform.ids.new(), at(f"{DAY} 10:00"), at(f"{DAY} 11:00"), now)
        entries.void(work, firm.id, firm.anna.id, cut)
    first_entry, second_entry = wall.times()
    assert [(entry["start"], entry["end"]) for entry in (first_entry, second_entry)] == [
        ("08:00", "10:00"),
        ("11:00", "16:00"),
    ]
    assert delete(wall.somebody(wall.world.firm("Andere GmbH").boss), second_entry["id"]) == 404
    assert delete(wall.founder, second_entry["id"]) == 204
    assert wall.spans() == [(DAY, "08:00", "10:00")]
    assert delete(anna, first_entry["id"]) == 204
    assert wall.times() == []
    must_equal_a_rebuild(wall)


@pytest.mark.parametrize(
    ("times", "remaining_count"),
    [
        (["2026-10-24 22:00", "2026-10-25 06:00"], 0),
        (["2026-03-28 22:00", "2026-03-29 06:00"], 0),
        (["2026-10-24 22:00", "2026-10-25 02:30", "2026-10-25 03:30", "2026-10-25 06:00"], 1),
    ],
)
def test_nights_of_a_clock_change_are_deleted_like_others(
    wall: Wall, anna: Somebody, times: Any, remaining_count: int
) -> None:
    hang_since(wall, "2026-03-01 00:00")
    stamped(wall, *times)
    entry, *_ = wall.times(first="2026-03-01", last="2026-10-31")
    assert delete(anna, entry["id"]) == 204
    assert len(wall.times(first="2026-03-01", last="2026-10-31")) == remaining_count
    must_equal_a_rebuild(wall)


def test_an_open_request_that_names_it_stays(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    request = asked(anna, newStart="08:00", newEnd="13:00", entryId=only(wall))["id"]
    assert delete(anna, only(wall)) == 204
    (row,) = wall.boss.get(f"/api/companies/{wall.firm.id}/time-corrections?status=pending").json()
    assert (row["id"], row["before"]) == (request, [])
    assert approve(wall.boss, request).status_code == 200
    assert wall.spans() == [(DAY, "08:00", "13:00")]
    must_equal_a_rebuild(wall)


def test_of_two_deletions_at_once_one_counts(wall: Wall, anna: Somebody) -> None:
    stamped(wall, f"{DAY} 08:00", f"{DAY} 12:00")
    entry, boss, platform = only(wall), wall.boss, wall.world.platform
    path = f"/api/work-times/{entry}"
    answers = all_at_once(platform, lambda: anna.delete(path), lambda: boss.delete(path))
    assert sorted(answer.status_code for answer in answers) == [204, 404]
    with platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(VoidRow)).all()) == 1


def test_a_deletion_while_stamps_arrive_leaves_what_the_facts_come_to(wall: Wall, anna: Somebody) -> None:
    device = wall.device
    for hour in (6, 9, 12):
        first, _ = stamped(wall, f"{DAY} {hour:02d}:00", f"{DAY} {hour + 1:02d}:00")
        batch = device.batch(*(device.tap("04A1B2C3", at(f"{DAY} {hour:02d}:{minute}")) for minute in (30, 45)))
        answers = together(
            lambda first=first: anna.delete(f"/api/work-times/{first}"),
            lambda batch=batch: device.post("/api/devices/stamps", batch),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 204]
        device.lease = next(answer.json()["lease"] for answer in answers if answer.status_code == 200)
        must_equal_a_rebuild(wall)
