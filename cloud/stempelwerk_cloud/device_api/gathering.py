"""Calls that arrive together are answered together: who comes meanwhile waits for the next turn.

Of those who wait one leads: it has its own call answered with whatever else waits, up to a limit, and then lets the
next one lead. So a single call is answered at once, and a crowd of clocks shares transactions: its batches one that
merges them, its heartbeats one that reads how their devices stand. Everything here happens on the event loop; only the
answering itself is given to a thread, of the clocks' own.
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
    """What can be gathered."""

    @property
    def size(self) -> int:
        """Of its body, in bytes."""


Asked = TypeVar("Asked", bound=Sized)
Answer = TypeVar("Answer")

MAX_BATCHES = 32
"""Calls in one transaction at most."""
BYTES_TOGETHER = 96 * 1024
"""Their size at most, as soon as there are two."""
AT_ONCE = {"postgresql": 2, "sqlite": 1}
"""Transactions at the same time, in one process, while much is waiting. SQLite has one writer."""
SECOND_AT_BYTES = 48 * 1024
"""So many bytes that a second transaction pays, which works here while the first one waits for the database."""
QUIET_ROUNDS = 3
"""So many rounds of the loop without a newcomer show that whoever was there has been read: microseconds."""


@dataclass(slots=True, eq=False)
class _Waiting(Generic[Asked, Answer]):
    """A call that waits to be answered; `woken` without an outcome: to lead."""

    call: Asked
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Answer | Exception | None = None


class GroupCommit(Generic[Asked, Answer]):
    """The calls of one kind that wait to be answered, and how many lead. `answer_all` works in `bulkhead`."""

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
        """The answer to a call, after the transaction. Raises what refuses it."""
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
                if member.outcome is None:  # this call, or the whole process, was broken off
                    member.outcome = unavailable()
                member.woken.set()
            self._hand_on()

    async def _gather(self) -> None:
        """Lets those catch up whose requests have been received: after a crowd was answered, it comes back together.

        Not for longer than until the transaction is full, however many go on coming.
        """
        quiet = 0
        while quiet < QUIET_ROUNDS and len(self._waiting) < MAX_BATCHES - 1:
            waiting_before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == waiting_before else 0

    def _take_group(self, leader: _Waiting[Asked, Answer]) -> list[_Waiting[Asked, Answer]]:
        """Those who are answered along."""
        group: list[_Waiting[Asked, Answer]] = []
        size = leader.call.size
        while self._waiting and len(group) < MAX_BATCHES - 1:
            size += self._waiting[0].call.size
            if size > BYTES_TOGETHER:
                break
            group.append(self._waiting.popleft())
        return group

    def _hand_on(self) -> None:
        """Lets the next one lead."""
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
