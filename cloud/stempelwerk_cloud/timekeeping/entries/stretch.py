"""Which stretch of a person's stamps must be derived again: the nearest cuts around a change. Pure, milliseconds.

There are two kinds of cut. A pause longer than the idle gap separates whatever lies around it. A pause longer than the
rest gap does so as well if nothing was open before it; that is known from the entries as they stand, because pairing
looks backwards only: what is before a change is as it was. Decisions look in both directions; near them the wider
window of `domain/islands.py` is asked instead.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

HOUR_MS = 3_600_000
REACHES_MS: tuple[int | None, ...] = (36 * HOUR_MS, 8 * 24 * HOUR_MS, 60 * 24 * HOUR_MS, None)
"""How far around a change is read, until cuts are found; None: everything."""


class Gaps(NamedTuple):
    """A company's idle and rest gap."""

    idle_ms: int
    rest_ms: int


class Known(NamedTuple):
    """An entry as it stands: its first known instant, and its end."""

    known_ms: int
    end_ms: int | None


class Stretch(NamedTuple):
    """Stamps `first` to `last` (exclusive, indices); the entries known from `start_ms` to `end_ms`, both included."""

    first: int
    last: int
    start_ms: int
    end_ms: int


def find(
    times: Sequence[int],
    entries: Sequence[Known],
    change: tuple[int, int],
    read: tuple[int | None, int | None],
    gaps: Gaps,
) -> Stretch | None:
    """The stretch around everything that changed between the two instants of `change`; None: read further out.

    `times` are all stamps' times between the instants of `read` (None: no bound) as they are after the change, sorted;
    `entries` those that stood before it, sorted. What was taken away counts as change.
    """
    before = _before(times, entries, change[0], read[0], gaps)
    after = _after(times, change[1], read[1], gaps)
    if before is None or after is None:
        return None
    return Stretch(before[0], after[0], before[1], after[1])


def _before(
    times: Sequence[int], entries: Sequence[Known], earliest: int, read: int | None, gaps: Gaps
) -> tuple[int, int] | None:
    following = earliest
    for index in range(bisect_left(times, earliest), 0, -1):
        previous = times[index - 1]
        pause = following - previous
        if pause > gaps.idle_ms or (pause > gaps.rest_ms and _closed(entries, previous)):
            return index, previous + 1
        following = previous
    if read is None:
        return 0, -(2**62)
    return (0, read) if following - read > gaps.idle_ms else None


def _after(times: Sequence[int], latest: int, read: int | None, gaps: Gaps) -> tuple[int, int] | None:
    previous = latest
    for index in range(bisect_right(times, latest), len(times)):
        if times[index] - previous > gaps.idle_ms:
            return index, times[index] - 1
        previous = times[index]
    if read is None:
        return len(times), 2**62
    return (len(times), read) if read - previous > gaps.idle_ms else None


def _closed(entries: Sequence[Known], at_ms: int) -> bool:
    """Whether nothing was open after the stamp at `at_ms`."""
    index = bisect_right(entries, at_ms, key=lambda entry: entry.known_ms)
    if not index:
        return False
    end = entries[index - 1].end_ms
    return end is not None and end <= at_ms
