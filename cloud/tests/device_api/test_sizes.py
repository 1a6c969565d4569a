"""The size of clocks' messages: larger than any clock can send is refused unread, the largest possible is accepted."""

import base64
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import text
from stempelwerk_cloud.device_api import wire
from stempelwerk_cloud.device_api.room import BODY_LIMITS, ROOM
from stempelwerk_edge.cloud import wire as spoken
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.machine.trusted_time import Anchor, Quality, Reading, sufficient
from stempelwerk_edge.storage.rows import Draft, Epoch, GoneAnswer, Row

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock
from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled
from cloud.tests.world import World

LONGEST = "ß" * 64
"""As long as a word of the contract may be."""
TABLES = ("devices", "receipts", "device_logs", "anchors", "unassigned_stamps", "boots", "batches")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the bodies that are parsed."""
    sizes: list[int] = []
    read = wire.read_object

    def noting(body: bytes) -> dict[str, Any]:
        sizes.append(len(body))
        return read(body)

    monkeypatch.setattr(wire, "read_object", noting)
    return sizes


def rows(world: World) -> dict[str, int]:
    with world.platform.database.engine.connect() as sql:
        return {name: sql.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in TABLES}


def message(clock: Clock, path: str) -> dict[str, Any]:
    """Returns what an honest clock may send to the call."""
    entry = {"id": clock.uuid4(), "at": "2026-11-20T08:00:00.000Z", "level": "info", "code": "x", "message": "x"}
    messages = {
        "enroll": {"proto": 1, "publicKey": base64.b64encode(clock.public_key).decode(), "serial": "SW"}
        | {"mac": "-", "profile": "core", "version": "1", "hardwareId": clock.hardware_id},
        "heartbeat": clock.heartbeat(),
        "stamps": clock.batch(clock.tap(NOBODY, MORNING)),
        "logs": {"entries": [entry]},
        "answers": {"answers": [{"id": clock.uuid4()}]},
    }
    body: dict[str, Any] = messages[path.rsplit("/", 1)[-1]]
    return body


def assigned(site: Site) -> Clock:
    return site.device


def unassigned(site: Site) -> Clock:
    return enrolled(site.world, site.clock, "SW-X", 9)


def unknown(site: Site) -> Clock:
    return Clock(site.world.client, site.clock, serial="SW-Y", rng=random.Random(11))


@ON_BOTH
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("make_clock", [assigned, unassigned, unknown])
def test_a_message_that_no_clock_can_send_is_refused_unread(
    site: Site, parsed: list[int], make_clock: Callable[[Site], Clock], streamed: bool
) -> None:
    clock = make_clock(site)
    parsed.clear()
    rows_before = rows(site.world)
    for path, limit in BODY_LIMITS.items():
        sent_message = message(clock, path)
        body = json.dumps(sent_message | {"junk": "x" * limit}).encode()
        headers, _ = clock.signed(sent_message, path)
        answer = site.world.client.post(path, content=iter([body]) if streamed else body, headers=headers)
        code = "batch_too_large" if path.endswith("stamps") else "too_large"
        assert (answer.status_code, answer.json()["code"]) == (413, code), path
    assert parsed == []
    assert rows(site.world) == rows_before


def test_only_an_enrolment_is_parsed_before_its_signature_is_judged(site: Site, parsed: list[int]) -> None:
    stranger = unknown(site)
    for path, limit in BODY_LIMITS.items():
        sent_message = message(stranger, path)
        body = json.dumps(sent_message | {"junk": "x" * (limit - 2000)}).encode()
        headers, _ = stranger.signed(sent_message, path)
        assert site.world.client.post(path, content=body, headers=headers).status_code == 401, path
    assert len(parsed) == 1
    assert parsed[0] <= BODY_LIMITS["/api/devices/enroll"]


@ON_BOTH
def test_no_enrolment_is_parsed_while_it_may_write(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    writing: list[bool] = []
    database = site.world.platform.database
    write, read = database.write, wire.read_object
    inside = []

    def noting_write(*scopes: Any) -> Any:
        inside.append(True)
        return write(*scopes)

    def noting_read(body: bytes) -> dict[str, Any]:
        writing.append(bool(inside))
        return read(body)

    monkeypatch.setattr(database, "write", noting_write)
    monkeypatch.setattr(wire, "read_object", noting_read)
    assert unknown(site).enrol().status_code == 200
    assert writing == [False]
    assert inside


def largest_batch(clock: Clock) -> bytes:
    """500 stamps, each of a boot of its own with two anchors, after a thousand losses."""
    readings = [
        Reading(MORNING + timedelta(minutes=n), boot, 4 * 10**12, Quality.NTP)
        for n, boot in enumerate(clock.uuid4() for _ in range(500))
    ]
    anchors = [
        Anchor(reading.boot, reading.boottime_ms - back, MORNING, rtt)
        for reading in readings
        for back, rtt in ((10**6, 1), (0, 10**12))
    ]
    drafts = [
        Draft(clock.tap(NOBODY)["id"], clock.uuid4(), LONGEST, "auto", reading, LONGEST, "double_tap")
        for reading in readings
    ]
    epoch = Epoch(1, clock.uuid4(), clock.uuid4(), 2**53 - 1)
    given_up = [(2**40 + 2 * n, 2**40 + 2 * n) for n in range(1000)]
    stamps = [Row(2**32 + n + 1, epoch.id, draft) for n, draft in enumerate(drafts)]
    sufficient_anchors = sufficient(readings, anchors)
    assert len(sufficient_anchors) == wire.MAX_ANCHORS
    return spoken.encode(spoken.batch(clock.uuid4(), 1, clock.uuid4(), epoch, stamps, given_up, sufficient_anchors))


def largest_enrolment(clock: Clock) -> bytes:
    hardware = Hardware("ß" * 100, "ß" * 100, "ß" * 100)
    return spoken.encode(spoken.enrolment(hardware, "ß" * 100, "ß" * 100, clock.public_key))


def largest_heartbeat(clock: Clock) -> bytes:
    """Returns the heartbeat of a clock with the most scanners."""
    scanner = {
        "serial": LONGEST,
        "board": LONGEST,
        "version": LONGEST,
        "battery": 100,
        "charging": True,
        "log": {"used": 2**53 - 1, "capacity": 2**53 - 1},
        "overflow": 2**53 - 1,
        "reader": "absent",
        "lastSeen": "2026-11-20T08:00:00.000Z",
        "connected": True,
    }
    reading = Reading(MORNING, clock.boot, 4 * 10**12, Quality.MANUAL)
    largest = 2**53 - 1
    condition = spoken.Condition(
        *(LONGEST, LONGEST, LONGEST, LONGEST, largest, reading, largest, MORNING, largest, "absent"),
        scanners=[scanner | {"serial": f"{n:02}" + LONGEST[2:]} for n in range(24)],
        platform=LONGEST,
        update=(LONGEST, LONGEST),
    )
    return spoken.encode(spoken.heartbeat(condition))


def largest_logs(clock: Clock) -> bytes:
    """A hundred sentences of signs that JSON writes with six bytes each, and more in `meta` than any has."""
    line = {
        "level": "error",
        "code": "x" * 64,
        "message": "\x01" * 500,
        "meta": {"where": "\x01" * 150, "repeated": 10},
    }
    return spoken.encode(spoken.logs([{"id": clock.uuid4(), "at": MORNING, **line} for _ in range(100)]))


def largest_answers(clock: Clock) -> bytes:
    return spoken.encode(
        spoken.answers([GoneAnswer(clock.uuid4(), clock.uuid4(), "2026-11-19", "16:30", MORNING) for _ in range(500)])
    )


@pytest.mark.parametrize(
    ("call", "largest"),
    [
        ("enroll", largest_enrolment),
        ("heartbeat", largest_heartbeat),
        ("stamps", largest_batch),
        ("logs", largest_logs),
        ("answers", largest_answers),
    ],
)
def test_the_largest_message_that_a_clock_composes_is_at_most_half_of_what_is_taken(
    site: Site, call: str, largest: Callable[[Clock], bytes]
) -> None:
    path = f"/api/devices/{call}"
    body = largest(site.device)
    assert 2 * len(body) <= BODY_LIMITS[path]
    answer = site.device.send("POST", path, body)
    assert answer.status_code == 200, answer.text
    results = answer.json().get("results", [])
    assert len(results) == {"stamps": 500, "logs": 100, "answers": 500}.get(call, 0)
    assert {result["outcome"] for result in results} <= {"stored"} if call in {"stamps", "logs"} else True


def test_every_call_of_clocks_that_takes_a_message_has_a_limit() -> None:
    posts = {route.path for route in ROOM.calls if isinstance(route, APIRoute) and "POST" in route.methods}
    assert posts == set(BODY_LIMITS)


@ON_BOTH
@pytest.mark.parametrize("call", ["heartbeat", "logs", "answers"])
def test_no_message_is_parsed_on_the_event_loop_or_while_it_may_write(
    site: Site, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, write, read = site.world.platform.database, site.world.platform.database.write, wire.read_object
    writing, in_write = threading.local(), []

    @contextmanager
    def noting_write(*scopes: Any) -> Iterator[Any]:
        with write(*scopes) as tx:
            writing.now = True
            try:
                yield tx
            finally:
                writing.now = False

    def noting_read(body: bytes) -> dict[str, Any]:
        in_write.append((threading.current_thread().name, getattr(writing, "now", False)))
        return read(body)

    monkeypatch.setattr(database, "write", noting_write)
    monkeypatch.setattr(wire, "read_object", noting_read)
    assert site.device.post(f"/api/devices/{call}", message(site.device, call)).status_code == 200
    assert len(in_write) == 1
    (thread, wrote) = in_write[0]
    assert thread.startswith(("beats", "clocks")), thread
    assert not wrote


@pytest.mark.parametrize("call", ["logs", "answers"])
def test_what_an_unassigned_clock_sends_beyond_its_budget_is_not_parsed(
    site: Site, parsed: list[int], call: str
) -> None:
    stranger = unassigned(site)
    path = f"/api/devices/{call}"
    body = message(stranger, call) | {"junk": "x" * (BODY_LIMITS[path] - 2000)}
    parsed.clear()
    count = 0
    while (answer := stranger.post(path, body)).status_code == 200:
        count += 1
        assert count < 200
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert len(parsed) == count
