"""A clock lists its portable scanners in its heartbeat; the operator sees them, its company their number."""

from typing import Any

import pytest

from cloud.tests.stamping import Wall

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


def beat(wall: Wall, **members: Any) -> None:
    wall.clock.advance(seconds=30)
    assert wall.device.beat(**members).status_code == 200


def shown_scanners(wall: Wall) -> list[dict[str, Any]]:
    answer = wall.founder.get(f"/api/devices/{wall.device.device_id}")
    assert answer.status_code == 200
    return answer.json()["scanners"]


def test_scanners_are_shown_as_last_reported_by_the_clock(wall: Wall) -> None:
    assert shown_scanners(wall) == []
    beat(wall, scanners=[SCANNER])
    assert shown_scanners(wall) == [SHOWN]
    wall.somebody(wall.firm.boss)
    [row] = wall.firm.boss.get(f"/api/companies/{wall.firm.id}/clocks").json()
    assert row["scannerCount"] == 1
    beat(wall)
    assert shown_scanners(wall) == []


@pytest.mark.parametrize("nonsense", [None, 5, "x", {}, [], [5, None, {}], [{"serial": 7}], [{"serial": ""}]])
def test_invalid_scanners_are_skipped(wall: Wall, nonsense: object) -> None:
    beat(wall, scanners=nonsense)
    assert shown_scanners(wall) == []


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"battery": 255, "log": 3, "overflow": -1, "reader": "broken", "lastSeen": "yesterday", "connected": 1},
        {"battery": 2**70, "log": {"used": "x", "capacity": None}, "lastSeen": 5, "charging": "yes"},
    ],
)
def test_a_member_that_cannot_be_read_is_unknown(wall: Wall, members: dict[str, Any]) -> None:
    beat(wall, scanners=[{"serial": "S\u0000-1", **members}])
    assert shown_scanners(wall) == [EMPTY | {"serial": "S-1"}]


def test_no_more_are_kept_than_a_clock_may_have(wall: Wall) -> None:
    beat(wall, scanners=[SCANNER | {"serial": f"S-{number}", "version": "1" * 500} for number in range(60)])
    assert [scanner["serial"] for scanner in shown_scanners(wall)] == [f"S-{number}" for number in range(24)]
    assert {len(scanner["version"]) for scanner in shown_scanners(wall)} == {100}
