"""Rule that trusts or doubts the server's time. Pure.

A server whose clock is years ahead for one night would remove everything, and could not bring it back. A time is
doubted if it is a month past the last trusted one, or a day before it. It is trusted again once it fits. It is also
trusted after a steady week in which the clocks' own time agrees, for example after half a year of sleep.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from stempelwerk_cloud.domain.instants import DAY, HOUR

LONGEST_PAUSE, FURTHEST_BACK = 31 * DAY, DAY
PROVEN_AFTER = 7 * DAY
_UNSTEADY_BACK, _UNSTEADY_AHEAD = HOUR, DAY
"""A doubted time that is further than this from the round before restarts its week."""


@dataclass(frozen=True, slots=True)
class TimeWatch:
    """`trusted_at`: the last trusted time. `doubted_from`, `doubted_at`: since when a doubted time has gone on
    steadily, and its last round; both null: the time is trusted."""

    trusted_at: datetime
    doubted_from: datetime | None = None
    doubted_at: datetime | None = None


def fits(trusted_at: datetime, now: datetime) -> bool:
    """Whether a time may follow the last trusted one."""
    return trusted_at - FURTHEST_BACK <= now <= trusted_at + LONGEST_PAUSE


def step(watch: TimeWatch | None, now: datetime, heard_at: datetime | None, *, agreed: bool) -> TimeWatch:
    """The watch after a round. `heard_at`: the newest heartbeat, in place of a watch that is missing; `agreed`: the
    clocks' own time is this one, too."""
    if watch is None:
        watch = TimeWatch(heard_at or now)
    if fits(watch.trusted_at, now):
        return TimeWatch(now)
    is_steady = (
        watch.doubted_at is not None and watch.doubted_at - _UNSTEADY_BACK <= now <= watch.doubted_at + _UNSTEADY_AHEAD
    )
    begun = (watch.doubted_from if is_steady else None) or now
    if agreed and now - begun >= PROVEN_AFTER:
        return TimeWatch(now)
    return replace(watch, doubted_from=begun, doubted_at=now)
