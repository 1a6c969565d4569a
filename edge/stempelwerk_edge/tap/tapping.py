"""The way of a tap: decide, put it on the disk, sound, show; nothing else lies between the tag and the tone.

Called by the reader's thread and by the screen's; one lock makes one tap at a time. It never waits for a network, and
whatever goes wrong around the stamp (people, screen, a mistake in deciding) the stamp itself is kept.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.trusted_time import Reading
from stempelwerk_edge.ports import Answer, AnswerKind, Direction, Question, Signal, Signals
from stempelwerk_edge.storage.rows import Draft, GoneAnswer, Row
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap import stamping
from stempelwerk_edge.tap.history import AT_START, PER_TAG, History
from stempelwerk_edge.tap.presence import Tap
from stempelwerk_edge.tap.stamping import Decision
from stempelwerk_edge.tap.tags import TagRefused, normalise

CHOICE_S = 30
_LOCAL_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question that stands on the screen: under which stamp, what about, until when (boot time in ms)."""

    stamp_id: str
    question: Question
    tag: str
    until_ms: int
    opened_by: str | None
    about: date | None


@dataclass(frozen=True, slots=True)
class _Choice:
    """Kommen or Gehen was pressed before a tap."""

    direction: Direction
    until_ms: int


class Tapper:
    """Takes taps and touches. Every method may be called from any thread."""

    def __init__(
        self, stores: Stores, surroundings: Surroundings, signals: Signals, wake: Callable[[], object]
    ) -> None:
        self._journal, self._state = stores.journal, stores.state
        self._people, self._membership, self._answers = stores.people, stores.membership, stores.answers
        self._time, self._ids = surroundings.time, surroundings.ids
        self._screen, self._report = surroundings.screen, surroundings.report
        self._signals, self._wake = signals, wake
        self._lock = threading.Lock()
        self._history = History(self._time)
        self._choice: _Choice | None = None
        self._asked: _Asked | None = None

    def load(self) -> None:
        """Take up this clock's own latest stamps. Raises JournalError."""
        rows = self._state.recent(AT_START, PER_TAG)
        with self._lock:
            self._history.load(rows)

    def time_found(self) -> None:
        """The first contact of this boot has told what time it is."""
        with self._lock:
            self._history.think_again()

    # ---- the tag

    def on_tag(self, text: str) -> Answer | None:
        """A tag was held to the reader. Answers what the screen shows; None if the text is no tag."""
        try:
            tag = normalise(text)
        except TagRefused as fault:
            self.on_unreadable(fault.reason)
            return None
        with self._lock:
            choice, self._choice = self._choice, None
            direction = Direction.AUTO
            if choice is not None:
                self._screen.set_status(chosen=None, chosen_until=None)
                if self._time.boottime_ms() <= choice.until_ms:
                    direction = choice.direction
            return self._take(tag, direction, "reader").answer

    def on_unreadable(self, reason: str) -> None:
        """Something that is no tag was held to the reader; `reason` as in the contract's tags."""
        self._report("info", "tag_unreadable", reason, {})
        self._signals.play(Signal.ERROR)

    def _take(self, tag: str, direction: Direction, via: str) -> Decision:
        """Decide, save, sound, show. Under the lock."""
        reading = self._time.reading()
        tap = Tap(self._ids.new(), self._time.at(reading).at, direction.value, via)
        decision = self._decide(tap, tag)
        try:
            row = self._journal.append(self._draft(tap, tag, reading, decision.shown))
        except JournalError:
            decision = stamping.refused(tap, tag)
            self._signals.play(decision.signal)
            self._asked = None
            self._screen.set_status(storage="failed")
            self._screen.show(decision.answer)
            return decision
        self._signals.play(decision.signal)
        self._saved(row, decision)
        return decision

    def _draft(self, tap: Tap, tag: str, reading: Reading, shown: str | None) -> Draft:
        assignment = self._membership.current.assignment
        return Draft(tap.id, assignment.id if assignment else None, tag, tap.direction, reading, tap.via, shown)

    def _decide(self, tap: Tap, tag: str) -> Decision:
        try:
            people = self._people
            own = self._history.of(people.tags_with(tag))
            return stamping.decide(tap, tag, people.by_tag(tag), own, self._membership.rules, informed=people.informed)
        except Exception as mistake:
            self._report("error", "decision_failed", f"{type(mistake).__name__}: {mistake}", {})
            return replace(stamping.decide(tap, tag, None, (), self._membership.rules), shown=None)

    def _saved(self, row: Row, decision: Decision) -> None:
        """What follows once the tone is out."""
        self._history.add(row)
        answer = decision.answer
        self._asked = None
        if answer.question is not None:
            lasts_ms = (answer.until - answer.at) // timedelta(milliseconds=1)
            until_ms = self._time.boottime_ms() + lasts_ms
            self._asked = _Asked(
                row.draft.id, answer.question, row.draft.tag, until_ms, decision.opened_by, answer.question_date
            )
        self._screen.show(answer)
        self._screen.set_status(storage="ok")
        self._wake()

    # ---- the finger

    def choose(self, direction: Direction | None) -> None:
        """The next tap means this; None, or 30 s without a tap, takes it back."""
        with self._lock:
            if direction not in (Direction.IN, Direction.OUT):
                self._choice = None
                self._screen.set_status(chosen=None, chosen_until=None)
                return
            self._choice = _Choice(direction, self._time.boottime_ms() + CHOICE_S * 1000)
            until = self._time.now() + timedelta(seconds=CHOICE_S)
            self._screen.set_status(chosen="in" if direction is Direction.IN else "out", chosen_until=until)

    def answer(self, stamp_id: str, direction: Direction | None = None, new_end: str | None = None) -> bool:
        """Answer the question that was asked with this stamp; False if it is not open (any more) or does not fit."""
        with self._lock:
            asked = self._asked
            if asked is None or asked.stamp_id != stamp_id or self._time.boottime_ms() > asked.until_ms:
                return False
            if asked.question is Question.DIRECTION:
                return self._answer_direction(asked, direction)
            return self._answer_gone(asked, new_end)

    def _answer_direction(self, asked: _Asked, direction: Direction | None) -> bool:
        if direction not in (Direction.IN, Direction.OUT):
            return False
        return self._take(asked.tag, direction, "screen").answer.kind is not AnswerKind.NOT_SAVED

    def _answer_gone(self, asked: _Asked, new_end: str | None) -> bool:
        if new_end is None or not _LOCAL_TIME.fullmatch(new_end) or asked.opened_by is None or asked.about is None:
            return False
        about = asked.about.isoformat()
        try:
            self._answers.keep(GoneAnswer(self._ids.new(), asked.opened_by, about, new_end, self._time.now()))
        except JournalError:
            self._signals.play(Signal.NOT_SAVED)
            self._screen.set_status(storage="failed")
            return False
        self._asked = None
        return True
