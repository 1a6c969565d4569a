"""Figures for the operator, on a separate port and without names of persons."""

import re
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client import Counter
from prometheus_client.metrics import MetricWrapperBase
from stempelwerk_cloud import jobs, serving
from stempelwerk_cloud.app import ROOMS
from stempelwerk_cloud.device_api.delivery import merge as merge_module
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.rollouts.tables import Rollout
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations.metrics import Metrics, MetricsServer
from stempelwerk_cloud.kit.operations.tables import ServiceTime
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.settable_clock import START
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Site, as_call, hours
from cloud.tests.streams import listening
from cloud.tests.waiting import until
from cloud.tests.world import Firm

OPERATIONS = Path(__file__).resolve().parents[3] / "docs" / "operations.md"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database plays no part here."""
    return sqlite_url


def _scrape(metrics: Metrics) -> str:
    server = MetricsServer(metrics, serving.bind(serving.Address("127.0.0.1", 0)))
    server.start()
    try:
        with urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=60) as answer:
            text: str = answer.read().decode()
            return text
    finally:
        server.stop()


def test_requests_are_counted_by_route_and_never_by_path(firm: Firm, platform: Platform) -> None:
    firm.boss.get(f"/api/companies/{firm.id}/users")
    firm.boss.get("/api/nothing/secret-path")
    text = _scrape(platform.metrics)
    assert 'route="/api/companies/{companyId}/users",status="200"} 1.0' in text
    assert 'route="other",status="404"} 1.0' in text
    assert firm.id not in text
    assert "secret-path" not in text


def _figures(platform: Platform) -> dict[str, float]:
    """Returns every sample by its name and labels, without a histogram's buckets and creation times."""
    return {
        f"{sample.name}{sorted(sample.labels.values()) or ''}": sample.value
        for family in platform.metrics.registry.collect()
        for sample in family.samples
        if not sample.name.endswith(("_bucket", "_created"))
    }


def _stamps(platform: Platform) -> dict[str, float]:
    """Returns the figures of stamps."""
    return {
        name.removeprefix("stempelwerk_stamp"): value
        for name, value in _figures(platform).items()
        if name.startswith("stempelwerk_stamp") and value
    }


def test_a_stored_stamp_is_counted_with_its_lag(site: Site, platform: Platform) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(4)))
    assert _stamps(platform) == {"s_total['stored']": 2, "_lag_seconds_count": 2, "_lag_seconds_sum": 20 * 3600}


def test_the_lag_counts_from_the_true_time_and_not_from_a_wrong_wall(site: Site, platform: Platform) -> None:
    wrong = site.device.tap(ANNA, MORNING, wall="1970-01-01T00:00:00.000Z", quality="none")
    site.device.deliver(wrong, anchors=[site.device.anchor(MORNING, rtt_ms=0)])
    assert _stamps(platform)["_lag_seconds_sum"] == 12 * 3600


def test_the_same_batch_twice_stores_nothing_twice(site: Site, platform: Platform) -> None:
    batch = site.device.batch(site.device.tap(ANNA, MORNING))
    site.device.sent(batch)
    site.device.sent(batch)
    site.device.deliver(*batch["stamps"])
    figures = _stamps(platform)
    assert (figures["s_total['stored']"], figures["_lag_seconds_count"]) == (1, 1)
    assert figures["s_total['duplicate']"] == 2


def test_other_words_and_what_cannot_be_read_have_outcomes_of_their_own(site: Site, platform: Platform) -> None:
    tap = site.device.tap(ANNA, MORNING)
    site.device.deliver(tap)
    site.device.deliver(tap | {"direction": "out"}, {"nonsense": True})
    figures = _stamps(platform)
    assert [figures[f"s_total['{outcome}']"] for outcome in ("stored", "variant", "quarantined")] == [1, 1, 1]
    assert figures["_lag_seconds_count"] == 1


def test_what_is_rolled_back_is_not_counted(site: Site, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a fault of the program")

    batch = site.device.batch(site.device.tap(ANNA, MORNING))
    with monkeypatch.context() as patched:
        patched.setattr(merge_module, "_answer", broken)
        (outcome,) = merge_module.merge(platform, [as_call(site.device, batch)])
    assert isinstance(outcome, LookupError)
    assert _stamps(platform) == {}
    site.device.sent(batch)
    assert _stamps(platform)["s_total['stored']"] == 1


def test_every_figure_is_documented_and_written_by_a_real_run(site: Site, app: FastAPI, client: TestClient) -> None:
    platform: Platform = app.state.platform
    site.another_clock()  # falls silent
    site.clock.advance(minutes=10)
    site.device.beat()
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(NOBODY, MORNING))
    _leave_something_in_the_outbox(platform, site.firm.id)
    _leave_an_alarm_and_a_stopped_rollout(platform, site.firm.id)
    with platform.database.write(SYSTEM) as session:
        session.add(ServiceTime(trusted_at=MORNING, doubted_from=START, doubted_at=START))
    jobs.measure(platform, ROOMS)

    async def figures_beside_a_stream() -> dict[str, float]:
        path = f"/api/users/{site.firm.anna.id}/times/stream"
        async with listening(app, path, site.somebody(site.firm.anna).headers):
            return _figures(platform)

    assert client.portal is not None
    figures = client.portal.call(figures_beside_a_stream)
    unwritten = {
        family.name
        for family in platform.metrics.registry.collect()
        if not any(value for name, value in figures.items() if name.startswith(family.name))
    }
    assert not unwritten
    assert _documented() == _registered(platform.metrics)


def _leave_an_alarm_and_a_stopped_rollout(platform: Platform, company_id: str) -> None:
    now, ids = platform.clock.now(), platform.ids
    with platform.database.write(SYSTEM) as session:
        session.add(Alarm(company_id=company_id, id=ids.new(), device_no=0, kind="network", since=now, raised=True))
        stopped = {"channel": "stable", "version": "1.6.0", "state": "stopped", "platforms": '["cp311-x86_64"]'}
        session.add(Rollout(id=ids.new(), stages="[]", stage_days=1, started_at=now, **stopped))


def _leave_something_in_the_outbox(platform: Platform, company_id: str) -> None:
    """Adds a failed and a waiting row."""

    def give_up(*_: object) -> None:
        raise outbox.PermanentFailure("never")

    platform.outbox.declare({"test.never": give_up})
    with platform.database.write(SYSTEM) as session:
        outbox.add(session, platform, company_id, "test.never", {})
        outbox.add(session, platform, company_id, "test.never", {}, platform.clock.now() + timedelta(hours=1))
    until(lambda: outbox.failed(platform))


def _registered(metrics: Metrics) -> dict[str, tuple[str, ...]]:
    """Returns the figures with their labels, by the names under which they are scraped."""
    collectors = [metric for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]
    return {metric._name + "_total" * isinstance(metric, Counter): tuple(metric._labelnames) for metric in collectors}


def _documented() -> dict[str, tuple[str, ...]]:
    """Returns the figures with their labels, as the operator's page has them."""
    rows = re.findall(r"^\| `(stempelwerk_\w+)(?:\{([\w,]+)\})?` \|", OPERATIONS.read_text("utf-8"), re.MULTILINE)
    return {name: tuple(labels.split(",")) if labels else () for name, labels in rows}


def test_the_web_does_not_serve_them(client: TestClient) -> None:
    assert "stempelwerk_requests" not in client.get("/metrics").text
