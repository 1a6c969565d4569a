"""Beside which page others are measured, who they are; and beside one that does not come nothing is measured."""

from typing import Any

import pytest
from stempelwerk_cloud.app import create_app
from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.measures import beside
from stempelwerk_tools.bench.measures.readings import readings
from stempelwerk_tools.bench.sides.load import Answer, Run
from stempelwerk_tools.bench.sides.side import Void


class Clock:
    """A clock whose requests can be told from a page's."""

    def batch_of(self, _taps: Any) -> bytes:
        return b"batch"

    def signed(self, _method: str, path: str, _body: bytes) -> bytes:
        return f"signed {path}".encode()


@pytest.fixture
def people() -> Crowd:
    return Crowd("company-1", "user-1", "device-1", "absence-1", [Clock()], ["tag"], ["chief", "employee"])  # type: ignore[list-item]


@pytest.fixture
def asked(mocker: Any) -> Any:
    """Answers instead of a service, each `slow` seconds later; what was asked at once."""

    def laid(status: int = 200, seconds: float = 0.02) -> list[list[list[bytes]]]:
        seen: list[list[list[bytes]]] = []

        def run(_port: int, requests: list[list[bytes]]) -> Run:
            seen.append(requests)
            heavy = b"chief" in requests[0][0]
            answer = Answer(status if heavy else 200, b"", seconds)
            return Run([[answer] * len(each) for each in requests], seconds)

        mocker.patch.object(beside, "run", run)
        mocker.patch.object(beside, "WINDOW_S", 0)
        return seen

    return laid


def _p50s(slow: str) -> dict[Any, float]:
    every = {one.asked: one for one in readings(create_app().openapi())}
    return {one: 500.0 if slow in name else 1.0 for name, one in every.items()}


def test_the_page_whose_calls_take_longest_is_loaded_and_somebody_and_a_clock_are_measured(people: Crowd, asked: Any):
    seen = asked()
    findings, table = beside.measure(1, people, _p50s("/accounts"), 12)
    assert [(one.value, one.met) for one in findings] == [(20, True), (20, True)]
    assert all("'Zeitkonten'" in one.goal for one in findings)
    pages = [one for one in seen if b"chief" in one[0][0]]
    assert pages
    assert all(len(one) == len(beside.PAGES["Zeitkonten"]) for one in pages)
    measured = [one for one in seen if one not in pages]
    assert [(len(asking), len(stamps)) for asking, stamps in measured] == [(12, 12)] * 2
    assert all(b"employee" in each for asking, _ in measured for each in asking)
    assert all(each == b"signed /api/devices/stamps" for _, stamps in measured for each in stamps)
    assert "20.0 / 20.0" in table


def test_who_waits_too_long_misses_the_goal(people: Crowd, asked: Any):
    asked(seconds=0.055)
    findings, _ = beside.measure(1, people, _p50s("/accounts"), 12)
    assert [one.met for one in findings] == [False, True]


def test_beside_a_page_that_is_refused_nothing_is_measured(people: Crowd, asked: Any):
    asked(status=429)
    with pytest.raises(Void, match="429"):
        beside.measure(1, people, _p50s("/accounts"), 12)
