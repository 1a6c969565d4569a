"""The page that others are measured against, and who they are; a page that does not load voids the measurement."""

from typing import Any

import pytest
from stempelwerk_cloud.app import create_app
from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.measures import beside
from stempelwerk_tools.bench.measures.readings import readings
from stempelwerk_tools.bench.sides.load import Answer, Run
from stempelwerk_tools.bench.sides.side import Void


class Clock:
    """A clock whose requests differ from a page's."""

    def batch_of(self, _taps: Any) -> bytes:
        return b"batch"

    def signed(self, _method: str, path: str, _body: bytes) -> bytes:
        return f"signed {path}".encode()


@pytest.fixture
def people() -> Crowd:
    return Crowd("company-1", "user-1", "device-1", "absence-1", [Clock()], ["tag"], ["chief", "employee"])  # type: ignore[list-item]


@pytest.fixture
def stub_run(mocker: Any) -> Any:
    """Answers instead of a service, each `slow` seconds later; what was stub_run at once."""

    def stub(status: int = 200, seconds: float = 0.02) -> list[list[list[bytes]]]:
        sent_requests: list[list[list[bytes]]] = []

        def run(_port: int, requests: list[list[bytes]]) -> Run:
            sent_requests.append(requests)
            heavy = b"chief" in requests[0][0]
            answer = Answer(status if heavy else 200, b"", seconds)
            return Run([[answer] * len(each) for each in requests], seconds)

        mocker.patch.object(beside, "run", run)
        mocker.patch.object(beside, "WINDOW_S", 0)
        return sent_requests

    return stub


def _p50s(slow: str) -> dict[Any, float]:
    by_call = {reading.call: reading for reading in readings(create_app().openapi())}
    return {reading: 500.0 if slow in name else 1.0 for name, reading in by_call.items()}


def test_the_page_whose_calls_take_longest_is_loaded_and_an_employee_and_a_clock_are_measured(
    people: Crowd, stub_run: Any
):
    sent = stub_run()
    findings, table = beside.measure(1, people, _p50s("/accounts"), 12)
    assert [(finding.value, finding.met) for finding in findings] == [(20, True), (20, True)]
    assert all("'Zeitkonten'" in finding.goal for finding in findings)
    pages = [lanes for lanes in sent if b"chief" in lanes[0][0]]
    assert pages
    assert all(len(lanes) == len(beside.PAGES["Zeitkonten"]) for lanes in pages)
    measured = [lanes for lanes in sent if lanes not in pages]
    assert [(len(asking), len(stamps)) for asking, stamps in measured] == [(12, 12)] * 2
    assert all(b"employee" in each for asking, _ in measured for each in asking)
    assert all(each == b"signed /api/devices/stamps" for _, stamps in measured for each in stamps)
    assert "20.0 / 20.0" in table


def test_a_longer_wait_misses_the_goal(people: Crowd, stub_run: Any):
    stub_run(seconds=0.055)
    findings, _ = beside.measure(1, people, _p50s("/accounts"), 12)
    assert [finding.met for finding in findings] == [False, True]


def test_a_refused_page_voids_the_measurement(people: Crowd, stub_run: Any):
    stub_run(status=429)
    with pytest.raises(Void, match="429"):
        beside.measure(1, people, _p50s("/accounts"), 12)
