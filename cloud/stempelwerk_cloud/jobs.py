"""Work that comes round by itself. Each job is a short transaction that may run in several processes at once.

A job that fails is logged and tried again at its next turn; nothing here may be needed for an answer to be right.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit import routing
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import sessions
from stempelwerk_cloud.people.login import throttle

log = structlog.get_logger(__name__)


class Job(NamedTuple):
    """`work(session, now)` runs every `every`, the first time after one such pause."""

    name: str
    every: timedelta
    work: Callable[[Session, datetime], None]


JOBS = (
    Job("purge_sessions", timedelta(minutes=10), sessions.purge),
    Job("purge_login_counters", timedelta(minutes=10), throttle.purge),
    Job("purge_kept_answers", timedelta(hours=1), routing.purge),
)


async def run(platform: Platform) -> None:
    """Runs all jobs in their rhythm until cancelled."""
    async with asyncio.TaskGroup() as group:
        for job in JOBS:
            group.create_task(repeat(platform, job))


async def repeat(platform: Platform, job: Job) -> None:
    """Runs one job in its rhythm until cancelled."""
    while True:
        await asyncio.sleep(job.every.total_seconds())
        await run_in_threadpool(run_once, platform, job)


def run_once(platform: Platform, job: Job) -> None:
    """One turn of a job."""
    try:
        with platform.database.write() as session:
            job.work(session, platform.clock.now())
    except Exception as error:
        log.error("job_failed", job=job.name, exc_info=error)
