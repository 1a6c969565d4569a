"""Dated settings: what holds from which day, and which rooms are notified of changes to the past."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic.alias_generators import to_camel
from stempelwerk_cloud.app import SETTINGS
from stempelwerk_cloud.kit.events import SETTINGS_CHANGED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import ZONES

from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

KNOWN = {
    "timeZone": "Europe/Berlin",
    "breakPolicy": "statutory",
    "doubleTapSeconds": 60,
    "maxShiftHours": 16,
    "askAfterHours": 10,
    "holidayRegion": None,
    "employeesMayDelete": True,
    "clockShowsBalance": True,
}
DEFAULTS = {to_camel(setting.name): setting.default for setting in SETTINGS} | {"validFrom": None}


@pytest.fixture
def emitted(platform: Platform) -> Iterator[list[dict[str, Any]]]:
    """Yields the events about changed settings for upper rooms."""
    events: list[dict[str, Any]] = []
    platform.signals.on(SETTINGS_CHANGED, lambda _work, **data: events.append(data))
    return events


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/settings"


def test_a_new_company_has_the_defaults(firm: Firm, world: World) -> None:
    assert DEFAULTS.items() >= KNOWN.items()
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
    *({"timeZone": name} for name in ("localtime", "Factory", "posixrules", "Etc/Unknown", "europe/berlin", "+01:00")),
    *({"timeZone": f"{beside}/Berlin"} for beside in ("posix/Europe", "right/Europe", "SystemV")),
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


def test_an_unknown_setting_or_one_out_of_range_changes_nothing(firm: Firm, emitted: list[dict[str, Any]]) -> None:
    for body in REFUSED:
        refused = firm.boss.put(_path(firm), json={"askAfterHours": 9, **body})
        assert refused.status_code == 422, body
        assert refused.json()["errors"][0]["field"] in body
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
    assert emitted == []


def test_every_zone_that_a_company_may_choose_is_known_to_browsers() -> None:
    script = "JSON.parse(require('fs').readFileSync(0)).map(timeZone => Intl.DateTimeFormat('de', {timeZone}))"
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert node is not None
    names = json.dumps(sorted(ZONES))
    outcome = subprocess.run([node, "-e", script], input=names, text=True, capture_output=True, check=False)
    assert outcome.returncode == 0, outcome.stderr


def test_every_zone_that_a_company_may_choose_is_known_to_this_machine() -> None:
    assert {ZoneInfo(name).key for name in ZONES} == ZONES
    assert {"Europe/Berlin", "Europe/Busingen", "America/New_York", "US/Pacific", "Etc/GMT-14", "CET", "UTC"} <= ZONES


def test_a_change_holds_from_today_in_the_companys_zone(
    firm: Firm, clock: SettableClock, emitted: list[dict[str, Any]]
) -> None:
    clock.set(clock.now().replace(hour=23, minute=30))  # in Berlin it is already the 21st
    changed = firm.world.again(firm.boss).put(_path(firm), json={"doubleTapSeconds": 90, "holidayRegion": "DE-BY"})
    assert changed.status_code == 200
    assert changed.json() == DEFAULTS | {
        "doubleTapSeconds": 90,
        "holidayRegion": "DE-BY",
        "validFrom": "2026-11-21",
    }
    assert emitted == [{"company_id": firm.id, "from_day": date(2026, 11, 21)}]


def test_what_is_announced_holds_from_its_day(firm: Firm) -> None:
    announced = firm.boss.put(_path(firm), json={"maxShiftHours": 12, "validFrom": "2026-12-01"})
    assert announced.json()["maxShiftHours"] == 12
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
    assert firm.boss.get(f"{_path(firm)}?on=2026-11-30").json() == DEFAULTS
    later = firm.boss.get(f"{_path(firm)}?on=2026-12-01").json()
    assert (later["maxShiftHours"], later["validFrom"]) == (12, "2026-12-01")


def test_a_back_dated_change_is_told_with_its_day_and_leaves_later_changes(
    firm: Firm, emitted: list[dict[str, Any]]
) -> None:
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90, "validFrom": "2026-06-01"})
    firm.boss.put(_path(firm), json={"maxShiftHours": 12, "doubleTapSeconds": 30, "validFrom": "2026-01-01"})
    assert [change["from_day"] for change in emitted] == [date(2026, 6, 1), date(2026, 1, 1)]
    spring = firm.boss.get(f"{_path(firm)}?on=2026-03-01").json()
    assert (spring["doubleTapSeconds"], spring["maxShiftHours"]) == (30, 12)
    now = firm.boss.get(_path(firm)).json()
    assert (now["doubleTapSeconds"], now["maxShiftHours"]) == (90, 12)


def test_a_second_change_for_the_same_day_replaces_the_first(firm: Firm) -> None:
    for seconds in (90, 45):
        firm.boss.put(_path(firm), json={"doubleTapSeconds": seconds, "validFrom": "2026-06-01"})
    assert firm.boss.get(_path(firm)).json()["doubleTapSeconds"] == 45


def test_what_shapes_no_entry_is_told_to_nobody(firm: Firm, emitted: list[dict[str, Any]]) -> None:
    body = {"employeesMayDelete": False, "clockShowsBalance": False, "holidayRegion": "DE-BY"}
    assert firm.boss.put(_path(firm), json=body).status_code == 200
    assert firm.boss.put(_path(firm), json={}).status_code == 200
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90})
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90})
    assert len(emitted) == 1


def test_the_log_says_what_was_and_is_by_the_names_of_the_api(firm: Firm) -> None:
    firm.boss.put(_path(firm), json={"doubleTapSeconds": 90, "holidayRegion": "DE-BY", "validFrom": "2026-12-01"})
    (entry, *_) = firm.boss.get(f"/api/companies/{firm.id}/audit?action=company.settings").json()
    assert entry["before"] == {"validFrom": "2026-12-01", "doubleTapSeconds": 60, "holidayRegion": None}
    assert entry["after"] == {"validFrom": "2026-12-01", "doubleTapSeconds": 90, "holidayRegion": "DE-BY"}


def test_a_refusal_of_a_room_above_undoes_the_change(firm: Firm, platform: Platform) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise LookupError

    platform.signals.on(SETTINGS_CHANGED, refuse)
    assert firm.boss.put(_path(firm), json={"doubleTapSeconds": 90}).status_code == 500
    assert firm.boss.get(_path(firm)).json() == DEFAULTS
