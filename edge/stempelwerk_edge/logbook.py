"""The logbook for the administrator: kept, sent to the cloud, and written to the system's own log.

Every part of the agent reports here (`report` is the port); the loop brings the entries to the cloud. An entry may be
lost with a power cut: it is no stamp. The same report makes one entry at once, another after five minutes, then ever
more rarely, up to each hour; `repeated` in its meta counts those left out. The last one is an entry in any case. A
recovery (`_RECOVERIES`) is an entry at once if its fault was one.
"""

import asyncio
import json
import logging
import threading
from collections import deque
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import pause
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.errors import CloudError
from stempelwerk_edge.machine.clock import from_ms, to_ms
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Connect, Ids, Random
from stempelwerk_edge.repeats import Repeats
from stempelwerk_edge.storage.side_store import SideStore

FILE_NAME = "logbook.db"
log = logging.getLogger("stempelwerk_edge")
_LEVELS = {"info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}
_SCHEMA = (
    """CREATE TABLE entries (number INTEGER PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL, level TEXT NOT NULL,
        code TEXT NOT NULL, message TEXT NOT NULL, meta TEXT NOT NULL)""",
)
_MOST_IN_MEMORY = 500
_MOST_KEPT = 2000
_A_REQUEST = 100
_LONGEST_MESSAGE = 500
_SAME_AGAIN_MS, _SAME_AT_LEAST_MS = 300_000, 3_600_000
_PAUSE_S = 15.0
_NOW = timedelta(0)
_RECOVERIES = {
    "online": frozenset({"offline"}),
    "reader_ok": frozenset({"reader_absent", "reader_fault"}),
    "journal_recovered": frozenset({"journal_full", "journal_broken", "journal_damaged", "journal_not_open"}),
}
"""Codes of the faults that a recovery ends, by the recovery's code."""
_FAULTS = frozenset().union(*_RECOVERIES.values())

Entry = dict[str, Any]


class Logbook:
    """The log entries for the administrator. `report` may be called from any thread, also while the disk fails."""

    def __init__(self, directory: Path, time: TrustedTime, ids: Ids, connect: Connect) -> None:
        self._time, self._ids = time, ids
        self._store = SideStore(directory / FILE_NAME, _SCHEMA, 1, connect, self.report)
        self._lock = threading.Lock()
        self._fresh: deque[Entry] = deque(maxlen=_MOST_IN_MEMORY)
        self._repeats: Repeats[tuple[str, str, str]] = Repeats(_SAME_AGAIN_MS, _SAME_AT_LEAST_MS)
        self._faults: set[str] = set()  # codes that were entered since their recovery was

    def report(self, level: Literal["info", "warn", "error"], code: str, message: str, meta: dict[str, object]) -> None:
        """Adds an entry."""
        log.log(_LEVELS[level], "%s: %s %s", code, message, meta or "")
        now_ms = self._time.boottime_ms()
        with self._lock:
            key, ended = (level, code, message), _RECOVERIES.get(code, frozenset()) & self._faults
            repeated = self._repeats.let_pass(key, now_ms) if ended else self._repeats.count(key, now_ms)
            if repeated is not None:
                self._enter(level, code, message, {**meta, "repeated": repeated} if repeated else meta)

    def report_overdue(self) -> None:
        """Makes an entry for each report that was left out and whose pause has ended; it has the time of that
        report.
        """
        now_ms = self._time.boottime_ms()
        with self._lock:
            for (level, code, message), left_out, came_ms in self._repeats.overdue(now_ms):
                ago = timedelta(milliseconds=now_ms - came_ms)
                self._enter(level, code, message, {"repeated": left_out - 1} if left_out > 1 else {}, ago)

    def _enter(self, level: str, code: str, message: str, meta: dict[str, object], ago: timedelta = _NOW) -> None:
        self._faults -= _RECOVERIES.get(code, frozenset())
        self._faults |= {code} & _FAULTS
        self._fresh.append(
            {
                "id": self._ids.new(),
                "at": self._time.now() - ago,
                "level": level,
                "code": wire.word(code),
                "message": wire.sentence(message)[:_LONGEST_MESSAGE],
                "meta": wire.plain(meta),
            }
        )

    def waiting(self, limit: int) -> list[Entry]:
        """Returns the oldest entries that the cloud does not have yet."""
        self._put_down()
        rows = self._store.read(
            "SELECT id, at, level, code, message, meta FROM entries ORDER BY number LIMIT ?", (limit,)
        )
        try:
            entries = [_read(*row) for row in rows]
        except (ValueError, TypeError, OverflowError) as fault:
            entries = []
            self._store.discard(fault)
        with self._lock:
            return (entries + list(self._fresh))[:limit]

    def _put_down(self) -> None:
        """Writes the entries in memory to the disk; they stay in memory if the disk fails."""
        with self._lock:
            fresh = list(self._fresh)
        if not fresh:
            return
        statements: list[tuple[str, tuple[object, ...]]] = [
            (
                "INSERT INTO entries (id, at, level, code, message, meta) VALUES (?, ?, ?, ?, ?, ?)",
                (e["id"], to_ms(e["at"]), e["level"], e["code"], e["message"], json.dumps(e["meta"])),
            )
            for e in fresh
        ]
        statements.append(("DELETE FROM entries WHERE number <= (SELECT max(number) FROM entries) - ?", (_MOST_KEPT,)))
        if self._store.write(statements):
            with self._lock:
                for _ in fresh:
                    self._fresh.popleft()

    def done(self, ids: frozenset[str]) -> None:
        """Deletes these entries, which the cloud has now."""
        self._store.write([("DELETE FROM entries WHERE id = ?", (identifier,)) for identifier in sorted(ids)])
        with self._lock:
            self._fresh = deque((e for e in self._fresh if e["id"] not in ids), _MOST_IN_MEMORY)

    def close(self) -> None:
        """Writes all entries to the disk and closes the file."""
        self._put_down()
        self._store.close()


def _read(identifier: str, at_ms: int, level: str, code: str, message: str, meta: str) -> Entry:
    fields = {"level": level, "code": code, "message": message, "meta": json.loads(meta)}
    return {"id": identifier, "at": from_ms(at_ms), **fields}


class LogbookLoop:
    """The loop that sends the entries to the cloud, a little later than they were made, so that several go together."""

    def __init__(self, logbook: Logbook, session: CloudSession, random: Random) -> None:
        self._logbook, self._session, self._random = logbook, session, random

    async def run(self) -> None:
        """Runs for ever."""
        failures = 0
        while True:
            seconds = _PAUSE_S
            self._logbook.report_overdue()
            entries = self._logbook.waiting(_A_REQUEST)
            if entries:
                body = wire.encode(wire.logs(entries))
                done, meaning = await self._session.call("POST", wire.LOGS, wire.read_log_results, body)
                if isinstance(done, CloudError):
                    failures += 1
                    seconds = max(_PAUSE_S, pause(meaning, failures, self._random))
                else:
                    failures = 0
                    self._logbook.done(done)
                    seconds = 0.0 if done and len(entries) == _A_REQUEST else _PAUSE_S
            await asyncio.sleep(seconds)
