"""The newest heartbeats: noted in this process's memory, and written for all devices together once a second.

A heartbeat is a state and no fact: of each device only the newest is kept, and a process that dies may take its last
second along. Which one is the newest is decided where it is written, in SQL, so that it does not matter which process
heard what, and when each of them writes.
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
Written = TypeVar("Written", bound="Ordered")
log = structlog.get_logger(__name__)


class Heard(Struct, frozen=True, kw_only=True):
    """What a heartbeat said, by the names of `device_beats`."""

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
    """The heartbeats of one process that are not written yet: of each device the newest, and of one boot alone."""

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
        waits = self._unwritten.get(heard.device_no)
        boot, boottime_ms = (waits.boot, waits.boottime_ms) if waits is not None else last_written or (None, 0)
        newer = heard.boottime_ms > boottime_ms if boot == heard.boot else not is_known_boot
        return not newer or self._put(heard)

    def note_next(self, database: Database, heard: Heard) -> None:
        """Notes a heartbeat of a new start, after what waits has been written."""
        self.write(database)
        self._put(heard)

    def unwritten(self) -> dict[int, Heard]:
        """What waits, by device: to be asked before rows are read, so that what is written meanwhile is in either."""
        with self._lock:
            return dict(self._unwritten)

    def write(self, database: Database) -> None:
        """Writes what waits. What cannot be written now goes on waiting, and is said in the log."""
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
        """Writes what waits, at most once a second, until it is cancelled; a turn that has begun is waited for."""
        own_thread = anyio.CapacityLimiter(1)  # pages may hold all the shared ones
        self._waits = asyncio.Event()  # of this event loop: an application may be started again on another
        self.wake()
        while True:
            await self._waits.wait()
            self._waits.clear()
            await anyio.sleep(WRITE_INTERVAL_S)
            await anyio.to_thread.run_sync(self.write, database, limiter=own_thread)
            self.wake()

    def wake(self) -> None:
        """Says, on the event loop, that there may be something to write."""
        if self._unwritten and self._waits is not None:
            self._waits.set()

    def _put(self, heard: Heard) -> bool:
        """False while an earlier start of the device's system waits: it is to be written, so that it stays known."""
        with self._lock:
            waits = self._unwritten.get(heard.device_no)
            if waits is not None and waits.boot != heard.boot:
                return False
            if waits is None or waits.boottime_ms < heard.boottime_ms:
                self._unwritten[heard.device_no] = heard
            return True


class Ordered(Protocol):
    """What says which of two heartbeats of a device is newer; None: there was none."""

    @property
    def boot(self) -> str | None: ...

    @property
    def boottime_ms(self) -> int | None: ...


def newest(waits: Heard | None, stored_beat: Written) -> Heard | Written:
    """The newest heartbeat of a device, of what waits and what was read after that."""
    if waits is None:
        return stored_beat
    is_written = stored_beat.boot == waits.boot and (stored_beat.boottime_ms or 0) >= waits.boottime_ms
    return stored_beat if is_written else waits


def of(platform: Platform) -> Beats:
    pending_beats: Beats = platform.state.setdefault("beats", Beats())
    return pending_beats
