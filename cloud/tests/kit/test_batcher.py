"""Batches of questions: questions of one moment share an answer, and a cancelled or failed one delays no other."""

import asyncio
import threading
from collections.abc import Sequence
from contextvars import ContextVar

import pytest
from stempelwerk_cloud.kit.batcher import Batcher

FAILING, UNANSWERED = -1, -2
CALLER: ContextVar[str] = ContextVar("CALLER", default="nobody")


class Doubling:
    """Doubles numbers, and remembers the batches. `open` lets batches go on, where it is given."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.callers: list[str] = []
        self.begun = asyncio.Event()
        self.open: asyncio.Event | None = None

    async def __call__(self, numbers: Sequence[int]) -> Sequence[int]:
        self.batches.append(list(numbers))
        self.callers.append(CALLER.get())
        self.begun.set()
        if self.open is not None:
            await self.open.wait()
        if FAILING in numbers:
            raise LookupError
        return [number * 2 for number in numbers if number != UNANSWERED]


def test_questions_of_one_moment_share_batches_of_at_most_so_many_in_order() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=4)

    async def story() -> list[int]:
        return await asyncio.gather(*(batcher.ask(number) for number in range(10)))

    assert asyncio.run(story()) == [number * 2 for number in range(10)]
    assert doubling.batches == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_timers_that_end_at_once_share_a_batch() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)

    async def at(moment: float, number: int) -> int:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout_at(moment):
                await asyncio.Event().wait()
        return await batcher.ask(number)

    async def story() -> None:
        moment = asyncio.get_running_loop().time() + 0.01
        await asyncio.gather(*(at(moment, number) for number in range(50)))

    asyncio.run(story())
    assert [len(batch) for batch in doubling.batches] == [50]


def test_one_batch_at_a_time_is_answered_and_the_next_takes_what_came_meanwhile() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)

    async def story() -> None:
        doubling.open = asyncio.Event()
        first = asyncio.create_task(batcher.ask(1))
        await doubling.begun.wait()
        others = [asyncio.create_task(batcher.ask(number)) for number in (2, 3)]
        for _ in range(20):
            await asyncio.sleep(0)
        assert doubling.batches == [[1]]
        doubling.open.set()
        assert await asyncio.gather(first, *others) == [2, 4, 6]

    asyncio.run(story())
    assert doubling.batches == [[1], [2, 3]]


def test_a_failure_reaches_each_of_its_batch_and_no_other() -> None:
    batcher = Batcher(Doubling(), most=2)

    async def story() -> list[int | BaseException]:
        numbers = (1, FAILING, 3, 4)
        return await asyncio.gather(*(batcher.ask(number) for number in numbers), return_exceptions=True)

    first, second, *others = asyncio.run(story())
    assert isinstance(first, LookupError)
    assert isinstance(second, LookupError)
    assert others == [6, 8]


def test_too_few_answers_fail_and_leave_nobody_waiting() -> None:
    batcher = Batcher(Doubling(), most=100)

    async def story() -> list[int | BaseException]:
        return await asyncio.gather(*(batcher.ask(number) for number in (1, UNANSWERED)), return_exceptions=True)

    assert [type(answer) for answer in asyncio.run(story())] == [ValueError, ValueError]


@pytest.mark.parametrize("gone", [0, 1, 2])
@pytest.mark.parametrize("when", ["before the batch", "during the batch"])
def test_who_leaves_disturbs_nobody(gone: int, when: str) -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)

    async def story() -> list[int | BaseException]:
        doubling.open = asyncio.Event()
        asking = [asyncio.create_task(batcher.ask(number)) for number in range(3)]
        await (asyncio.sleep(0) if when == "before the batch" else doubling.begun.wait())
        asking[gone].cancel()
        await asyncio.wait([asking[gone]])
        doubling.open.set()
        return await asyncio.gather(*asking, return_exceptions=True)

    answers = asyncio.run(story())
    assert isinstance(answers.pop(gone), asyncio.CancelledError)
    assert answers == [number * 2 for number in range(3) if number != gone]
    assert len(doubling.batches) == 1
    assert (gone in doubling.batches[0]) == (when == "during the batch")


def test_a_batch_does_not_work_in_the_name_of_one_who_asked() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)

    async def story() -> None:
        CALLER.set("anna")
        await batcher.ask(1)

    asyncio.run(story())
    assert doubling.callers == ["nobody"]


def test_an_event_loop_that_ended_within_a_batch_leaves_the_next_one_alone() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)

    async def broken_off() -> None:
        doubling.open = asyncio.Event()
        asking = asyncio.ensure_future(batcher.ask(1))
        await doubling.begun.wait()
        assert not asking.done()

    asyncio.run(broken_off())
    doubling.open = None
    assert asyncio.run(batcher.ask(2)) == 4


def test_event_loops_at_the_same_time_have_batches_of_their_own() -> None:
    doubling = Doubling()
    batcher = Batcher(doubling, most=100)
    both = threading.Barrier(2)
    answers: dict[int, int] = {}

    async def story(number: int) -> None:
        both.wait(60)
        answers[number] = await batcher.ask(number)

    threads = [threading.Thread(target=lambda number=number: asyncio.run(story(number))) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == {1: 2, 2: 4}
    assert sorted(doubling.batches) == [[1], [2]]


def test_a_batch_that_is_cancelled_before_it_begins_holds_up_no_later_question() -> None:
    batcher = Batcher(Doubling(), most=100)

    async def story() -> int:
        asking = asyncio.ensure_future(batcher.ask(1))
        await asyncio.sleep(0)
        (batch,) = asyncio.all_tasks() - {asking, asyncio.current_task()}
        batch.cancel()
        await asyncio.wait([batch])
        asking.cancel()
        async with asyncio.timeout(60):
            return await batcher.ask(2)

    assert asyncio.run(story()) == 4
