"""A relay that carries live events between the processes on one PostgreSQL, by LISTEN and NOTIFY.

Notifications are sent after the commit, several at once, on a separate connection. Inside the transaction they would
make all commits of the database wait for one another, and each event would cost a round trip. A lost connection is
reopened automatically; because events may have been lost meanwhile, every listener reloads.
"""

import json
import queue
import threading
from collections.abc import Sequence
from typing import Any

import psycopg
import structlog

from stempelwerk_cloud.kit.database.postgres import RoleMissing, take_role
from stempelwerk_cloud.kit.live.hub import Event, Live

CHANNEL = "stempelwerk_live"
PAYLOAD_LIMIT = 7900
RELAY_CONNECTIONS = 2
"""Connections of a process: one receives notifications, the other sends them."""
RETRY_S = 1.0
GATHER_S = 0.02
"""Events are collected for so many seconds, and then sent to the other processes together."""
POLL_S = 0.5
TOPICS_TOGETHER = 50
"""The most topics in a notification: with two ids each they fit into PostgreSQL's limit."""
MISSED = "*missed*"
"""The topic of a notification that events were lost, so that all listeners must reload."""
NOBODY = "*nobody*"
"""A topic without listeners: it only wakes the listening thread."""

log = structlog.get_logger(__name__)


class PostgresRelay:
    """The relay of one process: one thread receives notifications, another sends them. `origin` marks this process's
    own events, which it ignores when they come back.
    """

    def __init__(self, conninfo: str, live: Live, origin: str) -> None:
        self._conninfo = conninfo
        self._live = live
        self._origin = origin
        self._outgoing: queue.SimpleQueue[tuple[Sequence[str], Event] | None] = queue.SimpleQueue()
        self._speaker: psycopg.Connection[Any] | None = None
        self._stopping = threading.Event()
        self._listening = threading.Event()
        self._threads = [
            threading.Thread(target=self._listen, name="live-listen", daemon=True),
            threading.Thread(target=self._speak, name="live-send", daemon=True),
        ]

    def start(self, timeout_s: float = 10.0) -> None:
        """Starts the threads. Returns once notifications are received, or after `timeout_s` seconds without a
        database.
        """
        for thread in self._threads:
            thread.start()
        self._listening.wait(timeout_s)

    def stop(self) -> None:
        self._stopping.set()
        # A notification to itself wakes the listening thread at once.
        self._outgoing.put(((NOBODY,), Event("", {})))
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join()

    def send(self, topics: Sequence[str], event: Event) -> None:
        self._outgoing.put((topics, event))

    def _connect(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(self._conninfo, autocommit=True)
        take_role(connection)
        return connection

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if self._listening.is_set():
                        self._live.missed()
                    self._listening.set()
                    while not self._stopping.is_set():
                        for notification in connection.notifies(timeout=POLL_S, stop_after=1):
                            self._receive(notification.payload)
            except (psycopg.Error, RoleMissing) as error:
                log.warning("live_listen_lost", error=str(error))
                self._stopping.wait(RETRY_S)

    def _receive(self, payload: str) -> None:
        try:
            message = json.loads(payload)
            origin, topics, event = message["origin"], message["topics"], Event(message["id"], message["data"])
        except (ValueError, TypeError, LookupError):
            log.warning("live_nonsense", payload=payload[:200])
            return
        if origin == self._origin:
            return
        if MISSED in topics:
            self._live.missed()
        else:
            self._live.deliver(topics, event)

    def _speak(self) -> None:
        while (first := self._outgoing.get()) is not None:
            self._stopping.wait(GATHER_S)
            batch = [first, *self._waiting()]
            while not self._say(batch):
                if self._stopping.wait(RETRY_S):
                    break
                # Events that could not be sent are dropped: it is enough to send that some were missed.
                self._waiting()
                batch = [((MISSED,), Event("", {}))]
        if self._speaker is not None:
            self._speaker.close()

    def _waiting(self) -> list[tuple[Sequence[str], Event]]:
        """Removes and returns the events that are already queued."""
        batch = []
        while not self._outgoing.empty():
            following = self._outgoing.get()
            if following is None:
                self._outgoing.put(None)
                break
            batch.append(following)
        return batch

    def _say(self, batch: list[tuple[Sequence[str], Event]]) -> bool:
        try:
            if self._speaker is None or self._speaker.closed:
                self._speaker = self._connect()
            payloads = [
                self._payload(topics[first : first + TOPICS_TOGETHER], event)
                for topics, event in batch
                for first in range(0, len(topics), TOPICS_TOGETHER)
            ]
            self._speaker.execute(
                "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload", (CHANNEL, payloads)
            )
        except (psycopg.Error, RoleMissing) as error:
            log.warning("live_send_lost", events=len(batch), error=str(error))
            return False
        return True

    def _payload(self, topics: Sequence[str], event: Event) -> str:
        message = {"origin": self._origin, "topics": list(topics), "id": event.id, "data": event.data}
        text = json.dumps(message, separators=(",", ":"))
        if len(text) <= PAYLOAD_LIMIT:
            return text
        # PostgreSQL's limit is 8000 bytes; the type of the event is enough to make listeners load data again.
        message["data"] = {"type": event.data.get("type")}
        return json.dumps(message, separators=(",", ":"))
