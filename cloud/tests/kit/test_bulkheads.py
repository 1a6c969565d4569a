"""Bulkheads: slow work waits for its like, nobody else for it, and a full bulkhead says so at once."""

import asyncio
import threading

import pytest
from stempelwerk_cloud.kit.bulkheads import Bulkhead
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
