"""Bulkheads: slow work waits for its like, nobody else for it, and a full bulkhead says so at once."""

import asyncio
import threading

import pytest
from stempelwerk_cloud.kit.bulkheads import Bulkhead, Turns
from stempelwerk_cloud.kit.http.problems import Problem


def test_no_more_run_at_once_than_the_lane_has_threads_and_the_loop_goes_on() -> None:
    bulkhead = Bulkhead("test", threads=2, permits=100)
    release, lock = threading.Event(), threading.Lock()
    running, most = 0, 0

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        release.wait(60)
        with lock:
            running -= 1

    async def story() -> None:
        waiting = [asyncio.create_task(bulkhead.run(work)) for _ in range(8)]
        # The shared threads are all free meanwhile.
        assert await asyncio.to_thread(lambda: "page") == "page"
        release.set()
        await asyncio.gather(*waiting)

    asyncio.run(story())
    assert most <= 2


def test_whoever_finds_the_lane_full_is_told_to_come_again_and_a_place_is_given_back() -> None:
    bulkhead = Bulkhead("test", threads=1, permits=2)
    with bulkhead.permit():
        with bulkhead.permit():
            with pytest.raises(Problem) as full, bulkhead.permit():
                pass
            assert (full.value.status, full.value.headers["Retry-After"]) == (503, "2")
        with bulkhead.permit():
            pass


def test_what_the_work_raises_arrives() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(Bulkhead("test", threads=1, permits=1).run(fail))


class Reads:
    """Calls that read much, each of which ends when it is told to."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.at_work: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def read(self, company: str, name: str) -> None:
        self._ends[name] = asyncio.Event()
        async with self._turns.of(company):
            self.at_work.append(name)
            try:
                await self._ends[name].wait()
            finally:
                self.at_work.remove(name)

    async def begin(self, *calls: tuple[str, str]) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self.read(*call)) for call in calls]
        await _settled()
        return tasks

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await _settled()


async def _settled() -> None:
    """Everything that can go on without being told to has."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_of_what_a_company_asks_at_once_one_is_read_after_the_other_and_another_company_does_not_wait_for_it() -> None:
    async def story() -> None:
        reads = Reads(Turns(2))
        tasks = await reads.begin(("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"))
        assert reads.at_work == ["a1", "b1"]
        await reads.end("a1")
        assert reads.at_work == ["b1", "a2"]
        for name in ("b1", "a2", "a3"):
            await reads.end(name)
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_no_more_companies_are_at_work_at_once_than_there_are_places_and_who_comes_first_is_first() -> None:
    async def story() -> None:
        reads = Reads(Turns(1))
        tasks = await reads.begin(("a", "a1"), ("a", "a2"), ("b", "b1"), ("c", "c1"))
        order = []
        while reads.at_work:
            order += reads.at_work
            await reads.end(reads.at_work[0])
        await asyncio.gather(*tasks)
        assert order == ["a1", "b1", "c1", "a2"]  # what one company asks for delays another by one call

    asyncio.run(story())


def test_who_may_have_two_at_work_has_two_however_many_they_ask_for_and_the_next_one_who_asks_is_next() -> None:
    async def story() -> None:
        reads = Reads(Turns(3, each=2))
        tasks = await reads.begin(*(("a", f"a{number}") for number in range(1, 6)), ("b", "b1"), ("b", "b2"))
        assert reads.at_work == ["a1", "a2", "b1"]
        await reads.end("a1")
        assert reads.at_work == ["a2", "b1", "b2"]
        for name in ("a2", "b1", "b2", "a3", "a4", "a5"):
            await reads.end(name)
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_who_leaves_while_waiting_or_fails_at_work_gives_the_turn_back() -> None:
    async def story() -> None:
        reads = Reads(Turns(1))
        first, second, third, other = await reads.begin(("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"))
        second.cancel()
        other.cancel()
        first.cancel()
        await _settled()
        assert reads.at_work == ["a3"]
        await reads.end("a3")
        await asyncio.gather(third)

    asyncio.run(story())


def test_each_event_loop_has_turns_of_its_own() -> None:
    turns = Turns(1)

    async def story() -> str:
        async with turns.of("a"):
            return "read"

    assert [asyncio.run(story()) for _ in range(2)] == ["read", "read"]
