"""A release on its way through a fleet, in days that take seconds: the cloud's real calls, rounds and judgement.

The cloud runs in this process on simulated time. Clocks make signed calls, and take an offered version as real ones do:
they request it by its target, verify it from the root with the clock's own code, and report it in the next heartbeat.
The rest of a clock (its journal, its back-offs) is missing here: `clocks.py` has it, in real time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from stempelwerk_cloud.app import Service, create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.fleet.rollouts import advancing, offers
from stempelwerk_cloud.fleet.updates import commands as update_commands
from stempelwerk_cloud.fleet.updates.signed import signing
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.updates.trust import Repository as Trusted
from stempelwerk_edge.updates.window import may_go_over

from stempelwerk_tools.bench.sides.signed_clock import SignedClock
from stempelwerk_tools.fleet.clocks import serial_of
from stempelwerk_tools.fleet.furnishing import Founder, Report, furnish, tag_of, throttled
from stempelwerk_tools.release.build import PLATFORMS
from stempelwerk_tools.release.keys import Keys
from stempelwerk_tools.release.repository import Repository

_ORIGIN = "http://fleet.test"
_BEATS, _STAMPS, _ROLLOUTS = "/api/devices/heartbeat", "/api/devices/stamps", "/api/updates/rollouts"
_BEFORE, _RUNS_ON = "1.0.0", PLATFORMS[0]
_USUAL_DAYS, _LONGEST_DAYS = 6, 30
_NIGHT, _EVENING = timedelta(hours=3), timedelta(hours=18)
_WORK = (6.5, 11.0, 11.7, 15.5)  # come, pause, and back, in hours of the day
_AT_ONCE = 64  # calls on their way
_IDLE = timedelta(hours=4)


@dataclass(frozen=True)
class Release:
    """The parameters of a rollout: a version that loses this share of the taps, the number of clocks, and `within_s`,
    the time limit of the run in real seconds.
    """

    version: str
    losing: float
    clocks: int
    people: int
    seed: int
    within_s: float | None = None


@dataclass(frozen=True)
class Outcome:
    """The end of a rollout. It reached `stage` of `stages`; `updated` of `clocks` have the version."""

    state: str
    reason: str | None
    stage: int
    stages: int
    updated: int
    clocks: int
    days: int

    def line(self) -> str:
        """Returns the outcome as text."""
        because = f" ({self.reason})" if self.reason else ""
        return (
            f"rollout: {self.state} in stage {self.stage} of {self.stages} after {self.days} days{because},"
            f" {self.updated} of {self.clocks} clocks have the version"
        )


class _Days:
    """The simulated time of the cloud and of the clocks."""

    def __init__(self, first: datetime) -> None:
        self.moment = first

    def now(self) -> datetime:
        return self.moment


class _Clock:
    """A clock with its people and its version."""

    def __init__(self, number: int, release: Release, days: _Days, folder: Path) -> None:
        self.serial, self.version = serial_of(release.seed, number), _BEFORE
        self.hardware_id, self.folder = f"fleet:{self.serial}", folder / self.serial
        people = range(number * release.people, (number + 1) * release.people)
        self.tags = [tag_of(person) for person in people]
        self.signed = SignedClock(_ORIGIN, number, self.tags, days.now(), days.now)
        self.device_id = ""
        self._random = random.Random(f"{release.seed} clock {number}")
        self._forgets = self._random.uniform(0.005, 0.03)
        self._began = days.now()

    @property
    def identity(self) -> Identity:
        """The data for enrolment."""
        return Identity(self.serial, "", "core", _BEFORE, self.hardware_id, self.signed.public_key)

    def beat(self, now: datetime) -> bytes:
        return self.signed.beat((now - self._began) // timedelta(milliseconds=1), self.version, _RUNS_ON)

    def day(self, midnight: datetime, lost: float) -> list[tuple[str, datetime]]:
        """Returns the taps that the clock stores on a day, as tag and time. One person in seven is ill, some taps are
        forgotten, and the share `lost` is lost by the clock.
        """
        present_tags = [tag for tag in self.tags if self._random.random() >= 0.15]
        taps = [
            (midnight + timedelta(hours=hour + self._random.uniform(-0.3, 0.3)), tag)
            for tag in present_tags
            for hour in _WORK
            if self._random.random() >= self._forgets and self._random.random() >= lost
        ]
        return [(tag, tapped_at) for tapped_at, tag in sorted(taps)]


def roll_out(release: Release, folder: Path, report: Report) -> Outcome:
    """Runs some usual days, publishes the release, and runs days until its rollout has ended, or for a month. Raises
    TimeoutError.
    """
    settings = Settings(database_url=f"sqlite:///{folder / 'fleet.db'}", data_dir=folder)
    with Database(settings.database_url, as_owner=True) as owner:
        schema.migrate(owner)
    days = _Days(datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0))
    app = create_app(settings, clock=days)
    clocks = [_Clock(number, release, days, folder) for number in range(release.clocks)]
    try:
        identities = [clock.identity for clock in clocks]
        founder = furnish(app.state.platform, identities, release.people, days.now() - _EVENING, throttled(report))
        report(f"{len(clocks):,} clocks are furnished")
        course = _Course(release, app, days, clocks, founder, folder, report)
        return asyncio.run(asyncio.wait_for(course.run(), release.within_s))
    finally:
        app.state.platform.database.dispose()


class _Course:
    def __init__(
        self,
        release: Release,
        app: Service,
        days: _Days,
        clocks: Sequence[_Clock],
        founder: Founder,
        folder: Path,
        report: Report,
    ) -> None:
        self._release, self._platform, self._days, self._clocks = release, app.state.platform, days, clocks
        self._founder, self._folder, self._report, self._report_throttled = founder, folder, report, throttled(report)
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=_ORIGIN)
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._root = b""

    async def run(self) -> Outcome:
        midnight = self._days.moment
        for day in range(_USUAL_DAYS):
            await self._day(midnight + timedelta(days=day))
            self._report(f"{day + 1} of {_USUAL_DAYS} usual days are over")
        self._days.moment = midnight + timedelta(days=_USUAL_DAYS)
        await self._publish()
        wish = {"version": self._release.version, "channel": "stable", "stageDays": 1, "now": True}
        await self._office("POST", _ROLLOUTS, json=wish)
        for day in range(1, _LONGEST_DAYS + 1):
            await self._day(midnight + timedelta(days=_USUAL_DAYS - 1 + day))
            outcome = self._outcome((await self._office("GET", _ROLLOUTS))[0], day)
            self._report(outcome.line())
            if outcome.state != "running":
                break
        await self._http.aclose()
        return outcome

    def _outcome(self, row: dict[str, Any], day: int) -> Outcome:
        has_it = sum(clock.version == self._release.version for clock in self._clocks)
        stage, stages = row["stage"], len(row["stages"])
        return Outcome(row["state"], row["reason"], stage, stages, has_it, len(self._clocks), day)

    async def _day(self, midnight: datetime) -> None:
        """Runs a day: at night the cloud judges the rollout and clocks update; by day people tap; in the evening clocks
        deliver.
        """
        self._days.moment = midnight + _NIGHT
        await asyncio.to_thread(signing.sign_daily, self._platform)
        await self._all("have beaten in the night", self._beat)
        await self._round()
        await self._all("have beaten after the round", self._beat)
        await self._round()
        self._days.moment = midnight + _EVENING
        await self._all("have delivered", lambda clock: self._deliver(clock, midnight))
        await self._all("have beaten in the evening", self._beat)
        await self._round()

    async def _round(self) -> None:
        await asyncio.to_thread(advancing.advance, self._platform)
        await asyncio.to_thread(offers.refresh_cache, self._platform)

    async def _all(self, activity: str, work: Callable[[_Clock], Any]) -> None:
        done = itertools.count(1)

        async def run_for(clock: _Clock) -> None:
            async with self._places:
                self._days.moment += timedelta(milliseconds=1)  # a beat must be newer than the one before
                await work(clock)
                self._report_throttled(f"{next(done):,} of {len(self._clocks):,} clocks {activity}")

        await asyncio.gather(*map(run_for, self._clocks))

    async def _beat(self, clock: _Clock) -> None:
        answer = wire.read_welcome((await self._send(clock, "POST", _BEATS, clock.beat(self._days.moment))).content)
        assert answer.assignment is not None
        clock.device_id, clock.signed.assignment = answer.device_id, answer.assignment.id
        offer, now = answer.update, self._days.moment
        if offer is not None and may_go_over(offer, now, now, _IDLE, delivering=False, assigned=True):
            target = wire.read_update((await self._send(clock, "GET", wire.UPDATE.format(clock.device_id))).content)
            if target is not None and await asyncio.to_thread(
                self._fetch_release, clock, target, asyncio.get_running_loop()
            ):
                clock.version = offer.version
                await self._send(clock, "POST", _BEATS, clock.beat(now + timedelta(milliseconds=1)))

    def _fetch_release(self, clock: _Clock, target: str, loop: asyncio.AbstractEventLoop) -> bool:
        """Fetches the release and verifies it by the clock's own code. Raises NotTrusted, NotFetched."""

        def fetch(url: str) -> bytes | None:
            answer = asyncio.run_coroutine_threadsafe(self._ask(clock, "GET", wire.UPDATES + url), loop).result()
            return None if answer.status_code == httpx.codes.NOT_FOUND else answer.raise_for_status().content

        trusted = Trusted(clock.folder / "seen", self._root, fetch, self._days.moment)
        return bool(trusted.release(target, clock.folder / "targets", clock.folder / "wheels").wheels)

    async def _deliver(self, clock: _Clock, midnight: datetime) -> None:
        lost = self._release.losing if clock.version == self._release.version else 0.0
        taps = clock.day(midnight, lost)
        if taps:
            outcomes = (await self._send(clock, "POST", _STAMPS, clock.signed.batch_of(taps))).json()["results"]
            assert {stamp_outcome["outcome"] for stamp_outcome in outcomes} == {"stored"}, outcomes

    async def _send(self, clock: _Clock, method: str, path: str, body: bytes | None = None) -> httpx.Response:
        return (await self._ask(clock, method, path, body)).raise_for_status()

    async def _ask(self, clock: _Clock, method: str, path: str, body: bytes | None = None) -> httpx.Response:
        headers = clock.signed.headers(method, path, body)
        return await self._http.request(method, path, content=body, headers=headers)

    async def _publish(self) -> None:
        """Runs the key ceremony, and uploads the release to the cloud."""
        keys = Keys([self._folder / "keys"], lambda name: f"passphrase of {name}")
        repository = Repository(self._folder / "release", keys, self._days.now)
        repository.begin(update_commands.public_key(self._platform.settings, renew=False))
        wheel = self._folder / "own-py3-none-any.whl"
        wheel.write_bytes(self._release.version.encode())
        repository.add("stable", self._release.version, _RUNS_ON, [wheel])
        repository.sign("stable")
        await self._office("POST", "/api/updates/releases", files={"file": ("updates.zip", repository.bundle())})
        self._root = (self._folder / "release" / "metadata" / "1.root.json").read_bytes()

    async def _office(self, method: str, path: str, **request_options: Any) -> Any:
        with unit_of_work(self._platform, SYSTEM) as work:
            token = open_session(work, *self._founder, "fleet")
        answer = await self._http.request(method, path, headers={"Authorization": f"Bearer {token}"}, **request_options)
        answer.raise_for_status()
        return json.loads(answer.content)
