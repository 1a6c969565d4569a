"""Debounce of the reader's looks: a tag that stays is one tap, however unsteadily it is seen.

Pure: the time is given, in milliseconds. The clock's own reader follows the same rule.
"""

NO_TAG = b""  # stands for each identifier that is no tag's: a phone draws another at each look
AWAY = 1500
AWAY_LOOKS = 3
LONGEST_AWAY = 10 * 1000
BRIDGE = 5000
MOST = 16
_GAPS = 4


class HeldTags:
    """The tags in the field.

    A tag counts as removed when three looks in a row have missed it, over more than 1.5 s. A tag at the edge of the
    field shows longer gaps: it counts as removed after four times its longest gap, and after 10 s at the latest.
    """

    def __init__(self):
        self._present = {}  # identifier: (last sight, looks that have missed it since, longest gap)
        self._refusal_due = False

    def observe(self, uid, now):
        """Takes one look: an identifier, NO_TAG or None. Returns a new tap's identifier, NO_TAG to refuse, or None.

        NO_TAG waits for one more look before it is refused: a card in a phone's case is read in turns with the phone.
        """
        due, self._refusal_due = self._refusal_due, False
        sight = None
        for key in list(self._present):
            last, missed, gap = self._present[key]
            if missed >= AWAY_LOOKS and now - last > min(max(AWAY, _GAPS * gap), LONGEST_AWAY):
                del self._present[key]
            elif key == uid:
                sight = now, 0, max(gap, now - last) if missed else gap
            else:
                self._present[key] = last, missed + 1, gap
        if uid is None:
            return NO_TAG if due else None
        if sight is None and uid == NO_TAG:
            self._refusal_due = not self._present
        self._present[uid] = sight or (now, 0, 0)
        if len(self._present) > MOST:
            del self._present[min(self._present, key=lambda key: self._present[key][0])]
        if uid == NO_TAG:
            return NO_TAG if due else None
        return uid if sight is None else None

    def resume(self, pause):
        """Goes on after `pause` without a look. After more than 5 s a tag that still lies there is answered again."""
        for key in list(self._present):
            last, missed, gap = self._present[key]
            if pause > BRIDGE:
                del self._present[key]
            else:
                self._present[key] = last + pause, missed, gap

    def holds(self, uid):
        """Returns whether a tag counts as present."""
        return uid in self._present
