"""Islands of a person's facts that do not affect each other. A derivation of one island gives the same result as a
derivation of all facts.

Two events are independent if the pause between them is longer than `DatedRules.idle_gap`: no stamp closes an entry
across it, and no shift or rest time reaches over it. Events are stamps (their true times) and corrections (all that
they may concern). Voids are no events, because they only act on stamps.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import day_end, day_start
from stempelwerk_cloud.domain.settings import DatedRules


class Span(NamedTuple):
    """A period of time, both ends included."""

    start: datetime
    end: datetime


class Window(NamedTuple):
    """The period that must be derived again, both ends included.

    `open_before` and `open_after`: the given events contain no pause on that side. The caller then reads events further
    out and asks again, unless nothing is left to read.
    """

    start: datetime
    end: datetime
    open_before: bool
    open_after: bool

    def holds(self, span: Span) -> bool:
        """Returns whether some part of the span lies inside the window."""
        return self.start <= span.start and span.end <= self.end


def span_of(correction: Correction, rules: DatedRules) -> Span:
    """Returns the period of everything that a correction may concern: its day, its bounds, and the shift that
    it names.
    """
    zone = rules.on(correction.date).zone
    shift_instant = correction.shift_at or correction.new_start
    return Span(
        min(day_start(correction.date, zone), correction.new_start, shift_instant),
        max(day_end(correction.date, zone), correction.new_end, shift_instant),
    )


def reach_of(void: Void, stamp_times: Iterable[datetime], rules: DatedRules) -> Span:
    """Returns the period of everything that a void may change: its interval with the double taps around it, and the
    times of the stamps that it names.
    """
    window = rules.at(void.start).double_tap
    return Span(min([void.start - window, *stamp_times]), max([void.end + window, *stamp_times]))


def window(
    times: Sequence[datetime],
    spans: Iterable[Span],
    earliest: datetime,
    latest: datetime,
    rules: DatedRules,
) -> Window:
    """Returns the period around all changes between `earliest` and `latest`, cut at pauses.

    `times`: the true times of stamps after the change, sorted, of a neighbourhood that certainly contains [earliest,
    latest]. `spans`: those of the person's corrections in that neighbourhood. The instants of removed facts must lie in
    [earliest, latest] as well.

    Deriving the stamps and corrections inside the result, with all voids, gives the same entries there as deriving all
    facts.
    """
    gap = rules.idle_gap
    start, end = earliest, latest
    joined = sorted(spans)
    low, high = bisect_left(times, start), bisect_right(times, end)
    grown = True
    while grown:
        grown = False
        while low and start - times[low - 1] <= gap:
            low -= 1
            start = min(start, times[low])
        while high < len(times) and times[high] - end <= gap:
            end = max(end, times[high])
            high += 1
        for span in joined:
            if span.start - end <= gap and start - span.end <= gap and not (start <= span.start and span.end <= end):
                start, end, grown = min(start, span.start), max(end, span.end), True
        low, high = min(low, bisect_left(times, start)), max(high, bisect_right(times, end))
    return Window(start, end, low == 0, high == len(times))


def windows(
    times: Sequence[datetime], spans: Iterable[Span], changed: Iterable[Span], rules: DatedRules
) -> list[Window]:
    """Returns the periods around several changes, disjoint and sorted; see `window`.

    One window around all changes would give the same entries. Several are faster if changes lie far apart, such as a
    stamp of a clock that claims 1970. `changed` contains what was added and what was removed: `Span(at, at)` of stamps,
    `span_of` corrections, `reach_of` voids.
    """
    altered = sorted(changed)
    known_times = sorted({*times, *(instant for span in altered for instant in span)})
    joined = list(spans)
    windows_found: list[Window] = []
    for start, end in altered:
        if windows_found and end <= windows_found[-1].end:
            continue
        earliest = windows_found.pop().start if windows_found and start <= windows_found[-1].end else start
        windows_found.append(window(known_times, joined, earliest, end, rules))
    return windows_found


class Island(NamedTuple):
    """Facts that are independent of all others: stamps in their order, and the decisions about them."""

    stamps: list[Stamp]
    decisions: list[Correction | Void]


def split(
    stamps: Sequence[Stamp], corrections: Iterable[Correction], voids: Iterable[Void], rules: DatedRules
) -> list[Island]:
    """Splits facts at idle pauses, in order of time. `stamps` are sorted by `stamps.order` and unique.

    A void belongs to every island that it touches. A void that touches no island changes nothing and is left out.
    """
    events: list[tuple[datetime, datetime, Stamp | Correction]] = [(stamp.at, stamp.at, stamp) for stamp in stamps]
    events += [(*span_of(correction, rules), correction) for correction in corrections]
    events.sort(key=lambda event: event[0])
    islands: list[Island] = []
    spans: list[Span] = []
    for start, end, fact in events:
        if spans and start - spans[-1].end <= rules.idle_gap:
            spans[-1] = Span(spans[-1].start, max(spans[-1].end, end))
        else:
            spans.append(Span(start, end))
            islands.append(Island([], []))
        if isinstance(fact, Stamp):
            islands[-1].stamps.append(fact)
        else:
            islands[-1].decisions.append(fact)
    _add_voids(islands, spans, voids, rules)
    return islands


def _add_voids(islands: list[Island], spans: list[Span], voids: Iterable[Void], rules: DatedRules) -> None:
    voids = list(voids)
    named_stamps = {stamp_id for void in voids for stamp_id in void.stamp_ids}
    home = {
        stamp.id: index for index, island in enumerate(islands) for stamp in island.stamps if stamp.id in named_stamps
    }
    island_starts = [span.start for span in spans]
    for void in voids:
        reach = reach_of(void, (), rules)
        touched = {home[stamp_id] for stamp_id in void.stamp_ids if stamp_id in home}
        index = bisect_right(island_starts, reach.end) - 1
        while index >= 0 and spans[index].end >= reach.start:
            touched.add(index)
            index -= 1
        for index in touched:
            islands[index].decisions.append(void)
