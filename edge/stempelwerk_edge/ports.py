"""The ports of the core and the values for the screen: protocols and plain values only.

Deliberately without behaviour, so that readers, display, signals and the simulation are written against it and the core
never imports them. The clock's port is in `clock.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict, Unpack

ChosenDirection = Literal["in", "out"]


class Direction(StrEnum):
    """The direction of a tap; `AUTO` lets the rules decide."""

    AUTO = "auto"
    IN = "in"
    OUT = "out"


class Signal(StrEnum):
    """The sounds and lights of the clock itself, apart from the screen."""

    OK_IN = "ok_in"
    OK_OUT = "ok_out"
    DOUBLE = "double"
    UNKNOWN = "unknown"
    NOT_SAVED = "not_saved"
    ERROR = "error"


class Signals(Protocol):
    """Light and sound."""

    def play(self, signal: Signal) -> None:
        """Starts the signal and returns at once; called from the reader's thread; never raises."""


class AnswerKind(StrEnum):
    """The outcome of a tap."""

    IN = "in"
    OUT = "out"
    DOUBLE_TAP = "double_tap"
    UNKNOWN = "unknown"
    NOT_SAVED = "not_saved"


class Question(StrEnum):
    """The question beneath an answer on the screen."""

    DIRECTION = "direction"  # "Kommen oder Gehen?" after a long entry, answered by Touch.answer(stamp_id, direction=…)
    GONE = "gone"  # "Wann bist du gegangen?", answered by Touch.answer(stamp_id, new_end="HH:MM")


@dataclass(frozen=True, slots=True)
class Limits:
    """A person's limits of working time in minutes; the defaults are an adult's.

    `breaks`: pairs of net minutes of work and the minutes of break that longer work requires. `night`: local start and
    end of the time without work; None allows any time.
    """

    shift_minutes: int = 600
    rest_minutes: int = 660
    breaks: tuple[tuple[int, int], ...] = ((360, 30), (540, 45))
    night: tuple[time, time] | None = None


ADULT = Limits()


@dataclass(frozen=True, slots=True)
class Answer:
    """The screen's answer to one tap. Instants are aware UTC in the clock's best time; the screen knows the zone.

    `key` is new with each tap. `until` is when the answer expires, in the time of `now` of the same source as `at`.
    `since` is the counted stamp's time of a double tap; `open_since` the start of the entry that a question is about,
    the long one or the one without an end; `question_date` the local day of the missing Gehen. `stamp_id` is this tap's
    stamp; a question is answered under it. `open_handovers` and `unread_messages`: the counts of the reminders, None
    without a reminder. `requested`: the person's answer about a missing Gehen is kept, and becomes a correction
    request. `steward`: the person may have scanners adopted, as long as this is shown. `limits`: the person's own,
    which the warnings refer to.
    """

    key: str
    kind: AnswerKind
    at: datetime
    until: datetime
    name: str | None = None
    tag: str | None = None
    today_minutes: int | None = None
    balance_minutes: int | None = None
    open_handovers: int | None = None
    unread_messages: int | None = None
    sent: bool = False
    since: datetime | None = None
    stamp_id: str | None = None
    question: Question | None = None
    question_date: date | None = None
    open_since: datetime | None = None
    warnings: tuple[str, ...] = ()
    limits: Limits = ADULT
    requested: bool = False
    steward: bool = False


Connection = Literal["online", "offline", "not_connected"]
ReaderState = Literal["ok", "absent", "fault"]


class StatusChanges(TypedDict, total=False):
    """The members of the screen's status; a call of `set_status` carries those that changed."""

    assigned: bool  # False: the screen shows the claim code
    zone: str
    clock_name: str
    company_name: str | None
    claim_code: str | None
    connection: Connection
    queued: int
    reader: ReaderState
    storage: Literal["ok", "failed"]
    time_trusted: bool
    update: tuple[str, str] | None  # state and version of one that is under way
    chosen: ChosenDirection | None
    chosen_until: datetime | None
    adopting_until: datetime | None  # scanners are adopted until then; None: not any more
    adopted: tuple[str, ...]  # the serials of the scanners that were adopted since
    scanners: tuple[dict[str, Any], ...]  # the state of each of this clock's scanners, as long as that page is open


class Screen(Protocol):
    """The touchscreen as the core sees it. Every call comes from any thread, returns at once and never raises."""

    def show(self, answer: Answer) -> None:
        """Shows this answer in place of the one before."""

    def sent(self, stamp_ids: Collection[str]) -> None:
        """Marks these stamps as delivered: an answer still shown about one of them shows it (`sent`)."""

    def set_status(self, **changes: Unpack[StatusChanges]) -> None:
        """Changes the status next to the answers."""

    def notice(self, code: str) -> None:
        """Shows for a moment a notice that is no answer to a tap: `unreadable_tag`, or `too_late` of a vain press."""


class Touch(Protocol):
    """The actions of the touchscreen; the tapper is one. Thread-safe; does not raise for unknown stamps.

    A press counts from its moment, `late_ms` before the call, and only for the person who was before the screen then.
    """

    def choose(self, direction: Direction | None, after: str | None = None, late_ms: int = 0) -> bool:
        """Sets the direction of the next tap (30 s); None takes the choice back.

        `after`: the last answer's key, as the screen knew it when it was pressed ("" before the first; None: unknown).
        False if there was another tap since, or the 30 s are over: then it does not count.
        """

    def answer(
        self, stamp_id: str, direction: Direction | None = None, new_end: str | None = None, late_ms: int = 0
    ) -> bool:
        """Answers the question about `stamp_id`; False if it does not exist (any more) or the answer does not fit."""

    def adopt(self, stamp_id: str | None, late_ms: int = 0) -> bool:
        """Allows adopting scanners from now on, for the person who is shown with `stamp_id`; None: not any more.

        False if another person is shown, the answer had gone when it was pressed, or the person may not (any more).
        """

    def forget(self, serial: str) -> bool:
        """Releases a scanner from this clock; False if it is not this clock's, or the scanners' page is not open."""


class Adopting(Protocol):
    """Adoption of new scanners from the touchscreen. Thread-safe; never raises."""

    def open(self) -> None:
        """Allows adoption for five minutes."""

    def close(self) -> None:
        """Ends the adoption."""

    def forget(self, serial: str) -> bool:
        """While it is open: releases this scanner; False if that is not possible."""


class Ids(Protocol):
    """Identifiers and random text."""

    def new(self) -> str:
        """Returns a new UUIDv7, lower case with dashes."""

    def nonce(self) -> str:
        """Returns random text for one signature."""


class Random(Protocol):
    """The one draw the agent makes: jitter. `random.Random` is one."""

    def random(self) -> float:
        """Returns a number in [0, 1)."""


class Report(Protocol):
    """The port for reports that an administrator should know. Thread-safe, quick, never raises."""

    def __call__(
        self, level: Literal["info", "warn", "error"], code: str, message: str, meta: dict[str, object]
    ) -> None:
        """Adds one entry to the log: `code` is stable and English, `message` is its sentence."""


class Cursor(Protocol):
    """The result of a statement: yields its rows as tuples."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yields the rows."""


class Database(Protocol):
    """An SQLite connection in autocommit mode, as both `sqlite3` (isolation_level=None) and `apsw` offer it."""

    def execute(self, sql: str, parameters: Sequence[object] = (), /) -> Cursor:
        """Runs one statement."""

    def close(self) -> None:
        """Closes the connection."""


Connect = Callable[[Path], Database]
