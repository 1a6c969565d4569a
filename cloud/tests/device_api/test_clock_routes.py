"""Calls of clocks are answered without FastAPI between a request and its answer, and refused like all others."""

import pytest
from stempelwerk_cloud.device_api import api
from stempelwerk_cloud.device_api.signed.clock_route import ClockRoute
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.stamping import ANNA, MORNING, Site

FREQUENT = {"/api/devices/heartbeat", "/api/devices/stamps", "/api/devices/people"}


def test_what_clocks_call_all_the_time_goes_past_what_fastapi_does_for_any_endpoint() -> None:
    direct = {route.path for route in api.router.routes if isinstance(route, ClockRoute) and route.is_direct}
    assert direct >= FREQUENT


def test_a_failure_of_a_clocks_call_is_answered_as_a_problem_and_the_next_one_well(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Platform) -> None:
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as patched:
        patched.setattr(api.gate, "check_own_time", fail)
        answer = site.device.post("/api/devices/stamps", site.device.batch())
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert answer.headers["cache-control"] == "no-store"
    assert site.device.deliver(site.device.tap(ANNA, MORNING))["results"][0]["outcome"] == "stored"


def test_another_method_of_a_clocks_call_is_refused(site: Site) -> None:
    assert site.device.send("POST", "/api/devices/people").status_code == 405


def test_what_stands_behind_the_path_is_read_however_it_is_written(site: Site) -> None:
    revision = site.device.send("GET", "/api/devices/people").json()["revision"]
    percent_encoded = revision.replace("-", "%2D")
    assert site.device.send("GET", f"/api/devices/people?since={percent_encoded}").json()["reset"] is False
