"""The search for the stretch of a person's stamps that must be derived again: between the nearest cuts around a
change. Pure.

All times are milliseconds. A cut separates stamps that do not depend on each other. There are two kinds:

- A pause longer than the idle gap.
- A pause longer than the shift gap, if nothing was open before it. The current entries show that: pairing looks only
  backwards, so everything before a change is as it was. If the pause is shorter than the rest gap, the end of the shift
  before it still decides whether the rest was long enough.

Decisions look in both directions. Near them the wider window of `domain/entries/islands.py` is used instead.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

HOUR_MS = 3_600_000
REACHES_MS: tuple[int | None, ...] = (28 * HOUR_MS, 8 * 24 * HOUR_MS, 60 * 24 * HOUR_MS, None)
"""How far around a change rows are read (ms), one distance after another until cuts are found; None: everything."""
_known_ms_of = attrgetter("known_ms")


class Gaps(NamedTuple):
    """The lengths of pauses (ms) that make stamps independent of what was before.

    - `idle_ms`: of everything before.
    - `shift_ms`: of the shift before, except of its end.
    - `rest_ms`: of the end of that shift too.
    """

    idle_ms: int
    shift_ms: int
    rest_ms: int


class Known(NamedTuple):
    """A current entry: its first known instant and its end, in ms."""

    known_ms: int
    end_ms: int | None


class Stretch(NamedTuple):
    """The result of the search: the stamps with the indices `first` to `last` (exclusive), and the entries known from
    `start_ms` to `end_ms`, both included.

    `rested_ms`: the end of the shift before, if the rest after it still matters.
    """

    first: int
    last: int
    start_ms: int
    end_ms: int
    rested_ms: int | None


def find(
    times: Sequence[int],
    entries: Sequence[Known],
    change: tuple[int, int],
    read: tuple[int | None, int | None],
    gaps: Gaps,
) -> Stretch | None:
    """Finds the stretch around all changes between the two instants of `change`; returns None if more must be read.

    `times` are the sorted times of all stamps after the change, between the instants of `read` (None: no bound).
    `entries` are the sorted entries before the change. A removed stamp counts as a change.
    """
    start_cut = _cut(times, entries, bisect_left(times, change[0]), change[0], read[0], gaps)
    end_cut = _cut_after(times, change[1], read[1], gaps)
    if start_cut is None or end_cut is None:
        return None
    first, start_ms, rested_ms = start_cut
    return Stretch(first, end_cut[0], start_ms, end_cut[1], rested_ms)


def _cut(
    times: Sequence[int], entries: Sequence[Known], index: int, next_ms: int, read: int | None, gaps: Gaps
) -> tuple[int, int, int | None] | None:
    """Finds the last cut before `next_ms`; `index` stamps are earlier than that. Returns None if more must be read.

    Returns the index of the first stamp after the cut, the first instant after it, and the end of the shift before it
    if that still matters.
    """
    for first in range(index, 0, -1):
        previous = times[first - 1]
        pause = next_ms - previous
        if pause > gaps.idle_ms:
            return first, previous + 1, None
        end = _closed(entries, previous) if pause > gaps.shift_ms else None
        if end is not None:
            return first, previous + 1, None if pause > gaps.rest_ms else end
        next_ms = previous
    if read is None:
        return 0, -(2**62), None
    return (0, read, None) if next_ms - read > gaps.idle_ms else None


def _cut_after(times: Sequence[int], latest: int, read: int | None, gaps: Gaps) -> tuple[int, int] | None:
    previous = latest
    for index in range(bisect_right(times, latest), len(times)):
        if times[index] - previous > gaps.idle_ms:
            return index, times[index] - 1
        previous = times[index]
    if read is None:
        return len(times), 2**62
    return (len(times), read) if read - previous > gaps.idle_ms else None


def _closed(entries: Sequence[Known], at_ms: int) -> int | None:
    """Returns the end of the last entry that began up to `at_ms`; None if that entry was still open at that instant."""
    index = bisect_right(entries, at_ms, key=_known_ms_of)
    if not index:
        return None
    end = entries[index - 1].end_ms
    return None if end is None or end > at_ms else end
