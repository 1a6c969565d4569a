"""The power state of a scanner, by its supply and its use. Pure: the time is given.

| state | when | what it does |
|---|---|---|
| docked | the base feeds it | looks for tags all the time, talks |
| awake | within a minute of a tap or the start | looks four times a second |
| watching | within four hours of it | looks twice a second, sleeps between |
| resting | later | looks once in 1.2 s, sleeps between |
| empty | the battery is nearly flat | looks for nothing, so that what it keeps stays and its tick goes on |

An empty one comes back with the base's supply, or when the battery has recovered by some percent.
"""

DOCKED, AWAKE, WATCHING, RESTING, EMPTY = "docked", "awake", "watching", "resting", "empty"
LOOK_EVERY = {DOCKED: 60, AWAKE: 250, WATCHING: 500, RESTING: 1200, EMPTY: 0}
SLEEPS = (WATCHING, RESTING, EMPTY)
_AWAKE_FOR = 60 * 1000
_WATCHING_FOR = 4 * 3600 * 1000
_FLAT, _RECOVERED = 3, 8  # percent

# A lithium cell at rest: millivolts and the remaining percent, falling.
_CELL = ((4150, 100), (3950, 75), (3800, 50), (3700, 25), (3600, 10), (3450, 3), (3300, 0))


def percent(millivolts):
    """Returns the remaining percent of a lithium cell with this voltage."""
    if millivolts >= _CELL[0][0]:
        return 100
    for (high, upper), (low, lower) in zip(_CELL, _CELL[1:]):
        if millivolts >= low:
            return lower + (upper - lower) * (millivolts - low) // (high - low)
    return 0


class Power:
    """The state machine. `state` is what `step` found last."""

    def __init__(self):
        self.state = AWAKE
        self._used_at = 0

    def step(self, now, docked, level):
        """Returns the state now; `level`: percent of the battery, None without a battery."""
        flat = level is not None and level < (_RECOVERED if self.state == EMPTY else _FLAT)
        idle = now - self._used_at
        if docked or level is None:
            self.state = DOCKED
            self._used_at = now  # taken out of the base it is awake
        elif flat:
            self.state = EMPTY
        elif idle < _AWAKE_FOR:
            self.state = AWAKE
        else:
            self.state = WATCHING if idle < _WATCHING_FOR else RESTING
        return self.state

    def used(self, now):
        """Records that a tag was held to the scanner."""
        self._used_at = now
