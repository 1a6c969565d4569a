"""Rule that trusts or doubts the server's time. Pure.

A server whose clock is years ahead for one night would delete all expired data, which cannot be undone. A time is
doubted if it is more than a month after the last trusted one, or more than a day before it. It is trusted again once it
fits. It is also trusted after a week when it went on steadily and the clocks' own time agreed, for example after the
server was off for half a year.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from stempelwerk_cloud.domain.instants import DAY, HOUR

LONGEST_PAUSE, FURTHEST_BACK = 31 * DAY, DAY
PROVEN_AFTER = 7 * DAY
_UNSTEADY_BACK, _UNSTEADY_AHEAD = HOUR, DAY
"""A doubted time that differs by more than this from the one in the previous round restarts its week."""


@dataclass(frozen=True, slots=True)
class TimeWatch:
    """The state of the rule. `trusted_at`: the last trusted time.

    `doubted_from` and `doubted_at`: the first and the latest round when a doubted time went on steadily. Both are None
    while the time is trusted.
    """

    trusted_at: datetime
    doubted_from: datetime | None = None
    doubted_at: datetime | None = None


def fits(trusted_at: datetime, now: datetime) -> bool:
    """Returns whether `now` is plausible after the last trusted time."""
    return trusted_at - FURTHEST_BACK <= now <= trusted_at + LONGEST_PAUSE


def step(watch: TimeWatch | None, now: datetime, heard_at: datetime | None, *, agreed: bool) -> TimeWatch:
    """Returns the state after a round at `now`. `heard_at`: the time of the newest heartbeat, which serves as the last
    trusted time if there is no state yet. `agreed`: the clocks' own time agrees with `now`.
    """
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
