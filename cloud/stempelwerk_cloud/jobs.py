"""The scheduler of the rooms' jobs. Jobs run in short transactions, and possibly in several processes at once.

A job that fails is logged and runs again after its interval; no request may depend on a job. While the server's time is
in doubt, only jobs that allow it run (`Job.runs_in_doubt`).
"""

from collections.abc import Sequence
from datetime import timedelta

import anyio
import structlog
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations import service_time
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Job, PerCompanyJob, Room

log = structlog.get_logger(__name__)
MEASURED_EVERY = timedelta(seconds=30)


async def run(platform: Platform, rooms: Sequence[Room], jobs: Sequence[Job | PerCompanyJob]) -> None:
    """Runs every job at its interval, every room's loop, and the measuring of gauges, until its cancel scope is
    cancelled. A job that has begun is waited for.
    """
    async with anyio.create_task_group() as group:
        for job in jobs:
            group.start_soon(repeat, platform, job)
        for room in rooms:
            if room.loop is not None:
                group.start_soon(room.loop, platform)
        group.start_soon(_measure, platform, rooms)


def remove_over(platform: Platform, jobs: Sequence[Job | PerCompanyJob]) -> list[str]:
    """Runs all jobs that remove expired rows, once, after a restore: an older backup has brought such rows back.

    Returns the names of the failed jobs; the service runs them again.
    """
    return [job.name for job in jobs if job.removes and not take_turn(platform, job)]


async def repeat(platform: Platform, job: Job | PerCompanyJob) -> None:
    """Runs one job at its interval until cancelled."""
    while True:
        await anyio.sleep(job.interval.total_seconds())
        await run_in_threadpool(take_turn, platform, job)


async def _measure(platform: Platform, rooms: Sequence[Room]) -> None:
    while True:
        await run_in_threadpool(measure, platform, rooms)
        await anyio.sleep(MEASURED_EVERY.total_seconds())


def measure(platform: Platform, rooms: Sequence[Room]) -> None:
    """Measures every room's gauges (`Room.gauges`) from the database, and sets them in the metrics. Failures are
    logged.
    """
    for room in rooms:
        for gauge, figure in room.gauges.items():
            try:
                getattr(platform.metrics, gauge).set(figure(platform))
            except Exception as error:
                log.error("job_failed", job=f"measure {gauge}", exc_info=error)


def take_turn(platform: Platform, job: Job | PerCompanyJob) -> bool:
    """Runs a job once, unless the server's time is in doubt and the job needs it. Returns whether it ran and
    succeeded.
    """
    if job.runs_in_doubt:
        return run_once(platform, job)
    try:
        steady = service_time.steady(platform)
    except Exception as error:
        log.error("job_failed", job=job.name, exc_info=error)
        return False
    return steady is not None and run_once(steady, job)


def run_once(platform: Platform, job: Job | PerCompanyJob) -> bool:
    """Runs a job until it has no more to do, in one transaction per call; logs a failure. Returns whether it
    succeeded.
    """
    try:
        if isinstance(job, PerCompanyJob):
            return job.work(platform) is not False
        is_more: bool | None = True
        while is_more:
            with platform.database.write(SYSTEM) as session:
                is_more = job.work(session, platform.clock.now())
    except Exception as error:
        log.error("job_failed", job=job.name, exc_info=error)
        return False
    return True
