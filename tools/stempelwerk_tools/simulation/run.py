"""One run of a seed: furnishes a world, lets it live and suffer, heals it, and has it judged.

`Simulator` has what all runs share (the furnished installation), so that many seeds in a row are cheap.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from stempelwerk_cloud.app import create_app

from stempelwerk_tools.simulation import misfortunes
from stempelwerk_tools.simulation.administrator import Administrator
from stempelwerk_tools.simulation.judging.healing import heal
from stempelwerk_tools.simulation.judging.oracle import Verdict, judge
from stempelwerk_tools.simulation.judging.plan import Person, PlannedTap, taps_of
from stempelwerk_tools.simulation.machines import internals
from stempelwerk_tools.simulation.machines.loop import current_process, simulated_loop
from stempelwerk_tools.simulation.machines.machine import ServiceIds, TrueTime
from stempelwerk_tools.simulation.machines.service import SimulatedService
from stempelwerk_tools.simulation.template import WORKERS_A, WORKERS_B, Template, make_template
from stempelwerk_tools.simulation.trace import Trace
from stempelwerk_tools.simulation.world import World

# Autumn's and spring's change of the clocks, and a week without one.
_MORNINGS = (datetime(2026, 10, 23, tzinfo=UTC), datetime(2026, 3, 27, tzinfo=UTC), datetime(2026, 6, 8, tzinfo=UTC))
_LINES = 400


class _Failures(logging.Handler):
    """A log handler that collects the agents' reports of exceptions: a loop that failed is a defect, even without
    consequences.
    """

    CODES = ("loop_failed", "decision_failed")

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text, process = record.getMessage(), current_process()
        if text.startswith(self.CODES) and (process is None or process.alive):  # ignore errors of killed processes
            self.messages.append(text)


class Simulator:
    """Runs seeds. Enter it as a context manager; its files are in memory if the system offers that."""

    def __enter__(self) -> Self:
        memory = Path("/dev/shm")  # noqa: S108 - only looked up; the folder in it has a fresh name
        self._folder = Path(tempfile.mkdtemp(prefix="stempelwerk-sim-", dir=memory if memory.is_dir() else None))
        self._template = make_template(self._folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._folder)

    def run(
        self,
        seed: int,
        *,
        having: Collection[str] | None = None,
        app: Callable[..., Any] = create_app,
        keep_lines: int = _LINES,
    ) -> Verdict:
        """Runs the whole course of a seed. `having` names its misfortunes in place of those that the seed draws.

        `app` makes the service, after the installation was furnished.
        """
        verdict, failures = Verdict(seed), _Failures()
        folder = self._folder / f"seed-{seed}"
        folder.mkdir()
        with self._quiet(failures), internals.simulated(random.Random(f"{seed} keys")), simulated_loop() as loop:
            world = _make_world(seed, folder, loop, self._template, app, Trace(keep_lines))
            try:
                loop.run_until_complete(_course(world, verdict, having))
            finally:
                loop.run_until_complete(_end(world))
        verdict.wrong += failures.messages
        verdict.wrong += [
            f"an agent failed: {error!r}" for station in world.stations.values() for error in station.failures
        ]
        verdict.wrong += [f"the service failed: {error!r}" for error in world.service.failures]
        verdict.faults, verdict.trace, verdict.lines = world.faults, world.trace.digest, list(world.trace.lines)
        shutil.rmtree(folder)
        return verdict

    @contextlib.contextmanager
    def _quiet(self, failures: _Failures) -> Iterator[None]:
        """Sends the agents' log only to `failures`."""
        log = logging.getLogger("stempelwerk_edge")
        level, propagate = log.level, log.propagate
        log.addHandler(failures)
        log.setLevel(logging.INFO)
        log.propagate = False
        try:
            yield
        finally:
            log.removeHandler(failures)
            log.setLevel(level)
            log.propagate = propagate


def _make_world(
    seed: int,
    folder: Path,
    loop: asyncio.AbstractEventLoop,
    template: Template,
    app: Callable[..., Any],
    trace: Trace,
) -> World:
    true_time = TrueTime(random.Random(f"{seed} season").choice(_MORNINGS), loop)
    ids = ServiceIds(true_time, random.Random(f"{seed} service"))
    service = SimulatedService(folder, true_time, ids, app)
    shutil.copyfile(template.database, service.database)
    office = Administrator(service, companies=list(template.companies), employees=template.employees)
    return World(seed, folder, true_time, service, office, template, trace)


async def _course(world: World, verdict: Verdict, having: Collection[str] | None) -> None:
    rng = world.rng("course")
    await _begin(world)
    days = rng.choice((2, 3, 3, 4))
    for name, (misfortune, likelihood) in misfortunes.ALL.items():
        is_drawn = world.rng(f"{name}?").random() < likelihood
        if is_drawn if having is None else name in having:
            world.note(f"this world knows {name}")
            world.life.start(misfortune(world, world.rng(name)), name)
    world.dying_taps = rng.choice((0.0, 0.0, 0.03))
    world.life.start(_nightly_backups(world), "backups")
    company_of = {tag: employee.company_id for tag, employee in world.template.employees.items()}
    people = world.life.start(world.live(_plan(world, days, rng), company_of), "people")
    await asyncio.wait([people])
    await world.sleep_until(world.true_time.began + timedelta(days=days, hours=rng.uniform(0, 8)))
    verdict.wrong += [f"the simulation itself failed: {error!r}" for error in world.life.failures]
    await world.life.kill()
    await heal(world, verdict)
    judge(verdict, world.truth, world.service, world.template.employees)


async def _begin(world: World) -> None:
    """Hangs up two clocks of the first company and waits until they are enrolled."""
    await world.service.start()
    for index in range(2):
        name = f"clock-{index}"
        station = world.hang_up(name, f"board:{name}", world.empty_card())
        station.place = index
        station.power_on()
        await world.assign(station, 0)
    await asyncio.sleep(1800)
    await world.back_up()


async def _nightly_backups(world: World) -> None:
    while True:
        await asyncio.sleep(24 * 3600)
        await world.back_up()


def _plan(world: World, days: int, rng: random.Random) -> list[tuple[PlannedTap, str]]:
    plan: list[tuple[PlannedTap, str]] = []
    first = world.true_time.began + timedelta(hours=2)
    for number, tag in enumerate((*WORKERS_A, *WORKERS_B)):
        person = Person(number, night=rng.random() < 0.25, clocks=rng.choice(((0,), (1,), (0, 1))))
        plan += [(tap, tag) for tap in taps_of(person, first, days, rng)]
    return sorted(plan, key=lambda planned_tap: (planned_tap[0].planned_at, planned_tap[1]))


async def _end(world: World) -> None:
    """Switches everything off, so that no file stays open."""
    await world.life.kill()
    await world.network.silence()
    for station in world.stations.values():
        await station.power_off()
    await world.service.kill()
