"""Live events: hints that committed transactions send to open pages and connected clocks.

An event is a hint to load data again, not a record. It is sent only after the commit, and may be lost with the process
that published it. A client that missed events gets the event `catch_up`, and reloads. Several processes on one
PostgreSQL exchange events through a `Relay`; SQLite is served by one process and needs no relay.
"""

import asyncio
import json
import math
import random
import threading
from collections import OrderedDict, deque
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
from stempelwerk_cloud.kit.limits.connections import InUse

KEPT_EVENTS = 64
KEPT_TOPICS = 4096
BEAT_S = 15.0
TICKS = 15
"""Ticks in a beat of `BEAT_S` seconds. Beats fall on ticks of the event loop's clock, so that many streams call
`goes_on` at the same time and can be checked together.
"""
STREAMS = 10_000
"""The most event streams of a process: each is checked once in a beat."""
STREAMS_OF_ONE = 200
"""The most event streams of one person in a process: more than a person needs, and a small part of all."""
COMPANY_SHARE = 2
"""The divisor of a process's streams for one company: it gets at most half of them, so that others find room."""
COME_AGAIN_S = 30
QUEUE_LIMIT = 256
FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `id` identifies it for clients that resume after it; `data` is the JSON that is sent."""

    id: str
    data: Mapping[str, Any]


class Relay(Protocol):
    """An interface that carries events to the other processes of the installation."""

    def send(self, topics: Sequence[str], event: Event) -> None: ...


class Subscription:
    """One client's subscription to some topics, with a queue of events. It belongs to the event loop that made it;
    `offer`, `miss` and `end` may be called from any thread.

    An event on one of the topics `ends_with` ends the stream, however many events wait in the queue.
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
        """Waits for the next (topic, event), in order; None if the stream must end. Raises TimeoutError."""
        async with asyncio.timeout(timeout_s):
            return await self._queue.get()

    def missed(self) -> bool:
        """Returns whether events have been lost since the last call, so that the listener must reload."""
        missed, self._missed = self._missed, False
        return missed

    def heard_of(self, told: Collection[str]) -> str | None:
        """Returns the first of the subscription's topics that an event was published on; None without one. Topics that
        end the stream come first.
        """
        return next((topic for topic in self.topics if topic in told), None)

    def offer(self, topic: str, event: Event) -> None:
        self._on_loop(self._put_end if topic in self._ends_with else partial(self._put, topic, event))

    def miss(self) -> None:
        """Marks that events may have been lost, and wakes the listener."""
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
    """The live events of one process: its subscriptions, and the last events of each topic for clients that resume.

    At most `most` streams are open at once, `STREAMS_OF_ONE` for a person, and half of all for a company. Each holds a
    connection, and clocks need connections too.
    """

    def __init__(self, ids: Ids, *, most: int = STREAMS) -> None:
        self.most = most
        self._ids = ids
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, deque[Event]] = OrderedDict()
        self._subscriptions: set[Subscription] = set()
        self._of = InUse()
        self._closed = False
        self.relay: Relay | None = None

    def publish(self, session: Session, topics: Sequence[str], event: Mapping[str, Any]) -> None:
        """Sends `event` to the listeners of the topics, here and in other processes, once `session` is committed."""
        after_commit(session, partial(self._publish_now, topics, event))

    def _publish_now(self, topics: Sequence[str], data: Mapping[str, Any]) -> None:
        event = Event(self._ids.new(), data)
        self.deliver(topics, event)
        if self.relay is not None:
            self.relay.send(topics, event)

    def deliver(self, topics: Sequence[str], event: Event) -> None:
        """Sends a committed event to the listeners of this process. May be called from any thread."""
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
        """Handles a possible loss of other processes' events: every listener must reload and cannot resume."""
        with self._lock:
            self._kept.clear()
            listeners = list(self._subscriptions)
        for listener in listeners:
            listener.miss()

    def subscribe(
        self, *topics: str, ends_with: tuple[str, ...] = (), whose: str | None = None, company: str | None = None
    ) -> Subscription:
        """Returns a new subscription to the topics; the caller must `close()` it. Needs a running event loop.

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
            for owner in limits:
                self._of.add(owner)
            closed = self._closed
        if closed:
            subscription.end()
        return subscription

    def since(self, topic: str, event_id: str) -> list[Event] | None:
        """Returns the topic's events after `event_id`; None if that event is no longer in memory."""
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
                    self._of.add(owner, -1)

    def close(self) -> None:
        """Ends all streams, and every later one at once, because the process stops."""
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
    """A response with server-sent events of some topics. Events have no name, and a comment is sent at each beat of 15
    s.

    `catch_up` is the event that is sent whenever events were missed. With `resumed_by`, a request about one topic,
    events have ids. A client resumes after the event in its `Last-Event-ID`, and gets `catch_up` at once if that event
    is no longer known. Without `resumed_by`, events have no ids, and a returning client reloads.

    The stream ends when the client disconnects, the server stops, an event arrives on a topic of `ends_with`, or
    `until` has come. `goes_on` returns whether the stream may continue. It is called whenever the ending event may have
    been lost: before the first event, after missed events, and at each beat. Beats fall on common ticks, so that
    streams can be checked together. The stream counts for the person `whose` and for `company`.
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
        # A random first tick, so that pages that reconnect at the same moment do not share their beats for good.
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
        """Sends the events since the client's last id; returns their ids, because they may also wait in the queue."""
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
    """Returns the event loop's time of the tick that is `ticks` ticks from now."""
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
