"""What a tap means to the person in front of the clock: who, Kommen or Gehen, and what the screen says. Pure.

It is told everything and changes nothing. What it says is a courtesy made from what this clock knows; what counts is
derived by the cloud from the stamps of all clocks. No tap is ever refused here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from stempelwerk_edge.ports import Answer, AnswerKind, Question, Signal
from stempelwerk_edge.tap.presence import Closed, Known, Outcome, PresenceState, Rules, Tap, state_of, step

ANSWER_S = 2.5
UNKNOWN_S = 10
DIRECTION_QUESTION_S = 30
GONE_QUESTION_S = 60
_SHIFT_GAP = timedelta(hours=5)
_REST = timedelta(hours=11)
_LONGEST_DAY_MINUTES = 600
_BREAKS = ((360, 30), (540, 45))  # beyond so many net minutes of a shift, so many minutes of break
_COUNTED_BREAK_MINUTES = 15


@dataclass(frozen=True, slots=True)
class Who:
    """The person whom a tag belongs to, as far as the clock was told."""

    name: str
    known: Known


@dataclass(frozen=True, slots=True)
class Decision:
    """What the stamp keeps as `shown`, what the screen says, which signal belongs to it, and what a question is about.

    `opened_by` is the stamp that opened the entry whose end is missing; None without that question.
    """

    shown: str | None
    answer: Answer
    signal: Signal
    opened_by: str | None = None


_SIGNALS = {
    AnswerKind.IN: Signal.OK_IN,
    AnswerKind.OUT: Signal.OK_OUT,
    AnswerKind.DOUBLE_TAP: Signal.DOUBLE,
    AnswerKind.UNKNOWN: Signal.UNKNOWN,
    AnswerKind.NOT_SAVED: Signal.NOT_SAVED,
}


def signal_of(kind: AnswerKind) -> Signal:
    """The signal of an answer."""
    return _SIGNALS[kind]


def decide(tap: Tap, tag: str, who: Who | None, own: Sequence[Tap], rules: Rules, *, informed: bool = True) -> Decision:
    """What to say about a tap at `tap.at`. `own` are this clock's earlier stamps of the same person.

    `informed` False: the clock was not told any people yet, so it does not say "unknown" in the stamp.
    """
    if who is None:
        until = tap.at + timedelta(seconds=UNKNOWN_S)
        answer = Answer(tap.id, AnswerKind.UNKNOWN, tap.at, until, tag=tag, stamp_id=tap.id)
        return Decision("unknown" if informed else None, answer, Signal.UNKNOWN)
    state = state_of(own, who.known, rules)
    after, outcome = step(state, tap, rules)
    if outcome == "double_tap":
        return _double_tap(tap, tag, who, state, rules)
    return _counted(tap, tag, who, after, outcome, rules)


def refused(tap: Tap, tag: str) -> Decision:
    """What to say when the tap could not be saved."""
    until = tap.at + timedelta(seconds=UNKNOWN_S)
    return Decision(None, Answer(tap.id, AnswerKind.NOT_SAVED, tap.at, until, tag=tag), Signal.NOT_SAVED)


def _double_tap(tap: Tap, tag: str, who: Who, state: PresenceState, rules: Rules) -> Decision:
    """ "Schon gestempelt"; an answer on the screen that confirms is shown as what it confirms."""
    assert state.last is not None
    confirms = tap.via == "screen"
    kind = AnswerKind(state.direction) if confirms else AnswerKind.DOUBLE_TAP
    today, balance = _minutes(who.known, state, tap.at, rules)
    handovers, messages = _reminders(who.known, tap.at, rules) if confirms else (None, None)
    warnings = _warnings(kind, today, state, state.last.at) if confirms else ()
    answer = Answer(
        tap.id,
        kind,
        state.last.at if confirms else tap.at,
        tap.at + timedelta(seconds=ANSWER_S),
        name=who.name,
        tag=tag,
        today_minutes=today,
        balance_minutes=balance,
        open_handovers=handovers,
        unread_messages=messages,
        since=None if confirms else state.last.at,
        stamp_id=tap.id,
        warnings=warnings,
    )
    return Decision("double_tap", answer, signal_of(kind))


def _counted(tap: Tap, tag: str, who: Who, after: PresenceState, outcome: Outcome, rules: Rules) -> Decision:
    kind = AnswerKind(outcome)
    question, lasts_s, asked_date, open_since, opened_by = None, ANSWER_S, None, None, None
    entry = after.closed[-1] if kind is AnswerKind.OUT and after.closed and after.closed[-1].end == tap.at else None
    if entry is not None and tap.direction == "auto" and tap.at - entry.start > rules.ask_after:
        question, lasts_s, open_since = Question.DIRECTION, DIRECTION_QUESTION_S, entry.start
    elif kind is AnswerKind.IN and after.left is not None and after.left.id is not None:
        question, lasts_s = Question.GONE, GONE_QUESTION_S
        open_since, opened_by = after.left.at, after.left.id
        asked_date = open_since.astimezone(rules.zone).date()
    today, balance = _minutes(who.known, after, tap.at, rules)
    handovers, messages = _reminders(who.known, tap.at, rules)
    answer = Answer(
        tap.id,
        kind,
        tap.at,
        tap.at + timedelta(seconds=lasts_s),
        name=who.name,
        tag=tag,
        today_minutes=today,
        balance_minutes=balance,
        open_handovers=handovers,
        unread_messages=messages,
        stamp_id=tap.id,
        question=question,
        question_date=asked_date,
        open_since=open_since,
        warnings=_warnings(kind, today, after, tap.at),
    )
    return Decision(outcome, answer, signal_of(kind), opened_by)


def _minutes(known: Known, state: PresenceState, now: datetime, rules: Rules) -> tuple[int | None, int | None]:
    """Today's minutes and the balance: the cloud's numbers and what this clock saw end since.

    A balance of another day lacks a target that this clock was not told; so there is none.
    """
    today = now.astimezone(rules.zone).date()
    base = (known.today_minutes or 0) if known.as_of == today else 0
    seen = [entry for entry in state.closed if entry.start.astimezone(rules.zone).date() == today]
    earlier = [entry for entry in state.closed if entry not in seen]
    added = sum(entry.minutes for entry in seen) if base else _net_minutes(seen)
    shown_today = None if known.today_minutes is None else base + added
    if not rules.show_balance or known.balance_minutes is None or known.as_of != today:
        return shown_today, None
    return shown_today, known.balance_minutes + added + _net_minutes(earlier)


def _reminders(known: Known, now: datetime, rules: Rules) -> tuple[int | None, int | None]:
    """Hand-overs that wait for the person's answer, and messages not read: as the cloud told today, None for none."""
    if known.as_of != now.astimezone(rules.zone).date():
        return None, None
    return known.open_handovers or None, known.unread_messages or None


def _net_minutes(entries: Sequence[Closed]) -> int:
    """Minutes less the statutory break that was not taken, as the cloud will most likely count them.

    Only for what this clock saw from its beginning: of a day with earlier entries it does not know the pauses.
    """
    raw = sum(entry.minutes for entry in entries)
    pauses = ((later.start - sooner.end) // timedelta(minutes=1) for sooner, later in pairwise(entries))
    taken = sum(pause for pause in pauses if pause >= _COUNTED_BREAK_MINUTES)
    return raw - max(0, *(min(minutes - taken, raw - beyond) for beyond, minutes in _BREAKS))


def _warnings(kind: AnswerKind, today: int | None, after: PresenceState, at: datetime) -> tuple[str, ...]:
    """What the working time act says about this stamp, as far as this clock can tell."""
    if kind is AnswerKind.OUT:
        entry = after.closed[-1].minutes if after.closed and after.closed[-1].end == at else 0
        return ("over_10_h",) if max(today or 0, entry - _BREAKS[-1][1]) > _LONGEST_DAY_MINUTES else ()
    before = after.before
    if before is not None and before.last is not None and before.direction == "out":
        return ("short_rest",) if _SHIFT_GAP <= at - before.last.at < _REST else ()
    return ()
