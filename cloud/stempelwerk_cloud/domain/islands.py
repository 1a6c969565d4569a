"""Which stretch of a person's facts stands on its own: the cuts that make a partial derivation equal the whole.

Two events with a pause between them that is longer than `DatedRules.idle_gap` have nothing to do with each other: no
stamp closes an entry across it, no shift and no rest time reaches over it. Events are stamps (their true times) and
corrections (the span of everything they may concern). Voids are no events: they act on stamps, which are.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from stempelwerk_cloud.domain.facts import Correction, Void
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
    """Everything a correction may concern: its day, its bounds, and the entry that it names."""
    zone = rules.on(correction.date).zone
    named = correction.entry_at or correction.new_start
    return Span(
        min(day_start(correction.date, zone), correction.new_start, named),
        max(day_end(correction.date, zone), correction.new_end, named),
    )


def reach_of(void: Void, stamp_times: Iterable[datetime], rules: DatedRules) -> Span:
    """What a void may change: its interval, the double taps after it, and the times of the stamps that it names."""
    window = rules.at(void.end).double_tap
    return Span(min([void.start, *stamp_times]), max([void.end + window, *stamp_times]))


def window(
    times: Sequence[datetime],
    spans: Iterable[Span],
    earliest: datetime,
    latest: datetime,
    rules: DatedRules,
) -> Window:
    """The stretch around everything that changed between `earliest` and `latest`, cut at idle pauses.

    `times` are stamps' true times, sorted, as they are after the change, of some neighbourhood that surely contains
    [earliest, latest]; `spans` those of the person's corrections in it. What was taken away counts as well: the
    instants it had must lie in [earliest, latest]. Deriving the stamps and the corrections inside the answer, with all
    voids, gives exactly the entries that deriving everything gives there.
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
