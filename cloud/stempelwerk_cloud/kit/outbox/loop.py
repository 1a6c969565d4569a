"""The loop that runs due outbox tasks: at once after a commit that added one, when the next is due, and every minute.

Each kind of task has a limit of its own, so that a slow mail server delays only mail. Tasks run in threads of their
own, separate from those that serve requests.
"""

import asyncio
from collections.abc import Collection
from datetime import datetime

import anyio
import structlog

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import queue
from stempelwerk_cloud.kit.outbox.queue import Claimed
from stempelwerk_cloud.kit.outbox.tasks import MOST_ATTEMPTS, PermanentFailure, RetryLater, chance_of, pause_after
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger(__name__)

AT_ONCE = 4
"""The most tasks of a kind at once in a process. For a company, and for a `concurrency_key`, it is one (`queue.claim`).
"""
EVERY_S = 60.0


async def run(platform: Platform) -> None:
    """Runs the loop until it is cancelled; tasks that have begun are waited for."""
    looking = anyio.CapacityLimiter(1)
    doing = anyio.CapacityLimiter(AT_ONCE * max(1, len(platform.outbox.tasks)))
    running: dict[tuple[str, str], Claimed] = {}
    awake = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def work(entry: Claimed) -> None:
        try:
            await anyio.to_thread.run_sync(do, platform, entry, limiter=doing)
        finally:
            del running[entry.company_id, entry.id]
            awake.set()

    with platform.outbox.woken_by(lambda: loop.call_soon_threadsafe(awake.set)):
        async with anyio.create_task_group() as group:
            while True:
                awake.clear()
                claimed, pause = await anyio.to_thread.run_sync(
                    _turn, platform, tuple(running.values()), limiter=looking
                )
                for entry in claimed:
                    running[entry.company_id, entry.id] = entry
                    group.start_soon(work, entry)
                if not claimed:
                    with anyio.move_on_after(pause):
                        await awake.wait()


def _turn(platform: Platform, running: Collection[Claimed]) -> tuple[list[Claimed], float]:
    """Returns the tasks to begin now, and the most seconds to wait if nothing is due. Failures are logged."""
    try:
        return take(platform, running)
    except Exception as error:  # such as a database that does not answer
        log.error("job_failed", job="outbox", exc_info=error)
        return [], EVERY_S


def take(platform: Platform, running: Collection[Claimed] = ()) -> tuple[list[Claimed], float]:
    """Claims due tasks up to each kind's limit, less those in `running`. Returns them, and the seconds until the next
    is due.
    """
    free = {kind: AT_ONCE - sum(entry.kind == kind for entry in running) for kind in platform.outbox.tasks}
    free = {kind: places for kind, places in free.items() if places > 0}
    with platform.database.read(SYSTEM) as session:
        due = queue.next_due(session, free)
    now = platform.clock.now()
    is_due = due is not None and due <= now
    claimed: list[Claimed] = []
    if is_due or running:
        with platform.database.write(SYSTEM) as session:
            queue.renew(session, now, running)
            for kind, places in free.items() if is_due else ():
                newly_claimed, spent = queue.claim(session, now, kind, places)
                claimed += newly_claimed
                for row in spent:
                    log.error("outbox_failed", kind=row.kind, id=row.id, attempts=row.attempts, reason="died at it")
    return claimed, _seconds_until(due, now)


def _seconds_until(due: datetime | None, now: datetime) -> float:
    # Another process has currently claimed or locked a due row that could not be claimed.
    return EVERY_S if due is None else min(EVERY_S, max(1.0, (due - now).total_seconds()))


def do(platform: Platform, entry: Claimed) -> None:
    """Runs the task and records the outcome in one transaction.

    If that fails, the task is done again after its lease.
    """
    try:
        _do(platform, entry)
    except Exception as error:
        log.error("outbox_unmarked", kind=entry.kind, id=entry.id, exc_info=error)


def _do(platform: Platform, entry: Claimed) -> None:
    wrong: Exception | None = None
    try:
        platform.outbox.tasks[entry.kind](platform, entry.company_id, entry.payload, entry.id)
    except Exception as error:
        wrong = error
    with platform.database.write(SYSTEM) as session:
        now = platform.clock.now()
        if wrong is None:
            queue.done(session, entry)
        elif isinstance(wrong, PermanentFailure) or entry.attempts >= MOST_ATTEMPTS:
            queue.give_up(session, entry, now)
        else:
            requested_pause = wrong.pause if isinstance(wrong, RetryLater) else None
            queue.put_off(session, entry, now + (requested_pause or pause_after(entry.attempts, chance_of(platform))))
    if wrong is not None:
        _tell(entry, wrong)


def _tell(entry: Claimed, wrong: Exception) -> None:
    foreseen = isinstance(wrong, PermanentFailure | RetryLater)
    reason = (foreseen and str(wrong)) or type(wrong).__name__
    details = {"kind": entry.kind, "id": entry.id, "attempts": entry.attempts, "reason": reason}
    if isinstance(wrong, PermanentFailure) or entry.attempts >= MOST_ATTEMPTS:
        log.error("outbox_failed", **details, exc_info=None if foreseen else wrong)
    else:
        log.warning("outbox_later", **details, exc_info=None if foreseen else wrong)


def once(platform: Platform) -> int:
    """Runs all due tasks that are not claimed, one after the other; returns their number. For tests and commands."""
    count = 0
    while True:
        claimed, _ = take(platform)
        if not claimed:
            return count
        for entry in claimed:
            do(platform, entry)
            count += 1
