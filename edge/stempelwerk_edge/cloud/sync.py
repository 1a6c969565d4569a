"""Brings the stamps to the cloud: one batch at a time, written down before it is sent, repeated until it is answered.

`delivery.judge_batch` decides what an answer means; this loop carries it out and waits. Nothing here is in the way of a
tap, and no answer of any server makes it drop a stamp.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import Effects, Fate, Meaning, Then, back_off, judge_batch, with_jitter
from stempelwerk_edge.cloud.session import CloudSession, Concluded
from stempelwerk_edge.cloud.wire import Receipt, Welcome
from stempelwerk_edge.errors import CloudError, JournalError
from stempelwerk_edge.machine.trusted_time import sufficient
from stempelwerk_edge.storage.outbox import Cut
from stempelwerk_edge.storage.rows import Batch, Mark
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

_ASIDE_MS = 86_400_000
_EARLY_EVERY_MS = 60_000
_EVERYTHING_AGAIN_MS = 6 * 3_600_000


@dataclass(frozen=True, slots=True)
class _Pause:
    """How long to wait. `firm`: the server asked for it, nothing ends it early."""

    seconds: float
    firm: bool = False


_IDLE = _Pause(300.0)


class Sync:
    """The delivery loop. Call `wake` and `returned` on the event loop's own thread.

    `on_settled` is called after each batch that the cloud has answered.
    """

    def __init__(
        self,
        session: CloudSession,
        stores: Stores,
        surroundings: Surroundings,
        beat: Callable[[], Coroutine[Any, Any, Concluded[Welcome]]],
    ) -> None:
        self._session, self._beat = session, beat
        self._outbox, self._state, self._membership = stores.outbox, stores.state, stores.membership
        self._time, self._ids, self._random = surroundings.time, surroundings.ids, surroundings.random
        self._screen, self._report = surroundings.screen, surroundings.report
        self._woken, self._early = asyncio.Event(), asyncio.Event()
        self._failures = 0
        self._limit: int | None = None
        self._aside: dict[int, int] = {}
        self._unsure = True
        self._time_told = False
        self._ended_early_ms: int | None = None
        self._everything_again_ms: int | None = None
        self.on_settled: Callable[[], object] = lambda: None

    def wake(self) -> None:
        """Notifies the loop of something to send. While the cloud is out of reach this ends no back-off: the heartbeat
        does.
        """
        self._woken.set()
        if self._session.connection != "offline":
            self._early.set()
        self.show_queue()

    def returned(self) -> None:
        """Notes that the cloud can be reached again, or the disk can be written again."""
        self._woken.set()
        self._early.set()

    async def run(self) -> None:
        """Runs for ever."""
        while True:
            self._woken.clear()
            self._early.clear()
            try:
                pause = await self.step()
            except JournalError as fault:
                self._report("warn", "delivery_waits_for_disk", str(fault), {})
                pause = self._back_off()
            self.show_queue()
            await self._sleep(pause)

    async def _sleep(self, pause: _Pause) -> None:
        """Waits. A tap, or the news that the cloud is back, ends a back-off early, but not more than once a minute."""
        if pause.firm or not pause.seconds:
            await asyncio.sleep(with_jitter(pause.seconds, self._random) if pause.firm else 0)
            return
        if pause is _IDLE:
            await _either(self._woken, pause.seconds)
            return
        ends_at = asyncio.get_running_loop().time() + pause.seconds
        if not await _either(self._early, pause.seconds):
            return
        if self._ended_early_ms is not None:
            remaining_s = (self._ended_early_ms + _EARLY_EVERY_MS - self._time.boottime_ms()) / 1000
            await asyncio.sleep(max(0.0, min(remaining_s, ends_at - asyncio.get_running_loop().time())))
        self._ended_early_ms = self._time.boottime_ms()

    def _back_off(self) -> _Pause:
        self._failures += 1
        return _Pause(back_off(self._failures, self._random))

    def show_queue(self) -> None:
        """Reports on the screen how much waits."""
        try:
            self._screen.set_status(queued=self._outbox.backlog().depth)
        except JournalError:
            self._screen.set_status(storage="failed")

    async def step(self) -> _Pause:
        """Sends one batch, if there is something to send; returns how long to wait before the next."""
        batch = await self._next()
        if batch is None:
            return _IDLE
        ids = {row.draft.id: row.row for row in self._outbox.rows(batch.rows)}
        read = partial(wire.read_receipt, batch=batch.id)
        answer, meaning = await self._session.call("POST", wire.STAMPS, read, batch.body)
        effects = judge_batch(tuple(ids), answer, meaning)
        if isinstance(answer, CloudError):
            self._unanswered(batch, effects)
        else:
            self._settle(batch, ids, effects, answer)
            self._check_lease(batch, effects, meaning)
            self.on_settled()
        return self._pause(effects, meaning)

    # ---- what to send

    async def _next(self) -> Batch | None:
        """Returns the batch that is not answered yet, or a new one that has just been stored; None if no stamp
        waits.
        """
        keyid = self._session.identity.keyid
        batch = self._outbox.open_batch()
        if batch is None and self._cut() is None:
            return None
        if not self._time.anchored:
            await self._ensure_contact()
        if batch is not None and batch.keyid == keyid and batch.lease in (None, self._state.lease(keyid)):
            return batch
        if batch is not None:
            self._outbox.drop_batch()  # of another key, or of another server
        self._unsure = False
        cut = self._cut()
        return None if cut is None else self._written_down(cut, keyid)

    def _cut(self) -> Cut | None:
        now_ms = self._time.boottime_ms()
        self._aside = {row: until_ms for row, until_ms in self._aside.items() if until_ms > now_ms}
        max_batch = self._membership.current.config.max_batch
        return self._outbox.cut(min(max_batch, self._limit or max_batch), self._aside.keys())

    async def _ensure_contact(self) -> None:
        """Gets a contact first: the cloud would hold the stamps of a boot without any contact for want of a time.

        A batch that is repeated is then also signed with the right time, which lets the cloud distinguish a card that
        was set back from a packet that comes late.
        """
        answer, _ = await self._beat()
        if isinstance(answer, CloudError):
            self._report("info", "no_contact_before_delivery", str(answer), {})

    def _written_down(self, cut: Cut, keyid: str) -> Batch:
        readings = [row.draft.reading for row in cut.rows]
        anchors = sufficient(readings, self._state.anchors({reading.boot for reading in readings}))
        lease, identifier = self._state.lease(keyid), self._ids.new()
        lease_from = self._state.lease_from(keyid)
        message = wire.batch(identifier, lease, lease_from, cut.epoch, cut.rows, cut.lost_ranges, anchors)
        rows = tuple(row.row for row in cut.rows)
        batch = Batch(identifier, keyid, lease, rows, cut.lost_ranges, wire.encode(message))
        self._outbox.write_down(batch)
        return batch

    # ---- what came of it

    def _settle(self, batch: Batch, ids: dict[str, int], effects: Effects, receipt: Receipt) -> None:
        """Carries out the meaning of an answer.

        Rows that went without a lease wait on, and go again with the lease that the answer brings: a batch that moves
        no lease could be lost to a backup of the cloud without notice.
        """
        now = receipt.server_time or self._time.now()
        delivered = () if batch.lease is None else effects.delivered
        marks = [Mark(ids[r.id], r.outcome, r.state) for r in delivered if r.id is not None]
        self._outbox.settle(batch, effects, marks, now)
        self._screen.sent([r.id for r in delivered if r.id is not None])
        if effects.log is not None:
            self._report("warn", effects.log, f"batch {batch.id}", {})
        self._resend_for_anchor(batch)
        if self._limit is not None:
            self._limit *= 2

    def _check_lease(self, batch: Batch, effects: Effects, meaning: Meaning) -> None:
        """Sends everything again, but not too often, if the lease that came is not the one after the one that went.

        The cloud and this card then do not have the same past: another copy of the card delivers too, or this one was
        set back. Should the cloud have lost something as well, it asks only the copy that shows it.
        """
        if batch.lease is None or effects.lease in (None, batch.lease + 1) or meaning.another_server:
            return
        now_ms = self._time.boottime_ms()
        if self._everything_again_ms is None or now_ms - self._everything_again_ms >= _EVERYTHING_AGAIN_MS:
            self._everything_again_ms = now_ms
            self._report("warn", "another_past", f"lease {batch.lease} was answered with {effects.lease}", {})
            self._outbox.replay((), everything=True)

    def _resend_for_anchor(self, batch: Batch) -> None:
        """Sends one stamp of a boot again if the batch could not carry an anchor for it and the next one can.

        That is one of the first batches of a start, whose answer was the first contact.
        """
        if self._time_told or not self._time.anchored:
            return
        head = batch.body.partition(b'"stamps":')[0]
        last = {row.draft.reading.boot: row.row for row in self._outbox.rows(batch.rows)}
        for boot, row in last.items():
            if boot.encode() not in head and self._state.anchors({boot}):
                self._outbox.repeat_row(row)
        self._time_told = self._time.boot_id.encode() in head

    def _unanswered(self, batch: Batch, effects: Effects) -> None:
        """Handles a batch without a receipt: it is sent again, made smaller, or its only stamp set aside for a day."""
        if effects.log is not None:
            self._report("error", effects.log, f"batch {batch.id} of {len(batch.rows)}", {})
        if effects.fate is Fate.REPEAT:
            self._unsure = True
            return
        if self._unsure:
            # The refused batch may have arrived before: whatever is sent now must not look like a second card's.
            self._state.doubt_lease(batch.keyid)
        if effects.fate is Fate.HALVE:
            self._limit = max(1, len(batch.rows) // 2)
        elif effects.set_aside:
            until_ms = self._time.boottime_ms() + _ASIDE_MS
            self._aside.update(dict.fromkeys(batch.rows, until_ms))
        self._outbox.drop_batch()

    def _pause(self, effects: Effects, meaning: Meaning) -> _Pause:
        if effects.then is Then.GO_ON:
            self._failures = 0
            return _Pause(0.0)
        if effects.then is Then.WAIT:
            assert meaning.wait_s is not None
            return _Pause(meaning.wait_s, firm=True)
        return self._back_off()


async def _either(event: asyncio.Event, seconds: float) -> bool:
    """Waits for the event, at most this long, and yields to other tasks in any case; returns whether the event came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        await asyncio.sleep(0)
        return False
    return True
