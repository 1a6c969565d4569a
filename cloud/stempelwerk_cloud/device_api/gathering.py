"""Group commit: calls that arrive together are answered together; later ones wait for the next group.

One of the waiting calls leads: it has its own call answered with all other waiting ones, up to a limit, and then lets
the next one lead. So a single call is answered at once, and a crowd of clocks shares transactions: one that merges its
batches, one that reads the state of its devices for their heartbeats. Everything here happens on the event loop; only
the answering runs on one of the clocks' own threads.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from stempelwerk_cloud.kit.bulkheads import Bulkhead
from stempelwerk_cloud.kit.http.problems import unavailable
from stempelwerk_cloud.kit.platform import Platform


class Sized(Protocol):
    """A call that can be grouped."""

    @property
    def size(self) -> int:
        """The size of its body, in bytes."""


Asked = TypeVar("Asked", bound=Sized)
Answer = TypeVar("Answer")

MAX_BATCHES = 32
"""The maximum of calls in one transaction."""
BYTES_TOGETHER = 96 * 1024
"""Their maximum size, from two calls on."""
AT_ONCE = {"postgresql": 2, "sqlite": 1}
"""Concurrent transactions in one process under load. SQLite has one writer."""
SECOND_AT_BYTES = 48 * 1024
"""The size from which a second transaction pays: it computes here while the first one waits for the database."""
QUIET_ROUNDS = 3
"""The number of rounds of the loop without a newcomer after which all received requests have been read: microseconds.
"""


@dataclass(slots=True, eq=False)
class _Waiting(Generic[Asked, Answer]):
    """A waiting call; `woken` without an outcome: it leads."""

    call: Asked
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Answer | Exception | None = None


class GroupCommit(Generic[Asked, Answer]):
    """The waiting calls of one kind, and the number of leaders. `answer_all` runs in `bulkhead`."""

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
        """Returns the answer to a call, after the transaction. Raises the error of the call."""
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
        """Waits for calls whose requests have been received: clocks that were answered together come back together.

        It stops when the transaction is full, however many calls follow.
        """
        quiet = 0
        while quiet < QUIET_ROUNDS and len(self._waiting) < MAX_BATCHES - 1:
            waiting_before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == waiting_before else 0

    def _take_group(self, leader: _Waiting[Asked, Answer]) -> list[_Waiting[Asked, Answer]]:
        """Takes the calls that are answered with the leader's."""
        group: list[_Waiting[Asked, Answer]] = []
        size = leader.call.size
        while self._waiting and len(group) < MAX_BATCHES - 1:
            size += self._waiting[0].call.size
            if size > BYTES_TOGETHER:
                break
            group.append(self._waiting.popleft())
        return group

    def _hand_on(self) -> None:
        """Passes the lead to the next call."""
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
