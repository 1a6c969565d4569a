"""The latest stamps of each tag, of this clock and of rescued cards, in memory: the input for the decision about the
next tap.

Read from the journal at the start, so that the tap path needs no query. It keeps few stamps a tag; the cloud has long
sent the state that follows from older ones.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.rows import Range, Row
from stempelwerk_edge.tap.presence import Tap

PER_TAG = 8
AT_START = 20_000  # stamps looked through: weeks, even of a large company


class History:
    """The stamps by tag. Used under the tapper's lock."""

    def __init__(self, time: TrustedTime) -> None:
        self._time = time
        self._rows: defaultdict[str, list[tuple[Row, Tap]]] = defaultdict(list)

    def load(self, rows: Iterable[Row]) -> None:
        """Replaces all stamps by these, in their order."""
        self._rows.clear()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Adds a stamp, with the best estimate of its time that the clock has now; only the latest of each tag are
        kept.

        A scanner's tap may be days old, and is ignored if the clock does not know when it was made.
        """
        draft = row.draft
        if draft.via.startswith("scanner:") and draft.reading.quality is Quality.NONE:
            return
        tap = Tap(
            draft.id, self._time.estimate_for(draft.reading).time, draft.direction, draft.via, draft.shown, row.row
        )
        rows = self._rows[draft.tag]
        rows.append((row, tap))
        rows.sort(key=lambda entry: (entry[1].at, entry[0].row))
        del rows[:-PER_TAG]

    def think_again(self) -> None:
        """Recomputes the times of its stamps after the clock has found out what time it is."""
        self.load([row for rows in list(self._rows.values()) for row, _ in rows])

    def taps_of(self, tags: Collection[str], unreflected: Collection[Range] = ()) -> list[Tap]:
        """Returns the stamps of these tags; those in the ranges `unreflected` are marked."""
        taps = [tap for tag in sorted(tags) for _, tap in self._rows.get(tag, ())]
        if not unreflected:
            return taps
        return [replace(tap, unreflected=any(first <= tap.row <= last for first, last in unreflected)) for tap in taps]
