"""The newest heartbeats in this process's memory, and the task that writes those of all devices together once a
second.

A heartbeat is a state, not a fact: only the newest one of each device is kept, and a process that crashes may lose
those of its last second. The SQL statement that writes them skips outdated ones. So it does not matter which process
received a heartbeat, nor when each process writes.
"""

import asyncio
import threading
from typing import Protocol, TypeVar

import anyio
import structlog
from msgspec import Struct

from stempelwerk_cloud.fleet.devices import queries
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot

WRITE_INTERVAL_S = 1.0
Stored = TypeVar("Stored", bound="Ordered")
log = structlog.get_logger(__name__)


class Heard(Struct, frozen=True, kw_only=True):
    """A heartbeat, with the column names of `device_beats`. `seen_ms`: its arrival in milliseconds since 1970."""

    device_no: int
    seen_ms: int
    boot: str
    boottime_ms: int
    wall: str
    quality: str
    ip: str
    mac: str
    profile: str
    version: str
    uptime_s: int | None
    queue_depth: int | None
    queue_oldest: str | None
    disk_free_mb: int | None
    reader: str | None
    update_state: str | None
    update_version: str | None
    scanners: str | None = None
    platform: str | None = None
    storage: str | None = None
    cert_days_left: int | None = None
    cert_days: int | None = None


class Beats:
    """The heartbeats of one process that are not written yet: for each device the newest one, and never of two
    boots.
    """

    def __init__(self) -> None:
        self._waits: asyncio.Event | None = None
        self._unwritten: dict[int, Heard] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def note(self, heard: Heard, last_written: tuple[str, int] | None, *, is_known_boot: bool) -> bool:
        """Notes a heartbeat to be written soon. Ignores it if it is older than a waiting one or than `last_written`
        (boot and boottimeMs of the newest stored heartbeat).

        `is_known_boot`: the heartbeat's boot is already stored. Returns False, and notes nothing, if a heartbeat of
        another boot of the device is waiting and has to be written first (`note_next`).
        """
        waiting = self._unwritten.get(heard.device_no)
        boot, boottime_ms = (waiting.boot, waiting.boottime_ms) if waiting is not None else last_written or (None, 0)
        is_newer = heard.boottime_ms > boottime_ms if boot == heard.boot else not is_known_boot
        return not is_newer or self._put(heard)

    def note_next(self, database: Database, heard: Heard) -> None:
        """Writes all waiting heartbeats to the database, then notes this one, which is of a later boot than a waiting
        one.
        """
        self.write(database)
        self._put(heard)

    def unwritten(self) -> dict[int, Heard]:
        """Returns the waiting heartbeats by device number. Call it before reading the stored ones: a heartbeat that is
        written in between is then seen twice instead of not at all.
        """
        with self._lock:
            return dict(self._unwritten)

    def write(self, database: Database) -> None:
        """Writes the waiting heartbeats. An error is logged, and they keep waiting for the next call."""
        with self._writing:
            batch = self.unwritten()
            if not batch:
                return
            try:
                with database.write(DEVICES) as session:
                    queries.write_beats(session, [batch[no] for no in sorted(batch)])
            except Exception as error:
                log.error("heartbeats_not_written", count=len(batch), exc_info=error)
                return
            with self._lock:
                for no, heard in batch.items():
                    if self._unwritten[no] is heard:
                        del self._unwritten[no]

    async def write_periodically(self, database: Database) -> None:
        """Writes the waiting heartbeats at most once a second, until the task is cancelled. A write that has begun is
        awaited.
        """
        own_thread = anyio.CapacityLimiter(1)  # pages may hold all shared threads
        self._waits = asyncio.Event()  # bound to this event loop: an application may be started again on another
        self.wake()
        while True:
            await self._waits.wait()
            self._waits.clear()
            await anyio.sleep(WRITE_INTERVAL_S)
            await anyio.to_thread.run_sync(self.write, database, limiter=own_thread)
            self.wake()

    def wake(self) -> None:
        """Wakes `write_periodically` if heartbeats are waiting. Must be called on the event loop."""
        if self._unwritten and self._waits is not None:
            self._waits.set()

    def _put(self, heard: Heard) -> bool:
        """Makes the heartbeat the waiting one of its device. Returns False, without effect, while one of an earlier
        boot waits: it must be written first, so that its boot is recorded as known.
        """
        with self._lock:
            waiting = self._unwritten.get(heard.device_no)
            if waiting is not None and waiting.boot != heard.boot:
                return False
            if waiting is None or waiting.boottime_ms < heard.boottime_ms:
                self._unwritten[heard.device_no] = heard
            return True


class Ordered(Protocol):
    """A heartbeat with the fields that order the heartbeats of a device; both None if there was no heartbeat."""

    @property
    def boot(self) -> str | None: ...

    @property
    def boottime_ms(self) -> int | None: ...


BEATS: Slot[Platform, Beats] = Slot(lambda _: Beats())


def newest(waiting: Heard | None, stored_beat: Stored) -> Heard | Stored:
    """Returns the newer one of a device's two heartbeats: the waiting one, and the stored one, which was read
    after it.
    """
    if waiting is None:
        return stored_beat
    is_written = stored_beat.boot == waiting.boot and (stored_beat.boottime_ms or 0) >= waiting.boottime_ms
    return stored_beat if is_written else waiting
