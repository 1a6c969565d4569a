"""When a clock may go over to a version that lies ready. Pure."""

from datetime import datetime, timedelta

from stempelwerk_edge.cloud.wire import Offer

IDLE = timedelta(minutes=1)
LONG_IDLE = timedelta(minutes=15)
PATIENCE = timedelta(days=7)


def may_go_over(
    offer: Offer, now: datetime, ready_since: datetime, idle: timedelta, *, delivering: bool, assigned: bool
) -> bool:
    """Returns whether it may be now.

    `idle` is how long ago the last tap was. `delivering`: stamps wait, and a live connection is about to take them.
    `assigned`: the clock belongs to a company, which has opening hours, whether they are known here or not.
    """
    if delivering or idle < IDLE:
        return False
    closed = offer.quiet is not None and offer.quiet[0] <= now < offer.quiet[1]
    if offer.now or closed or not assigned:
        return True
    return now - ready_since >= PATIENCE and idle >= LONG_IDLE
