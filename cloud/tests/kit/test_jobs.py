"""Work that comes round by itself."""

import asyncio
import threading
from datetime import timedelta

from sqlalchemy import func, select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.scopes import HOUSE
from stempelwerk_cloud.people.access.tables import Ticket, WebSession
from stempelwerk_cloud.people.login.tables import LoginCounter

from cloud.tests.conftest import SettableClock
from cloud.tests.world import PASSWORD, Firm


def _counts(platform: Platform) -> list[int]:
    with platform.database.read(HOUSE) as tx:
        return [tx.scalar(select(func.count()).select_from(table)) or 0 for table in (WebSession, Ticket, LoginCounter)]


def test_what_has_expired_is_removed_and_nothing_else(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    firm.anna.post("/api/tickets", json={"path": "/api/x"})
    right = {"company": firm.name, "username": "anna", "password": PASSWORD}
    assert firm.world.client.post("/api/login", json=right).status_code == 200
    before = _counts(platform)
    assert min(before) > 0
    for job in jobs.JOBS:
        jobs.run_once(platform, job)
    assert _counts(platform) == before
    clock.advance(days=1)
    for job in jobs.JOBS:
        jobs.run_once(platform, job)
    assert _counts(platform) == [0, 0, 1], "where somebody is at home is known for 30 days"
    clock.advance(days=30)
    for job in jobs.JOBS:
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
        task = asyncio.create_task(jobs.repeat(platform, jobs.Job("failing", timedelta(0), fail)))
        assert await asyncio.to_thread(enough.wait, 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(story())
