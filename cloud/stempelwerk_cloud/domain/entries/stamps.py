"""Stamps as the rules see them: one person's, at their true time, in the one order that all derivations use.

Where a stamp came from on the wire, whose tag it was and whether it is held has been settled before it gets here.
"""

from datetime import datetime
from typing import Literal, NamedTuple

Direction = Literal["auto", "in", "out"]
"""The direction of a stamp: `in` Kommen, `out` Gehen, `auto` follows from the stamp before."""

Shown = Literal["in", "out", "double_tap", "unknown"]
"""The text on the clock's display at the tap."""

Reason = Literal["double_tap", "replaced", "voided", "voided_late", "corrected"]
"""The reason why a stamp does not count. `voided_late`: it arrived later in a deleted entry's interval and awaits a
decision.
"""


class Stamp(NamedTuple):
    """One tap. `at` is the true time (aware UTC); `uncertain` marks a `held_clock` time.

    `answer` marks a stamp made by an answer on the touchscreen (`via: "screen"`) and not by a tag. `booked` marks a
    stamp that an administrator has confirmed, so that it counts in a deleted entry's interval as well.
    """

    id: str
    at: datetime
    direction: Direction
    device_id: str
    epoch: str
    seq: int
    uncertain: bool = False
    shown: Shown | None = None
    device_name: str | None = None
    answer: bool = False
    booked: bool = False


def order(stamp: Stamp) -> tuple[datetime, str, str, int, str]:
    """Returns the sort key: true time, ties by device id, epoch, sequence number (and id, in case those repeat)."""
    return (stamp.at, stamp.device_id, stamp.epoch, stamp.seq, stamp.id)
