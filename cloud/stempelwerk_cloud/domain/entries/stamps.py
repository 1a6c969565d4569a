"""Stamps as the derivation uses them: those of one person, with their true time, in one fixed order.

The origin of a stamp, the owner of its tag, and whether it is held have been decided before.
"""

from datetime import datetime
from typing import Literal, NamedTuple

Direction = Literal["auto", "in", "out"]
"""The direction of a stamp: `in` is Kommen, `out` is Gehen, `auto` follows from the stamp before."""

Shown = Literal["in", "out", "double_tap", "unknown"]
"""The text that the clock's display showed at the tap."""

Reason = Literal["double_tap", "replaced", "voided", "voided_late", "corrected"]
"""The reason why a stamp does not count. `voided_late`: it arrived in the interval of an entry that was already
deleted, and waits for a decision.
"""


class Stamp(NamedTuple):
    """One tap. `at` is the true time in UTC; `uncertain` marks a time with the flag `held_clock`.

    `answer`: an answer on the touchscreen (`via: "screen"`) made this stamp, not a tag. `booked`: an administrator has
    confirmed the stamp, so it counts even in the interval of a deleted entry.
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
    """Returns the sort key of a stamp: true time, device id, epoch, sequence number, and finally the id in case all
    others are equal.
    """
    return (stamp.at, stamp.device_id, stamp.epoch, stamp.seq, stamp.id)
