"""What a scanner draws, and in which state it therefore is. Pure: the table is data, the time is given.

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

# What the parts draw, in microamperes at the battery, from the data sheets: RP2040 at 48 MHz and in lightsleep, PN532
# with its field on and in power down; a look is 22 ms with the field and 6 ms more of the processor.
TABLE = {"cpu": 16000, "cpu_asleep": 1300, "field": 80000, "reader_asleep": 25, "signal": 45000, "rest": 60}
_LOOK_FIELD_MS, _LOOK_CPU_MS, _SIGNAL_MS, _STORE_MS = 22, 28, 930, 120

# Of a lithium cell at rest: millivolts and the percent that are left, falling.
_CELL = ((4150, 100), (3950, 75), (3800, 50), (3700, 25), (3600, 10), (3450, 3), (3300, 0))


def percent(millivolts):
    """What is left in a lithium cell of this voltage."""
    if millivolts >= _CELL[0][0]:
        return 100
    for (high, more), (low, less) in zip(_CELL, _CELL[1:]):
        if millivolts >= low:
            return less + (more - less) * (millivolts - low) // (high - low)
    return 0


class Power:
    """The state machine. `state` is what `step` found last."""

    def __init__(self):
        self.state = AWAKE
        self._used_at = 0

    def step(self, now, docked, left):
        """The state now; `left`: percent of the battery, None if there is none."""
        flat = left is not None and left < (_RECOVERED if self.state == EMPTY else _FLAT)
        idle = now - self._used_at
        if docked or left is None:
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
        """A tag was held to it."""
        self._used_at = now


def draw(state, table=TABLE):
    """Mean microamperes in a state of the battery's, without taps."""
    every = LOOK_EVERY[state]
    field = _LOOK_FIELD_MS / every if every else 0
    busy = (_LOOK_CPU_MS / every if every else 0) if state in SLEEPS else 1
    cpu = busy * table["cpu"] + (1 - busy) * table["cpu_asleep"]
    return cpu + field * table["field"] + (1 - field) * table["reader_asleep"] + table["rest"]


def days(capacity_mah, hours, taps=0, table=TABLE):
    """Days that a battery lasts whose every day has `hours` ({state: hours}, 24 together) and so many taps."""
    milliseconds = 3600 * 1000
    per_tap = (_SIGNAL_MS * table["signal"] + _STORE_MS * table["cpu"]) / milliseconds
    day = taps * per_tap + sum([hours[state] * draw(state, table) for state in hours])
    return capacity_mah * 1000 * 0.9 / day  # a tenth is lost to age and cold
