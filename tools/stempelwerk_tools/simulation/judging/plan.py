"""The people of a simulated week: their taps, and a plain reading of the rules for them.

`taps_of` draws believable taps: breaks, nights, forgotten taps, double taps, explicit directions. `expected` is a
second, much simpler statement of the pairing rules than the product's own, for automatic and explicit taps whose
distances keep clear of every threshold; it knows no shifts, breaks or corrections.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Direction = Literal["auto", "in", "out"]

DOUBLE_TAP = timedelta(seconds=60)
MAX_SHIFT = timedelta(hours=16)
_CLEAR = timedelta(minutes=15)  # how far from a threshold a planned tap stays


@dataclass(frozen=True)
class PlannedTap:
    """A planned tap of a person, perhaps with a direction chosen on the screen."""

    planned_at: datetime
    person: int
    clock: int
    direction: Direction = "auto"


@dataclass(frozen=True)
class Person:
    """A person's pattern of taps. `clocks`: the clocks that they use; `night`: their shifts begin in the evening."""

    number: int
    night: bool
    clocks: tuple[int, ...]


def taps_of(person: Person, first_day: datetime, days: int, rng: random.Random) -> list[PlannedTap]:
    """Returns the person's taps from `first_day` (its local midnight) on, in order."""
    taps: list[PlannedTap] = []
    for number in range(days):
        if rng.random() < 0.85:
            _add_day(taps, person, first_day + timedelta(days=number), rng)
    return taps


def _add_day(taps: list[PlannedTap], person: Person, midnight: datetime, rng: random.Random) -> None:
    begin = midnight + timedelta(hours=20 if person.night else 7, seconds=rng.randrange(0, 5400))
    breaks = rng.choice((0, 1, 1, 2))
    length = timedelta(hours=rng.uniform(5.0, 8.5))
    moments = [begin]
    for index in range(breaks):
        pause = begin + length * (index + 1) / (breaks + 1)
        moments += [pause, pause + timedelta(minutes=rng.randrange(16, 45))]
    moments.append(begin + length + timedelta(minutes=rng.randrange(0, 40)))
    for index, planned in enumerate(moments):
        if rng.random() < 0.06:
            continue  # forgotten
        explicit: Direction = ("in", "out")[index % 2] if rng.random() < 0.1 else "auto"
        clock = rng.choice(person.clocks)
        moment = _clear_of(max(planned, taps[-1].planned_at + _CLEAR), taps, MAX_SHIFT) if taps else planned
        taps.append(PlannedTap(moment, person.number, clock, explicit))
        if rng.random() < 0.12:  # held twice, or corrected on the screen
            second = moment + timedelta(seconds=rng.uniform(4, 40))
            taps.append(PlannedTap(second, person.number, clock, _second_direction(explicit, rng)))


def _second_direction(first: Direction, rng: random.Random) -> Direction:
    return rng.choice(("auto", "auto", "in", "out")) if first == "auto" else rng.choice(("auto", first))


def _clear_of(moment: datetime, taps: list[PlannedTap], distance: timedelta) -> datetime:
    """Returns the moment, moved if it is so close to an earlier tap that a threshold would make the pairing
    ambiguous.
    """
    for tap in taps[-8:]:
        if abs(moment - tap.planned_at - distance) < _CLEAR:
            moment = tap.planned_at + distance + _CLEAR
    return moment


@dataclass(frozen=True)
class PlainEntry:
    """An expected entry: the instants of its start and end; either may be missing."""

    start: datetime | None
    end: datetime | None


def effective_taps(taps: Iterable[tuple[datetime, Direction]]) -> Iterator[tuple[datetime, Direction]]:
    """Yields the taps that count: double taps left out, corrected ones replaced. `taps` in order of time."""
    effective: list[tuple[datetime, Direction]] = []
    meanings: list[str] = []  # the meaning of each counted tap
    for moment, direction in taps:
        if effective and moment - effective[-1][0] <= DOUBLE_TAP:
            if direction == "auto" or direction == meanings[-1]:
                continue
            effective.pop()
            meanings.pop()
        effective.append((moment, direction))
        meanings[:] = list(_meanings(effective))
    yield from effective


def _meanings(taps: list[tuple[datetime, Direction]]) -> Iterator[str]:
    open_since: datetime | None = None
    for moment, direction in taps:
        fits = open_since is not None and moment - open_since <= MAX_SHIFT
        meaning = direction if direction != "auto" else ("out" if fits else "in")
        open_since = moment if meaning == "in" else None
        yield meaning


def expected(taps: Iterable[tuple[datetime, Direction]]) -> list[PlainEntry]:
    """Returns the entries of a person's taps, in order of their known times."""
    effective = list(effective_taps(taps))
    entries: list[PlainEntry] = []
    open_since: datetime | None = None
    for (moment, _), meaning in zip(effective, _meanings(effective), strict=True):
        fits = open_since is not None and moment - open_since <= MAX_SHIFT
        if meaning == "in":
            if open_since is not None:
                entries.append(PlainEntry(open_since, None))
            open_since = moment
        else:
            if open_since is not None and not fits:
                entries.append(PlainEntry(open_since, None))
                open_since = None
            entries.append(PlainEntry(open_since, moment))
            open_since = None
    if open_since is not None:
        entries.append(PlainEntry(open_since, None))
    return entries
