import asyncio
import time

import anyio.to_thread
import pytest
from stempelwerk_tools.simulation.machines.loop import Deadlock, Process, simulated_loop, wait_for_all


def test_a_simulated_week_passes_while_nothing_waits():
    async def sleepers() -> list[str]:
        heard: list[str] = []

        async def sleeper(name: str, days: float) -> None:
            await asyncio.sleep(days * 86_400)
            heard.append(name)

        await asyncio.gather(sleeper("last", 7), sleeper("first", 1), sleeper("middle", 3))
        return heard

    began = time.monotonic()
    with simulated_loop() as loop:
        assert loop.run_until_complete(sleepers()) == ["first", "middle", "last"]
        assert loop.time() == pytest.approx(7 * 86_400)
    assert time.monotonic() - began < 60  # a hang, not a speed: a real week is 604,800 s


def test_work_for_a_thread_runs_in_line():
    async def work() -> tuple[str, str, str]:
        loop = asyncio.get_running_loop()
        by_loop = await loop.run_in_executor(None, str.upper, "a")
        return by_loop, await asyncio.to_thread(str.upper, "b"), await anyio.to_thread.run_sync(str.upper, "c")

    with simulated_loop() as loop:
        assert loop.run_until_complete(work()) == ("A", "B", "C")


def test_an_error_in_a_thread_reaches_who_waits_for_it():
    async def work() -> None:
        await asyncio.to_thread(int, "not a number")

    with simulated_loop() as loop, pytest.raises(ValueError, match="not a number"):
        loop.run_until_complete(work())


def test_waiting_for_what_never_comes_is_said_and_not_waited_for():
    async def waits() -> None:
        await asyncio.Event().wait()

    with simulated_loop() as loop:
        task = loop.create_task(waits())
        with pytest.raises(Deadlock):
            loop.run_until_complete(task)
        task.cancel()
        loop.run_until_complete(wait_for_all(task))


def test_a_timeout_strikes_in_simulated_time():
    async def waits() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3600):
                await asyncio.Event().wait()
        return asyncio.get_running_loop().time()

    with simulated_loop() as loop:
        assert loop.run_until_complete(waits()) == pytest.approx(3600)


def test_a_killed_process_ends_between_two_awaits_and_starts_nothing_more():
    async def story() -> list[int]:
        steps: list[int] = []
        process = Process("clock")

        async def counts() -> None:
            while True:
                steps.append(len(steps))
                await asyncio.sleep(1)

        process.start(counts())
        await asyncio.sleep(3.5)
        await process.kill()
        await asyncio.sleep(10)
        return steps

    with simulated_loop() as loop:
        assert loop.run_until_complete(story()) == [0, 1, 2, 3]


def test_the_error_of_a_living_process_is_recorded():
    async def story() -> list[BaseException]:
        process = Process("clock")

        async def breaks() -> None:
            raise ZeroDivisionError("a defect")

        await wait_for_all(process.start(breaks()))
        return process.failures

    with simulated_loop() as loop:
        (failure,) = loop.run_until_complete(story())
        assert isinstance(failure, ZeroDivisionError)
