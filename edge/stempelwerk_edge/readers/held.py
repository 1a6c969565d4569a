"""Which of the tags a reader sees are taps: a tag that stays is one, however often it is seen.

Pure: the time comes in as an argument, in seconds of a clock that never jumps. That the same person taps twice on
purpose is not decided here; stamping does that.
"""

RELEASE_S = 0.6
BRIDGE_S = 5.0


class HeldTags:
    """The tags that lie on the reader, each with the moment it was last seen.

    A tag counts as removed when it has not been seen for 0.6 s of looking; shorter gaps are the field's flicker.
    """

    def __init__(self) -> None:
        self._last_seen: dict[str, float] = {}

    def seen(self, tag: str | None, at: float) -> bool:
        """One look at the reader, with what lay there or None; True if that is a new tap."""
        self._last_seen = {key: last for key, last in self._last_seen.items() if at - last <= RELEASE_S}
        if tag is None:
            return False
        new = tag not in self._last_seen
        self._last_seen[tag] = at
        return new

    def looking_again(self, since: float, at: float) -> None:
        """The reader had failed at `since` and looks again now.

        After a short failure a tag that still lies there is no new tap. After more than 5 s it may as well have been
        lifted and held again, and a person who waits for a tone must get one.
        """
        if at - since > BRIDGE_S:
            self._last_seen.clear()
        else:
            self._last_seen = {key: last + (at - since) for key, last in self._last_seen.items()}
