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
from stempelwerk_edge.ports import Adopting, Answer, AnswerKind, Direction, Question, Signal, Signals
from stempelwerk_edge.storage.rows import Draft, GoneAnswer, Logged, Row
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap import stamping
from stempelwerk_edge.tap.history import AT_START, PER_TAG, History
from stempelwerk_edge.tap.presence import Tap
from stempelwerk_edge.tap.stamping import Decision
from stempelwerk_edge.tap.tags import TagRefused, normalise

CHOICE_S = 30
STEWARD_S = 6  # longer than other answers: the offer to adopt scanners can be pressed
_LOCAL_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class _OpenQuestion:
    """The open question on the screen: its stamp, its subject, from when until when (boot time in ms)."""

    stamp_id: str
    question: Question
    tag: str
    from_ms: int
    until_ms: int
    opened_by: str | None
    question_date: date | None


@dataclass(frozen=True, slots=True)
class _Offered:
    """The offer to adopt scanners, to the person shown: its stamp, their tag, until when (boot time in ms)."""

    stamp_id: str
    tag: str
    until_ms: int


@dataclass(frozen=True, slots=True)
class _Choice:
    """A direction, Kommen or Gehen, that was pressed for the next tap; it expires at `until_ms` of boot time."""

    direction: Direction
    until_ms: int


class Tapper:
    """Takes taps and touches. Every method may be called from any thread. `adopting`: only on a base of scanners."""

    def __init__(
        self,
        stores: Stores,
        surroundings: Surroundings,
        signals: Signals,
        wake: Callable[[], object],
        adopting: Adopting | None = None,
    ) -> None:
        self._journal, self._state = stores.journal, stores.state
        self._people, self._membership, self._answers = stores.people, stores.membership, stores.answers
        self._time, self._ids = surroundings.time, surroundings.ids
        self._screen, self._report = surroundings.screen, surroundings.report
        self._signals, self._wake, self._adopting = signals, wake, adopting
        self._lock = threading.Lock()
        self._history = History(self._time)
        self._choice: _Choice | None = None
        self._asked: _OpenQuestion | None = None
        self._offered: _Offered | None = None
        self._answered: str | None = None  # the stamp of the last question that was answered
        self._shown = ""  # the key of the last answer

    def load(self) -> None:
        """Loads this clock's latest stamps from the disk, also those of a rescued card. Raises JournalError."""
        rows = self._state.recent(AT_START, PER_TAG)
        self._state.unreflected()  # no tap reads it from the disk
        with self._lock:
            self._history.load(rows)

    def time_found(self) -> None:
        """Handles the first contact with the cloud since the start, which gives the time: the times of earlier taps are
        estimated again.
        """
        with self._lock:
            self._history.think_again()

    # ---- the tag

    def on_tag(self, text: str) -> Answer | None:
        """Handles a tag that was held to the reader. Returns the screen's answer; None if the text is no tag."""
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

    def on_scanned(
        self, identifier: str, tag: str, reading: Reading, logged: Logged, *, fresh: bool
    ) -> AnswerKind | None:
        """Stores a scanner's tap as one of this clock's, without a tone or a picture. Raises JournalError.

        Its outcome is returned only if it is `fresh`: an older tap was made without any answer to the person.
        """
        with self._lock:
            tap = Tap(identifier, reading.wall, Direction.AUTO.value, f"scanner:{logged.serial}")
            decision = self._decide(tap, tag) if fresh else None
            row = self._journal.append(self._draft(tap, tag, reading, decision.shown if decision else None), logged)
            self._history.add(row)
        self._wake()
        return None if decision is None else decision.answer.kind

    def on_unreadable(self, reason: str) -> None:
        """Handles something that is no tag at the reader; `reason` as in the contract's tags."""
        self._report("info", "tag_unreadable", reason, {})
        self._signals.play(Signal.ERROR)

    def _take(self, tag: str, direction: Direction, via: str, late_ms: int = 0) -> Decision:
        """Handles one tap: decides, stores the stamp, plays the signal, shows the answer. The caller holds the lock.

        The stamp's time is `late_ms` ago; the answer is shown from now on.
        """
        reading = self._time.reading(late_ms)
        tap = Tap(self._ids.new(), self._time.estimate_for(reading).time, direction.value, via)
        decision = self._decide(tap, tag)
        try:
            row = self._journal.append(self._draft(tap, tag, reading, decision.shown))
        except JournalError:
            decision = _lasting(stamping.refused(tap, tag), late_ms)
            self._signals.play(decision.signal)
            self._asked = None
            self._screen.set_status(storage="failed")
            self._show(decision.answer)
            return decision
        decision = self._offering(_lasting(decision, late_ms), tag)
        self._signals.play(decision.signal)
        self._saved(row, decision)
        return decision

    def _show(self, answer: Answer) -> None:
        self._shown, self._offered = answer.key, None
        if answer.steward and answer.stamp_id is not None and answer.tag is not None:
            left_ms = (answer.until - self._time.now()) // timedelta(milliseconds=1)
            self._offered = _Offered(answer.stamp_id, answer.tag, self._time.boottime_ms() + left_ms)
        self._screen.show(answer)

    def _offering(self, decision: Decision, tag: str) -> Decision:
        """Offers adoption, on a base, to a person who may have scanners adopted; not with a question, which comes
        first.
        """
        answer = decision.answer
        if self._adopting is None or answer.question is not None or not self._people.is_steward(tag):
            return decision
        ends_at = answer.until + timedelta(seconds=STEWARD_S - stamping.ANSWER_S)
        return replace(decision, answer=replace(answer, steward=True, tag=tag, until=ends_at))

    def _draft(self, tap: Tap, tag: str, reading: Reading, shown: str | None) -> Draft:
        assignment = self._membership.current.assignment
        return Draft(tap.id, assignment.id if assignment else None, tag, tap.direction, reading, tap.via, shown)

    def _decide(self, tap: Tap, tag: str) -> Decision:
        try:
            people = self._people
            own_taps = self._history.taps_of(people.tags_with(tag), self._state.unreflected())
            return stamping.decide(
                tap, tag, people.by_tag(tag), own_taps, self._membership.rules, informed=people.informed
            )
        except Exception as mistake:
            self._report("error", "decision_failed", f"{type(mistake).__name__}: {mistake}", {})
            return replace(stamping.decide(tap, tag, None, (), self._membership.rules), shown=None)

    def _saved(self, row: Row, decision: Decision) -> None:
        """Does the work that follows once the stamp is stored and the tone is out."""
        self._history.add(row)
        answer = decision.answer
        self._asked = None
        if answer.question is not None:
            lasts_ms = (answer.until - answer.at) // timedelta(milliseconds=1)
            from_ms = row.draft.reading.boottime_ms
            until_ms, question_date = from_ms + lasts_ms, answer.question_date
            self._asked = _OpenQuestion(
                row.draft.id, answer.question, row.draft.tag, from_ms, until_ms, decision.opened_by, question_date
            )
        self._show(answer)
        self._screen.set_status(storage="ok")
        self._wake()

    # ---- the finger

    def choose(self, direction: Direction | None, after: str | None = None, late_ms: int = 0) -> bool:
        """Implements `Touch.choose`: for the next tap, unless there was one since the press."""
        with self._lock:
            left_ms = CHOICE_S * 1000 - late_ms
            if after not in (None, self._shown) or left_ms < 0:
                return self._too_late("a choice of a direction")
            if direction not in (Direction.IN, Direction.OUT):
                self._choice = None
                self._screen.set_status(chosen=None, chosen_until=None)
                return True
            self._choice = _Choice(direction, self._time.boottime_ms() + left_ms)
            ends_at = self._time.now() + timedelta(milliseconds=left_ms)
            self._screen.set_status(chosen="in" if direction is Direction.IN else "out", chosen_until=ends_at)
            return True

    def answer(
        self, stamp_id: str, direction: Direction | None = None, new_end: str | None = None, late_ms: int = 0
    ) -> bool:
        """Implements `Touch.answer`: the question of this stamp, if it was open when it was pressed."""
        with self._lock:
            open_question, now_ms = self._asked, self._time.boottime_ms()
            if stamp_id == self._answered:  # pressed twice
                return False
            if open_question is None or open_question.stamp_id != stamp_id:
                return self._too_late("an answer")
            late_ms = min(late_ms, now_ms - open_question.from_ms)  # no answer is older than its question
            if now_ms - late_ms > open_question.until_ms:
                return self._too_late("an answer")
            direct = open_question.question is Question.DIRECTION
            is_taken = (
                self._answer_direction(open_question, direction, late_ms)
                if direct
                else self._answer_gone(open_question, new_end, late_ms)
            )
            if is_taken:
                self._answered = stamp_id
            return is_taken

    def adopt(self, stamp_id: str | None, late_ms: int = 0) -> bool:
        """Implements `Touch.adopt`. Checks the person's right again: it may have changed since the tap."""
        with self._lock:
            offered = self._offered
            if self._adopting is None:
                return False
            if stamp_id is None:
                self._adopting.close()
                return True
            if (
                offered is None
                or offered.stamp_id != stamp_id
                or self._time.boottime_ms() - late_ms > offered.until_ms
                or not self._people.is_steward(offered.tag)
            ):
                return self._too_late("an adoption of scanners")
            self._adopting.open()
            return True

    def forget(self, serial: str) -> bool:
        """Implements `Touch.forget`."""
        return self._adopting is not None and self._adopting.forget(serial)

    def _too_late(self, press: str) -> bool:
        """Reports that a press does not count, because it is over or because another person is shown now; returns
        False.
        """
        self._report("info", "press_too_late", f"{press} was pressed for somebody before, or too long ago", {})
        self._screen.notice("too_late")
        return False

    def _answer_direction(self, open_question: _OpenQuestion, direction: Direction | None, late_ms: int) -> bool:
        if direction not in (Direction.IN, Direction.OUT):
            return False
        return self._take(open_question.tag, direction, "screen", late_ms).answer.kind is not AnswerKind.NOT_SAVED

    def _answer_gone(self, open_question: _OpenQuestion, new_end: str | None, late_ms: int) -> bool:
        if (
            new_end is None
            or not _LOCAL_TIME.fullmatch(new_end)
            or open_question.opened_by is None
            or open_question.question_date is None
        ):
            return False
        answered_at = self._time.now() - timedelta(milliseconds=late_ms)
        try:
            self._answers.add(
                GoneAnswer(
                    self._ids.new(),
                    open_question.opened_by,
                    open_question.question_date.isoformat(),
                    new_end,
                    answered_at,
                )
            )
        except JournalError:
            self._signals.play(Signal.NOT_SAVED)
            self._screen.set_status(storage="failed")
            return False
        self._asked = None
        return True


def _lasting(decision: Decision, late_ms: int) -> Decision:
    """Returns the decision with its answer shown `late_ms` longer: its times count from the press, which was `late_ms`
    ago.
    """
    ends_at = decision.answer.until + timedelta(milliseconds=late_ms)
    return replace(decision, answer=replace(decision.answer, until=ends_at))
