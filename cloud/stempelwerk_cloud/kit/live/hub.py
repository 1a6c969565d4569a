"""Live events: what a committed transaction tells the browsers that are looking.

An event is a hint to look again, not a record: it becomes visible only after the commit, may be lost with the
process that published it, and whoever missed one is told to reload ("catch up"). Several processes on one
PostgreSQL hear each other through a `Relay`; SQLite is served by one process and needs none.
"""

import asyncio
import json
import math
import random
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from stempelwerk_cloud.kit.clock import Clock, Ids
from stempelwerk_cloud.kit.database.transactions import after_commit
from stempelwerk_cloud.kit.http.problems import too_many, unavailable

KEPT_EVENTS = 64
KEPT_TOPICS = 4096
BEAT_S = 15.0
TICKS = 15
"""Ticks in a beat. Beats fall on ticks of the event loop's clock, so that streams ask `goes_on` together."""
STREAMS = 10_000
"""So many at most in a process: each is looked at once in a beat."""
STREAMS_OF_ONE = 200
"""So many at most for one person in a process: more than pages can be looked at, and few of all."""
COMPANY_SHARE = 2
"""A company has at most half of all streams of a process, so that each other one finds places."""
COME_AGAIN_S = 30
QUEUE_LIMIT = 256
FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to tell: `id` to resume from, `data` the JSON that is sent."""

    id: str
    data: Mapping[str, Any]


class Relay(Protocol):
    """Carries events to the other processes of the installation."""

    def send(self, topics: Sequence[str], event: Event) -> None: ...


class Subscription:
    """One listener of some topics. Belongs to the event loop that made it; `offer` may be called from any thread.

    What is told on one of `ends_with` is its end, which finds room however much else waits.
    """

    def __init__(
        self, live: "Live", topics: tuple[str, ...], ends_with: tuple[str, ...], owners: tuple[str, ...]
    ) -> None:
        self.topics = (*ends_with, *topics)
        self.owners = owners
        self._ends_with = ends_with
        self._live = live
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[tuple[str, Event] | None] = asyncio.Queue(QUEUE_LIMIT)
        self._missed = False

    async def next(self, timeout_s: float) -> tuple[str, Event] | None:
        """The next (topic, event), in order. None: the stream is to end. Raises TimeoutError."""
        async with asyncio.timeout(timeout_s):
            return await self._queue.get()

    def missed(self) -> bool:
        """Whether events have been lost since the last call, so that the listener must reload."""
        missed, self._missed = self._missed, False
        return missed

    def heard_of(self, told: Collection[str]) -> str | None:
        """The topic by which this listener hears what is told on all these: once, and its end before anything else."""
        return next((topic for topic in self.topics if topic in told), None)

    def offer(self, topic: str, event: Event) -> None:
        self._on_loop(self._put_end if topic in self._ends_with else partial(self._put, topic, event))

    def miss(self) -> None:
        """Says that events may have passed unheard."""
        self._on_loop(self._put_miss)

    def end(self) -> None:
        self._on_loop(self._put_end)

    def close(self) -> None:
        self._live.forget(self)

    def _on_loop(self, action: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(action)
        except RuntimeError:  # the loop is closed, and its listener with it
            self._live.forget(self)

    def _put(self, topic: str, event: Event) -> None:
        if self._queue.full():
            self._missed = True
        else:
            self._queue.put_nowait((topic, event))

    def _put_miss(self) -> None:
        self._missed = True
        if self._queue.empty():
            self._queue.put_nowait(("", Event("", {})))

    def _put_end(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)


class Live:
    """The events of this process: who listens, and the last few of each topic to resume from.

    `most` listen at once, of one person `STREAMS_OF_ONE`, and of one company half of all: each holds a connection, and
    clocks need some too.
    """

    def __init__(self, ids: Ids, *, most: int = STREAMS) -> None:
        self.most = most
        self._ids = ids
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, deque[Event]] = OrderedDict()
        self._subscriptions: set[Subscription] = set()
        self._of: Counter[str] = Counter()
        self._closed = False
        self.relay: Relay | None = None

    def publish(self, session: Session, topics: Sequence[str], event: Mapping[str, Any]) -> None:
        """Tells `event` to the listeners of the topics, here and in other processes, once `session` is committed."""
        after_commit(session, partial(self._publish_now, topics, event))

    def _publish_now(self, topics: Sequence[str], data: Mapping[str, Any]) -> None:
        event = Event(self._ids.new(), data)
        self.deliver(topics, event)
        if self.relay is not None:
            self.relay.send(topics, event)

    def deliver(self, topics: Sequence[str], event: Event) -> None:
        """Hands an event that is already committed to the listeners of this process. Any thread."""
        told = set(topics)
        with self._lock:
            for topic in topics:
                self._kept.setdefault(topic, deque(maxlen=KEPT_EVENTS)).append(event)
                self._kept.move_to_end(topic)
            while len(self._kept) > KEPT_TOPICS:
                self._kept.popitem(last=False)
            listeners = [(entry, heard) for entry in self._subscriptions if (heard := entry.heard_of(told))]
        for listener, topic in listeners:
            listener.offer(topic, event)

    def missed(self) -> None:
        """Events of other processes may have passed unheard: every listener must reload, nobody can resume."""
        with self._lock:
            self._kept.clear()
            listeners = list(self._subscriptions)
        for listener in listeners:
            listener.miss()

    def subscribe(
        self, *topics: str, ends_with: tuple[str, ...] = (), whose: str | None = None, company: str | None = None
    ) -> Subscription:
        """Listens from now on. Call `close()` on the result. Only inside a running event loop.

        Raises 429 if the person `whose` or the company has too many streams already, 503 if there are too many in all.
        """
        limits = {f"person {whose}": STREAMS_OF_ONE} if whose else {}
        limits |= {f"company {company}": max(1, self.most // COMPANY_SHARE)} if company else {}
        subscription = Subscription(self, topics, ends_with, tuple(limits))
        with self._lock:
            if len(self._subscriptions) >= self.most:
                raise unavailable()
            if any(self._of[owner] >= most for owner, most in limits.items()):
                raise too_many(COME_AGAIN_S)
            self._subscriptions.add(subscription)
            self._of.update(limits.keys())
            closed = self._closed
        if closed:
            subscription.end()
        return subscription

    def since(self, topic: str, event_id: str) -> list[Event] | None:
        """What was told after `event_id`; None if that is not known any more."""
        with self._lock:
            kept = list(self._kept.get(topic, ()))
        for index, event in enumerate(kept):
            if event.id == event_id:
                return kept[index + 1 :]
        return None

    def forget(self, subscription: Subscription) -> None:
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)
                for owner in subscription.owners:
                    self._of[owner] -= 1
                    if not self._of[owner]:
                        del self._of[owner]

    def close(self) -> None:
        """Ends every stream at once, now and later: the process is going down."""
        with self._lock:
            self._closed = True
            listeners = list(self._subscriptions)
        for listener in listeners:
            listener.end()

    @property
    def listeners(self) -> int:
        with self._lock:
            return len(self._subscriptions)


class EventStream(Response):
    """Server-sent events of some topics: unnamed, a comment at each beat of 15 s.

    `catch_up` is sent whenever events were missed. With `resumed_by`, a request about one topic, events have ids; a
    client goes on from the last one that it names, and is told `catch_up` at once if that is not known any more.
    Without, they have none, and whoever comes back loads anew.

    The stream ends when the client goes, the server stops, `ends_with` is told, or `until` has come. `goes_on` is asked
    whenever that word may have passed unheard: before the first event, after some were missed, and at each beat, since
    a word may also be lost on its way. Beats fall on common ticks, so that streams can be answered together. `whose`
    and `company` are the person and the company that it counts for.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        live: Live,
        clock: Clock,
        topics: Sequence[str],
        *,
        catch_up: Mapping[str, Any],
        resumed_by: Request | None = None,
        whose: str | None = None,
        company: str | None = None,
        ends_with: tuple[str, ...] = (),
        until: datetime = FOR_EVER,
        goes_on: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._live = live
        self._clock = clock
        self._topics = tuple(topics)
        self._catch_up = catch_up
        self._whose, self._company = whose, company
        self._ends_with = ends_with
        self._until = until
        self._goes_on = goes_on
        self._has_ids = resumed_by is not None
        self._last_id = None if resumed_by is None else resumed_by.headers.get("last-event-id")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        owners = {"whose": self._whose, "company": self._company}
        subscription = self._live.subscribe(*self._topics, ends_with=self._ends_with, **owners)
        gone = asyncio.ensure_future(_disconnected(receive))
        talk = asyncio.ensure_future(self._talk(subscription, send))
        try:
            await asyncio.wait({gone, talk}, return_when=asyncio.FIRST_COMPLETED)
            if talk.done():
                talk.result()
        finally:
            subscription.close()
            for task in (gone, talk):
                task.cancel()
            await asyncio.gather(gone, talk, return_exceptions=True)

    async def _talk(self, subscription: Subscription, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await _chunk(send, b": hello\n\n")
        if await self._is_there():
            await self._listen(subscription, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _listen(self, subscription: Subscription, send: Send) -> None:
        told = await self._resume(send)
        now = asyncio.get_running_loop().time
        # A random first tick, so that the pages that come back in one moment do not share their beats for ever.
        beat = _next_beat(now(), random.randint(1, TICKS))  # noqa: S311 - nobody gains by knowing it
        while (rest := self._rest_s()) > 0:
            if now() >= beat:
                if not await self._is_there():
                    return
                await _chunk(send, b": still here\n\n")
                beat = _next_beat(now())
            try:
                item = await subscription.next(min(beat - now(), rest))
            except TimeoutError:
                continue
            if item is None or self._rest_s() <= 0:
                return
            if subscription.missed():
                if not await self._is_there():
                    return
                await self._say_catch_up(send)
            if item[0] in self._topics and item[1].id not in told:
                await self._say(send, item[1])

    def _rest_s(self) -> float:
        return (self._until - self._clock.now()).total_seconds()

    async def _is_there(self) -> bool:
        return self._goes_on is None or await self._goes_on()

    async def _resume(self, send: Send) -> set[str]:
        """Repeats what was told since the client's last id; the ids of that, which may also wait in the queue."""
        if self._last_id is None:
            return set()
        (topic,) = self._topics
        events = self._live.since(topic, self._last_id)
        if events is None:
            await self._say_catch_up(send)
            return set()
        for event in events:
            await self._say(send, event)
        return {event.id for event in events}

    async def _say(self, send: Send, event: Event) -> None:
        await _chunk(send, _render(event.data, event.id if self._has_ids else ""))

    async def _say_catch_up(self, send: Send) -> None:
        await _chunk(send, _render(self._catch_up))


def _next_beat(now: float, ticks: int = TICKS) -> float:
    """Returns the last tick of the next `ticks` ticks."""
    tick_s = BEAT_S / TICKS
    return (math.floor(now / tick_s) + ticks) * tick_s


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


async def _chunk(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _render(data: Mapping[str, Any], event_id: str = "") -> bytes:
    identity = f"id: {event_id}\n" if event_id else ""
    return f"{identity}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
