"""When a company is closed, by its opening hours. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, local_day

_FAR = 15
"""Days to look at, each way: who opens once a week has an open day there even if the next one is a holiday."""


def next_closed(
    opening: Mapping[str, Sequence[int] | None],
    now: datetime,
    zone: ZoneInfo,
    is_holiday: Callable[[date], bool] = lambda _: False,
) -> tuple[datetime, datetime] | None:
    """The present or next span in which it is closed; None: it never is, or its hours are not known.

    `opening`: by weekday ("0" = Monday) the local minutes at which it opens and closes; none on a day: it stays closed,
    as it does on a holiday.
    """
    today = local_day(now, zone)

    def hours(day: date) -> Sequence[int] | None:
        return None if (found := opening.get(str(day.weekday()))) is None or is_holiday(day) else found

    def spans() -> Iterator[tuple[datetime, datetime]]:
        """From the last open day before today on, as far as they are asked for: clocks ask by the thousand."""
        before = next((apart for apart in range(-1, -_FAR - 1, -1) if hours(today + apart * DAY) is not None), 0)
        for day in (today + apart * DAY for apart in range(before, _FAR + 1)):
            if (found := hours(day)) is not None:
                yield _at(day, found[0], zone), _at(day, found[1], zone)

    closed = ((closes, opens) for (_, closes), (opens, _) in pairwise(spans()) if closes < opens)
    return next(((begins, ends) for begins, ends in closed if ends > now), None)


def _at(day: date, minute: int, zone: ZoneInfo) -> datetime:
    return (datetime.combine(day, time(), zone) + timedelta(minutes=minute)).astimezone(UTC)
