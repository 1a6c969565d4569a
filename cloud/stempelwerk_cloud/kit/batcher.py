"""A batcher: answers questions that are asked at the same time together, such as with one transaction for many event
streams.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Question = TypeVar("Question")
Answer = TypeVar("Answer")

QUIET_PASSES = 3
"""A batch ends after this many passes of the event loop without a new question: microseconds."""


class Batcher(Generic[Question, Answer]):
    """Answers questions in batches of at most `most`, in order, one batch at a time on an event loop.

    A batch waits for no timer. It takes the questions of the same few passes of the event loop, such as those of timers
    that fire together, and those that came during the previous batch. It runs in a task of its own: a caller that is
    cancelled disturbs no other.
    """

    def __init__(self, answer_all: Callable[[Sequence[Question]], Awaitable[Sequence[Answer]]], most: int) -> None:
        """`answer_all` returns the answer to each question, in order. `most`: the largest batch."""
        self._answer_all, self._most = answer_all, most
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Queue[Question, Answer]] = WeakKeyDictionary()

    async def ask(self, question: Question) -> Answer:
        """Returns the answer to the question. Raises the exception that `answer_all` raised for the batch."""
        loop = asyncio.get_running_loop()
        queue = self._loops.setdefault(loop, _Queue())
        answer: asyncio.Future[Answer] = loop.create_future()
        queue.waiting.append((question, answer))
        if queue.task is None or queue.task.done():  # it may have been cancelled before its first step
            # The task must not inherit the context of one caller, such as the id of its request.
            queue.task = loop.create_task(self._answer(queue), context=Context())
        return await answer

    async def _answer(self, queue: "_Queue[Question, Answer]") -> None:
        batch: list[tuple[Question, asyncio.Future[Answer]]] = []
        try:
            while queue.waiting:
                await self._gather(queue)
                batch = queue.take(self._most)
                if batch:
                    await self._answer_batch(batch)
        finally:
            queue.task = None
            for _, answer in (*batch, *queue.waiting):
                answer.cancel()  # has an effect only if this task was cancelled: the event loop ends
            queue.waiting.clear()

    async def _gather(self, queue: "_Queue[Question, Answer]") -> None:
        quiet = 0
        while quiet < QUIET_PASSES and len(queue.waiting) < self._most:
            previous_count = len(queue.waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(queue.waiting) == previous_count else 0

    async def _answer_batch(self, batch: Sequence[tuple[Question, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await self._answer_all([question for question, _ in batch])
            pairs = list(zip(batch, answers, strict=True))
        except Exception as error:
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
        else:
            for (_, answer), value in pairs:
                if not answer.done():
                    answer.set_result(value)


@dataclass
class _Queue(Generic[Question, Answer]):
    """The questions of one event loop, and the task that answers them, or None without questions."""

    waiting: deque[tuple[Question, asyncio.Future[Answer]]] = field(default_factory=deque)
    task: asyncio.Task[None] | None = None

    def take(self, limit: int) -> list[tuple[Question, asyncio.Future[Answer]]]:
        """Removes and returns the oldest questions whose answers are still wanted."""
        batch: list[tuple[Question, asyncio.Future[Answer]]] = []
        while self.waiting and len(batch) < limit:
            question, answer = self.waiting.popleft()
            if not answer.done():
                batch.append((question, answer))
        return batch
