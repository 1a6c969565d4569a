"""Heartbeats that arrive together: one statement for all of them, and each with an answer of its own."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.device_api.beats import device_state
from stempelwerk_cloud.device_api.beats.heartbeat import heartbeat
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.reported import beats
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.http.problems import Problem

from cloud.tests.device_client import Clock, iso
from cloud.tests.stamping import ANNA, MORNING, Site, as_beat, enrolled, hours

ROUNDS = 10


def together(site: Site, calls: Sequence[Call]) -> list[bytes | BaseException]:
    """Returns the answers to heartbeats that arrive at the same moment."""

    async def story() -> list[bytes | BaseException]:
        beats_of_all = (heartbeat(site.world.platform, call) for call in calls)
        return await asyncio.gather(*beats_of_all, return_exceptions=True)

    return asyncio.run(story())


def decode_answer(outcome: bytes | BaseException) -> dict[str, Any]:
    assert isinstance(outcome, bytes), outcome
    answer: dict[str, Any] = json.loads(outcome)
    return answer


def refusals(outcomes: Sequence[object]) -> list[tuple[int, str]]:
    return [(problem.status, problem.code) for problem in outcomes if isinstance(problem, Problem)]


def withdraw(site: Site, serial: str) -> None:
    with site.world.platform.database.write(SYSTEM) as session:
        session.execute(text("UPDATE devices SET revoked_at = 1 WHERE serial = :serial"), {"serial": serial})


@contextmanager
def counted_statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Statement]]:
    """The set-based statements that are sent meanwhile."""
    sent: list[Statement] = []
    several = Sql.several

    def noting(self: Sql, requests: Any, **how: Any) -> Any:
        sent.extend(statement for statement, _ in requests)
        return several(self, requests, **how)

    with monkeypatch.context() as noted:
        noted.setattr(Sql, "several", noting)
        yield sent


def test_each_refusal_among_many_heartbeats_is_that_ones_alone(site: Site) -> None:
    device = site.device
    good = site.another_clock("SW-T-2", 2)
    withdrawn = site.another_clock("SW-T-3", 3)
    withdraw(site, "SW-T-3")
    unknown = Clock(site.world.client, site.clock, "SW-T-4", withdrawn.rng)
    forged = as_beat(device)
    forged = replace(forged, request=replace(forged.request, body=forged.request.body + b" "))
    now = site.clock.now()
    site.clock.set(now - timedelta(minutes=6))
    late = as_beat(device)
    site.clock.set(now)
    calls = [
        as_beat(withdrawn),
        as_beat(device),
        as_beat(unknown),
        as_beat(device, clock={"boot": 1}),
        forged,
        late,
        as_beat(device, proto=2),
        as_beat(good),
    ]
    outcomes = together(site, calls)
    assert refusals(outcomes) == [
        (403, "revoked"),
        (401, "unknown_device"),
        (422, "unreadable_heartbeat"),
        (401, "bad_signature"),
        (401, "clock_skew"),
        (422, "unknown_proto"),
    ]
    assert [decode_answer(outcomes[place])["deviceId"] for place in (1, 7)] == [device.device_id, good.device_id]


def test_whoever_is_withdrawn_hears_that_before_what_is_wrong_with_the_heartbeat(site: Site) -> None:
    withdraw(site, "SW-T-1")
    outcomes = together(site, [as_beat(site.device, proto="x")])
    assert refusals(outcomes) == [(403, "revoked")]


def test_an_unassigned_clock_beyond_its_budget_is_refused_alone(site: Site) -> None:
    stranger, platform = enrolled(site.world, site.clock, "SW-T-9", 9), site.world.platform
    while site.clock.advance(milliseconds=1) or stranger.beat().status_code == 200:
        continue
    noted = beats.BEATS.of(platform).unwritten()
    site.clock.advance(milliseconds=1)
    outcomes = together(site, [as_beat(stranger), as_beat(site.device)])
    assert refusals(outcomes) == [(429, "too_many")]
    assert decode_answer(outcomes[1])["deviceId"] == site.device.device_id
    changed = beats.BEATS.of(platform).unwritten()
    assert {no for no in changed if changed[no] != noted.get(no)} == {1}


def test_one_statement_reads_for_all_heartbeats_whatever_they_are(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = site.world.platform
    clocks = [site.device, *(site.another_clock(f"SW-T-{number}", number) for number in range(2, 8))]
    clocks.append(enrolled(site.world, site.clock, "SW-T-9", 9))
    for clock in clocks:
        clock.beat()
    devices.write_beats(platform)
    withdraw(site, "SW-T-3")
    clocks[0].start_system()
    site.clock.advance(seconds=30)
    calls = [as_beat(clock) for clock in clocks]
    with counted_statements(monkeypatch) as sent:
        outcomes = together(site, calls)
    assert sent == [device_state._READ]
    assert refusals(outcomes) == [(403, "revoked")]
    assert len([outcome for outcome in outcomes if isinstance(outcome, bytes)]) == len(clocks) - 1


def test_each_of_many_heartbeats_at_once_is_answered_for_its_own_clock(site: Site) -> None:
    gate = site.another_clock("SW-T-2", 2)
    site.assign(gate, site.firm.id, "2026-11-19T04:00:00.000Z")
    gate.deliver(gate.tap(ANNA, MORNING))
    clocks = [site.device, gate, enrolled(site.world, site.clock, "SW-T-3", 3)]
    withdrawn = site.another_clock("SW-T-4", 4)
    withdraw(site, "SW-T-4")
    with ThreadPoolExecutor(12) as pool:
        for _ in range(ROUNDS):
            site.clock.advance(seconds=30)
            crowd = [clock for clock in [*clocks, withdrawn] for _ in range(3)]
            for clock, answer in zip(crowd, pool.map(lambda clock: clock.beat(), crowd), strict=True):
                if clock is withdrawn:
                    assert (answer.status_code, answer.json()["code"]) == (403, "revoked")
                    continue
                assert answer.status_code == 200, answer.text
                assert answer.json()["deviceId"] == clock.device_id
                assert (answer.json()["assignment"] is None) == (clock is clocks[2])
                assert answer.json()["lease"] == clock.lease


def test_one_clock_twice_among_them_leaves_its_newest(site: Site) -> None:
    platform, now = site.world.platform, site.clock.now()
    calls = [as_beat(site.device, seen_at) for seen_at in (now, now + timedelta(seconds=2), now + timedelta(seconds=1))]
    assert all(isinstance(outcome, bytes) for outcome in together(site, calls))
    beats.BEATS.of(platform).write(platform.database)
    with platform.database.read(SYSTEM) as session:
        boottimes = session.scalars(text("SELECT boottime_ms FROM device_beats")).all()
    assert boottimes == [site.device.boottime(now + timedelta(seconds=2))]


def test_who_needs_something_written_lets_nobody_wait(site: Site) -> None:
    """One clock misses rows, another has started twice: they are answered apart, while another transaction writes."""
    platform, device = site.world.platform, site.device
    postgresql = platform.database.dialect == "postgresql"
    restless, calm = site.another_clock("SW-T-2", 2), site.another_clock("SW-T-3", 3)
    device.deliver(device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(1), seq=5))
    site.clock.advance(hours=1)
    restless.start_system()
    restless.beat()
    first = restless.boot
    restless.start_system()
    calls = [as_beat(clock) for clock in (device, restless, calm)]
    answered: list[asyncio.Task[bytes]] = []

    async def story() -> list[bytes]:
        with platform.database.write(SYSTEM) as session:
            session.execute(text("UPDATE devices SET label_notes = 'x'"))
            session.execute(text("SELECT 1 FROM device_leases FOR UPDATE" if postgresql else "SELECT 1"))
            session.execute(text("SELECT 1 FROM device_beats FOR UPDATE" if postgresql else "SELECT 1"))
            tasks = [asyncio.create_task(heartbeat(platform, call)) for call in calls]
            await tasks[2]
            answered.extend(task for task in tasks if task.done())
        return await asyncio.gather(*tasks)

    gap, second, calmly = asyncio.run(story())
    assert len(answered) == 1
    assert decode_answer(calmly)["deviceId"] == calm.device_id
    assert {"replay": {"epoch": device.epoch, "from": 2, "to": 4}} in decode_answer(gap)["actions"]
    assert decode_answer(second)["serverTime"] == iso(site.clock.now())
    devices.write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        boots = set(session.execute(text("SELECT CAST(boot AS text) FROM device_boots")).scalars())
    assert {first, restless.boot} <= boots


def test_a_fault_with_one_heartbeat_fails_that_one_alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    calm = site.another_clock()
    note = devices.note_beat

    def broken(*args: Any, **kwargs: Any) -> bool:
        if args[1].device_no == 1:
            raise LookupError("a fault of the program")
        return note(*args, **kwargs)

    monkeypatch.setattr(devices, "note_beat", broken)
    outcomes = together(site, [as_beat(site.device), as_beat(calm)])
    assert isinstance(outcomes[0], LookupError)
    assert decode_answer(outcomes[1])["deviceId"] == calm.device_id
