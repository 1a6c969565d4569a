"""Entries that are still being computed: the result of pairing and corrections, before shifts, breaks and flags.

They are mutable on purpose, and used only by `timeline`, `shifts` and `derivation`.
"""

from datetime import datetime

from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.entries.pairing import Absorbed, Pair
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import minute_of
from stempelwerk_cloud.domain.settings import Rules


class Draft:
    """An entry that is being computed. `first` and `last` are its known bounds as minutes since 1970; they are equal if
    one is missing.

    `start` and `end` are the stamps, `start_at` and `end_at` the instants that count. These differ if a correction has
    moved them.
    """

    __slots__ = (
        "absorbed",
        "break_minutes",
        "complete",
        "correction",
        "end",
        "end_at",
        "first",
        "flags",
        "id",
        "last",
        "left",
        "long",
        "raw",
        "rules",
        "start",
        "start_at",
    )

    def __init__(
        self, id_: str, start_at: datetime | None, end_at: datetime | None, rules: Rules, correction: Correction | None
    ) -> None:
        self.id = id_
        self.start_at = start_at
        self.end_at = end_at
        self.rules = rules
        self.correction = correction
        self.start: Stamp | None = None
        self.end: Stamp | None = None
        self.absorbed: list[Absorbed] = []
        self.left = self.long = False
        self.complete = start_at is not None and end_at is not None
        first = start_at or end_at
        last = end_at or start_at
        assert first is not None
        assert last is not None
        self.first = minute_of(first)
        self.last = self.first if last is first else minute_of(last)
        self.raw = self.break_minutes = 0
        self.flags: set[str] = set()

    @property
    def known_at(self) -> datetime:
        """The first known instant: the start, or the end if the start is missing."""
        instant = self.start_at or self.end_at
        assert instant is not None
        return instant


def from_pair(pair: Pair) -> Draft:
    """Returns the draft of an entry from two counted stamps, or from a single one."""
    start, end = pair.start, pair.end
    first = start or end
    assert first is not None
    draft = Draft(first.id, start and start.at, end and end.at, pair.rules, None)
    draft.start = start
    draft.end = end
    draft.left = pair.left
    draft.long = pair.long
    draft.absorbed = pair.absorbed
    return draft
