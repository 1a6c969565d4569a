"""A clock lists its portable scanners in its heartbeat; the operator sees them, its company their number."""

from typing import Any

import pytest

from cloud.tests.stamping import Site

SCANNER = {
    "serial": "SW-BEACON-000042",
    "board": "rp2040",
    "version": "1.0.0",
    "battery": 71,
    "charging": True,
    "log": {"used": 5, "capacity": 6144},
    "overflow": 2,
    "reader": "ok",
    "lastSeen": "2026-11-20T07:58:03.214Z",
    "connected": True,
}
SHOWN = {name: value for name, value in SCANNER.items() if name != "log"} | {"used": 5, "capacity": 6144}
EMPTY = dict.fromkeys(("battery", "used", "capacity", "overflow", "reader", "lastSeen")) | {
    "board": "",
    "version": "",
    "charging": False,
    "connected": False,
}


def beat(site: Site, **members: Any) -> None:
    site.clock.advance(seconds=30)
    assert site.device.beat(**members).status_code == 200


def shown_scanners(site: Site) -> list[dict[str, Any]]:
    answer = site.founder.get(f"/api/devices/{site.device.device_id}")
    assert answer.status_code == 200
    return answer.json()["scanners"]


def test_scanners_are_shown_as_last_reported_by_the_clock(site: Site) -> None:
    assert shown_scanners(site) == []
    beat(site, scanners=[SCANNER])
    assert shown_scanners(site) == [SHOWN]
    site.somebody(site.firm.boss)
    [row] = site.firm.boss.get(f"/api/companies/{site.firm.id}/clocks").json()
    assert row["scannerCount"] == 1
    beat(site)
    assert shown_scanners(site) == []


@pytest.mark.parametrize("nonsense", [None, 5, "x", {}, [], [5, None, {}], [{"serial": 7}], [{"serial": ""}]])
def test_invalid_scanners_are_skipped(site: Site, nonsense: object) -> None:
    beat(site, scanners=nonsense)
    assert shown_scanners(site) == []


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"battery": 255, "log": 3, "overflow": -1, "reader": "broken", "lastSeen": "yesterday", "connected": 1},
        {"battery": 2**70, "log": {"used": "x", "capacity": None}, "lastSeen": 5, "charging": "yes"},
    ],
)
def test_a_member_that_cannot_be_read_is_unknown(site: Site, members: dict[str, Any]) -> None:
    beat(site, scanners=[{"serial": "S\u0000-1", **members}])
    assert shown_scanners(site) == [EMPTY | {"serial": "S-1"}]


def test_no_more_are_kept_than_a_clock_may_have(site: Site) -> None:
    beat(site, scanners=[SCANNER | {"serial": f"S-{number}", "version": "1" * 500} for number in range(60)])
    assert [scanner["serial"] for scanner in shown_scanners(site)] == [f"S-{number}" for number in range(24)]
    assert {len(scanner["version"]) for scanner in shown_scanners(site)} == {100}
