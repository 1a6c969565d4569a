"""The meaning of a tap for the person in front of the clock: who, Kommen or Gehen, and the screen's answer. Pure.

It gets everything as arguments and changes nothing. Its answer is a courtesy made from what this clock knows; the cloud
derives what counts from the stamps of all clocks. No tap is ever refused here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from stempelwerk_edge.ports import Answer, AnswerKind, Limits, Question, Signal
from stempelwerk_edge.tap.presence import Closed, CloudState, Outcome, PresenceState, Rules, Tap, state_of, step

ANSWER_S = 2.5
UNKNOWN_S = 10
DIRECTION_QUESTION_S = 30
GONE_QUESTION_S = 60
_SHIFT_GAP = timedelta(hours=5)
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
_COUNTED_BREAK_MINUTES = 15


@dataclass(frozen=True, slots=True)
class TagHolder:
    """The person who holds a tag, according to the people that the clock has."""

    name: str
    cloud_state: CloudState


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about a tap: the `shown` of the stamp, the screen's answer, its signal, and the subject of a
    question.

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
    """Returns the signal of an answer."""
    return _SIGNALS[kind]


def decide(
    tap: Tap, tag: str, person: TagHolder | None, own_taps: Sequence[Tap], rules: Rules, *, informed: bool = True
) -> Decision:
    """Decides the answer to a tap at `tap.at`. `own_taps` are this clock's earlier stamps of the same person.

    `informed` False: the clock has not received any people yet, so it does not write "unknown" into the stamp.
    """
    if person is None:
        ends_at = tap.at + timedelta(seconds=UNKNOWN_S)
        answer = Answer(tap.id, AnswerKind.UNKNOWN, tap.at, ends_at, tag=tag, stamp_id=tap.id)
        return Decision("unknown" if informed else None, answer, Signal.UNKNOWN)
    state = state_of(own_taps, person.cloud_state, rules)
    next_state, outcome = step(state, tap, rules)
    if outcome == "double_tap":
        return _double_tap(tap, tag, person, state, rules)
    return _decide_counted(tap, tag, person, next_state, outcome, rules)


def refused(tap: Tap, tag: str) -> Decision:
    """Returns the answer to a tap that could not be saved."""
    ends_at = tap.at + timedelta(seconds=UNKNOWN_S)
    return Decision(None, Answer(tap.id, AnswerKind.NOT_SAVED, tap.at, ends_at, tag=tag), Signal.NOT_SAVED)


def _double_tap(tap: Tap, tag: str, person: TagHolder, state: PresenceState, rules: Rules) -> Decision:
    """Decides a double tap, "Schon gestempelt"; an answer on the screen that confirms is shown as what it confirms."""
    assert state.last is not None
    confirms = tap.via == "screen"
    kind = AnswerKind(state.direction) if confirms else AnswerKind.DOUBLE_TAP
    today, balance = _minutes(person.cloud_state, state, tap.at, rules)
    handovers, messages = _reminders(person.cloud_state, tap.at, rules) if confirms else (None, None)
    limits = person.cloud_state.limits
    warnings = _warnings(kind, today, state, state.last.at, limits, rules) if confirms else ()
    answer = Answer(
        tap.id,
        kind,
        state.last.at if confirms else tap.at,
        tap.at + timedelta(seconds=ANSWER_S),
        name=person.name,
        tag=tag,
        today_minutes=today,
        balance_minutes=balance,
        open_handovers=handovers,
        unread_messages=messages,
        since=None if confirms else state.last.at,
        stamp_id=tap.id,
        warnings=warnings,
        limits=limits,
    )
    return Decision("double_tap", answer, signal_of(kind))


def _decide_counted(
    tap: Tap, tag: str, person: TagHolder, next_state: PresenceState, outcome: Outcome, rules: Rules
) -> Decision:
    kind = AnswerKind(outcome)
    question, lasts_s, asked_date, open_since, opened_by = None, ANSWER_S, None, None, None
    entry = (
        next_state.closed[-1]
        if kind is AnswerKind.OUT and next_state.closed and next_state.closed[-1].end == tap.at
        else None
    )
    if entry is not None and tap.direction == "auto" and tap.at - entry.start > rules.ask_after:
        question, lasts_s, open_since = Question.DIRECTION, DIRECTION_QUESTION_S, entry.start
    elif kind is AnswerKind.IN and next_state.left_open is not None and next_state.left_open.id is not None:
        question, lasts_s = Question.GONE, GONE_QUESTION_S
        open_since, opened_by = next_state.left_open.at, next_state.left_open.id
        asked_date = open_since.astimezone(rules.zone).date()
    today, balance = _minutes(person.cloud_state, next_state, tap.at, rules)
    handovers, messages = _reminders(person.cloud_state, tap.at, rules)
    answer = Answer(
        tap.id,
        kind,
        tap.at,
        tap.at + timedelta(seconds=lasts_s),
        name=person.name,
        tag=tag,
        today_minutes=today,
        balance_minutes=balance,
        open_handovers=handovers,
        unread_messages=messages,
        stamp_id=tap.id,
        question=question,
        question_date=asked_date,
        open_since=open_since,
        warnings=_warnings(kind, today, next_state, tap.at, person.cloud_state.limits, rules),
        limits=person.cloud_state.limits,
    )
    return Decision(outcome, answer, signal_of(kind), opened_by)


def _minutes(
    cloud_state: CloudState, state: PresenceState, now: datetime, rules: Rules
) -> tuple[int | None, int | None]:
    """Returns today's minutes and the balance: the cloud's numbers plus the entries that ended here since.

    A balance of another day lacks a target that this clock does not have; so it is None.
    """
    today = now.astimezone(rules.zone).date()
    base = (cloud_state.today_minutes or 0) if cloud_state.as_of == today else 0
    todays_entries = [entry for entry in state.closed if entry.start.astimezone(rules.zone).date() == today]
    earlier = [entry for entry in state.closed if entry not in todays_entries]
    added_minutes = (
        sum(entry.minutes for entry in todays_entries) if base else _net_minutes(todays_entries, cloud_state.limits)
    )
    shown_today = None if cloud_state.today_minutes is None else base + added_minutes
    if not rules.show_balance or cloud_state.balance_minutes is None or cloud_state.as_of != today:
        return shown_today, None
    return shown_today, cloud_state.balance_minutes + added_minutes + _net_minutes(earlier, cloud_state.limits)


def _reminders(cloud_state: CloudState, now: datetime, rules: Rules) -> tuple[int | None, int | None]:
    """Returns hand-overs that wait for the person's answer, and unread messages: the cloud's counts of today, None for
    zero.
    """
    if cloud_state.as_of != now.astimezone(rules.zone).date():
        return None, None
    return cloud_state.open_handovers or None, cloud_state.unread_messages or None


def _net_minutes(entries: Sequence[Closed], limits: Limits) -> int:
    """Returns minutes less the statutory break that was not taken, as the cloud will most likely count them.

    Only for what this clock saw from its beginning: of a day with earlier entries it does not know the pauses.
    """
    raw = sum(entry.minutes for entry in entries)
    pauses = ((later.start - sooner.end) // _MINUTE for sooner, later in pairwise(entries))
    break_minutes = sum(pause for pause in pauses if pause >= _COUNTED_BREAK_MINUTES)
    return raw - max((0, *(min(minutes - break_minutes, raw - beyond) for beyond, minutes in limits.breaks)))


def _warnings(
    kind: AnswerKind, today: int | None, next_state: PresenceState, stamp_time: datetime, limits: Limits, rules: Rules
) -> tuple[str, ...]:
    """Returns the codes of the limits that this stamp exceeds, judged by the stamps that this clock knows.

    `over_10_h` means more than the person's longest shift: 10 hours for an adult.
    """
    if kind is AnswerKind.OUT:
        entry = next_state.closed[-1] if next_state.closed and next_state.closed[-1].end == stamp_time else None
        worked = 0 if entry is None else _net_minutes([entry], limits)
        long_day = max(today or 0, worked) > limits.shift_minutes
        at_night = entry is not None and _lies_at_night(entry.start, stamp_time, limits, rules)
        return (*(["over_10_h"] if long_day else []), *(["night"] if at_night else []))
    previous = next_state.previous
    left_at = (
        previous.last.at if previous is not None and previous.last is not None and previous.direction == "out" else None
    )
    short_rest = left_at is not None and _SHIFT_GAP <= stamp_time - left_at < limits.rest_minutes * _MINUTE
    at_night = _lies_at_night(stamp_time, stamp_time + _MINUTE, limits, rules)
    return (*(["short_rest"] if short_rest else []), *(["night"] if at_night else []))


def _lies_at_night(start: datetime, end: datetime, limits: Limits, rules: Rules) -> bool:
    """Returns whether a whole minute of this time lies in the person's night, in local time."""
    if limits.night is None:
        return False
    begin, finish = (
        moment.astimezone(rules.zone).replace(tzinfo=None, second=0, microsecond=0) for moment in (start, end)
    )
    night_start, night_end = limits.night
    day, lasts = begin.date() - _DAY, _DAY if night_end <= night_start else timedelta()
    while day <= finish.date():
        night_from, night_until = datetime.combine(day, night_start), datetime.combine(day + lasts, night_end)
        if night_from < finish and begin < night_until:
            return True
        day += _DAY
    return False
