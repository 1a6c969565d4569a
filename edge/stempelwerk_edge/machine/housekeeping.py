"""Housekeeping of the clock: tests whether a failed disk is back, frees space, deletes old rows.

All of it happens in small steps, so that no tap waits for it.
"""

import asyncio
from collections.abc import Callable

from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.storage.journal import CHECKPOINT_BYTES
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

_PAUSE_S = 20.0
_PAUSE_FAILED_S = 5.0
_FORGET_EVERY_MS = 3_600_000


class Housekeeping:
    """The loop. `recovered` is called when the disk works again."""

    def __init__(self, stores: Stores, surroundings: Surroundings, recovered: Callable[[], object]) -> None:
        self._journal, self._state, self._answers = stores.journal, stores.state, stores.answers
        self._recovered = recovered
        self._time, self._screen, self._report = surroundings.time, surroundings.screen, surroundings.report
        self._had_fault = False
        self._forget_at_ms = 0

    async def run(self) -> None:
        """Runs for ever."""
        while True:
            self.look()
            await asyncio.sleep(_PAUSE_FAILED_S if self._had_fault else _PAUSE_S)

    def look(self) -> None:
        """Runs all tasks once; while the disk fails, it only tests whether the disk takes writes again."""
        fault = self._journal.fault
        if fault is not None:
            self._had_fault = True
            if not self._journal.probe():
                self._screen.set_status(storage="failed")
                return
        if self._had_fault:
            self._had_fault = False
            self._report("info", "journal_recovered", "the disk takes stamps again", {})
            self._screen.set_status(storage="ok")
            self._recovered()
        self._screen.set_status(time_trusted=self._time.trusted)
        try:
            self._time.store_lowered(self._state.store_highest)
            self._delete_old_rows()
            self._journal.checkpoint(0 if fault is not None else CHECKPOINT_BYTES)
        except JournalError as failed:
            self._report("warn", "housekeeping_failed", str(failed), {})

    def _delete_old_rows(self) -> None:
        """Deletes rows that were delivered long ago, but only if a contact of this boot has confirmed the time."""
        now_ms = self._time.boottime_ms()
        if not self._time.anchored or now_ms < self._forget_at_ms:
            return
        self._forget_at_ms = now_ms + _FORGET_EVERY_MS
        while self._state.forget_delivered(self._time.now(), self._time.boot_id):
            pass
        self._answers.forget(self._time.now())
