"""This clock's own latest stamps of each tag, in memory: what the decision about the next tap looks at.

Read from the journal at the start, so that the tap path needs no query. It keeps few stamps a tag; what is older the
cloud has long told.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable

from .course import Tap
from .rows import Row
from .trusted_time import TrustedTime

_PER_TAG = 16
AT_START = 20_000


class History:
    """The stamps by tag. Used under the tapper's lock."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, deque[Row]] = defaultdict(lambda: deque(maxlen=_PER_TAG))

    def load(self, rows: Iterable[Row]) -> None:
        """Begin with these, in their order."""
        self._rows.clear()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """One more stamp."""
        self._rows[row.draft.tag].append(row)

    def of(self, tags: Collection[str], time: TrustedTime) -> list[Tap]:
        """The stamps of these tags with the best idea of their time that the clock has now."""
        return [_tap(row, time) for tag in sorted(tags) for row in self._rows.get(tag, ())]


def _tap(row: Row, time: TrustedTime) -> Tap:
    draft = row.draft
    return Tap(draft.id, time.at(draft.reading).at, draft.direction, draft.via, draft.shown, row.row)
