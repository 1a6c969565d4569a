"""Debounce of a reader's polls: a tag that stays is one tap, however unsteadily it is seen.

Pure: the time comes in as an argument, in seconds of a clock that never jumps. A second tap on purpose is reported; the
rules of stamping decide whether it counts.
"""

from dataclasses import dataclass

AWAY_S = 1.5
AWAY_LOOKS = 3
LONGEST_AWAY_S = 10.0
BRIDGE_S = 5.0
_GAPS = 4


@dataclass(slots=True)
class _Presence:
    """A tag on the reader: its last sight, the looks that have missed it since, and its longest gap so far."""

    last_seen: float
    missed: int = 0
    longest_gap_s: float = 0.0

    def is_over(self, now: float) -> bool:
        """Returns whether the tag counts as removed at `now`."""
        away_s = min(max(AWAY_S, _GAPS * self.longest_gap_s), LONGEST_AWAY_S)
        return self.missed >= AWAY_LOOKS and now - self.last_seen > away_s


class HeldTags:
    """The tags that lie on the reader.

    A tag counts as removed when three looks in a row have missed it, over more than 1.5 s. A tag at the edge of the
    field shows longer gaps: it counts as removed after four times its longest gap, and after 10 s at the latest.
    """

    def __init__(self) -> None:
        self._present: dict[str, _Presence] = {}

    def record_look(self, tag: str | None, now: float) -> bool:
        """Takes the result of one poll, a tag or None; returns whether it is a new tap."""
        self._present = {key: presence for key, presence in self._present.items() if not presence.is_over(now)}
        for key, presence in self._present.items():
            if key != tag:
                presence.missed += 1
        if tag is None:
            return False
        present = self._present.get(tag)
        longest_gap_s = 0.0 if present is None else present.longest_gap_s
        if present is not None and present.missed:  # without a missed look the machine was slow, and the tag was there
            longest_gap_s = max(longest_gap_s, now - present.last_seen)
        self._present[tag] = _Presence(now, longest_gap_s=longest_gap_s)
        return present is None

    def looking_again(self, failed_at: float, now: float) -> None:
        """Resumes after a reader that failed at `failed_at` and looks again now.

        After a short failure a tag that still lies there is no new tap. After more than 5 s it may as well have been
        lifted and held again, and a person who waits for a tone must get one.
        """
        if now - failed_at > BRIDGE_S:
            self._present.clear()
        else:
            for presence in self._present.values():
                presence.last_seen += now - failed_at
