"""One person's last stamps on this clock: which entry is open, which stamp counted last, and what a tap changes.

Pure, and only good enough for the display: the cloud derives the entries from all clocks' stamps. The rules of double
tap, replacement and direction are the same; breaks, corrections and other clocks' later stamps are not known here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from stempelwerk_edge.ports import ADULT, Limits

Outcome = Literal["in", "out", "double_tap"]
_ANSWER_WINDOW = timedelta(seconds=60)  # an answer on the screen confirms or replaces however short the window is
_SAME_MOMENT = timedelta(seconds=2)  # the cloud's idea of a stamp's time and the clock's own


@dataclass(frozen=True, slots=True)
class Rules:
    """The company's rules as the clock needs them."""

    zone: ZoneInfo
    double_tap: timedelta = timedelta(seconds=60)
    max_shift: timedelta = timedelta(hours=16)
    ask_after: timedelta = timedelta(hours=10)
    show_balance: bool = True


@dataclass(frozen=True, slots=True)
class Tap:
    """A stamp of one person. `direction` is the requested one, `shown` the clock's answer, None before it.

    `row` is its place in the journal. `unreflected`: it came from another card after the list of people.
    """

    id: str
    at: datetime
    direction: str
    via: str = "reader"
    shown: str | None = None
    row: int = 0
    unreflected: bool = False


@dataclass(frozen=True, slots=True)
class CloudState:
    """The cloud's last state of a person: `state` since when, and the figures of the day `as_of`, when it was last
    asked.

    `reflects`: the cloud had the stamps of this clock up to this row at that time, except for `Tap.unreflected`.
    `limits` hold on any day.
    """

    state: str
    since: datetime | None
    today_minutes: int | None
    balance_minutes: int | None
    as_of: date
    reflects: int = 0
    open_handovers: int | None = None
    unread_messages: int | None = None
    limits: Limits = ADULT


@dataclass(frozen=True, slots=True)
class Moment:
    """A counted stamp; `id` None where another clock made it."""

    at: datetime
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """A complete entry that this clock saw end."""

    start: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        """The difference in whole minutes."""
        return (self.end - self.start) // timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class PresenceState:
    """A person's presence. `previous` is the state before the last counted stamp; a replacement of that stamp restores
    it.
    """

    open: Moment | None = None
    last: Moment | None = None
    direction: Literal["in", "out"] = "out"
    left_open: Moment | None = None  # an open entry's start that the last counted stamp did not close
    closed: tuple[Closed, ...] = ()
    previous: "PresenceState | None" = None


def step(state: PresenceState, tap: Tap, rules: Rules, direction: str | None = None) -> tuple[PresenceState, Outcome]:
    """Returns the state after a tap, and the tap's outcome. `direction` replaces the tap's own."""
    wanted_direction = direction or tap.direction
    last = state.last
    if last is not None:
        window = max(rules.double_tap, _ANSWER_WINDOW) if tap.via == "screen" else rules.double_tap
        if window and timedelta(0) <= tap.at - last.at <= window:
            if wanted_direction in ("auto", state.direction):
                return state, "double_tap"
            state = state.previous or PresenceState()
    return _count(state, tap, wanted_direction, rules)


def _count(state: PresenceState, tap: Tap, wanted_direction: str, rules: Rules) -> tuple[PresenceState, Outcome]:
    now, open_moment = Moment(tap.at, tap.id), state.open
    if wanted_direction != "in" and open_moment is not None and tap.at - open_moment.at <= rules.max_shift:
        closed = (*state.closed, Closed(open_moment.at, tap.at))
        return PresenceState(None, now, "out", None, closed, state), "out"
    if wanted_direction == "out":
        return PresenceState(None, now, "out", open_moment, state.closed, state), "out"
    return PresenceState(now, now, "in", open_moment, state.closed, state), "in"


def state_of(taps: Iterable[Tap], cloud_state: CloudState | None, rules: Rules) -> PresenceState:
    """Returns the state of a person from this clock's own stamps, in the order of their time, and the cloud's state.

    A stamp counts as the clock answered it then, because the clock knew more then. The cloud's state holds from its
    moment on. But if it refers to a stamp of this clock, this clock's own state stays: it also knows what was before.
    """
    state = PresenceState()
    pending = cloud_state
    for tap in sorted(taps, key=lambda tap: (tap.at, tap.row)):
        if pending is not None and (pending.since is None or tap.at > pending.since + _SAME_MOMENT):
            state, pending = _apply_cloud_state(state, pending), None
        if cloud_state is not None and pending is None and tap.row <= cloud_state.reflects and not tap.unreflected:
            continue  # the cloud has it, and its state includes it
        if tap.shown == "double_tap":
            continue
        counted_as = tap.shown if tap.shown in ("in", "out") else None
        state, _ = step(state, tap, rules, counted_as)
    return state if pending is None else _apply_cloud_state(state, pending)


def _apply_cloud_state(state: PresenceState, cloud_state: CloudState) -> PresenceState:
    """Returns the state with the cloud's state applied, as of the moment `since`. Minutes of entries that ended before
    are part of the cloud's figures.
    """
    if cloud_state.since is None:
        return PresenceState()
    direction: Literal["in", "out"] = "in" if cloud_state.state == "in" else "out"
    last = state.last
    if last is not None and abs(last.at - cloud_state.since) <= _SAME_MOMENT and state.direction == direction:
        previous = None if state.previous is None else replace(state.previous, closed=())
        return replace(state, closed=(), previous=previous)
    moment = Moment(cloud_state.since)
    return PresenceState(
        moment if direction == "in" else None, moment, direction, None, (), replace(state, closed=(), previous=None)
    )
