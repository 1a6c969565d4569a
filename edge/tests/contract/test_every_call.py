"""An answer means the same whatever the call: the other calls take it as a delivery does."""

import asyncio
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import Then
from stempelwerk_edge.errors import CloudError
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import TAG
from edge.tests.contract.conftest import cases
from edge.tests.contract.test_vectors_on_the_clock import IDENTITY, VectorClock
from edge.tests.rig import Rig

CALLS: dict[str, tuple[str, str, Callable[[bytes], object], bytes | None]] = {
    "heartbeat": ("POST", wire.HEARTBEAT, wire.read_welcome, b"{}"),
    "people": ("GET", wire.PEOPLE, wire.read_people, None),
    "logs": ("POST", wire.LOGS, wire.read_log_results, b"{}"),
    "answers": ("POST", wire.ANSWERS, wire.read_answer_results, b"{}"),
}
UNANSWERED = [case for case in cases("delivery") if case.values[0]["answer"].get("status") != 200]
HERE = {"batch": "b", "stamps": [], "lease": 7, "serverId": "here", "enrolledJustNow": False, "signedAgain": False}


@pytest.fixture
def hang_up(memory: Path) -> Iterator[Callable[..., VectorClock]]:
    """Makes the clock of a vector."""
    clocks: list[VectorClock] = []

    def make(clock: dict[str, Any], answer: dict[str, Any]) -> VectorClock:
        clocks.append(VectorClock(memory, clock, answer))
        return clocks[-1]

    yield make
    for clock in clocks:
        clock.journal.close()
        clock.people.close()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("given", "expected"), UNANSWERED)
def test_no_answer_means_to_every_call_what_it_means_to_a_delivery(
    hang_up: Callable[..., VectorClock], given: dict[str, Any], expected: dict[str, Any], call: str
) -> None:
    method, path, read, body = CALLS[call]
    clock = hang_up(given["clock"], given["answer"])
    answer, meaning = asyncio.run(clock.session.call(method, path, read, body))
    paths, connection = clock.told_afterwards()
    assert isinstance(answer, CloudError)
    assert paths == {"enrol": [wire.ENROLL, path], "sign_again": [path]}.get(expected["then"], [])
    assert connection == expected["connection"]
    assert (meaning.then, meaning.wait_s) == (
        Then.WAIT if expected["then"] == "wait" else Then.BACK_OFF,
        expected["waitSeconds"],
    )
    assert (clock.people.by_tag(TAG) is None) == expected["wipePeople"]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("nonsense", ["", "<html>Willkommen im WLAN</html>", "[]", "{}", '"ok"', '{"results": 1}'])
def test_nonsense_is_no_answer_to_any_call(hang_up: Callable[..., VectorClock], nonsense: str, call: str) -> None:
    method, path, read, body = CALLS[call]
    clock = hang_up(HERE, {"status": 200, "headers": {}, "body": nonsense})
    answer, meaning = asyncio.run(clock.session.call(method, path, read, body))
    assert isinstance(answer, CloudError)
    assert (meaning.then, clock.screen.status["connection"]) == (Then.BACK_OFF, "offline")


@pytest.mark.parametrize("server_id", ["here", "elsewhere"])
def test_a_heartbeat_tells_another_server_as_a_delivery_does(
    hang_up: Callable[..., VectorClock], server_id: str
) -> None:
    lease = 7 if server_id == "here" else 1
    body = {"deviceId": "device", "serverId": server_id, "lease": lease, "assignment": None}
    clock = hang_up(HERE, {"status": 200, "headers": {}, "body": json.dumps(body)})
    answer, meaning = asyncio.run(clock.session.call("POST", wire.HEARTBEAT, wire.read_welcome, b"{}"))
    assert isinstance(answer, wire.Welcome)
    clock.session.welcomed(answer)
    assert meaning.another_server == (server_id == "elsewhere")
    assert clock.membership.current.server_id == server_id
    assert clock.state.lease(IDENTITY.keyid) == lease
    assert bool(clock.marks()) != meaning.another_server
    assert clock.people.by_tag(TAG) is not None
    assert (clock.people.revision is None) == meaning.another_server


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("path", [wire.STAMPS, wire.HEARTBEAT, wire.PEOPLE, wire.LOGS, wire.ANSWERS])
def test_every_loop_waits_as_long_as_it_is_asked_to(memory: Path, path: str, status: int) -> None:
    def busy(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers={"Retry-After": "600"}, json={"code": "too_many"})

    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        rig.answers(busy, path)
        rig.start()
        rig.says_when_they_left()
        rig.tap()
        rig.wait(minutes=9)
        assert len(rig.requests(path)) == 1
        rig.answers(None)
        rig.wait(minutes=3)
        assert len(rig.requests(path)) > 1
        assert rig.delivered() == rig.toned
        rig.crash()


@pytest.mark.parametrize("path", [wire.STAMPS, wire.HEARTBEAT])
def test_clocks_that_are_asked_to_wait_at_once_come_back_soon_and_not_together(memory: Path, path: str) -> None:
    """Asked to wait for 2 s: at first within 4 s, each at its own moment; and a heartbeat by and by at its pace."""
    asked_at: list[float] = []

    with simulated_loop() as loop:

        def busy(_: httpx.Request) -> httpx.Response:
            asked_at.append(loop.time())
            return httpx.Response(503, headers={"Retry-After": "2"}, json={"code": "unavailable"})

        rig = Rig(loop, memory)
        rig.answers(busy, path)
        rig.start()
        rig.tap()
        rig.wait(minutes=5)
        rig.answers(None)
        rig.wait(minutes=1)
        assert rig.delivered() == rig.toned
        rig.crash()
    pauses = [later - earlier for earlier, later in pairwise(asked_at)]
    assert all(pause >= 2 for pause in pauses)
    assert 2 < pauses[0] <= 4
    assert len({round(pause, 3) for pause in pauses[:5]}) == 5
    if path == wire.HEARTBEAT:
        assert all(24 <= pause <= 36 for pause in pauses[6:])


def test_a_tap_does_not_shorten_a_wait_that_the_service_asked_for(memory: Path) -> None:
    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        rig.start()
        rig.wait(seconds=1)
        rig.answers(
            lambda _: httpx.Response(429, headers={"Retry-After": "600"}, json={"code": "too_many"}), wire.STAMPS
        )
        rig.restart()
        rig.tap()
        rig.wait(seconds=5)
        rig.answers(None)
        sent = len(rig.requests(wire.STAMPS))
        rig.tap()
        rig.wait(minutes=9)
        assert len(rig.requests(wire.STAMPS)) == sent
        rig.wait(minutes=2)
        assert rig.delivered() == rig.toned
        rig.crash()
