"""Batches that arrive together are merged together: who comes while others are being merged waits for the next turn.

Of those who wait one leads: it merges its own batch with whatever else waits, up to a limit, and then lets the next one
lead. So a single batch is merged at once, and a crowd of clocks that comes back after an outage shares transactions.
Everything here happens on the event loop; only the merging itself is given to a thread, of the clocks' own.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from stempelwerk_cloud.device_api.gate import Call
from stempelwerk_cloud.device_api.merge import Outcome, merge
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.problems import unavailable

TOGETHER = 32
"""Batches in one transaction at most."""
BYTES_TOGETHER = 96 * 1024
"""Their size at most, as soon as there are two."""
AT_ONCE = {"postgresql": 2, "sqlite": 1}
"""Transactions at the same time, in one process, while much is waiting. SQLite has one writer."""
MUCH = 48 * 1024
"""So many bytes that a second transaction pays, which works here while the first one waits for the database."""
QUIET_ROUNDS = 3
"""So many rounds of the loop without a newcomer show that whoever was there has been read: microseconds."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A call that waits to be answered; `woken` without an outcome: to lead."""

    call: Call
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Outcome | None = None


class Deliveries:
    """The calls that wait to be merged, and how many lead."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._waiting: deque[_Waiting] = deque()
        self._leading = 0
        self._at_once = AT_ONCE[platform.database.dialect]

    async def answer(self, call: Call) -> bytes:
        """The answer to a batch, after the commit. Raises what refuses it."""
        own = _Waiting(call)
        self._waiting.append(own)
        if self._another_may_lead():
            self._waiting.remove(own)
            self._leading += 1
        else:
            await self._wait(own)
        if own.outcome is None:
            await self._lead(own)
        if isinstance(own.outcome, Exception):
            raise own.outcome
        assert own.outcome is not None
        return own.outcome

    async def _wait(self, own: _Waiting) -> None:
        try:
            await own.woken.wait()
        except asyncio.CancelledError:
            if own in self._waiting:
                self._waiting.remove(own)
            elif own.woken.is_set() and own.outcome is None:
                self._hand_on()
            raise

    async def _lead(self, own: _Waiting) -> None:
        group = [own]
        try:
            await self._gather()
            group += self._company(own)
            outcomes = await self._platform.lanes.merging.run(merge, self._platform, [one.call for one in group])
            for one, outcome in zip(group, outcomes, strict=True):
                one.outcome = outcome
        finally:
            for one in group:
                if one.outcome is None:  # this call, or the whole process, was broken off
                    one.outcome = unavailable()
                one.woken.set()
            self._hand_on()

    async def _gather(self) -> None:
        """Lets those catch up whose requests have been received: after a crowd was answered, it comes back together.

        Not for longer than until the transaction is full, however many go on coming.
        """
        quiet = 0
        while quiet < QUIET_ROUNDS and len(self._waiting) < TOGETHER - 1:
            before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == before else 0

    def _company(self, own: _Waiting) -> list[_Waiting]:
        """Those who are merged along."""
        group: list[_Waiting] = []
        size = len(own.call.request.body)
        while self._waiting and len(group) < TOGETHER - 1:
            size += len(self._waiting[0].call.request.body)
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
        return self._leading < self._at_once and sum(len(one.call.request.body) for one in self._waiting) >= MUCH


def deliveries(platform: Platform) -> Deliveries:
    """Those of this process."""
    found: Deliveries = platform.state.setdefault("deliveries", Deliveries(platform))
    return found
