"""This clock's own latest stamps of each tag, in memory: what the decision about the next tap looks at.

Read from the journal at the start, so that the tap path needs no query. It keeps few stamps a tag; what is older the
cloud has long told.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable

from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.rows import Row
from stempelwerk_edge.tap.presence import Tap

PER_TAG = 8
AT_START = 20_000  # stamps looked through: weeks, even of a large company


class History:
    """The stamps by tag. Used under the tapper's lock."""

    def __init__(self, time: TrustedTime) -> None:
        self._time = time
        self._rows: defaultdict[str, deque[tuple[Row, Tap]]] = defaultdict(lambda: deque(maxlen=PER_TAG))

    def load(self, rows: Iterable[Row]) -> None:
        """Begin with these, in their order."""
        self._rows.clear()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """One more stamp, with the best idea of its time that the clock has now."""
        draft = row.draft
        tap = Tap(draft.id, self._time.at(draft.reading).at, draft.direction, draft.via, draft.shown, row.row)
        self._rows[draft.tag].append((row, tap))

    def think_again(self) -> None:
        """The clock has found out what time it is: so it knows the times of its stamps."""
        self.load([row for rows in list(self._rows.values()) for row, _ in rows])

    def of(self, tags: Collection[str]) -> list[Tap]:
        """The stamps of these tags."""
        return [tap for tag in sorted(tags) for _, tap in self._rows.get(tag, ())]
