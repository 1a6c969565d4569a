"""The outbox among real processes: what one dies at is done by another, and no two are at one thing at once."""

import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.outbox.queue import LEASE
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.settings import Settings

from cloud.tests.kit import outbox_worker
from cloud.tests.settable_clock import START

WORKER = Path(outbox_worker.__file__)
COMPANY = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


@pytest.fixture(autouse=True)
def declared(platform: Platform) -> None:
    platform.outbox.declare({outbox_worker.KIND: lambda *_: None})


class Workers:
    """Processes on the test's database, and what all of them wrote into their journal."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._folder = url, folder
        self._journal = folder / "journal"

    def work(self, what: str, at: datetime, count: int = 1) -> list[int]:
        """Lets so many begin together; how each ended."""
        arguments = [self._url, str(self._folder), str(self._journal), at.isoformat(), what]
        begun = [
            subprocess.Popen(
                [sys.executable, str(WORKER), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            for _ in range(count)
        ]
        for process in begun:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in begun:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in begun:
            process.communicate(timeout=120)
        return [process.returncode for process in begun]

    def said(self, word: str) -> list[tuple[str, str]]:
        """(process, id) of the lines with this word."""
        lines = [line.split() for line in self._journal.read_text(encoding="utf-8").splitlines()]
        return [(process, which) for process, said, which in lines if said == word]


@pytest.fixture
def workers(database_url: str, settings: Settings) -> Workers:
    settings.data_dir.mkdir()
    return Workers(database_url, settings.data_dir)


def _added(platform: Platform, count: int) -> list[str]:
    with platform.database.write(SYSTEM) as session:
        return [outbox.add(session, platform, COMPANY, outbox_worker.KIND, {}) for _ in range(count)]


def _left(platform: Platform) -> list[OutboxRow]:
    with platform.database.read(SYSTEM) as session:
        return list(session.scalars(select(OutboxRow)))


def test_what_a_killed_process_did_not_mark_is_done_again_by_its_id_once_the_lease_is_over(
    platform: Platform, workers: Workers
) -> None:
    (only,) = _added(platform, 1)
    assert workers.work("dies", START) == [-9]
    assert [row.attempts for row in _left(platform)] == [1]

    assert workers.work("alone", START + LEASE - timedelta(seconds=1)) == [0]
    assert [which for _, which in workers.said("ends")] == [only]

    assert workers.work("alone", START + LEASE) == [0]
    assert [which for _, which in workers.said("ends")] == [only, only]
    assert _left(platform) == []


def test_who_kills_every_process_is_given_up(platform: Platform, workers: Workers) -> None:
    _added(platform, 1)
    with platform.database.write(SYSTEM) as session:
        row = session.scalars(select(OutboxRow)).one()
        row.attempts = 11
    assert workers.work("dies", START) == [-9]
    assert workers.work("alone", START + LEASE) == [0]
    (row,) = _left(platform)
    assert (row.attempts, row.failed_at) == (12, START + LEASE)
    assert len(workers.said("begins")) == 1


def test_two_processes_at_once_never_do_the_same(platform: Platform, workers: Workers) -> None:
    ids = _added(platform, 60)
    assert workers.work("meets", START, count=2) == [0, 0]
    begun = workers.said("begins")
    assert Counter(which for _, which in begun) == Counter(ids)
    assert len({process for process, _ in begun}) == 2
    assert _left(platform) == []
