"""The agent and new versions: it fetches at once, goes over in its hour, keeps what has proven itself, and never stops
stamping for it."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.errors import NoSuchCall, NotFetched, NotTrusted
from stempelwerk_edge.updates import fetching, health
from stempelwerk_edge.updates.launcher import Places, choose, own_platform, read, slots, store
from stempelwerk_edge.updates.loop import Updating, package_starts
from stempelwerk_edge.updates.slots import fill
from stempelwerk_edge.updates.window import PATIENCE
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import MORNING, TestMachine
from edge.tests.rig import Rig
from edge.tests.updates.repository import SignedRepository, lay_down, places, program

NEW = "1.1.0"
TRIAL_S = 300
ADDRESS = TestMachine().address()


class UpdatingRig(Rig):
    """A clock that updates; its updater runs when something was laid down. `ended` counts its own ends."""

    def __init__(self, loop: Any, folder: Path) -> None:
        super().__init__(loop, folder / "data")
        self.directory.mkdir()
        self.repository = SignedRepository(MORNING - timedelta(days=1))
        self.places = places(folder, self.repository)
        self.target = self.repository.add(NEW, program(NEW))
        self.ended, self.gathered = 0, 0
        self.refuse: Exception | None = None
        self.updating = Updating(self.places, None, self._end, self._gather)
        self.cloud.release = (200, {"channel": "stable", "version": NEW, "target": self.target, "notes": "Neu."})

    def _end(self) -> None:
        self.ended += 1

    async def _gather(self, session: CloudSession, where: Places, target: str, now: datetime) -> str:
        self.gathered += 1
        if self.refuse is not None:
            raise self.refuse
        lay_down(where, self.repository, target, now)
        fill(where)
        return now.isoformat()

    def offer(self, **more: Any) -> None:
        self.cloud.update = {"version": NEW, **more}

    def on_trial(self, reader: str = "absent", tries: int = 1, reached_from: str | None = ADDRESS) -> None:
        """The new version is what runs now, and on trial."""
        [slot] = slots(self.places)
        self.version, self.updating = NEW, Updating(self.places, slot, self._end, self._gather)
        trial = {"id": slot, "version": NEW, "tries": tries, "reader": reader, "reached_from": reached_from}
        store(self.places.record, {**self.record, "trial": trial})
        self.restart()

    def fails(self, *, reader_before: str, **more: Any) -> None:
        """The launcher gave the new version up; `more` are other members of the trial that the agent noted."""
        [slot] = slots(self.places)
        attempted = {"id": slot, "reader": reader_before, **more}
        store(self.places.record, {"trial": None, "tried": attempted, "failed": {"id": slot, "version": NEW}})
        self.ended = 0

    def is_back(self) -> None:
        """The version before runs again."""
        self.version, self.updating, self.ended = "1.0", Updating(self.places, None, self._end, self._gather), 0
        self.restart()

    @property
    def reported_state(self) -> Any:
        return self.cloud.heartbeats[-1]["update"]

    @property
    def record(self) -> dict[str, Any]:
        return read(self.places.record)


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[UpdatingRig]:
    with simulated_loop() as loop:
        new_rig = UpdatingRig(loop, tmp_path)
        new_rig.start()
        new_rig.wait(minutes=1)
        yield new_rig
        new_rig.crash()


def span(begin: timedelta, end: timedelta) -> dict[str, Any]:
    return {name: wire.instant_text(MORNING + offset) for name, offset in (("from", begin), ("until", end))}


HOUR = timedelta(hours=1)


def test_a_clock_tells_its_platform_and_asks_for_nothing_that_is_not_offered(clock: UpdatingRig) -> None:
    assert clock.cloud.heartbeats[-1]["platform"] == own_platform()
    clock.cloud.update = {"version": "1.0"}
    clock.wait(minutes=10)
    assert (clock.reported_state, clock.gathered, clock.ended) == (None, 0, 0)


def test_without_a_root_of_trust_it_tells_no_platform_so_that_nothing_is_offered_to_it(clock: UpdatingRig) -> None:
    (clock.places.base / "root.json").unlink()
    clock.restart()
    clock.wait(minutes=1)
    assert clock.cloud.heartbeats[-1]["platform"] is None


def test_it_fetches_at_once_and_goes_over_when_the_company_is_closed(clock: UpdatingRig) -> None:
    clock.offer(quiet=span(HOUR, 2 * HOUR))
    clock.wait(minutes=50)
    assert clock.reported_state == {"state": "ready", "version": NEW}
    assert clock.screen.status["update"] == ("ready", NEW)
    assert (clock.gathered, clock.ended) == (1, 0)
    clock.wait(minutes=15)
    assert clock.ended
    assert clock.record["trial"] == {
        **{"id": next(iter(slots(clock.places))), "version": NEW, "tries": 0, "reader": "absent"},
        "reached_from": ADDRESS,
    }


def test_told_to_it_goes_at_once_but_not_before_somebody(clock: UpdatingRig) -> None:
    for number in range(12):
        clock.tap(f"04FFFFFFFFFF{number:02X}")
        clock.offer(now=True)
        clock.wait(seconds=40)
    assert (clock.ended, clock.reported_state["state"]) == (0, "ready")
    clock.wait(minutes=2)
    assert clock.ended
    assert clock.delivered() == clock.toned


def test_with_stamps_in_hand_and_a_live_connection_it_waits_and_without_one_it_goes(clock: UpdatingRig) -> None:
    clock.answers(lambda _: httpx.Response(429, headers={"Retry-After": "3600"}), wire.STAMPS)
    clock.offer(now=True)
    clock.tap()
    clock.wait(minutes=30)
    assert (clock.ended, clock.reported_state["state"]) == (0, "ready")
    clock.answers(None)
    clock.has_luck("down")
    clock.wait(minutes=2)
    assert clock.ended


def test_without_an_hour_it_takes_the_next_idle_quarter_after_seven_days_restarts_or_not(clock: UpdatingRig) -> None:
    clock.offer()
    clock.wait(minutes=1)
    ready = clock.record["ready"]
    earlier = wire.instant_text(MORNING + timedelta(minutes=30) - PATIENCE)
    store(clock.places.record, {"ready": {**ready, "since": earlier}})
    clock.restart()
    clock.wait(minutes=25)
    assert clock.ended == 0
    clock.tap()
    clock.wait(minutes=14)
    assert clock.ended == 0
    clock.wait(minutes=2)
    assert clock.ended
    assert clock.record["ready"] == {**ready, "since": earlier}


def test_a_release_that_nobody_vouches_for_is_said_and_not_asked_for_again_at_once(clock: UpdatingRig) -> None:
    clock.refuse = NotTrusted("a stranger's")
    clock.offer(now=True)
    clock.wait(minutes=30)
    assert (clock.gathered, clock.ended, clock.reported_state["state"]) == (1, 0, "failed")
    assert clock.tap().stamp_id
    clock.restart()
    clock.refuse = None
    clock.wait(minutes=1)
    assert (clock.gathered, clock.reported_state["state"]) == (2, "ready")
    assert "update_refused" in [entry["code"] for entry in clock.cloud.logs.values()]


@pytest.mark.parametrize("answer", [(204, {}), (404, {"code": "not_found"}), (200, {}), (500, {})])
def test_a_cloud_that_has_nothing_after_all_costs_nothing(clock: UpdatingRig, answer: Any) -> None:
    clock.cloud.release = answer
    clock.offer(now=True)
    clock.wait(minutes=10)
    assert (clock.gathered, clock.ended) == (0, 0)
    assert clock.tap().stamp_id
    clock.wait(minutes=1)
    assert clock.delivered() == clock.toned


def test_a_line_that_breaks_is_not_the_versions_fault(clock: UpdatingRig) -> None:
    clock.refuse = NotFetched("a thin line")
    clock.offer(now=True)
    clock.wait(minutes=5)
    assert (clock.gathered, clock.reported_state["state"]) == (1, "loading")
    clock.refuse = None
    clock.wait(minutes=20)
    assert clock.ended


def test_another_channels_release_is_not_even_fetched(clock: UpdatingRig) -> None:
    clock.cloud.channel = "beta"
    clock.offer(now=True)
    clock.wait(minutes=10)
    assert (clock.gathered, clock.ended, clock.reported_state["state"]) == (0, 0, "failed")


def test_a_version_that_proves_itself_is_kept(clock: UpdatingRig) -> None:
    clock.offer()
    clock.wait(minutes=1)
    clock.on_trial()
    clock.wait(seconds=health.HOLD * TRIAL_S - 1)
    assert clock.record["trial"]
    clock.wait(minutes=1)
    [slot] = slots(clock.places)
    assert clock.record["kept"] == {"id": slot, "version": NEW, "package": "1.0.0"}
    assert (clock.record["trial"], clock.reported_state) == (None, None)
    assert clock.ended == 0
    assert "update_kept" in [entry["code"] for entry in clock.cloud.logs.values()]


FAULTS = ("reader", "journal", "requests", "silence", "screen")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_version_is_not_kept_that_breaks_the(fault: str, clock: UpdatingRig, monkeypatch: pytest.MonkeyPatch) -> None:
    clock.offer()
    clock.wait(minutes=1)
    if fault == "requests":
        clock.answers(lambda _: httpx.Response(422, json={"code": "unreadable_heartbeat"}), wire.HEARTBEAT)
    if fault == "silence":
        monkeypatch.setattr(CloudSession, "call", _broken)
    if fault == "screen":
        monkeypatch.setattr(health, "reader_answers", lambda *_: health.screen_is_up("127.0.0.1", 1))
        monkeypatch.setattr(asyncio, "open_connection", _refused)
    clock.on_trial(reader="ok" if fault == "reader" else "absent")
    if fault == "journal":
        clock.disk.result = 10
    clock.wait(minutes=10)
    assert clock.record["trial"]
    assert clock.reported_state == {"state": "trying", "version": NEW} or fault in ("journal", "silence", "requests")
    assert (clock.ended, clock.record.get("postponed")) == (0, None)


async def _refused(*_: object) -> Any:
    raise ConnectionRefusedError


async def _broken(*_: object, **__: object) -> Any:
    raise RuntimeError("a version that makes no request")


def portal(status: int, **more: Any) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(status, **more)


NETWORK: dict[str, Callable[[httpx.Request], httpx.Response] | str] = {
    "no connection": "down",
    "a proxy's 502": portal(502, text="Bad Gateway"),
    "the service's 500": portal(500, json={"code": "internal_error"}),
    "a service that is busy": portal(503, headers={"Retry-After": "60"}),
    "a portal's page": portal(200, html="<h1>Willkommen</h1>"),
    "a portal's redirect": portal(302, headers={"Location": "https://portal.test/"}),
    "a portal that wants a login": portal(401, html="<h1>Login</h1>"),
    "a changed address": portal(401, json={"code": "bad_signature"}),
    "a clock skew without a time": portal(401, json={"code": "clock_skew"}),
    "a filter": portal(403, html="<h1>Gesperrt</h1>"),
    "a filter of bodies": portal(413, text="too large"),
    "a filter that speaks JSON": portal(200, json={"ok": True}),
    "an older service": portal(422, json={"code": "unknown_proto"}),
}


def strike(clock: UpdatingRig, fault: Callable[[httpx.Request], httpx.Response] | str | None) -> None:
    """Replace every answer from now on; None restores them."""
    clock.net.luck = lambda _: fault if isinstance(fault, str) else "ok"
    clock.net.instead = fault if callable(fault) else lambda _: None


@pytest.mark.parametrize("fault", NETWORK)
def test_a_version_is_postponed_and_not_given_up_for(fault: str, clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    strike(clock, NETWORK[fault])
    clock.on_trial()
    clock.wait(seconds=TRIAL_S)
    assert clock.ended
    assert clock.record["trial"] is None
    assert clock.record["postponed"]["version"] == NEW
    assert "failed" not in clock.record
    clock.is_back()
    clock.wait(minutes=11)
    strike(clock, None)
    clock.wait(minutes=3)
    assert (clock.ended, clock.reported_state) == (0, {"state": "ready", "version": NEW})
    assert (clock.record["postponed"]["contrary"], clock.record["postponed"]["is_weighed"]) == (0, True)
    postponed_at = wire.instant_text(clock.cloud.now() - HOUR)
    store(clock.places.record, {**clock.record, "postponed": {**clock.record["postponed"], "at": postponed_at}})
    clock.wait(minutes=1)
    assert clock.ended
    clock.on_trial()
    clock.wait(minutes=3)
    assert clock.record["kept"]["version"] == NEW
    assert clock.record["postponed"] is None
    codes = [entry["code"] for entry in clock.cloud.logs.values()]
    assert ("update_kept" in codes, "update_failed" in codes) == (True, False)


@pytest.mark.parametrize("reached_from", [None, "198.51.100.9"])
@pytest.mark.parametrize("fault", NETWORK)
def test_a_cloud_that_the_version_before_did_not_reach_from_here_says_nothing_in(
    fault: str, reached_from: str | None, clock: UpdatingRig
) -> None:
    clock.offer()
    clock.wait(minutes=1)
    strike(clock, NETWORK[fault])
    clock.on_trial(reached_from=reached_from)
    clock.wait(minutes=4)
    assert clock.record["kept"]["version"] == NEW


def test_a_version_that_reached_the_cloud_once_is_kept_whatever_the_network_does_then(clock: UpdatingRig) -> None:
    clock.offer()
    clock.wait(minutes=1)
    clock.on_trial()
    clock.wait(seconds=5)
    strike(clock, NETWORK["a proxy's 502"])
    clock.wait(minutes=4)
    assert clock.record["kept"]["version"] == NEW


def test_the_switch_notes_the_address_only_while_the_cloud_is_reached(clock: UpdatingRig) -> None:
    clock.offer(now=True, quiet=span(HOUR, 2 * HOUR))
    clock.tap()
    clock.wait(seconds=40)
    strike(clock, NETWORK["a portal's page"])
    for _ in range(12):  # until the last contact is long past
        clock.tap()
        clock.wait(seconds=30)
    assert clock.ended == 0
    clock.wait(minutes=2)
    assert clock.ended
    assert clock.record["trial"]["reached_from"] is None


def test_a_version_that_alone_does_not_reach_the_cloud_is_given_up_after_five_trials(clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    for trials in range(1, 6):
        strike(clock, NETWORK["a portal's page"])
        clock.on_trial()
        clock.wait(minutes=5)
        assert clock.ended
        strike(clock, None)
        clock.is_back()
        clock.wait(minutes=2)
        assert clock.record["postponed"]["contrary"] == trials
        due_in = timedelta(minutes=5)
        postponed_at = wire.instant_text(clock.cloud.now() + due_in - HOUR * 2**trials)
        store(clock.places.record, {**clock.record, "postponed": {**clock.record["postponed"], "at": postponed_at}})
        clock.wait(minutes=4)
        assert clock.ended == 0
        clock.wait(minutes=2)
        assert bool(clock.ended) == (trials < 5)
    assert clock.reported_state == {"state": "failed", "version": NEW}
    for _ in range(2):
        clock.is_back()
        clock.wait(minutes=10)
    assert clock.ended == 0
    assert [entry["code"] for entry in clock.cloud.logs.values()].count("update_failed") == 1


def test_another_version_begins_without_the_trials_of_a_postponed_one(clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    earlier = {"id": "x", "version": "1.0.9", "contrary": 4, "is_weighed": True}
    postponed = {"at": wire.instant_text(clock.cloud.now()), "reached_from": ADDRESS}
    store(clock.places.record, {**clock.record, "postponed": {**earlier, **postponed}})
    strike(clock, NETWORK["a proxy's 502"])
    clock.on_trial()
    clock.wait(seconds=TRIAL_S)
    assert (clock.record["postponed"]["version"], clock.record["postponed"]["contrary"]) == (NEW, 0)


def test_the_version_that_is_back_says_so_once_and_does_not_try_again(clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    [slot] = slots(clock.places)
    store(clock.places.record, {"trial": None, "failed": {"id": slot, "version": NEW}})
    clock.ended = 0
    for _ in range(3):
        clock.restart()
        clock.wait(minutes=10)
    assert (clock.ended, clock.reported_state) == (0, {"state": "failed", "version": NEW})
    assert [entry["code"] for entry in clock.cloud.logs.values()].count("update_failed") == 1


@pytest.mark.parametrize("fault", ["reader", "disk"])
def test_a_trial_is_repeated_after_an_hour_if_the_version_before_has_no_better(fault: str, clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    clock.fails(reader_before="ok" if fault == "reader" else "absent")
    clock.crash()
    clock.start(sqlite3.SQLITE_FULL if fault == "disk" else None)
    clock.wait(minutes=3)
    clock.disk.result = None
    clock.wait(minutes=3)
    assert (clock.ended, clock.record["failed"], clock.record["postponed"]["version"]) == (0, None, NEW)
    assert clock.reported_state == {"state": "ready", "version": NEW}
    postponed_at = wire.instant_text(clock.cloud.now() - HOUR)
    store(clock.places.record, {**clock.record, "postponed": {**clock.record["postponed"], "at": postponed_at}})
    clock.wait(minutes=1)
    assert clock.ended
    codes = [entry["code"] for entry in clock.cloud.logs.values()]
    assert ("update_postponed" in codes, "update_failed" in codes) == (True, False)


@pytest.mark.parametrize("tried", [{"reader": "absent"}, {"id": "another"}])
def test_a_failed_trial_counts_if_reader_and_disk_are_as_they_were(tried: dict[str, Any], clock: UpdatingRig) -> None:
    clock.offer(now=True)
    clock.wait(minutes=1)
    clock.fails(reader_before="ok", **tried)
    clock.restart()
    clock.wait(minutes=1)
    assert clock.reported_state == {"state": "failed", "version": NEW}
    assert clock.record["failed"]["told"]


@pytest.mark.parametrize("starts", [True, False])
def test_a_clock_goes_back_to_its_package_when_that_is_offered_the_company_is_closed_and_it_starts(
    starts: bool, clock: UpdatingRig
) -> None:
    async def package_starts(where: Places, version: str) -> bool:
        assert (where, version) == (clock.places, "1.0.0")
        return starts

    clock.offer()
    clock.wait(minutes=1)
    [slot] = slots(clock.places)
    kept_slot = {"id": slot, "version": NEW, "package": "1.0.0"}
    store(clock.places.record, {"kept": kept_slot, "trial": None})
    clock.version = NEW
    clock.updating = Updating(clock.places, slot, clock._end, clock._gather, package_starts)
    clock.cloud.update = {"version": "1.0.0", "quiet": span(HOUR, 2 * HOUR)}
    clock.gathered = 0
    clock.restart()
    clock.wait(minutes=30)
    assert (clock.ended, clock.reported_state) == (0, {"state": "ready", "version": "1.0.0"})
    clock.wait(minutes=40)
    codes = [entry["code"] for entry in clock.cloud.logs.values()]
    assert (clock.ended > 0, clock.gathered) == (starts, 0)
    assert (codes.count("update_undone") > 0, codes.count("update_refused")) == (starts, int(not starts))
    assert clock.record["kept"] == (None if starts else kept_slot)
    if starts:
        assert choose(clock.places, counting=True) is None
        clock.version, clock.updating = "1.0.0", Updating(clock.places, None, clock._end, clock._gather)
        clock.ended = 0
        clock.restart()
        clock.wait(minutes=20)
        assert (clock.ended, clock.reported_state) == (0, None)


@pytest.mark.parametrize(
    ("program", "starts"),
    [("echo stempelwerk-edge 1.0.0", True), ("echo stempelwerk-edge 1.0.01", False), ("exit 1", False), (None, False)],
)
def test_a_package_starts_if_its_program_says_its_version(program: str | None, starts: bool, tmp_path: Path) -> None:
    where = Places(tmp_path, tmp_path / "package")
    if program is not None:
        (where.package / "bin").mkdir(parents=True)
        (where.package / "bin" / "stempelwerk-edge").write_text(f"#!/bin/sh\n{program}\n")
        (where.package / "bin" / "stempelwerk-edge").chmod(0o755)
    assert asyncio.run(package_starts(where, "1.0.0")) is starts


def test_a_package_that_hangs_is_ended_and_starts_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = Places(tmp_path, tmp_path / "package")
    (where.package / "bin").mkdir(parents=True)
    program = where.package / "bin" / "stempelwerk-edge"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path / 'pid'}\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr("stempelwerk_edge.updates.loop._PACKAGE_STARTS_S", 5.0)
    assert asyncio.run(package_starts(where, "1.0.0")) is False
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


class Served:
    """The repository, as the agent's session sees it; `answers` are given in the files' place."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.asked: list[str] = []

    async def call(self, method: str, path: str, read: Any, **_: Any) -> Any:
        self.asked.append(path.removeprefix(wire.UPDATES))
        content = self.files.get(self.asked[-1])
        return (NoSuchCall("404") if content is None else read(content)), None


def test_what_the_agent_lays_down_is_enough_for_the_updater(tmp_path: Path) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    for version in (NEW, "1.2.0"):
        served: Any = Served(repository.files)
        target = repository.add(version, program(version), b"PK\5\6" + bytes(18))
        fetched_at = asyncio.run(fetching.gather(served, where, target, repository.now))
        assert fill(where)
        assert read(where.base / "slots/report.json")["at"] == fetched_at
    assert len([name for name in served.asked if name.endswith(".whl")]) == 1


def test_what_was_fetched_before_the_line_broke_is_not_fetched_again(tmp_path: Path) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add(NEW, *(program(NEW, f"x = {number}\n") for number in range(3)))
    wheels = [name for name in repository.files if name.endswith(".whl")]
    served: Any = Served({name: data for name, data in repository.files.items() if name != wheels[-1]})
    with pytest.raises(NotFetched):
        asyncio.run(fetching.gather(served, where, target, repository.now))
    served = Served(repository.files)
    asyncio.run(fetching.gather(served, where, target, repository.now))
    assert [name for name in served.asked if name.endswith(".whl")] == [wheels[-1]]
    assert fill(where)


def test_the_agent_lays_down_nothing_endless_and_nothing_foreign(tmp_path: Path) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add(NEW, program(NEW))
    [name] = [name for name in repository.files if name.endswith(".whl")]
    for data in (repository.files[name] * 1000, bytes(len(repository.files[name])), b""):
        served: Any = Served({**repository.files, name: data})
        with pytest.raises((NotTrusted, NotFetched)):
            asyncio.run(fetching.gather(served, where, target, repository.now))
        assert not list((where.base / "exchange").rglob("*.whl"))
        assert not (where.base / "exchange/wanted.json").exists()


def test_nothing_is_fetched_that_would_take_the_room_of_taps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add(NEW, program(NEW))
    room = shutil.disk_usage(tmp_path)
    served: Any = Served(repository.files)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room._replace(free=299 << 20))
    with pytest.raises(NotFetched, match="299 MB"):
        asyncio.run(fetching.gather(served, where, target, repository.now))
    assert served.asked == []


def test_a_slot_that_calls_itself_otherwise_is_not_fetched_for_ever(clock: UpdatingRig) -> None:
    clock.offer()
    clock.wait(minutes=1)
    clock.on_trial()
    clock.version = "1.1.0+local"
    clock.restart()
    clock.wait(minutes=10)
    assert (clock.gathered, clock.reported_state, clock.ended) == (1, None, 0)


def test_the_screen_is_up_if_it_answers_and_not_if_it_only_listens() -> None:
    async def look(reply: bytes) -> bool:
        def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(reply)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            return await health.screen_is_up("127.0.0.1", server.sockets[0].getsockname()[1])()

    assert asyncio.run(look(b"HTTP/1.1 200 OK\r\n\r\n"))
    assert not asyncio.run(look(b""))
    assert not asyncio.run(health.screen_is_up("127.0.0.1", 1)())
