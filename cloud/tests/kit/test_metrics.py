"""Figures for the operator, on a port of their own and without anybody's name."""

from urllib.request import urlopen

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.kit.metrics import Metrics, MetricsServer
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.world import Firm


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database plays no part here."""
    return sqlite_url


def _scrape(metrics: Metrics) -> str:
    server = MetricsServer(metrics, "127.0.0.1", 0)
    server.start()
    try:
        with urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as answer:
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


def test_stamps_lag_held_and_clocks_have_their_figures(platform: Platform) -> None:
    platform.metrics.stamps.labels("stored").inc(3)
    text = _scrape(platform.metrics)
    for line in ('stempelwerk_stamps_total{outcome="stored"} 3.0', "stempelwerk_stamp_lag_seconds_count 0.0"):
        assert line in text
    for name in ("stempelwerk_held_stamps", "stempelwerk_online_clocks", "stempelwerk_event_streams"):
        assert f"# TYPE {name} gauge" in text


def test_the_web_does_not_serve_them(client: TestClient) -> None:
    assert "stempelwerk_requests" not in client.get("/metrics").text
