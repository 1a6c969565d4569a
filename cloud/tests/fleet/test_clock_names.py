"""A clock's name and notes belong to its assignment: no company ever sees the words of another."""

import json
from datetime import timedelta
from typing import Any

import pytest

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Site, enrolled, hours
from cloud.tests.world import Firm, Somebody

GATE = {"name": "Pforte Süd", "notes": "hinter dem Rolltor"}
HALL = {"name": "Backstube", "notes": "neben dem Ofen"}
STOCK = {"name": "Regal 7", "notes": "ohne Netzteil"}


def name(site: Site, caller: Somebody, words: dict[str, str], status: int = 200) -> dict[str, Any]:
    answer = site.somebody(caller).put(f"/api/devices/{site.device.device_id}", json=words)
    assert answer.status_code == status, answer.text
    row: dict[str, Any] = answer.json()
    return row


def unassign(site: Site) -> None:
    assert site.founder.post(f"/api/devices/{site.device.device_id}/unassign").status_code == 200
    assert site.device.beat().json()["assignment"] is None


def log(site: Site, company_id: str, query: str = "action=device.") -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = site.founder.get(f"/api/companies/{company_id}/audit?{query}").json()
    return entries


def clock_names(site: Site, firm: Firm) -> list[str]:
    return [entry["clockName"] for entry in site.times(firm.anna)]


def held_names(site: Site, firm: Firm) -> list[str]:
    stamps = site.somebody(firm.boss).get(f"/api/companies/{firm.id}/held-stamps").json()
    return [stamp["deviceName"] for stamp in stamps]


def all_that_is_shown(site: Site, firm: Firm) -> str:
    """Returns all data with clock names that the company's administrator can read."""
    boss, company = site.somebody(firm.boss), f"/api/companies/{firm.id}"
    paths = [f"{company}/clocks", f"{company}/held-stamps", f"{company}/audit?limit=200"]
    paths.append(f"/api/users/{firm.anna.id}/times?from=2026-11-01&to=2026-11-30")
    answers = [boss.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return json.dumps([answer.json() for answer in answers], ensure_ascii=False)


def words_in(text: str) -> set[str]:
    return {word for names in (GATE, HALL, STOCK) for word in names.values() if word in text}


def spend_a_morning(site: Site, hour: float) -> None:
    """Anna comes and goes, and an unassigned tag is tapped."""
    device = site.device
    site.clock.set(MORNING + hours(hour + 1))
    taps = [device.tap(ANNA, MORNING + hours(hour)), device.tap(ANNA, MORNING + hours(hour + 0.5))]
    device.deliver(*taps, device.tap(NOBODY, MORNING + hours(hour + 0.6)))


@pytest.fixture
def other_firm(site: Site) -> Firm:
    return site.world.firm("Bäckerei Krume")


def test_only_the_clock_s_company_names_it(site: Site, other_firm: Firm) -> None:
    name(site, other_firm.boss, HALL, 404)
    name(site, site.firm.anna, HALL, 403)
    site.assign(site.device, other_firm.id)
    name(site, site.firm.boss, GATE, 404)
    unassign(site)
    name(site, site.firm.boss, GATE, 404)
    name(site, other_firm.boss, HALL, 404)
    assert (site.listed()["name"], site.listed()["notes"]) == ("", "")


def test_a_clock_that_changes_companies_keeps_each_company_s_name(site: Site, other_firm: Firm) -> None:
    site.clock.set(MORNING)
    name(site, site.firm.boss, GATE)
    spend_a_morning(site, 0)
    assert site.device.beat().json()["name"] == "Pforte Süd"
    unassign(site)
    assert (site.listed()["name"], site.device.beat().json()["name"]) == ("", None)
    assert name(site, site.founder, STOCK)["name"] == "Regal 7"
    assert site.device.beat().json()["name"] is None
    site.clock.set(MORNING + hours(2))

    site.assign(site.device, other_firm.id)
    assert (site.listed()["name"], site.listed()["notes"]) == ("", "")
    spend_a_morning(site, 2)
    assert (clock_names(site, other_firm), held_names(site, other_firm)) == (["SW-T-1"], ["SW-T-1"])
    name(site, other_firm.boss, HALL)
    assert (clock_names(site, other_firm), held_names(site, other_firm)) == (["Backstube"], ["Backstube"])
    assert site.device.beat().json()["name"] == "Backstube"
    assert site.listed()["name"] == "Backstube"

    site.clock.set(MORNING + hours(4))
    site.assign(site.device, site.firm.id)
    assert site.device.beat().json()["name"] is None
    spend_a_morning(site, 4)
    assert clock_names(site, site.firm) == ["Pforte Süd", "SW-T-1"]
    assert held_names(site, site.firm) == ["Pforte Süd", "SW-T-1"]
    assert clock_names(site, other_firm) == ["Backstube"]
    shown_words = [words_in(all_that_is_shown(site, firm)) for firm in (site.firm, other_firm)]
    assert shown_words == [set(GATE.values()), set(HALL.values())]
    unassign(site)
    assert (site.listed()["name"], site.listed()["notes"]) == ("Regal 7", "ohne Netzteil")


@ON_BOTH
def test_the_audit_log_of_each_company_uses_its_own_name_of_the_clock(site: Site, other_firm: Firm) -> None:
    name(site, site.firm.boss, GATE)
    site.assign(site.device, other_firm.id)
    name(site, other_firm.boss, HALL)
    unassign(site)
    name(site, site.founder, STOCK)
    site.clock.set(site.clock.now() + hours(1))
    site.assign(site.device, site.firm.id)
    log_entries = [
        [(entry["action"], entry["subjectName"], entry["before"], entry["after"]) for entry in log(site, company_id)]
        for company_id in (other_firm.id, site.world.operator_id)
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
    assert [(entry["action"], entry["subjectName"]) for entry in log(site, site.firm.id)] == [
        ("device.assigned", "SW-T-1"),
        ("device.unassigned", "Pforte Süd"),
        ("device.changed", "Pforte Süd"),
        ("device.assigned", "Pforte Süd"),
    ]


def test_the_end_of_an_assignment_is_logged_with_its_name_although_it_is_logged_later(
    site: Site, other_firm: Firm, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ticking() -> Any:
        clock.instant += timedelta(milliseconds=1)
        return clock.instant

    monkeypatch.setattr(clock, "now", ticking)
    name(site, site.firm.boss, GATE)
    site.assign(site.device, other_firm.id)
    unassign(site)
    assert {entry["subjectName"] for entry in log(site, site.firm.id)} == {"Pforte Süd"}
    assert {entry["subjectName"] for entry in log(site, other_firm.id)} == {"SW-T-1"}


def test_an_assignment_that_reaches_back_leaves_older_entries_of_the_log_their_name(site: Site) -> None:
    name(site, site.firm.boss, GATE)
    unassign(site)
    site.clock.set(site.clock.now() + hours(3))
    site.assign(site.device, site.firm.id, "2026-11-20T10:00:00Z")
    name(site, site.firm.boss, HALL)
    called = [(entry["action"], entry["subjectName"]) for entry in log(site, site.firm.id)]
    assert called == [
        ("device.changed", "Backstube"),
        ("device.assigned", "Backstube"),
        ("device.unassigned", "Pforte Süd"),
        ("device.changed", "Pforte Süd"),
        ("device.assigned", "Pforte Süd"),
    ]


def test_a_new_name_holds_for_the_whole_assignment_and_no_other(site: Site) -> None:
    spend_a_morning(site, 0)
    name(site, site.firm.boss, GATE)
    unassign(site)
    site.clock.set(MORNING + hours(2))
    site.assign(site.device, site.firm.id)
    assert site.listed()["name"] == ""
    spend_a_morning(site, 2)
    assert clock_names(site, site.firm) == ["Pforte Süd", "SW-T-1"]
    name(site, site.firm.boss, {"name": "Backstube"})
    assert clock_names(site, site.firm) == held_names(site, site.firm) == ["Pforte Süd", "Backstube"]
    assert site.listed()["notes"] == ""


def test_an_assignment_that_is_repeated_keeps_its_words(site: Site) -> None:
    name(site, site.firm.boss, GATE)
    site.assign(site.device, site.firm.id, "2026-11-10T06:00:00Z")
    assert (site.listed()["name"], site.listed()["notes"]) == ("Pforte Süd", "hinter dem Rolltor")


def test_unassigned_stamps_show_the_serial(site: Site) -> None:
    stranger = enrolled(site.world, site.clock, "SW-X", 9)
    site.founder.put(f"/api/devices/{stranger.device_id}", json=STOCK)
    name(site, site.firm.boss, GATE)
    stranger.deliver(stranger.tap(ANNA, MORNING))
    site.device.deliver(site.device.tap(ANNA, MORNING, assignment=None), {"id": "unreadable"})
    assert sorted({stamp["deviceName"] for stamp in site.unassigned()}) == ["SW-T-1", "SW-X"]


@ON_BOTH
def test_stamps_released_to_a_company_show_the_serial_there(site: Site, other_firm: Firm) -> None:
    name(site, site.firm.boss, GATE)
    site.device.deliver(site.device.tap(ANNA, MORNING, assignment=None))
    period = {"from": "2026-11-20T05:00:00Z", "to": "2026-11-20T07:00:00Z"}
    released = {"deviceId": site.device.device_id, "companyId": other_firm.id} | period
    assert site.founder.post("/api/held-stamps/release", json=released).json() == {"released": 1}
    assert clock_names(site, other_firm) == ["SW-T-1"]
    assert [entry["subjectName"] for entry in log(site, other_firm.id, "action=stamps.released")] == ["SW-T-1"]
    assert words_in(all_that_is_shown(site, other_firm)) == set()
