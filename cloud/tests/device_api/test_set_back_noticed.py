"""A batch whose lease this server never gave shows that it was set back: its operator reads that in both logs, once."""

from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.device_api.delivery import merge as merge_module
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from structlog.testing import capture_logs

from cloud.tests.stamping import ANNA, BEN, MORNING, Wall, as_call, hours

NOTICED = "set_back_noticed"


def _told(lines: Any) -> list[dict[str, Any]]:
    """What the service's own log says of it."""
    return [dict(line) for line in lines if line["event"] == NOTICED]


def _noted(wall: Wall) -> list[tuple[str, str, str | None]]:
    """What the devices' log says of it."""
    with wall.world.platform.database.read(SYSTEM) as session:
        rows = session.execute(
            text("SELECT d.serial, l.level, l.meta FROM device_logs l JOIN devices d ON d.no = l.device_no")
        )
        return [(serial, level, meta) for serial, level, meta in rows]


def _ahead(wall: Wall, lease: int = 9) -> dict[str, Any]:
    return wall.device.batch(wall.device.tap(ANNA, MORNING), lease=lease)


def test_both_logs_say_it_with_the_lease_that_the_batch_brought(wall: Wall) -> None:
    with capture_logs() as lines:
        wall.device.sent(_ahead(wall))
    told = {"event": NOTICED, "log_level": "warning", "device": wall.device.device_id, "lease": 9}
    assert _told(lines) == [told]
    assert _noted(wall) == [("SW-T-1", "warn", '{"lease": 9}')]


def test_it_is_said_once_for_each_device(wall: Wall) -> None:
    other = wall.another_clock("SW-T-2", 2)
    batch = _ahead(wall)
    with capture_logs() as lines:
        for _ in range(2):
            wall.device.sent(batch)
        wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(4)))
        merge(wall.world.platform, [as_call(other, other.batch(other.tap(BEN, MORNING), lease=5))])
        other.sent(other.batch(other.tap(BEN, MORNING + hours(1)), lease=6))
    assert [(one["device"], one["lease"]) for one in _told(lines)] == [
        (wall.device.device_id, 9),
        (other.device_id, 5),
    ]
    assert [serial for serial, _, _ in _noted(wall)] == ["SW-T-1", "SW-T-2"]


def test_it_is_not_said_of_what_is_rolled_back(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a fault of the program")

    batch = _ahead(wall)
    with monkeypatch.context() as patched, capture_logs() as lines:
        patched.setattr(merge_module, "_answer", broken)
        merge(wall.world.platform, [as_call(wall.device, batch)])
    assert (_told(lines), _noted(wall)) == ([], [])
    with capture_logs() as lines:
        wall.device.sent(batch)
    assert (len(_told(lines)), len(_noted(wall))) == (1, 1)


def test_a_merge_that_begins_again_carefully_says_it_once(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    receive, seen = stamps.receive, list[bool]()

    def unforeseen_at_first(*arguments: Any) -> Any:
        seen.append(True)
        if len(seen) == 1:
            raise stamps.RetryWithAllLocks
        return receive(*arguments)

    monkeypatch.setattr(stamps, "receive", unforeseen_at_first)
    with capture_logs() as lines:
        wall.device.sent(_ahead(wall))
    assert (len(seen), len(_told(lines)), len(_noted(wall))) == (2, 1, 1)


@pytest.mark.parametrize("lease", [None, 1])
def test_a_usual_lease_says_nothing(wall: Wall, lease: int | None) -> None:
    with capture_logs() as lines:
        wall.device.deliver(wall.device.tap(ANNA, MORNING), lease=lease)
    assert (_told(lines), _noted(wall)) == ([], [])
