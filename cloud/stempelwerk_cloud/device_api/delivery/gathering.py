"""Group commit: calls that arrive together are answered in one transaction; later calls wait for the next one.

One of the waiting calls leads: it gathers other waiting calls up to a limit, has all of them answered, and then passes
the lead to the next call. So a single call is answered at once, while many clocks at the same time share transactions.
Batches share one that merges them, heartbeats one that reads the state of their devices.

All of this runs on the event loop. Only the answering itself runs on one of the clocks' own threads.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from stempelwerk_cloud.kit.http.problems import unavailable
from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead
from stempelwerk_cloud.kit.platform import Platform


class Sized(Protocol):
    """A call that can be answered in a group."""

    @property
    def size(self) -> int:
        """The size of the call's body in bytes."""


Asked = TypeVar("Asked", bound=Sized)
Answer = TypeVar("Answer")

MAX_BATCHES = 32
"""Maximum number of calls in one transaction."""
BYTES_TOGETHER = 96 * 1024
"""Maximum size in bytes of all bodies in one transaction, if it has more than one call."""
AT_ONCE = {"postgresql": 2, "sqlite": 1}
"""Maximum number of concurrent transactions in one process, by database. SQLite has only one writer."""
SECOND_AT_BYTES = 48 * 1024
"""A second transaction starts only if the waiting bodies have this size in bytes. It then computes while the first one
waits for the database; for less it would not pay.
"""
QUIET_ROUNDS = 3
"""The leader stops gathering after this number of rounds of the event loop without a new call. They take microseconds
and suffice to read all requests that were already received.
"""


@dataclass(slots=True, eq=False)
class _Waiting(Generic[Asked, Answer]):
    """A waiting call. If it is `woken` without an outcome, it takes the lead."""

    call: Asked
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Answer | Exception | None = None


class GroupCommit(Generic[Asked, Answer]):
    """The queue of waiting calls of one kind, and the number of calls that lead now.

    `answer_all` answers a group of calls: it runs on a thread of `bulkhead` and returns an answer or error for each.
    """

    def __init__(
        self,
        platform: Platform,
        answer_all: Callable[[Platform, Sequence[Asked]], Sequence[Answer | Exception]],
        bulkhead: Bulkhead,
    ) -> None:
        self._platform = platform
        self._answer_all = answer_all
        self._bulkhead = bulkhead
        self._waiting: deque[_Waiting[Asked, Answer]] = deque()
        self._leading = 0
        self._at_once = AT_ONCE[platform.database.dialect]

    async def answer(self, call: Asked) -> Answer:
        """Answers a call together with others, and returns its answer after the transaction. Raises the call's own
        error.
        """
        waiting_call: _Waiting[Asked, Answer] = _Waiting(call)
        self._waiting.append(waiting_call)
        if self._another_may_lead():
            self._waiting.remove(waiting_call)
            self._leading += 1
        else:
            await self._wait(waiting_call)
        if waiting_call.outcome is None:
            await self._lead(waiting_call)
        if isinstance(waiting_call.outcome, Exception):
            raise waiting_call.outcome
        assert waiting_call.outcome is not None
        return waiting_call.outcome

    async def _wait(self, waiting_call: _Waiting[Asked, Answer]) -> None:
        try:
            await waiting_call.woken.wait()
        except asyncio.CancelledError:
            if waiting_call in self._waiting:
                self._waiting.remove(waiting_call)
            elif waiting_call.woken.is_set() and waiting_call.outcome is None:
                self._hand_on()
            raise

    async def _lead(self, leader: _Waiting[Asked, Answer]) -> None:
        group = [leader]
        try:
            await self._gather()
            group += self._take_group(leader)
            outcomes = await self._bulkhead.run(self._answer_all, self._platform, [member.call for member in group])
            for member, outcome in zip(group, outcomes, strict=True):
                member.outcome = outcome
        finally:
            for member in group:
                if member.outcome is None:  # this call, or the whole process, was cancelled
                    member.outcome = unavailable()
                member.woken.set()
            self._hand_on()

    async def _gather(self) -> None:
        """Waits until all requests that were already received have joined the queue. Clocks that were answered together
        tend to call again at the same time.

        Stops as soon as the queue fills a transaction.
        """
        quiet = 0
        while quiet < QUIET_ROUNDS and len(self._waiting) < MAX_BATCHES - 1:
            waiting_before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == waiting_before else 0

    def _take_group(self, leader: _Waiting[Asked, Answer]) -> list[_Waiting[Asked, Answer]]:
        """Removes from the queue the calls that are answered together with the leader's, and returns them."""
        group: list[_Waiting[Asked, Answer]] = []
        size = leader.call.size
        while self._waiting and len(group) < MAX_BATCHES - 1:
            size += self._waiting[0].call.size
            if size > BYTES_TOGETHER:
                break
            group.append(self._waiting.popleft())
        return group

    def _hand_on(self) -> None:
        """Ends this call's lead. Wakes the next waiting call to lead, if one more may lead."""
        self._leading -= 1
        if self._waiting and self._another_may_lead():
            self._leading += 1
            self._waiting.popleft().woken.set()

    def _another_may_lead(self) -> bool:
        if self._leading == 0:
            return True
        return (
            self._leading < self._at_once
            and sum(waiting_call.call.size for waiting_call in self._waiting) >= SECOND_AT_BYTES
        )
