"""A batch whose lease this server never gave shows that it was set back: its operator reads that in both logs, once."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.device_api.delivery import merge as merge_module
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.timekeeping.ledger.intake import intake
from stempelwerk_cloud.timekeeping.ledger.placing.reprocessing import RetryWithAllLocks
from structlog.testing import capture_logs

from cloud.tests.databases import ON_BOTH
from cloud.tests.stamping import ANNA, BEN, MORNING, Site, as_call, hours

NOTICED = "set_back_noticed"


def _noticed_lines(lines: Any) -> list[dict[str, Any]]:
    """Returns the lines of the service's own log about it."""
    return [dict(line) for line in lines if line["event"] == NOTICED]


def _noted(site: Site) -> list[tuple[str, str, str | None]]:
    """Returns the lines of the devices' log about it."""
    with site.world.platform.database.read(SYSTEM) as session:
        rows = session.execute(
            text("SELECT d.serial, l.level, l.meta FROM device_logs l JOIN devices d ON d.no = l.device_no")
        )
        return [(serial, level, meta) for serial, level, meta in rows]


def _ahead(site: Site, lease: int = 9) -> dict[str, Any]:
    return site.device.batch(site.device.tap(ANNA, MORNING), lease=lease)


def test_both_logs_say_it_with_the_lease_that_the_batch_brought(site: Site) -> None:
    with capture_logs() as lines:
        site.device.sent(_ahead(site))
    expected = {"event": NOTICED, "log_level": "warning", "device": site.device.device_id, "lease": 9}
    assert _noticed_lines(lines) == [expected]
    assert _noted(site) == [("SW-T-1", "warn", '{"lease": 9}')]


def test_it_is_said_once_for_each_device(site: Site) -> None:
    second_clock = site.another_clock("SW-T-2", 2)
    batch = _ahead(site)
    with capture_logs() as lines:
        for _ in range(2):
            site.device.sent(batch)
        site.device.deliver(site.device.tap(ANNA, MORNING + hours(4)))
        merge(site.world.platform, [as_call(second_clock, second_clock.batch(second_clock.tap(BEN, MORNING), lease=5))])
        second_clock.sent(second_clock.batch(second_clock.tap(BEN, MORNING + hours(1)), lease=6))
    assert [(line["device"], line["lease"]) for line in _noticed_lines(lines)] == [
        (site.device.device_id, 9),
        (second_clock.device_id, 5),
    ]
    assert [serial for serial, _, _ in _noted(site)] == ["SW-T-1", "SW-T-2"]


def test_it_is_not_said_of_what_is_rolled_back(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a fault of the program")

    batch = _ahead(site)
    with monkeypatch.context() as patched, capture_logs() as lines:
        patched.setattr(merge_module, "_answer", broken)
        merge(site.world.platform, [as_call(site.device, batch)])
    assert (_noticed_lines(lines), _noted(site)) == ([], [])
    with capture_logs() as lines:
        site.device.sent(batch)
    assert (len(_noticed_lines(lines)), len(_noted(site))) == (1, 1)


def test_a_merge_that_begins_again_carefully_says_it_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    receive, calls = intake.receive, list[bool]()

    def unforeseen_at_first(*arguments: Any) -> Any:
        calls.append(True)
        if len(calls) == 1:
            raise RetryWithAllLocks
        return receive(*arguments)

    monkeypatch.setattr(merge_module, "receive", unforeseen_at_first)
    with capture_logs() as lines:
        site.device.sent(_ahead(site))
    assert (len(calls), len(_noticed_lines(lines)), len(_noted(site))) == (2, 1, 1)


LOST = "6f1c0e52-77a1-4f0e-9b1d-0a1b2c3d4e5f"


def _asks_for_all(site: Site, answer: dict[str, Any]) -> bool:
    """Whether an answer asks for the last 30 days; that it asks for nothing else is certain."""
    since_time = format_instant(site.clock.now() - timedelta(days=30))
    assert answer["actions"] in ([], [{"replay": {"since": since_time}}])
    return bool(answer["actions"])


@ON_BOTH
@pytest.mark.parametrize("lease", [1, 2])
def test_a_lease_from_an_answer_that_this_server_lost_asks_for_everything_whatever_it_is(
    site: Site, lease: int
) -> None:
    """A card lives twice: of its lives one holds the highest lease, and the other what is pending, or less."""
    site.device.deliver(site.device.tap(ANNA, MORNING))
    batch = {**site.device.batch(site.device.tap(ANNA, MORNING + hours(4)), lease=lease), "leaseFrom": LOST}
    with capture_logs() as lines:
        answers = [site.device.sent(batch) for _ in range(2)]  # the first one is lost on its way
    assert [_asks_for_all(site, answer) for answer in answers] == [True, True]
    assert [line["lease"] for line in _noticed_lines(lines)] == [lease]
    next_batch = site.device.batch(site.device.tap(ANNA, MORNING + hours(5)), lease=answers[1]["lease"])
    assert not _asks_for_all(site, site.device.sent({**next_batch, "leaseFrom": batch["batch"]}))


@pytest.mark.parametrize(("lease", "lease_from"), [(None, LOST), (2, None), (2, "x")])
def test_without_a_lease_or_its_origin_nothing_is_asked_for(
    site: Site, lease: int | None, lease_from: str | None
) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    batch = site.device.batch(site.device.tap(ANNA, MORNING + hours(4)), lease=lease)
    assert not _asks_for_all(site, site.device.sent({**batch, "leaseFrom": lease_from}))


@pytest.mark.parametrize("lease", [None, 1])
def test_a_usual_lease_says_nothing(site: Site, lease: int | None) -> None:
    with capture_logs() as lines:
        site.device.deliver(site.device.tap(ANNA, MORNING), lease=lease)
    assert (_noticed_lines(lines), _noted(site)) == ([], [])
