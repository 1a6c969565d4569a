"""Scheduled jobs."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.backoff import FailureCounter
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Job, PerCompanyJob, Room
from stempelwerk_cloud.people.access.tables import Ticket, WebSession

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm

pytestmark = ON_BOTH

MEASURING = jobs._measure  # the state without tests (`no_measuring`)


def _counts(platform: Platform) -> list[int]:
    """Returns the number of rows of each table; a counter at zero does not count."""
    with platform.database.read(SYSTEM) as tx:
        return [
            tx.scalar(select(func.count()).select_from(table).where(table.expires_at > EPOCH)) or 0
            for table in (WebSession, Ticket, FailureCounter)
        ]


def test_jobs_remove_expired_rows_and_nothing_else(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    firm.anna.post("/api/tickets", json={"path": "/api/x"})
    right = {"company": firm.name, "username": "anna", "password": PASSWORD}
    assert firm.world.client.post("/api/login", json=right).status_code == 200
    counts_before = _counts(platform)
    assert min(counts_before) > 0
    for job in JOBS:
        jobs.run_once(platform, job)
    assert _counts(platform) == counts_before
    clock.advance(days=1)
    for job in JOBS:
        jobs.run_once(platform, job)
    assert _counts(platform) == [0, 0, 1], "where somebody is at home is known for 30 days"
    clock.advance(days=30)
    for job in JOBS:
        jobs.run_once(platform, job)
    assert _counts(platform) == [0, 0, 0]


def test_a_job_that_fails_does_not_stop_the_round(platform: Platform) -> None:
    turns: list[str] = []
    enough = threading.Event()

    def fail(*_: object) -> None:
        turns.append("failed")
        if len(turns) == 3:
            enough.set()
        raise LookupError

    async def story() -> None:
        task = asyncio.create_task(jobs.repeat(platform, Job("failing", timedelta(0), fail)))
        assert await asyncio.to_thread(enough.wait, 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(story())


def test_every_job_that_removes_runs_after_a_restore_whatever_its_name(platform: Platform) -> None:
    done: list[str] = []

    def fail(_: Platform) -> None:
        raise LookupError

    failed = jobs.remove_over(
        platform,
        [
            PerCompanyJob("break", timedelta(1), fail, removes=True),
            Job("forget", timedelta(1), lambda *_: done.append("forget"), removes=True),
            PerCompanyJob("end", timedelta(1), lambda _: done.append("end"), removes=True),
            Job("purge_nothing", timedelta(1), lambda *_: done.append("purge_nothing")),
            PerCompanyJob("remove_old_nothing", timedelta(1), lambda _: done.append("remove_old_nothing")),
        ],
    )
    assert (done, failed) == (["forget", "end"], ["break"])


def test_all_whose_name_says_that_it_removes_says_so_itself() -> None:
    purging_jobs = [job.name for job in JOBS if job.name.startswith(("purge_", "remove_old_"))]
    assert {*purging_jobs, "finish_erasures"} == {job.name for job in JOBS if job.removes}


def test_figures_are_measured_when_the_service_begins_and_again(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Platform] = []
    enough = threading.Event()

    def look(measured: Platform) -> float:
        looks.append(measured)
        if len(looks) == 2:
            enough.set()
        return 7

    monkeypatch.setattr(jobs, "_measure", MEASURING)
    monkeypatch.setattr(jobs, "MEASURED_EVERY", timedelta(0))

    async def story() -> None:
        task = asyncio.create_task(jobs.run(platform, [Room("counted", gauges={"outbox_waiting": look})], []))
        assert await asyncio.to_thread(enough.wait, 60)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(story())
    assert platform.metrics.outbox_waiting._value.get() == 7


def test_a_job_that_two_workers_do_at_once_fails_in_neither(
    firm: Firm, platform: Platform, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[str] = []
    monkeypatch.setattr(jobs.log, "error", lambda _event, job, **_: failed.append(job))
    for _ in range(20):
        firm.anna.post("/api/tickets", json={"path": "/api/x"})
    clock.advance(days=31)
    gate = threading.Barrier(4)

    def work(_: int) -> None:
        gate.wait(60)
        for job in JOBS:
            jobs.run_once(platform, job)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert (failed, _counts(platform)) == ([], [0, 0, 0])


class TestOnPostgreSQL:
    """With several writers at a time."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    def test_no_job_waits_for_a_lock_on_expired_rows(
        self, firm: Firm, platform: Platform, clock: SettableClock
    ) -> None:
        """So no job can be part of a deadlock that fails another call."""
        firm.anna.post("/api/tickets", json={"path": "/api/x"})
        right = {"company": firm.name, "username": "anna", "password": PASSWORD}
        assert firm.world.client.post("/api/login", json=right).status_code == 200
        clock.advance(days=31)
        with ThreadPoolExecutor(1) as pool, platform.database.write(SYSTEM) as tx:
            for table in (WebSession, Ticket, FailureCounter):
                tx.scalars(select(table).where(table.expires_at > EPOCH).limit(1).with_for_update()).one()
            pool.submit(lambda: [jobs.run_once(platform, job) for job in JOBS]).result(60)
            assert _counts(platform) == [1, 1, 1]
        for job in JOBS:
            jobs.run_once(platform, job)
        assert _counts(platform) == [0, 0, 0]
