"""The state of the touchscreen, shared by two threads: the tap's thread writes, the server's loop reads.

It decides nothing about taps and draws nothing. How long something stays is kept in seconds of a monotonic clock: when
the clock's idea of the time is corrected, an answer neither vanishes nor stays for an hour.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Unpack

from stempelwerk_edge.ports import Answer, ChosenDirection, Connection, Question, ReaderState, StatusChanges

log = logging.getLogger(__name__)

NOTICE_S = 4.0
AFTERWARDS_S = 2.5
REQUESTED_S = 4.0  # longer: the sentence about the correction request must be read, too


@dataclass(frozen=True, slots=True)
class Status:
    """The status next to the answers, with the values that hold until the agent sets others."""

    assigned: bool = False
    zone: str = "Europe/Berlin"
    clock_name: str = ""
    company_name: str | None = None
    claim_code: str | None = None
    connection: Connection = "offline"
    queued: int = 0
    reader: ReaderState = "absent"
    storage: str = "ok"
    time_trusted: bool = False
    update: tuple[str, str] | None = None
    chosen: ChosenDirection | None = None
    chosen_until: datetime | None = None
    adopting_until: datetime | None = None
    adopted: tuple[str, ...] = ()
    scanners: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of the screen. The members `…_ends` are seconds of the monotonic clock.

    `after` is the key of the last answer, even if that is no longer shown: a press names it as the answer before it.
    """

    version: int = 0
    status: Status = field(default_factory=Status)
    answer: Answer | None = None
    answer_ends: float = 0.0
    after: str = ""
    notice: str | None = None
    notice_ends: float = 0.0
    chosen_ends: float = 0.0
    adopting_ends: float = 0.0

    def next_change(self, now: float) -> float | None:
        """Returns when the next part of this state expires after `now`; None if never."""
        ends_at = [
            end
            for shown_part, end in (
                (self.answer, self.answer_ends),
                (self.notice, self.notice_ends),
                (self.status.chosen, self.chosen_ends),
                (self.status.adopting_until, self.adopting_ends),
            )
            if shown_part is not None and end > now
        ]
        return min(ends_at, default=None)


class ScreenState:
    """The one state of the one screen; the agent's `Screen`. Every method may be called from any thread.

    `now` is the agent's best time, the source of every `until`; `monotonic` gives seconds that never jump.
    """

    def __init__(self, now: Callable[[], datetime], monotonic: Callable[[], float] = time.monotonic) -> None:
        self.now, self.monotonic = now, monotonic
        self._lock = threading.Lock()
        self._snapshot = Snapshot()
        self._listeners: set[Callable[[], object]] = set()

    def snapshot(self) -> Snapshot:
        """Returns the present state."""
        return self._snapshot

    def show(self, answer: Answer) -> None:
        """Shows this answer in place of the one before; an earlier notice goes."""
        ends_at = self._end(answer.until)
        self._change(lambda old: replace(old, answer=answer, answer_ends=ends_at, after=answer.key, notice=None))

    def sent(self, stamp_ids: Collection[str]) -> None:
        """Marks these stamps as delivered: an answer still held about one of them shows it."""
        ids = frozenset(stamp_ids)

        def mark(old: Snapshot) -> Snapshot:
            if old.answer is None or old.answer.sent or old.answer.stamp_id not in ids:
                return old
            return replace(old, answer=replace(old.answer, sent=True))

        self._change(mark)

    def set_status(self, **changes: Unpack[StatusChanges]) -> None:
        """Changes the status next to the answers. A `chosen` counts until its `chosen_until`."""

        def apply(old: Snapshot) -> Snapshot:
            new = replace(old, status=replace(old.status, **changes))
            if "chosen_until" in changes:
                chosen_until = changes["chosen_until"]
                new = replace(new, chosen_ends=self._end(chosen_until) if chosen_until else 0.0)
            if "adopting_until" in changes:
                chosen_until = changes["adopting_until"]
                new = replace(new, adopting_ends=self._end(chosen_until) if chosen_until else 0.0)
            return old if new == old else new

        self._change(apply)

    def notice(self, code: str) -> None:
        """Shows for four seconds a notice that is no answer to a tap.

        `unreadable_tag`: a phone was held to the reader. `too_late`: a press came when another person was already
        shown.
        """
        self._change(lambda old: replace(old, notice=code, notice_ends=self.monotonic() + NOTICE_S))

    def answered(self, stamp_id: str) -> None:
        """Closes the question under this stamp and shows its answer for a moment without the question.

        A person who has entered when they left sees that this will become a correction request.
        """

        def take_off(old: Snapshot) -> Snapshot:
            answer = old.answer
            if answer is None or answer.question is None or answer.stamp_id != stamp_id:
                return old
            if answer.question is Question.GONE:
                return self._without_question(old, replace(answer, requested=True), REQUESTED_S)
            return self._without_question(old, answer)

        self._change(take_off)

    def dismiss(self, key: str | None = None) -> None:
        """Removes the notice and the open question; an answer without a question is removed itself. Does nothing if
        `key` is given and that answer is not shown.
        """

        def put_away(old: Snapshot) -> Snapshot:
            if key is not None and (old.answer is None or old.answer.key != key):
                return old
            if old.answer is not None and old.answer.question is not None:
                return self._without_question(replace(old, notice=None), old.answer)
            return replace(old, answer=None, notice=None)

        self._change(put_away)

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Calls `listener` after every change, from the thread that made it; returns the function that ends the
        subscription.
        """
        with self._lock:
            self._listeners.add(listener)

        def end() -> None:
            with self._lock:
                self._listeners.discard(listener)

        return end

    def _without_question(self, old: Snapshot, answer: Answer, seconds: float = AFTERWARDS_S) -> Snapshot:
        """Returns the state with the answer but without its question; the answer expires after `seconds`."""
        ends_at = self.now() + timedelta(seconds=seconds)
        alone = replace(answer, question=None, question_date=None, open_since=None, until=ends_at)
        return replace(old, answer=alone, answer_ends=self._end(ends_at))

    def _end(self, instant: datetime) -> float:
        return self.monotonic() + max(0.0, (instant - self.now()).total_seconds())

    def _change(self, make: Callable[[Snapshot], Snapshot]) -> None:
        try:
            with self._lock:
                old = self._snapshot
                new = make(old)
                if new is old:
                    return
                self._snapshot = replace(new, version=old.version + 1)
                listeners = tuple(self._listeners)
            for listener in listeners:
                listener()
        except Exception:  # the screen must never cost a tap its tone
            log.exception("the screen could not be changed")
