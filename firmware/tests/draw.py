"""The power that a scanner draws in each state, and how long a battery lasts. No scanner needs it."""

from scanner.power import LOOK_EVERY, SLEEPS

# The current of the parts, in microamperes at the battery, from the data sheets: RP2040 at 48 MHz and in lightsleep,
# PN532 with its field on and in power down; a look is 22 ms with the field and 6 ms more of the processor.
TABLE = {"cpu": 16000, "cpu_asleep": 1300, "field": 80000, "reader_asleep": 25, "signal": 45000, "rest": 60}
_LOOK_FIELD_MS, _LOOK_CPU_MS, _SIGNAL_MS, _STORE_MS = 22, 28, 930, 120


def draw(state, table=TABLE):
    """Mean microamperes in a state of the battery's, without taps."""
    look_every = LOOK_EVERY[state]
    field = _LOOK_FIELD_MS / look_every if look_every else 0
    busy = (_LOOK_CPU_MS / look_every if look_every else 0) if state in SLEEPS else 1
    cpu = busy * table["cpu"] + (1 - busy) * table["cpu_asleep"]
    return cpu + field * table["field"] + (1 - field) * table["reader_asleep"] + table["rest"]


def days(capacity_mah, hours, taps=0, table=TABLE):
    """Returns how many days a battery lasts with `hours` a day ({state: hours}, 24 together) and `taps` a day."""
    milliseconds = 3600 * 1000
    per_tap = (_SIGNAL_MS * table["signal"] + _STORE_MS * table["cpu"]) / milliseconds
    day = taps * per_tap + sum([hours[state] * draw(state, table) for state in hours])
    return capacity_mah * 1000 * 0.9 / day  # a tenth is lost to age and cold
