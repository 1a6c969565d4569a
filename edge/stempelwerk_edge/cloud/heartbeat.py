"""The heartbeat: reports the clock's condition to the cloud, and brings back time, membership and requested actions.

Without a network it continues at least as fast: by it the clock finds out that the cloud is back.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import Then, back_off, pause
from stempelwerk_edge.cloud.people import PeopleLoop
from stempelwerk_edge.cloud.session import CloudSession, Concluded
from stempelwerk_edge.cloud.wire import Condition, Offer, Welcome
from stempelwerk_edge.errors import CloudError, JournalError
from stempelwerk_edge.ports import ReaderState
from stempelwerk_edge.storage.outbox import Backlog
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

_JITTER = 0.2


class Heartbeat:
    """One heartbeat, and the loop that sends them. `on_return` is called when a heartbeat succeeds after failures.

    `offer` is the version that the last answer offers; `update` the state and version of the update under way. `answer`
    is the last heartbeat's answer, None before the first; `reached_at_ms` the boot time of the last Welcome.
    """

    def __init__(
        self,
        session: CloudSession,
        stores: Stores,
        surroundings: Surroundings,
        people: PeopleLoop,
        reader: Callable[[], ReaderState],
        scanners: Callable[[], list[dict[str, Any]]],
    ) -> None:
        self._session, self._people, self._reader, self._scanners = session, people, reader, scanners
        self._journal, self._outbox, self._membership = stores.journal, stores.outbox, stores.membership
        self._time, self._machine = surroundings.time, surroundings.machine
        self._profile, self._version = surroundings.profile, surroundings.version
        self._random, self._report = surroundings.random, surroundings.report
        self._started_ms = self._time.boottime_ms()
        self._backlog = Backlog(0, None)
        self.on_return: Callable[[], object] = lambda: None
        self.answer: Welcome | CloudError | None = None
        self.reached_at_ms: int | None = None
        self.offer: Offer | None = None
        self.update: tuple[str, str] | None = None
        self.platform: str | None = None  # a clock that takes no updates reports no update: it is offered no version

    async def run(self) -> None:
        """Runs for ever. After a failure the first repetitions come sooner than the usual pace, but never before the
        time that the cloud has asked to wait; only that makes the pace slower.
        """
        failures = 0
        while True:
            pace = self._membership.current.config.heartbeat_s * (1 + _JITTER * (2 * self._random.random() - 1))
            try:
                _, meaning = await self.beat()
                if meaning.then is Then.GO_ON:
                    if failures:
                        self.on_return()
                    failures = 0
                else:
                    failures += 1
                    pace = min(pace, back_off(failures, self._random))
                    if meaning.then is Then.WAIT:
                        pace = max(pace, pause(meaning, failures, self._random))
            except JournalError as fault:
                self._report("warn", "heartbeat_not_kept", str(fault), {})
            await asyncio.sleep(pace)

    async def beat(self) -> Concluded[Welcome]:
        """Sends one heartbeat. Raises JournalError."""
        body = wire.encode(wire.heartbeat(self._condition()))
        answer, meaning = await self._session.call("POST", wire.HEARTBEAT, wire.read_welcome, body)
        self.answer = answer
        if isinstance(answer, Welcome):
            self.reached_at_ms = self._time.boottime_ms()
            self._session.welcomed(answer)
            self.offer = answer.update
            if answer.assignment is not None:
                self._people.want(answer.people_revision)
        return answer, meaning

    def _condition(self) -> Condition:
        with suppress(JournalError):  # else the last known backlog
            self._backlog = self._outbox.backlog()
        hardware = self._machine.hardware
        return Condition(
            version=self._version,
            profile=self._profile,
            ip=self._machine.address(),
            mac=hardware.mac,
            uptime_s=(self._time.boottime_ms() - self._started_ms) // 1000,
            reading=self._time.reading(),
            queue_depth=self._backlog.depth,
            queue_oldest=self._backlog.oldest,
            disk_free_mb=self._machine.disk_free_mb(),
            reader=self._reader(),
            scanners=self._scanners(),
            platform=self.platform,
            update=self.update,
            storage=self._journal.condition,
            certificate=self._session.certificate_days,
        )
