"""The flags of an entry, in their order of display.

Two flags are computed when entries are read, and never stored. `worked_on_leave` depends on leave and illness, which
change without a stamp. `late` (the entry differs from the payroll export of its month) depends on exports and locks.
"""

from collections.abc import Collection
from typing import Final

MISSING_IN: Final = "missing_in"
MISSING_OUT: Final = "missing_out"
LONG_ENTRY: Final = "long_entry"
UNCERTAIN_TIME: Final = "uncertain_time"
OVER_10_H: Final = "over_10_h"
SHORT_REST: Final = "short_rest"
MISSING_BREAK: Final = "missing_break"
OVERLAP: Final = "overlap"
SHOWN_DIFFERS: Final = "shown_differs"
WORKED_ON_LEAVE: Final = "worked_on_leave"
LATE: Final = "late"

ALL: Final = (
    MISSING_IN,
    MISSING_OUT,
    LONG_ENTRY,
    UNCERTAIN_TIME,
    OVER_10_H,
    SHORT_REST,
    MISSING_BREAK,
    OVERLAP,
    SHOWN_DIFFERS,
    WORKED_ON_LEAVE,
    LATE,
)


def in_order(flags: Collection[str]) -> tuple[str, ...]:
    """Returns the flags in the order of `ALL`, each once."""
    return tuple(flag for flag in ALL if flag in flags) if flags else ()
