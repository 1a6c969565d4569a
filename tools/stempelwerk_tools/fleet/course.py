"""The course of a run: clocks come up, people tap through short days, lines are cut, and in the end no stamp is
missing.

Time is real here: it tests a cloud under load, not a clock's logic (that is the simulation's).
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import create_engine, text

from stempelwerk_tools.fleet.clocks import FleetClock, Traffic
from stempelwerk_tools.fleet.days import day_of
from stempelwerk_tools.fleet.furnishing import Cloud, Report, Served, assign_by_api, furnish_by_api, tag_of
from stempelwerk_tools.fleet.page import Page

_COME_UP_S = 30.0  # as after a power cut, spread like real start-up times
_COME_UP_AT_ONCE = 50  # a thousand machines start; here one process does it for all
_LOOK_EVERY_S = 2.0
_REPORT_EVERY_S = 10.0
_DRAIN_LIMIT_S = 180.0
_ENROLLED_LIMIT_S = 3600.0
_CUT_A_DAY = 0.1
_ALL_CUT_S = 20.0
_DOWN_S = 40.0
BACK_LIMIT_S = 120.0


@dataclass(frozen=True)
class Wish:
    """The parameters of a run. `day_s`: how long a working day lasts; `outages`: whether lines are cut; `restart`: the
    fleet's own cloud is stopped in the middle, and started again.
    """

    clocks: int
    people: int
    run_s: float
    day_s: float
    seed: int
    outages: bool
    restart: bool = False


@dataclass
class Summary:
    """The result of a run. `memory_mib`: the service's memory at each third of the run. `back_s`: the longest time from
    the service's restart until a clock with an uncut line got an answer.
    """

    clocks: int
    traffic: Traffic
    page: Page
    saved: int = 0
    undelivered: int = 0
    missing: int | None = None
    failures: list[str] = field(default_factory=list)
    memory_mib: list[float] = field(default_factory=list)
    back_s: float | None = None

    @property
    def good(self) -> bool:
        """Whether no stamp is lost, every heartbeat over an uncut line was answered, and the list of clocks was always
        right.
        """
        unanswered = self.traffic.unanswered.total()
        return not (self.undelivered or self.missing or unanswered or self.page.wrong or self.failures)

    def lines(self) -> list[str]:
        """Returns the summary as text."""
        traffic, page = self.traffic, self.page
        lines = [
            f"beats: {traffic.beats:,} sent, {len(traffic.seconds):,} answered ({_spread(traffic.seconds)}),"
            f" {_format_counts(traffic.unanswered) or 'none'} unanswered",
            f"stamps: {self.saved:,} saved, {_format_counts(traffic.outcomes) or 'none sent'},"
            f" {self.undelivered} not delivered"
            + ("" if self.missing is None else f", {self.missing} not in the database"),
            f"list: {page.looks:,} looks ({_spread(page.seconds)}), {page.claims:,} states compared,"
            f" {len(page.wrong)} wrong",
        ]
        if self.memory_mib:
            lines.append(f"service: {' → '.join(f'{mib:.0f}' for mib in self.memory_mib)} MiB")
        if self.back_s is not None:
            lines.append(f"restart: every clock was answered, over a whole line within {self.back_s:.1f} s")
        return [*lines, *page.wrong[:5], *self.failures[:5]]


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "no times"
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"p50 {statistics.median(ordered) * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms"


def _format_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


async def run(cloud: Cloud, wish: Wish, folder: Path, report: Report) -> Summary:
    """Runs the whole course and returns its summary. Raises httpx.HTTPError if the cloud refuses a call of the
    administrator.
    """
    traffic, page = Traffic(), Page()
    clocks = [FleetClock(number, folder, cloud.url, traffic, wish.seed) for number in range(wish.clocks)]
    summary = Summary(wish.clocks, traffic, page)
    looking_at = asyncio.Lock()

    async def look() -> None:
        async with looking_at:
            await page.look(office, clocks)

    async with cloud.office() as office, _run_agents(clocks, min(_COME_UP_S, wish.run_s / 4), summary):
        await _assign_all(cloud, office, clocks, wish, report)
        async with asyncio.TaskGroup() as tasks:
            looking = [
                tasks.create_task(_repeat(_LOOK_EVERY_S, look)),
                tasks.create_task(_repeat(_REPORT_EVERY_S, _state_reporter(report, cloud, clocks, summary))),
            ]
            living = [tasks.create_task(_run_days(clocks, wish))]
            if wish.outages:
                living.append(tasks.create_task(_cut_lines(clocks, wish)))
            if wish.restart and cloud.own_service is not None:
                await asyncio.sleep(wish.run_s / 2)
                async with looking_at:
                    await _restart(cloud.own_service, traffic, min(_DOWN_S, wish.run_s / 4))
                summary.back_s = await wait_until_back(clocks, summary.failures)
                await asyncio.sleep(wish.run_s / 2)
            else:
                for _ in range(3):
                    await asyncio.sleep(wish.run_s / 3)
                    if cloud.own_service is not None:
                        summary.memory_mib.append(memory_mib(cloud.own_service.pid))
            for task in living:
                task.cancel()  # which also restores all lines
            await _wait_until_drained(clocks)
            for task in looking:
                task.cancel()
    summary.saved = sum(len(clock.saved) for clock in clocks)
    summary.undelivered = sum(clock.waiting for clock in clocks)
    if cloud.own_service is not None:
        summary.missing = _count_missing(
            cloud.own_service.database_url, set[str]().union(*(clock.saved for clock in clocks))
        )
    return summary


@asynccontextmanager
async def _run_agents(clocks: Sequence[FleetClock], within_s: float, summary: Summary) -> AsyncIterator[None]:
    """Runs the agents; one that ends on its own is a failure."""

    coming_up = asyncio.Semaphore(_COME_UP_AT_ONCE)

    async def live(clock: FleetClock, after_s: float) -> None:
        await asyncio.sleep(after_s)
        try:
            async with asyncio.TaskGroup() as running, coming_up:
                running.create_task(clock.agent.run())
                while not clock.is_assigned:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.1)
        except* Exception as faults:
            summary.failures.append(f"{clock.serial} has ended: {faults.exceptions!r}")

    tasks = [asyncio.create_task(live(clock, within_s * number / len(clocks))) for number, clock in enumerate(clocks)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _assign_all(
    cloud: Cloud, office: httpx.AsyncClient, clocks: Sequence[FleetClock], wish: Wish, report: Report
) -> None:
    """Waits until every clock has its company. In a running cloud they enrol at its pace. TimeoutError."""
    owners = [] if cloud.own_service is not None else await furnish_by_api(office, wish.clocks, wish.people)
    assigned_ids: set[str] = set()
    async with asyncio.timeout(_ENROLLED_LIMIT_S):
        while not all(clock.is_assigned for clock in clocks):
            for clock, owner in zip(clocks, owners, strict=False):
                device_id = clock.agent.membership.current.device_id
                if device_id is not None and device_id not in assigned_ids:
                    await assign_by_api(office, device_id, owner)
                    assigned_ids.add(device_id)
            await asyncio.sleep(0.2)
            if owners:
                report(f"{len(assigned_ids)} of {len(clocks)} clocks enrolled")
    report(f"{len(clocks):,} clocks know whose they are")


async def _repeat(every_s: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        await work()
        await asyncio.sleep(every_s)


def _state_reporter(
    report: Report, cloud: Cloud, clocks: Sequence[FleetClock], summary: Summary
) -> Callable[[], Coroutine[Any, Any, None]]:
    async def report_state() -> None:
        traffic, cut = summary.traffic, sum(clock.cut for clock in clocks)
        waiting = sum(clock.waiting for clock in clocks)
        memory = (
            ""
            if cloud.own_service is None or traffic.down
            else f"; service {memory_mib(cloud.own_service.pid):.0f} MiB"
        )
        report(
            f"{cut} cut off; {len(traffic.seconds):,} beats ({_spread(traffic.seconds[-1000:])}),"
            f" {traffic.unanswered.total()} unanswered; {traffic.outcomes.total():,} stamps, {waiting} wait;"
            f" list {len(summary.page.wrong)} wrong{memory}"
        )

    return report_state


async def _run_days(clocks: Sequence[FleetClock], wish: Wish) -> None:
    """Runs one short day after the other."""
    rng = random.Random(f"{wish.seed} people")
    while True:
        began = time.monotonic()
        for planned in day_of(len(clocks), wish.people, wish.day_s, rng):
            await asyncio.sleep(max(0.0, began + planned.at_s - time.monotonic()))
            clocks[planned.clock].tap(tag_of(planned.person))
        await asyncio.sleep(max(0.0, began + wish.day_s - time.monotonic()))


async def _cut_lines(clocks: Sequence[FleetClock], wish: Wish) -> None:
    """Cuts single lines for a while, so that each day one clock in ten has a cut; in the middle of the run it cuts all
    lines.
    """
    rng = random.Random(f"{wish.seed} lines")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_all_cut(clocks, wish))
        while True:
            await asyncio.sleep(rng.expovariate(len(clocks) * _CUT_A_DAY / wish.day_s))
            tasks.create_task(_one_cut(rng.choice(clocks), rng.uniform(0.02, 0.3) * wish.day_s))


async def _one_cut(clock: FleetClock, seconds: float) -> None:
    with clock.cut_off():
        await asyncio.sleep(seconds)


async def _all_cut(clocks: Sequence[FleetClock], wish: Wish) -> None:
    await asyncio.sleep(wish.run_s / 2)
    with ExitStack() as cut:
        for clock in clocks:
            cut.enter_context(clock.cut_off())
        await asyncio.sleep(min(_ALL_CUT_S, wish.run_s / 10))


async def _restart(own_service: Served, traffic: Traffic, down_s: float) -> None:
    """Stops the cloud for `down_s` seconds and starts it again; its start-up time comes on top."""
    traffic.down = True
    await asyncio.to_thread(own_service.stop)
    await asyncio.sleep(down_s)
    await asyncio.to_thread(own_service.start)
    traffic.down = False


async def wait_until_back(clocks: Collection[FleetClock], failures: list[str]) -> float | None:
    """Returns the longest wait of a clock for its first answer from now on, while its line was whole: lines go on being
    cut, and a clock that is cut off does not wait. None, with `failures`, if some wait for too long.
    """
    began, longest = time.monotonic(), 0.0
    while clocks:
        now = time.monotonic()
        waiting_from = {clock: max(began, clock.whole_s) for clock in clocks}
        waited = [clock.beaten_s - begun for clock, begun in waiting_from.items() if clock.beaten_s > began]
        longest = max(longest, *waited, 0.0)
        clocks = [clock for clock in clocks if clock.beaten_s <= began]
        late = [clock.serial for clock in clocks if not clock.cut and now - waiting_from[clock] > BACK_LIMIT_S]
        if late:
            failures += [f"{serial} got no answer for {BACK_LIMIT_S:.0f} s after the restart" for serial in late]
            return None
        await asyncio.sleep(0.1)
    return longest


async def _wait_until_drained(clocks: Sequence[FleetClock]) -> None:
    """Waits until everything is delivered; the rest is counted after the time limit."""
    deadline = time.monotonic() + _DRAIN_LIMIT_S
    while any(clock.waiting for clock in clocks) and time.monotonic() < deadline:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.1)


def memory_mib(pid: int) -> float:
    """Returns the resident memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def _count_missing(database_url: str, saved: set[str]) -> int:
    """Returns how many of these stamps the service does not hold."""
    engine = create_engine(database_url)
    try:
        with engine.connect() as connection:
            rows = connection.execute(text("SELECT id FROM stamps UNION ALL SELECT id FROM unassigned_stamps"))
            return len(saved - {str(row[0]) for row in rows})
    finally:
        engine.dispose()
