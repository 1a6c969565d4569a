"""Work that comes round by itself, in short transactions, which may run in several processes at once.

A job that fails is logged and tried again at its next turn; nothing here may be needed for an answer to be right.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

import anyio
import structlog
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http import routing
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.service import remembered, sessions, throttle
from stempelwerk_cloud.people.login import service as login
from stempelwerk_cloud.timekeeping.entries import presence, review
from stempelwerk_cloud.timekeeping.stamps import waiting

log = structlog.get_logger(__name__)


class Job(NamedTuple):
    """`work(session, now)` runs every `every`, the first time after one such pause.

    Work that answers true has more to do, and goes on at once in a transaction of its own.
    """

    name: str
    every: timedelta
    work: Callable[[Session, datetime], bool | None]


JOBS = (
    Job("purge_sessions", timedelta(minutes=10), sessions.purge),
    Job("purge_unfinished_logins", timedelta(minutes=10), login.purge),
    Job("purge_remembered_devices", timedelta(hours=1), remembered.purge),
    Job("purge_login_counters", timedelta(minutes=10), throttle.purge),
    Job("purge_kept_answers", timedelta(hours=1), routing.purge),
    Job("purge_device_logs", timedelta(hours=1), device_logs.purge),
    Job("purge_people_changes", timedelta(hours=1), presence.purge),
    Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),
)
MEASURED_EVERY = timedelta(seconds=30)


async def run(platform: Platform) -> None:
    """Runs all jobs in their rhythm until its cancel scope is cancelled; a turn that has begun is waited for."""
    async with anyio.create_task_group() as group:
        for job in JOBS:
            group.start_soon(repeat, platform, job)
        group.start_soon(_measure, platform)
        group.start_soon(devices.keep_beats_written, platform)


async def repeat(platform: Platform, job: Job) -> None:
    """Runs one job in its rhythm until cancelled."""
    while True:
        await anyio.sleep(job.every.total_seconds())
        await run_in_threadpool(run_once, platform, job)


async def _measure(platform: Platform) -> None:
    while True:
        await run_in_threadpool(measure, platform)
        await anyio.sleep(MEASURED_EVERY.total_seconds())


def measure(platform: Platform) -> None:
    """Sets the gauges whose figures stand in the database."""
    devices.write_beats(platform)
    try:
        with platform.database.read(SYSTEM) as session:
            platform.metrics.held_stamps.set(waiting.count(session))
            platform.metrics.online_clocks.set(devices.online_count(session, platform.clock.now()))
    except Exception as error:
        log.error("job_failed", job="measure", exc_info=error)


def run_once(platform: Platform, job: Job) -> None:
    """One turn of a job."""
    try:
        is_more: bool | None = True
        while is_more:
            with platform.database.write(SYSTEM) as session:
                is_more = job.work(session, platform.clock.now())
    except Exception as error:
        log.error("job_failed", job=job.name, exc_info=error)
