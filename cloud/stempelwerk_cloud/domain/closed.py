"""When a company is closed, by its opening hours."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, local_day

_DAYS = 9
"""So far is looked, back and ahead: one week, and what a change of the hours may have cut off."""


def closed(week: Mapping[str, Sequence[int] | None], now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """The present or next span in which nobody is expected, as instants.

    `week`: by weekday ("0" = Monday) the local minutes since midnight at which the company opens and closes. None where
    it never closes, and where no day has hours: then nothing is known.
    """
    first = local_day(now, zone) - DAY * _DAYS
    last_end = datetime.combine(first, time(), zone).astimezone(UTC)
    for number in range(2 * _DAYS):
        day = first + DAY * number
        hours = week.get(str(day.weekday()))
        if hours is None:
            continue
        # Minutes of the wall clock, also on the days on which it is changed.
        opens, closes = (
            (datetime.combine(day, time(), zone) + timedelta(minutes=minute)).astimezone(UTC) for minute in hours
        )
        if opens > now and opens > last_end:
            return last_end, opens
        last_end = max(last_end, closes)
    return None
