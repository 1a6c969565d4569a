"""Periods when a company is closed, by its opening hours. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, local_day

_FAR = 15
"""The number of days to search in each direction. Within them a company that opens once a week has an open day, even if
one of these days is a holiday.
"""


def next_closed(
    opening: Mapping[str, Sequence[int] | None],
    now: datetime,
    zone: ZoneInfo,
    is_holiday: Callable[[date], bool] = lambda _: False,
) -> tuple[datetime, datetime] | None:
    """Returns the present or next period when the company is closed; None if it never is, or if its hours are not
    known.

    `opening`: by weekday ("0" is Monday), the local minutes when the company opens and closes. It stays closed on a
    weekday that is missing, and on holidays.
    """
    today = local_day(now, zone)

    def hours(day: date) -> Sequence[int] | None:
        return None if (opening_hours := opening.get(str(day.weekday()))) is None or is_holiday(day) else opening_hours

    def spans() -> Iterator[tuple[datetime, datetime]]:
        """Yields the open periods, beginning with the last open day before today. It is lazy, because thousands of
        clocks need it.
        """
        last_open_day = next((apart for apart in range(-1, -_FAR - 1, -1) if hours(today + apart * DAY) is not None), 0)
        for day in (today + apart * DAY for apart in range(last_open_day, _FAR + 1)):
            if (opening_hours := hours(day)) is not None:
                yield _instant_on(day, opening_hours[0], zone), _instant_on(day, opening_hours[1], zone)

    closed = ((closes, opens) for (_, closes), (opens, _) in pairwise(spans()) if closes < opens)
    return next(((closed_from, closed_until) for closed_from, closed_until in closed if closed_until > now), None)


def _instant_on(day: date, minute: int, zone: ZoneInfo) -> datetime:
    return (datetime.combine(day, time(), zone) + timedelta(minutes=minute)).astimezone(UTC)
