"""The outbox with real processes: tasks of a dead process are done by another, and no two do the same at once.

This process is the one that comes after a death.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.outbox.queue import LEASE
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.kit import outbox_worker
from cloud.tests.processes import begin_together
from cloud.tests.settable_clock import START, SettableClock

pytestmark = ON_BOTH

COMPANY = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


class Workers:
    """Processes on the test's database, and their common journal."""

    def __init__(self, url: str, folder: Path, platform: Platform, clock: SettableClock) -> None:
        self._url, self._folder, self._platform, self._clock = url, folder, platform, clock
        self._journal = folder / "journal"
        platform.outbox.declare({outbox_worker.KIND: self._write})

    def _write(self, _platform: Platform, _company_id: str, _payload: Mapping[str, Any], which: str) -> None:
        outbox_worker.write_line(str(self._journal), f"begins {which}")
        outbox_worker.write_line(str(self._journal), f"ends {which}")

    def come_after(self, instant: datetime) -> None:
        """Does the due tasks in this process."""
        self._clock.set(instant)
        outbox.once(self._platform)

    def work(self, behaviour: str, instant: datetime, count: int = 1) -> list[int]:
        """Starts `count` processes together; returns how each ended."""
        arguments = [self._url, str(self._folder), str(self._journal), instant.isoformat(), behaviour]
        return begin_together(outbox_worker.main, *arguments, count=count)

    def lines_with(self, word: str) -> list[tuple[str, str]]:
        """Returns (process, id) of the lines with this word."""
        lines = [line.split() for line in self._journal.read_text(encoding="utf-8").splitlines()]
        return [(process, which) for process, line_word, which in lines if line_word == word]


@pytest.fixture
def workers(database_url: str, settings: Settings, platform: Platform, clock: SettableClock) -> Workers:
    settings.data_dir.mkdir(exist_ok=True)
    return Workers(database_url, settings.data_dir, platform, clock)


def _add_rows(platform: Platform, count: int) -> list[str]:
    with platform.database.write(SYSTEM) as session:
        return [
            outbox.add(session, platform, f"{COMPANY[:-3]}{number:03}", outbox_worker.KIND, {})
            for number in range(count)
        ]


def _remaining_rows(platform: Platform) -> list[OutboxRow]:
    with platform.database.read(SYSTEM) as session:
        return list(session.scalars(select(OutboxRow)))


def test_a_killed_processs_unmarked_task_is_done_again_by_its_id_after_the_lease(
    platform: Platform, workers: Workers
) -> None:
    (only,) = _add_rows(platform, 1)
    assert workers.work("dies", START) == [-9]
    assert [row.attempts for row in _remaining_rows(platform)] == [1]

    workers.come_after(START + LEASE - timedelta(seconds=1))
    assert [which for _, which in workers.lines_with("ends")] == [only]

    workers.come_after(START + LEASE)
    assert [which for _, which in workers.lines_with("ends")] == [only, only]
    assert _remaining_rows(platform) == []


def test_a_task_that_kills_every_process_is_given_up(platform: Platform, workers: Workers) -> None:
    _add_rows(platform, 1)
    with platform.database.write(SYSTEM) as session:
        row = session.scalars(select(OutboxRow)).one()
        row.attempts = 11
    assert workers.work("dies", START) == [-9]
    workers.come_after(START + LEASE)
    (row,) = _remaining_rows(platform)
    assert (row.attempts, row.failed_at) == (12, START + LEASE)
    assert len(workers.lines_with("begins")) == 1


def test_two_processes_at_once_never_do_the_same(platform: Platform, workers: Workers) -> None:
    ids = _add_rows(platform, 60)
    assert workers.work("meets", START, count=2) == [0, 0]
    begun = workers.lines_with("begins")
    assert Counter(which for _, which in begun) == Counter(ids)
    assert len({process for process, _ in begun}) == 2
    assert _remaining_rows(platform) == []
