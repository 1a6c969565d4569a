"""The signals for a person: sight, sound and touch. Patterns are data; playing them never waits.

The clock's own signals are alike: success rises and is green, what needs attention is low and red. Each differs from
the others both in light and in sound. A stored tap vibrates once, a refused one more than once.
"""

# Milliseconds, tone in hertz (0: silent), light ("g", "r" or ""), vibration
PATTERNS = {
    "stored": ((90, 1047, "g", 1), (140, 1568, "g", 0), (700, 0, "g", 0)),
    "double": ((70, 1319, "g", 0), (60, 0, "", 0), (70, 1319, "g", 0), (600, 0, "g", 0)),
    "unknown": ((350, 330, "r", 1), (700, 0, "r", 0)),
    "refused": ((350, 330, "r", 1), (150, 0, "", 0), (350, 330, "r", 1)),
    "error": ((100, 330, "r", 1), (100, 0, "", 0)) * 2,
    "failed": ((200, 220, "r", 1), (200, 0, "", 0)) * 4,
    "full": ((600, 220, "r", 1), (200, 0, "", 0)) * 3,
    "unadopted": ((100, 330, "r", 1), (100, 0, "", 0)) * 3,
    "adopted": ((90, 784, "g", 1), (90, 1047, "g", 0), (90, 1568, "g", 1)),
    "empty": ((60, 0, "r", 0),),
    "ready": ((60, 1047, "g", 0),),
}
# Patterns by the code of FEEDBACK; success has no pattern, because the scanner signalled it when it stored the tap.
FEEDBACK = ("", "double", "unknown", "error")


class Player:
    """Plays one pattern at a time on `outputs`, which has tone(hertz), light(colour) and vibrate(on)."""

    def __init__(self, outputs):
        self._outputs = outputs
        self._left = ()
        self._until = None

    def play(self, name, now):
        """Begin at once; a newer one takes the place of an older one."""
        self._left = PATTERNS[name]
        self._until = now
        self.step(now)

    def step(self, now):
        """Go on if it is time; the milliseconds until the next change, or None if all is quiet."""
        while self._until is not None and now >= self._until:
            if self._left:
                length, hertz, colour, vibration = self._left[0]
                self._left = self._left[1:]
                self._until = now + length
                self._set(hertz, colour, vibration)
            else:
                self._until = None
                self._set(0, "", 0)
        return None if self._until is None else self._until - now

    def _set(self, hertz, colour, vibration):
        self._outputs.tone(hertz)
        self._outputs.light(colour)
        self._outputs.vibrate(vibration)

