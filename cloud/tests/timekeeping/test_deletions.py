"""Deleting an entry: who may, what is gone with it, and what arrives for it later."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding
from stempelwerk_cloud.timekeeping.ledger.tables import VoidRow

from cloud.tests.correcting import DAY, approve, asked, at, hang_since, must_equal_a_rebuild, stamped, together, told
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import ANNA, BEN, Site
from cloud.tests.world import Somebody


@pytest.fixture
def anna(site: Site) -> Somebody:
    return site.somebody(site.firm.anna)


def delete(user: Somebody, entry: str) -> int:
    return user.delete(f"/api/work-times/{entry}").status_code


def only(site: Site) -> str:
    """The id of Anna's one entry."""
    (entry,) = site.times()
    entry_id: str = entry["id"]
    return entry_id


# -- who may


def test_a_colleagues_entry_and_another_companys_are_refused(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00", tag=BEN)
    (entry,) = site.times(site.firm.ben)
    elsewhere = site.world.firm("Andere GmbH")
    assert delete(anna, entry["id"]) == 403
    for stranger in (elsewhere.anna, elsewhere.boss):
        assert delete(site.somebody(stranger), entry["id"]) == 404
    for unknown in (site.world.platform.ids.new(), "nicht da", "2f1c9a54-0000-5000-8000-000000000000"):
        assert delete(anna, unknown) == 404
        assert delete(site.boss, unknown) == 404
        assert delete(site.founder, unknown) == 404
    assert len(site.times(site.firm.ben)) == 1


def test_a_company_can_leave_deleting_to_its_administrators(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    assert site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"employeesMayDelete": False}).is_success
    answer = anna.delete(f"/api/work-times/{only(site)}")
    assert (answer.status_code, answer.json()["code"]) == (403, "deleting_off")
    assert answer.json()["message"] == "In dieser Firma kann nur die Verwaltung Zeiteinträge löschen."
    assert delete(site.boss, only(site)) == 204
    assert site.times() == []


def test_an_administrator_needs_the_module(site: Site) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    assert site.founder.put(f"/api/companies/{site.firm.id}/features", json={"featureIds": []}).is_success
    assert delete(site.boss, only(site)) == 403
    assert delete(site.founder, only(site)) == 204


def test_a_running_entry_is_not_deleted(site: Site, anna: Somebody) -> None:
    (entry,) = stamped(site, f"{DAY} 08:00")
    answer = anna.delete(f"/api/work-times/{entry}")
    assert (answer.status_code, answer.json()["code"]) == (409, "entry_running")
    site.clock.set(at("2026-11-21 00:30"))
    assert delete(site.somebody(site.firm.anna), entry) == 204, "after sixteen hours it is one without an end"
    assert site.times() == []


# -- what becomes of it


def test_an_entry_is_gone_with_its_double_taps_and_the_others_stay(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 08:00", f"{DAY} 12:00", f"{DAY} 13:00", f"{DAY} 17:00")
    morning, _ = site.times()
    assert delete(anna, morning["id"]) == 204
    assert site.spans() == [(DAY, "13:00", "17:00")]
    assert delete(anna, morning["id"]) == 404
    must_equal_a_rebuild(site)


def test_administrators_are_told_and_the_log_keeps_who_deleted_what(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    assert delete(anna, only(site)) == 204
    assert told(site.boss) == [
        ("request", "Zeiteintrag gelöscht", {"what": "deletion", "date": DAY, "userId": anna.id})
    ]
    (entry,) = site.boss.get(f"/api/companies/{site.firm.id}/audit?action=entry.deleted").json()
    assert (entry["actorName"], entry["subjectName"]) == ("anna", "anna")
    assert (entry["before"]["start"], entry["before"]["end"]) == (
        "2026-11-20T07:00:00.000Z",
        "2026-11-20T11:00:00.000Z",
    )
    stamped(site, f"{DAY} 13:00", f"{DAY} 14:00")
    assert delete(site.boss, only(site)) == 204
    assert len(told(site.boss)) == 1, "nobody is told what they did themselves"


def test_what_arrives_later_for_its_time_does_not_count(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    assert delete(anna, only(site)) == 204
    second_clock = site.another_clock()
    stamped(site, f"{DAY} 09:00", f"{DAY} 10:00", device=second_clock)
    assert site.times() == []
    stamped(site, f"{DAY} 13:00", f"{DAY} 15:00", device=second_clock)
    assert site.spans() == [(DAY, "13:00", "15:00")]
    must_equal_a_rebuild(site)


# -- stamps that arrive later wait for a decision


def resolve(site: Site, stamp: str, action: str) -> tuple[int, Any]:
    path = f"/api/companies/{site.firm.id}/held-stamps/{stamp}/resolve"
    answer = site.boss.post(path, json={"action": action})
    return answer.status_code, answer.json().get("state", answer.json().get("code"))


@pytest.fixture
def late(site: Site, anna: Somebody) -> list[str]:
    """The ids of three taps of an offline clock for a time whose entry was deleted."""
    stamped(site, f"{DAY} 08:00", f"{DAY} 16:00")
    assert delete(anna, only(site)) == 204
    return stamped(site, *(f"{DAY} {hour}" for hour in ("09:00", "10:00", "11:00")), device=site.another_clock())


def test_it_stands_among_the_held_stamps(site: Site, late: list[str]) -> None:
    assert site.times() == []
    assert [(row["id"], row["state"], row["takenAt"]) for row in site.held()] == [
        (late[0], "late_in_deleted", "2026-11-20T08:00:00.000Z"),
        (late[1], "late_in_deleted", "2026-11-20T09:00:00.000Z"),
        (late[2], "late_in_deleted", "2026-11-20T10:00:00.000Z"),
    ]


def test_booked_it_counts_at_its_true_time_and_the_rest_stays_deleted(site: Site, late: list[str]) -> None:
    assert [resolve(site, stamp, "book") for stamp in late[:2]] == [(200, "booked")] * 2
    assert site.spans() == [(DAY, "09:00", "10:00")]
    assert [row["id"] for row in site.held()] == [late[2]]
    must_equal_a_rebuild(site)


def test_discarded_it_is_told_of_no_more(site: Site, late: list[str]) -> None:
    assert [resolve(site, stamp, "discard") for stamp in late] == [(200, "not_counted")] * 3
    assert (site.held(), site.times()) == ([], [])
    must_equal_a_rebuild(site)


@pytest.mark.parametrize("action", ["book", "discard"])
def test_it_is_decided_once(site: Site, late: list[str], action: str) -> None:
    assert resolve(site, late[0], action)[0] == 200
    assert [resolve(site, late[0], action)[0] for action in ("book", "discard")] == [409, 409]


def test_what_was_booked_can_be_deleted_again(site: Site, anna: Somebody, late: list[str]) -> None:
    assert [resolve(site, stamp, "book")[0] for stamp in late[:2]] == [200, 200]
    assert delete(anna, only(site)) == 204
    assert site.times() == []
    assert [row["id"] for row in site.held()] == [late[2]]
    must_equal_a_rebuild(site)


def test_its_clock_shows_that_it_does_not_count(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 16:00")
    assert delete(anna, only(site)) == 204
    (result,) = site.device.sent(site.device.batch(site.device.tap(ANNA, at(f"{DAY} 09:00"))))["results"]
    assert (result["outcome"], result["state"]) == ("stored", "not_counted")


def test_of_an_incomplete_entry_only_its_one_moment_holds_what_arrives(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00")
    stamped(site, f"{DAY} 10:00", direction="in")
    stamped(site, f"{DAY} 12:00")
    assert delete(anna, site.times()[0]["id"]) == 204
    moment, *_ = stamped(site, *(f"{DAY} {hour}" for hour in ("08:00", "08:30", "09:30")), device=site.another_clock())
    assert [(row["id"], row["state"]) for row in site.held()] == [(moment, "late_in_deleted")]
    assert site.spans() == [(DAY, "08:30", "09:30"), (DAY, "10:00", "12:00")]
    must_equal_a_rebuild(site)


# -- what is deleted


def test_an_entry_without_an_end_is_deleted_alone(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00")
    stamped(site, f"{DAY} 10:00", direction="in")
    stamped(site, f"{DAY} 12:00")
    remaining, _ = site.times()
    assert remaining["flags"] == ["missing_out"]
    assert delete(anna, remaining["id"]) == 204
    assert site.spans() == [(DAY, "10:00", "12:00")]


def test_what_a_correction_made_can_be_deleted(site: Site, anna: Somebody) -> None:
    request = asked(anna, newStart="08:00", newEnd="16:00")["id"]
    approve(site.boss, request)
    assert only(site) == request
    assert delete(anna, request) == 204
    assert site.times() == []
    must_equal_a_rebuild(site)


def test_what_a_deletion_cut_off_can_be_deleted_as_well(site: Site, anna: Somebody) -> None:
    platform, firm = site.world.platform, site.firm
    start, end, now = at(f"{DAY} 08:00"), at(f"{DAY} 16:00"), site.clock.now()
    with platform.database.write(SYSTEM) as tx:
        work = UnitOfWork(tx, platform)
        correction = Correction(platform.ids.new(), date(2026, 11, 20), start, end, None, now, now)
        deciding.correct(work, firm.id, firm.anna.id, correction)
        cut = Void(platform.ids.new(), at(f"{DAY} 10:00"), at(f"{DAY} 11:00"), now)
        deciding.void(work, firm.id, firm.anna.id, cut)
    first_entry, second_entry = site.times()
    assert [(entry["start"], entry["end"]) for entry in (first_entry, second_entry)] == [
        ("08:00", "10:00"),
        ("11:00", "16:00"),
    ]
    assert delete(site.somebody(site.world.firm("Andere GmbH").boss), second_entry["id"]) == 404
    assert delete(site.founder, second_entry["id"]) == 204
    assert site.spans() == [(DAY, "08:00", "10:00")]
    assert delete(anna, first_entry["id"]) == 204
    assert site.times() == []
    must_equal_a_rebuild(site)


@pytest.mark.parametrize(
    ("times", "remaining_count"),
    [
        (["2026-10-24 22:00", "2026-10-25 06:00"], 0),
        (["2026-03-28 22:00", "2026-03-29 06:00"], 0),
        (["2026-10-24 22:00", "2026-10-25 02:30", "2026-10-25 03:30", "2026-10-25 06:00"], 1),
    ],
)
def test_nights_of_a_clock_change_are_deleted_like_others(
    site: Site, anna: Somebody, times: Any, remaining_count: int
) -> None:
    hang_since(site, "2026-03-01 00:00")
    stamped(site, *times)
    entry, *_ = site.times(first="2026-03-01", last="2026-10-31")
    assert delete(anna, entry["id"]) == 204
    assert len(site.times(first="2026-03-01", last="2026-10-31")) == remaining_count
    must_equal_a_rebuild(site)


def test_an_open_request_that_names_it_stays(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    request = asked(anna, newStart="08:00", newEnd="13:00", entryId=only(site))["id"]
    assert delete(anna, only(site)) == 204
    (row,) = site.boss.get(f"/api/companies/{site.firm.id}/time-corrections?status=pending").json()
    assert (row["id"], row["before"]) == (request, [])
    assert approve(site.boss, request).status_code == 200
    assert site.spans() == [(DAY, "08:00", "13:00")]
    must_equal_a_rebuild(site)


def test_of_two_deletions_at_once_one_counts(site: Site, anna: Somebody) -> None:
    stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
    entry, boss, platform = only(site), site.boss, site.world.platform
    path = f"/api/work-times/{entry}"
    answers = all_at_once(platform, lambda: anna.delete(path), lambda: boss.delete(path))
    assert sorted(answer.status_code for answer in answers) == [204, 404]
    with platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(VoidRow)).all()) == 1


def test_a_deletion_while_stamps_arrive_leaves_what_the_facts_come_to(site: Site, anna: Somebody) -> None:
    device = site.device
    for hour in (6, 9, 12):
        first, _ = stamped(site, f"{DAY} {hour:02d}:00", f"{DAY} {hour + 1:02d}:00")
        batch = device.batch(*(device.tap("04A1B2C3", at(f"{DAY} {hour:02d}:{minute}")) for minute in (30, 45)))
        answers = together(
            lambda first=first: anna.delete(f"/api/work-times/{first}"),
            lambda batch=batch: device.post("/api/devices/stamps", batch),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 204]
        device.lease = next(answer.json()["lease"] for answer in answers if answer.status_code == 200)
        must_equal_a_rebuild(site)
