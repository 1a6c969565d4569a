"""The newest heartbeats, kept in this process's memory and written for all devices together once a second.

A heartbeat is a state and no fact: only the newest of each device is kept, and a process that dies may lose its last
second. SQL decides when writing which one is the newest, so it does not matter which process received it, and when each
of them writes.
"""

import asyncio
import threading
from typing import Protocol, TypeVar

import anyio
import structlog
from msgspec import Struct

from stempelwerk_cloud.fleet.devices import repository
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform

WRITE_INTERVAL_S = 1.0
Stored = TypeVar("Stored", bound="Ordered")
log = structlog.get_logger(__name__)


class Heard(Struct, frozen=True, kw_only=True):
    """A heartbeat, with the column names of `device_beats`."""

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
    """The unwritten heartbeats of one process: the newest of each device, and of one boot only."""

    def __init__(self) -> None:
        self._waits: asyncio.Event | None = None
        self._unwritten: dict[int, Heard] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def note(self, heard: Heard, last_written: tuple[str, int] | None, *, is_known_boot: bool) -> bool:
        """Notes a heartbeat if it is newer than all before, including `last_written` (boot, boottimeMs).

        `is_known_boot`: its boot is stored already. Returns False if a heartbeat of another boot has to be written
        first.
        """
        waiting = self._unwritten.get(heard.device_no)
        boot, boottime_ms = (waiting.boot, waiting.boottime_ms) if waiting is not None else last_written or (None, 0)
        is_newer = heard.boottime_ms > boottime_ms if boot == heard.boot else not is_known_boot
        return not is_newer or self._put(heard)

    def note_next(self, database: Database, heard: Heard) -> None:
        """Notes a heartbeat of a new boot, after writing the waiting ones."""
        self.write(database)
        self._put(heard)

    def unwritten(self) -> dict[int, Heard]:
        """Returns the waiting heartbeats by device. Call it before reading rows, so that no beat is missed."""
        with self._lock:
            return dict(self._unwritten)

    def write(self, database: Database) -> None:
        """Writes the waiting heartbeats. On an error they are logged and wait for the next attempt."""
        with self._writing:
            batch = self.unwritten()
            if not batch:
                return
            try:
                with database.write(DEVICES) as session:
                    repository.write_beats(session, [batch[no] for no in sorted(batch)])
            except Exception as error:
                log.error("heartbeats_not_written", count=len(batch), exc_info=error)
                return
            with self._lock:
                for no, heard in batch.items():
                    if self._unwritten[no] is heard:
                        del self._unwritten[no]

    async def write_periodically(self, database: Database) -> None:
        """Writes the waiting heartbeats at most once a second, until cancelled. A write that has begun is awaited."""
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
        """Signals, on the event loop, that there may be something to write."""
        if self._unwritten and self._waits is not None:
            self._waits.set()

    def _put(self, heard: Heard) -> bool:
        """Returns False while an earlier boot of the device waits: it has to be written first, to stay known."""
        with self._lock:
            waiting = self._unwritten.get(heard.device_no)
            if waiting is not None and waiting.boot != heard.boot:
                return False
            if waiting is None or waiting.boottime_ms < heard.boottime_ms:
                self._unwritten[heard.device_no] = heard
            return True


class Ordered(Protocol):
    """The fields that order two heartbeats of a device; None: there was no heartbeat."""

    @property
    def boot(self) -> str | None: ...

    @property
    def boottime_ms(self) -> int | None: ...


def newest(waiting: Heard | None, stored_beat: Stored) -> Heard | Stored:
    """Returns the device's newer heartbeat, of the waiting one and the one that was read after it."""
    if waiting is None:
        return stored_beat
    is_written = stored_beat.boot == waiting.boot and (stored_beat.boottime_ms or 0) >= waiting.boottime_ms
    return stored_beat if is_written else waiting


def get_beats(platform: Platform) -> Beats:
    pending_beats: Beats = platform.state.setdefault("beats", Beats())
    return pending_beats
