"""Bulkheads: slow work only waits for work of its kind, and a full bulkhead refuses at once."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead
from stempelwerk_cloud.kit.limits.fair_semaphore import (
    ACTIVE_S,
    OF_COMPANY,
    OF_PERSON,
    PAUSE_MOST_S,
    WORK_PER_S,
    WORK_S,
    FairLimiter,
    Share,
    page_shares,
)


def test_no_more_run_at_once_than_the_lane_has_threads_and_the_loop_goes_on() -> None:
    bulkhead = Bulkhead("test", threads=2, permits=100)
    release, lock = threading.Event(), threading.Lock()
    running, peak = 0, 0

    def work() -> None:
        nonlocal running, peak
        with lock:
            running += 1
            peak = max(peak, running)
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
    assert peak <= 2


def test_a_full_bulkhead_answers_503_and_a_permit_is_returned() -> None:
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
    """Calls that read much. Each ends when the test ends it."""

    def __init__(self, limiter: FairLimiter, limit: int = 1) -> None:
        self._limiter, self._most = limiter, limit
        self.at_work: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def read(self, company: str, name: str) -> None:
        self._ends[name] = asyncio.Event()
        async with self._limiter.slot(Share(company, self._most)):
            self.at_work.append(name)
            try:
                await self._ends[name].wait()
            finally:
                self.at_work.remove(name)

    async def begin(self, *calls: tuple[str, str]) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self.read(*call)) for call in calls]
        await _settle()
        return tasks

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await _settle()


async def _settle() -> None:
    """Runs the loop until every task waits for the test."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_calls_of_a_company_are_read_one_by_one_and_do_not_delay_another_company() -> None:
    async def story() -> None:
        reads = Reads(FairLimiter(2))
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
        reads = Reads(FairLimiter(1))
        tasks = await reads.begin(("a", "a1"), ("a", "a2"), ("b", "b1"), ("c", "c1"))
        order = []
        while reads.at_work:
            order += reads.at_work
            await reads.end(reads.at_work[0])
        await asyncio.gather(*tasks)
        assert order == ["a1", "b1", "c1", "a2"]  # one company delays another by one call

    asyncio.run(story())


def test_a_share_of_two_runs_two_calls_and_the_next_caller_is_next() -> None:
    async def story() -> None:
        reads = Reads(FairLimiter(3), limit=2)
        tasks = await reads.begin(*(("a", f"a{number}") for number in range(1, 6)), ("b", "b1"), ("b", "b2"))
        assert reads.at_work == ["a1", "a2", "b1"]
        await reads.end("a1")
        assert reads.at_work == ["a2", "b1", "b2"]
        for name in ("a2", "b1", "b2", "a3", "a4", "a5"):
            await reads.end(name)
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_a_cancelled_or_failed_call_returns_its_turn() -> None:
    async def story() -> None:
        reads = Reads(FairLimiter(1))
        first, second, third, fourth = await reads.begin(("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"))
        second.cancel()
        fourth.cancel()
        first.cancel()
        await _settle()
        assert reads.at_work == ["a3"]
        await reads.end("a3")
        await asyncio.gather(third)

    asyncio.run(story())


def test_each_event_loop_has_turns_of_its_own() -> None:
    limiter = FairLimiter(1)

    async def story() -> str:
        async with limiter.slot(Share("a")):
            return "read"

    assert [asyncio.run(story()) for _ in range(2)] == ["read", "read"]


class _Held:
    """Requests that are held until the test ends them."""

    def __init__(self, limiter: FairLimiter) -> None:
        self._limiter, self._end = limiter, asyncio.Event()
        self.served: list[str] = []

    async def request(self, company: str, person: str) -> None:
        async with self._limiter.slot(*page_shares(company, person)):
            self.served.append(person)
            await self._end.wait()

    async def end(self, *tasks: asyncio.Task[None]) -> None:
        self._end.set()
        await asyncio.gather(*tasks)


def test_a_person_a_company_and_their_many_requests_leave_places_for_another_company() -> None:
    async def story() -> None:
        holder = _Held(FairLimiter(8))
        crowd = [("a", f"a{number % 5}") for number in range(50)]
        tasks = [asyncio.create_task(holder.request(*request)) for request in [*crowd, ("b", "b0")]]
        await _settle()
        assert len([user for user in holder.served if user != "b0"]) == OF_COMPANY
        assert "b0" in holder.served
        await holder.end(*tasks)
        assert len(holder.served) == 51

    asyncio.run(story())


def test_a_colleague_waits_for_the_places_of_one_person_and_not_for_all_that_person_asks() -> None:
    async def story() -> None:
        holder = _Held(FairLimiter(8))
        busy = [asyncio.create_task(holder.request("a", "busy")) for _ in range(20)]
        await _settle()
        colleague = asyncio.create_task(holder.request("a", "colleague"))
        await _settle()
        await holder.end(*busy, colleague)
        assert holder.served.index("colleague") <= 2 * OF_PERSON

    asyncio.run(story())


# -- resting


class SteppedLoop(asyncio.SelectorEventLoop):
    """An event loop whose time and CPU time the test advances."""

    now = used = 0.0

    def time(self) -> float:
        return self.now

    def processor(self) -> float:
        return self.used


async def _serve(limiter: FairLimiter, company: str, seconds: float, end: asyncio.Event | None = None) -> None:
    """Serves a request that computes for `seconds`, and then waits for something else."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteppedLoop)
    async with limiter.slot(Share(company, 1, rests=True)):
        loop.used += seconds
        if end is not None:
            await end.wait()


def _run(story: Callable[[SteppedLoop, FairLimiter], Coroutine[Any, Any, None]]) -> None:
    loop = SteppedLoop()
    try:
        loop.run_until_complete(story(loop, FairLimiter(8, loop.processor)))
    finally:
        loop.close()


async def _is_served(limiter: FairLimiter, company: str) -> bool:
    """Returns whether a request of the company is served at once."""
    task = asyncio.create_task(_serve(limiter, company, 0.0))
    await _settle()
    if not task.done():
        task.cancel()
    return task.done()


def test_a_company_that_has_computed_much_rests_while_another_is_active() -> None:
    async def story(loop: SteppedLoop, limiter: FairLimiter) -> None:
        await _serve(limiter, "quiet", 0.1)
        await _serve(limiter, "busy", WORK_S + 0.5)
        assert not await _is_served(limiter, "busy")
        assert await _is_served(limiter, "quiet")
        loop.now += 0.5 / WORK_PER_S
        await _settle()
        assert await _is_served(limiter, "busy")

    _run(story)


def test_a_rest_has_an_end_however_much_was_computed() -> None:
    async def story(loop: SteppedLoop, limiter: FairLimiter) -> None:
        await _serve(limiter, "quiet", 0.0)
        await _serve(limiter, "busy", 1000 * WORK_S)
        loop.now += PAUSE_MOST_S
        await _settle()
        assert await _is_served(limiter, "busy")

    _run(story)


def test_a_company_alone_never_rests() -> None:
    async def story(loop: SteppedLoop, limiter: FairLimiter) -> None:
        await _serve(limiter, "other", 0.1)
        loop.now += ACTIVE_S + 1
        for _ in range(5):
            await _serve(limiter, "busy", 10 * WORK_S)
            assert await _is_served(limiter, "busy")

    _run(story)


def test_a_company_that_computes_little_never_rests() -> None:
    async def story(loop: SteppedLoop, limiter: FairLimiter) -> None:
        for _ in range(50):
            await _serve(limiter, "other", 0.0)
            await _serve(limiter, "steady", WORK_S / 2)
            assert await _is_served(limiter, "steady")
            loop.now += WORK_S / 2 / WORK_PER_S

    _run(story)


def test_a_request_that_waits_while_no_other_computes_costs_nothing() -> None:
    async def story(loop: SteppedLoop, limiter: FairLimiter) -> None:
        end = asyncio.Event()
        waiting = asyncio.create_task(_serve(limiter, "waits", 0.0, end))
        await _settle()
        loop.now += 60
        await _serve(limiter, "other", 0.0)
        end.set()
        await waiting
        assert await _is_served(limiter, "waits")

    _run(story)


def test_a_request_that_waits_for_a_place_of_all_takes_no_part_of_the_work() -> None:
    async def story(loop: SteppedLoop, _: FairLimiter) -> None:
        limiter, end = FairLimiter(1, loop.processor), asyncio.Event()
        await _serve(limiter, "waits", 0.0)
        busy = asyncio.create_task(_serve(limiter, "busy", WORK_S + 0.5, end))
        await _settle()
        waiting = asyncio.create_task(_serve(limiter, "waits", 0.0))
        await _settle()
        assert not waiting.done()
        loop.used += WORK_S
        end.set()
        await asyncio.gather(busy, waiting)
        assert await _is_served(limiter, "waits")
        assert not await _is_served(limiter, "busy")

    _run(story)


def test_work_with_a_bulkhead_of_its_own_waits_for_its_shares_and_for_no_place_of_all() -> None:
    async def story(loop: SteppedLoop, _: FairLimiter) -> None:
        limiter, end = FairLimiter(1, loop.processor), asyncio.Event()
        await _serve(limiter, "quiet", 0.0)
        page = asyncio.create_task(_serve(limiter, "page", 0.0, end))
        await _settle()
        guesses = Share("address", 1, rests=True)
        async with limiter.shares_only(guesses):
            loop.used += 2 * (WORK_S + 0.5)
            second = asyncio.create_task(_served_alone(limiter, guesses))
            await _settle()
            assert not second.done()
        await _settle()
        assert not second.done()  # it has worked much, and another is active
        loop.now += PAUSE_MOST_S
        await second
        end.set()
        await page

    _run(story)


async def _served_alone(limiter: FairLimiter, share: Share) -> None:
    async with limiter.shares_only(share):
        pass
