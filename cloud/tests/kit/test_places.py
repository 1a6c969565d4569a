"""Files are inspected a few at a time: no person and no company occupies all places."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits import machine_semaphore

LONG_S = 60.0


@pytest.fixture
def platform(tmp_path: Path) -> Any:
    return SimpleNamespace(settings=SimpleNamespace(data_dir=tmp_path / "data"))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets the patience to zero, unless a test sets another."""
    monkeypatch.setattr(places, "PATIENCE_S", 0)


Taking = Callable[[str, str], BinaryIO]


@pytest.fixture
def take(platform: Any) -> Taking:
    return lambda company, user: asyncio.run(places.take(platform, company, user))


def refused(take: Taking, company: str, user: str) -> tuple[int, str]:
    with pytest.raises(Problem) as problem:
        take(company, user)
    assert (problem.value.code, problem.value.headers) == ("files_busy", {"Retry-After": "5"})
    return problem.value.status, problem.value.message


def test_a_person_has_one_place_a_company_two_and_all_together_three(take: Taking) -> None:
    with take("a", "1") as first, take("a", "2"):
        assert refused(take, "a", "1") == (
            429,
            "Deine vorige Datei wird noch geprüft. Bitte gleich noch einmal versuchen.",
        )
        assert refused(take, "a", "3") == (
            429,
            "Gerade werden schon mehrere Dateien aus deiner Firma geprüft. Bitte gleich noch einmal versuchen.",
        )
        with take("b", "1"):
            assert refused(take, "c", "1") == (
                503,
                "Gerade werden zu viele Dateien geprüft. Bitte gleich noch einmal versuchen.",
            )
            first.close()
            with take("c", "1"):
                assert refused(take, "d", "1")[0] == 503


def test_a_refused_caller_keeps_no_place(take: Taking) -> None:
    with ExitStack() as stack:
        for company, user in (("a", "1"), ("a", "2"), ("b", "1")):
            stack.enter_context(take(company, user))
        for company, user in (("a", "3"), ("c", "1")):
            refused(take, company, user)
    with take("c", "1"), take("a", "3"), take("a", "1"):
        pass


def test_a_waiting_caller_goes_on_as_soon_as_a_place_is_free(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", LONG_S)

    async def story() -> None:
        place = await places.take(platform, "a", "1")
        waiting = [asyncio.create_task(places.take(platform, "a", "1")) for _ in range(2)]
        with await places.take(platform, "a", "2"), await places.take(platform, "b", "1"):
            assert not any(task.done() for task in waiting)
            place.close()
            done, still = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert (len(done), len(still)) == (1, 1)
            done.pop().result().close()
            (await still.pop()).close()

    asyncio.run(story())


def test_who_gives_up_waiting_leaves_nothing_behind(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", LONG_S)

    async def story() -> None:
        with await places.take(platform, "a", "1"), await places.take(platform, "a", "2"):
            waiting = asyncio.create_task(places.take(platform, "a", "3"))
            await asyncio.sleep(0)  # it now holds the person's place
            monkeypatch.setattr(places, "PATIENCE_S", 0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        (await places.take(platform, "a", "3")).close()

    asyncio.run(story())


def test_twenty_requests_at_once_get_exactly_the_existing_places(platform: Any) -> None:
    async def story() -> list[BinaryIO | BaseException]:
        requests = [places.take(platform, f"company {number % 10}", f"{number}") for number in range(20)]
        return await asyncio.gather(*requests, return_exceptions=True)

    outcomes = asyncio.run(story())
    got = [place for place in outcomes if not isinstance(place, BaseException)]
    assert len(got) == places.OF_ALL
    for place in got:
        place.close()


WORKER = """
import asyncio, subprocess, sys
from pathlib import Path
from types import SimpleNamespace
from stempelwerk_cloud.kit.files import places
place = asyncio.run(places.take(SimpleNamespace(settings=SimpleNamespace(data_dir=Path(sys.argv[1]))), "a", "1"))
subprocess.Popen(["cat"], stdin=0, stdout=subprocess.DEVNULL, pass_fds=[place.fileno()])
print("held", flush=True)
sys.stdin.buffer.read()
"""


def test_a_killed_workers_place_is_its_childs_until_that_has_ended(
    platform: Any, take: Taking, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", WORKER, str(platform.settings.data_dir)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"held\n"
        assert refused(take, "a", "1")[0] == 429
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        assert refused(take, "a", "1")[0] == 429
        assert worker.stdin is not None
        worker.stdin.close()  # no more input, and the child ends
        monkeypatch.setattr(places, "PATIENCE_S", LONG_S)
        take("a", "1").close()


def test_the_file_stays_empty_and_private(platform: Any, take: Taking) -> None:
    take("a", "1").close()
    file = platform.settings.data_dir / machine_semaphore.FILE
    assert (file.stat().st_size, file.stat().st_mode & 0o777) == (0, 0o600)
