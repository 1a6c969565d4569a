"""Independent stretches of a person's facts: the cuts that make a partial derivation equal the whole.

Two events with a pause between them that is longer than `DatedRules.idle_gap` are independent: no stamp closes an entry
across it, no shift and no rest time reaches over it. Events are stamps (their true times) and corrections (the span of
everything they may concern). Voids are no events: they act on stamps, which are.
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
    """A stretch of time, both ends included."""

    start: datetime
    end: datetime


class Window(NamedTuple):
    """The stretch to derive again, both ends included.

    `open_before`, `open_after`: no pause was found on that side among the events given, so read further out and ask
    again, unless there is nothing more.
    """

    start: datetime
    end: datetime
    open_before: bool
    open_after: bool

    def holds(self, span: Span) -> bool:
        """Whether something lies inside."""
        return self.start <= span.start and span.end <= self.end


def span_of(correction: Correction, rules: DatedRules) -> Span:
    """Everything a correction may concern: its day, its bounds, and the shift that it names."""
    zone = rules.on(correction.date).zone
    shift_instant = correction.shift_at or correction.new_start
    return Span(
        min(day_start(correction.date, zone), correction.new_start, shift_instant),
        max(day_end(correction.date, zone), correction.new_end, shift_instant),
    )


def reach_of(void: Void, stamp_times: Iterable[datetime], rules: DatedRules) -> Span:
    """Returns what a void may change: its interval with the double taps around it, and the times of the stamps it
    names.
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
    """Returns the stretch around everything that changed between `earliest` and `latest`, cut at idle pauses.

    `times` are stamps' true times, sorted, after the change, of a neighbourhood that surely contains [earliest,
    latest]; `spans` those of the person's corrections in it. Removed facts count as well: their instants must lie in
    [earliest, latest]. Deriving the stamps and the corrections inside the result, with all voids, gives exactly the
    same entries there as deriving everything.
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
    """The stretches around what changed, apart from each other and sorted; see `window`.

    One hull would do as well; this is for changes that lie far apart, such as a stamp whose clock claims 1970.
    `changed` holds what came and what went: `Span(at, at)` of stamps, `span_of` corrections, `reach_of` voids.
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
    """Facts that have nothing to do with any others: stamps in their order, and the decisions about them."""

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
