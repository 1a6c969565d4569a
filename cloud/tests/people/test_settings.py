"""Dated settings: from which day what holds, and who is told when the past changes."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import SETTINGS_CHANGED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Change

from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

DEFAULTS = {
    "timeZone": "Europe/Berlin",
    "breakPolicy": "statutory",
    "doubleTapSeconds": 60,
    "maxShiftHours": 16,
    "askAfterHours": 10,
    "holidayRegion": None,
    "employeesMayDelete": True,
    "clockShowsBalance": True,
    "validFrom": None,
}


@pytest.fixture
def told(platform: Platform) -> Iterator[list[dict[str, Any]]]:
    """What the rooms above were told about changed settings."""
    seen: list[dict[str, Any]] = []
    platform.signals.on(SETTINGS_CHANGED, lambda _session, **data: seen.append(data))
    return seen


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/settings"


def test_a_new_company_has_the_defaults(firm: Firm, world: World) -> None:
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
    assert world.founder.get(_path(firm)).json() == DEFAULTS


REFUSED: list[dict[str, Any]] = [
    {"doubleTapSeconds": -1},
    {"doubleTapSeconds": 601},
    {"doubleTapSeconds": "60"},
    {"doubleTapSeconds": None},
    {"maxShiftHours": 7},
    {"maxShiftHours": 25},
    {"maxShiftHours": 8.5},
    {"askAfterHours": 3},
    {"askAfterHours": 25},
    {"breakPolicy": "strict"},
    {"timeZone": "Europe/Bielefeld"},
    {"timeZone": ""},
    {"timeZone": "../../etc/passwd"},
    {"timeZone": None},
    {"holidayRegion": "BY"},
    {"holidayRegion": "AT-1"},
    {"employeesMayDelete": 1},
    {"clockShowsBalance": None},
    {"validFrom": "2026-02-30"},
    {"validFrom": "yesterday", "doubleTapSeconds": 60},
    {"unknown": 1},
    {"double_tap_seconds": 3},
    {"double_tap": 1},
]


def test_an_unknown_setting_or_one_out_of_range_changes_nothing(firm: Firm, told: list[dict[str, Any]]) -> None:
    for body in REFUSED:
        refused = firm.boss.put(_path(firm), json={"askAfterHours": 9, **body})
        assert refused.status_code == 422, body
        assert refused.json()["errors"][0]["field"] in body
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
    assert told == []


def test_employees_and_other_companies_see_nothing(firm: Firm, world: World) -> None:
    other = world.firm("Andere")
    for method in ("GET", "PUT"):
        assert firm.anna.request(method, _path(firm), json={}).status_code == 403
        assert other.boss.request(method, _path(firm), json={}).status_code == 404


def test_a_change_holds_from_today_in_the_companys_zone(
    firm: Firm, clock: SettableClock, told: list[dict[str, Any]]
) -> None:
    clock.set(clock.now().replace(hour=23, minute=30))  # in Berlin it is already the 21st
    changed = firm.world.again(firm.boss).put(_path(firm), json={"doubleTapSeconds": 90, "holidayRegion": "DE-BY"})
    assert changed.status_code == 200
    assert changed.json() == DEFAULTS | {
        "doubleTapSeconds": 90,
        "holidayRegion": "DE-BY",
        "validFrom": "2026-11-21",
    }
    assert told == [{"company_id": firm.id, "from_day": date(2026, 11, 21)}]


def test_what_is_announced_holds_from_its_day(firm: Firm) -> None:
    announced = firm.boss.put(_path(firm), json={"maxShiftHours": 12, "validFrom": "2026-12-01"})
    assert announced.json()["maxShiftHours"] == 12
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
    assert firm.boss.get(f"{_path(firm)}?on=2026-11-30").json() == DEFAULTS
    later = firm.boss.get(f"{_path(firm)}?on=2026-12-01").json()
    assert (later["maxShiftHours"], later["validFrom"]) == (12, "2026-12-01")


def test_a_back_dated_change_is_told_with_its_day_and_leaves_later_changes(
    firm: Firm, told: list[dict[str, Any]]
) -> None:
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90, "validFrom": "2026-06-01"})
    firm.boss.put(_path(firm), json={"maxShiftHours": 12, "doubleTapSeconds": 30, "validFrom": "2026-01-01"})
    assert [change["from_day"] for change in told] == [date(2026, 6, 1), date(2026, 1, 1)]
    spring = firm.boss.get(f"{_path(firm)}?on=2026-03-01").json()
    assert (spring["doubleTapSeconds"], spring["maxShiftHours"]) == (30, 12)
    now = firm.boss.get(_path(firm)).json()
    assert (now["doubleTapSeconds"], now["maxShiftHours"]) == (90, 12)


def test_a_second_change_for_the_same_day_replaces_the_first(firm: Firm) -> None:
    for seconds in (90, 45):
        firm.boss.put(_path(firm), json={"doubleTapSeconds": seconds, "validFrom": "2026-06-01"})
    assert firm.boss.get(_path(firm)).json()["doubleTapSeconds"] == 45


def test_what_shapes_no_entry_is_told_to_nobody(firm: Firm, told: list[dict[str, Any]]) -> None:
    body = {"employeesMayDelete": False, "clockShowsBalance": False, "holidayRegion": "DE-BY"}
    assert firm.boss.put(_path(firm), json=body).status_code == 200
    assert firm.boss.put(_path(firm), json={}).status_code == 200
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90})
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90})
    assert len(told) == 1


def test_a_refusal_of_a_room_above_undoes_the_change(firm: Firm, platform: Platform) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise LookupError

    platform.signals.on(SETTINGS_CHANGED, refuse)
    assert firm.boss.put(_path(firm), json={"doubleTapSeconds": 90}).status_code == 500
    assert firm.boss.get(_path(firm)).json() == DEFAULTS


def test_the_domain_gets_every_change_with_its_day(firm: Firm, platform: Platform) -> None:
    firm.boss.put(_path(firm), json={"maxShiftHours": 12, "validFrom": "2026-06-01"})
    firm.boss.put(_path(firm), json={"timeZone": "Europe/London", "validFrom": "2026-09-01"})
    with platform.database.read(SYSTEM) as tx:
        rules = directory.rules_of(tx, firm.id)
        assert directory.settings_now(tx, firm.id, date(2026, 9, 1)).time_zone == "Europe/London"
    seen = [(rules.on(day).max_shift_h, str(rules.on(day).zone)) for day in (date(2026, 5, 31), date(2026, 6, 1))]
    assert seen == [(16, "Europe/Berlin"), (12, "Europe/Berlin")]
    assert (rules.on(date(2026, 9, 1)).max_shift_h, str(rules.on(date(2026, 9, 1)).zone)) == (12, "Europe/London")


DAYS = st.dates(date(2025, 1, 1), date(2025, 1, 20))
CHANGES = st.lists(st.tuples(st.sampled_from(["double_tap_seconds", "max_shift_hours"]), DAYS, st.integers(8, 24)))


@given(CHANGES, DAYS)
def test_each_setting_has_the_value_of_its_latest_change(changes: list[tuple[str, date, int]], day: date) -> None:
    kept = {(name, since): value for name, since, value in changes}
    rows = [Change(name, since, json.dumps(value)) for (name, since), value in kept.items()]
    now = directory.in_force(rows, day)
    for name, default in (("double_tap_seconds", 60), ("max_shift_hours", 16)):
        past = [(since, value) for (setting, since), value in kept.items() if setting == name and since <= day]
        assert getattr(now, name) == (max(past)[1] if past else default)
    assert directory.in_force(list(reversed(rows)), day) == now
    assert directory.dated_rules(rows).on(day) == now.rules()
    assert (
        directory.dated_rules(rows).on(date(2024, 12, 31) - timedelta(days=400)) == directory.CompanySettings().rules()
    )
