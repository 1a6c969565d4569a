"""A clock's name and notes belong to its assignment: no company ever sees the words of another."""

import json
from datetime import timedelta
from typing import Any

import pytest

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Wall, enrolled, hours
from cloud.tests.world import Firm, Somebody

GATE = {"name": "Pforte Süd", "notes": "hinter dem Rolltor"}
HALL = {"name": "Backstube", "notes": "neben dem Ofen"}
STOCK = {"name": "Regal 7", "notes": "ohne Netzteil"}


def name(wall: Wall, caller: Somebody, words: dict[str, str], status: int = 200) -> dict[str, Any]:
    answer = wall.somebody(caller).put(f"/api/devices/{wall.device.device_id}", json=words)
    assert answer.status_code == status, answer.text
    row: dict[str, Any] = answer.json()
    return row


def unassign(wall: Wall) -> None:
    assert wall.founder.post(f"/api/devices/{wall.device.device_id}/unassign").status_code == 200
    assert wall.device.beat().json()["assignment"] is None


def log(wall: Wall, company_id: str, query: str = "action=device.") -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = wall.founder.get(f"/api/companies/{company_id}/audit?{query}").json()
    return entries


def clock_names(wall: Wall, firm: Firm) -> list[str]:
    return [entry["clockName"] for entry in wall.times(firm.anna)]


def held_names(wall: Wall, firm: Firm) -> list[str]:
    stamps = wall.somebody(firm.boss).get(f"/api/companies/{firm.id}/held-stamps").json()
    return [stamp["deviceName"] for stamp in stamps]


def all_that_is_shown(wall: Wall, firm: Firm) -> str:
    """Returns all data with clock names that the company's administrator can read."""
    boss, company = wall.somebody(firm.boss), f"/api/companies/{firm.id}"
    paths = [f"{company}/clocks", f"{company}/held-stamps", f"{company}/audit?limit=200"]
    paths.append(f"/api/users/{firm.anna.id}/times?from=2026-11-01&to=2026-11-30")
    answers = [boss.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return json.dumps([answer.json() for answer in answers], ensure_ascii=False)


def words_in(text: str) -> set[str]:
    return {word for names in (GATE, HALL, STOCK) for word in names.values() if word in text}


def spend_a_morning(wall: Wall, hour: float) -> None:
    """Anna comes and goes, and an unassigned tag is tapped."""
    device = wall.device
    wall.clock.set(MORNING + hours(hour + 1))
    taps = [device.tap(ANNA, MORNING + hours(hour)), device.tap(ANNA, MORNING + hours(hour + 0.5))]
    device.deliver(*taps, device.tap(NOBODY, MORNING + hours(hour + 0.6)))


@pytest.fixture
def other_firm(wall: Wall) -> Firm:
    return wall.world.firm("Bäckerei Krume")


def test_only_the_clock_s_company_names_it(wall: Wall, other_firm: Firm) -> None:
    name(wall, other_firm.boss, HALL, 404)
    name(wall, wall.firm.anna, HALL, 403)
    wall.assign(wall.device, other_firm.id)
    name(wall, wall.firm.boss, GATE, 404)
    unassign(wall)
    name(wall, wall.firm.boss, GATE, 404)
    name(wall, other_firm.boss, HALL, 404)
    assert (wall.listed()["name"], wall.listed()["notes"]) == ("", "")


def test_a_clock_that_changes_companies_keeps_each_company_s_name(wall: Wall, other_firm: Firm) -> None:
    wall.clock.set(MORNING)
    name(wall, wall.firm.boss, GATE)
    spend_a_morning(wall, 0)
    assert wall.device.beat().json()["name"] == "Pforte Süd"
    unassign(wall)
    assert (wall.listed()["name"], wall.device.beat().json()["name"]) == ("", None)
    assert name(wall, wall.founder, STOCK)["name"] == "Regal 7"
    assert wall.device.beat().json()["name"] is None
    wall.clock.set(MORNING + hours(2))

    wall.assign(wall.device, other_firm.id)
    assert (wall.listed()["name"], wall.listed()["notes"]) == ("", "")
    spend_a_morning(wall, 2)
    assert (clock_names(wall, other_firm), held_names(wall, other_firm)) == (["SW-T-1"], ["SW-T-1"])
    name(wall, other_firm.boss, HALL)
    assert (clock_names(wall, other_firm), held_names(wall, other_firm)) == (["Backstube"], ["Backstube"])
    assert wall.device.beat().json()["name"] == "Backstube"
    assert wall.listed()["name"] == "Backstube"

    wall.clock.set(MORNING + hours(4))
    wall.assign(wall.device, wall.firm.id)
    assert wall.device.beat().json()["name"] is None
    spend_a_morning(wall, 4)
    assert clock_names(wall, wall.firm) == ["Pforte Süd", "SW-T-1"]
    assert held_names(wall, wall.firm) == ["Pforte Süd", "SW-T-1"]
    assert clock_names(wall, other_firm) == ["Backstube"]
    shown_words = [words_in(all_that_is_shown(wall, firm)) for firm in (wall.firm, other_firm)]
    assert shown_words == [set(GATE.values()), set(HALL.values())]
    unassign(wall)
    assert (wall.listed()["name"], wall.listed()["notes"]) == ("Regal 7", "ohne Netzteil")


@ON_BOTH
def test_the_audit_log_of_each_company_uses_its_own_name_of_the_clock(wall: Wall, other_firm: Firm) -> None:
    name(wall, wall.firm.boss, GATE)
    wall.assign(wall.device, other_firm.id)
    name(wall, other_firm.boss, HALL)
    unassign(wall)
    name(wall, wall.founder, STOCK)
    wall.clock.set(wall.clock.now() + hours(1))
    wall.assign(wall.device, wall.firm.id)
    log_entries = [
        [(entry["action"], entry["subjectName"], entry["before"], entry["after"]) for entry in log(wall, company_id)]
        for company_id in (other_firm.id, wall.world.operator_id)
    ]
    no_words = {"name": "", "notes": ""}
    assigned = {"from": "2026-11-20T18:00:00.000Z"}
    assert log_entries == [
        [
            ("device.unassigned", "Backstube", None, None),
            ("device.changed", "Backstube", no_words, HALL),
            ("device.assigned", "Backstube", None, assigned),
        ],
        [("device.changed", "SW-T-1", no_words, STOCK)],
    ]
    assert [(entry["action"], entry["subjectName"]) for entry in log(wall, wall.firm.id)] == [
        ("device.assigned", "SW-T-1"),
        ("device.unassigned", "Pforte Süd"),
        ("device.changed", "Pforte Süd"),
        ("device.assigned", "Pforte Süd"),
    ]


def test_the_end_of_an_assignment_is_logged_with_its_name_although_it_is_logged_later(
    wall: Wall, other_firm: Firm, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ticking() -> Any:
        clock.instant += timedelta(milliseconds=1)
        return clock.instant

    monkeypatch.setattr(clock, "now", ticking)
    name(wall, wall.firm.boss, GATE)
    wall.assign(wall.device, other_firm.id)
    unassign(wall)
    assert {entry["subjectName"] for entry in log(wall, wall.firm.id)} == {"Pforte Süd"}
    assert {entry["subjectName"] for entry in log(wall, other_firm.id)} == {"SW-T-1"}


def test_an_assignment_that_reaches_back_leaves_older_entries_of_the_log_their_name(wall: Wall) -> None:
    name(wall, wall.firm.boss, GATE)
    unassign(wall)
    wall.clock.set(wall.clock.now() + hours(3))
    wall.assign(wall.device, wall.firm.id, "2026-11-20T10:00:00Z")
    name(wall, wall.firm.boss, HALL)
    called = [(entry["action"], entry["subjectName"]) for entry in log(wall, wall.firm.id)]
    assert called == [
        ("device.changed", "Backstube"),
        ("device.assigned", "Backstube"),
        ("device.unassigned", "Pforte Süd"),
        ("device.changed", "Pforte Süd"),
        ("device.assigned", "Pforte Süd"),
    ]


def test_a_new_name_holds_for_the_whole_assignment_and_no_other(wall: Wall) -> None:
    spend_a_morning(wall, 0)
    name(wall, wall.firm.boss, GATE)
    unassign(wall)
    wall.clock.set(MORNING + hours(2))
    wall.assign(wall.device, wall.firm.id)
    assert wall.listed()["name"] == ""
    spend_a_morning(wall, 2)
    assert clock_names(wall, wall.firm) == ["Pforte Süd", "SW-T-1"]
    name(wall, wall.firm.boss, {"name": "Backstube"})
    assert clock_names(wall, wall.firm) == held_names(wall, wall.firm) == ["Pforte Süd", "Backstube"]
    assert wall.listed()["notes"] == ""


def test_an_assignment_that_is_repeated_keeps_its_words(wall: Wall) -> None:
    name(wall, wall.firm.boss, GATE)
    wall.assign(wall.device, wall.firm.id, "2026-11-10T06:00:00Z")
    assert (wall.listed()["name"], wall.listed()["notes"]) == ("Pforte Süd", "hinter dem Rolltor")


def test_unassigned_stamps_show_the_serial(wall: Wall) -> None:
    stranger = enrolled(wall.world, wall.clock, "SW-X", 9)
    wall.founder.put(f"/api/devices/{stranger.device_id}", json=STOCK)
    name(wall, wall.firm.boss, GATE)
    stranger.deliver(stranger.tap(ANNA, MORNING))
    wall.device.deliver(wall.device.tap(ANNA, MORNING, assignment=None), {"id": "unreadable"})
    assert sorted({stamp["deviceName"] for stamp in wall.unassigned()}) == ["SW-T-1", "SW-X"]


@ON_BOTH
def test_stamps_released_to_a_company_show_the_serial_there(wall: Wall, other_firm: Firm) -> None:
    name(wall, wall.firm.boss, GATE)
    wall.device.deliver(wall.device.tap(ANNA, MORNING, assignment=None))
    period = {"from": "2026-11-20T05:00:00Z", "to": "2026-11-20T07:00:00Z"}
    released = {"deviceId": wall.device.device_id, "companyId": other_firm.id} | period
    assert wall.founder.post("/api/held-stamps/release", json=released).json() == {"released": 1}
    assert clock_names(wall, other_firm) == ["SW-T-1"]
    assert [entry["subjectName"] for entry in log(wall, other_firm.id, "action=stamps.released")] == ["SW-T-1"]
    assert words_in(all_that_is_shown(wall, other_firm)) == set()
