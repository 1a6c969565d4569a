"""Conversions between instants (aware UTC datetimes with milliseconds) and local times. The module never reads the
current time.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MILLISECOND = timedelta(milliseconds=1)

Edge = Literal["start", "end"]


def minute_of(instant: datetime) -> int:
    """Returns the whole minutes since 1970, truncated. Minutes of entries are differences of such numbers."""
    return (instant - EPOCH) // MINUTE


def ms_of(instant: datetime) -> int:
    """Returns the whole milliseconds since 1970."""
    return (instant - EPOCH) // MILLISECOND


def from_ms(ms: int) -> datetime:
    """Returns the instant `ms` milliseconds after 1970. Raises OverflowError outside of the years 1 to 9999."""
    return EPOCH + timedelta(milliseconds=ms)


def local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Converts an instant into the zone's local time.

    A clock that lost its time may report the first or last hours of the calendar, whose local time would be out of
    range. For them the UTC time is returned, so that a single stamp cannot make a derivation fail.
    """
    try:
        return instant.astimezone(zone)
    except OverflowError:
        return instant


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    return local(instant, zone).date()


def local_hhmm(instant: datetime, zone: ZoneInfo) -> str:
    """Returns the zone's local time as `HH:MM`, truncated to the minute."""
    return local(instant, zone).strftime("%H:%M")


def day_start(day: date, zone: ZoneInfo) -> datetime:
    """Returns the instant when the local day begins. If a clock change skips 00:00, that is the first instant of the
    day.
    """
    try:
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


def day_end(day: date, zone: ZoneInfo) -> datetime:
    """Returns the instant when the next local day begins."""
    return day_start(day + DAY, zone) if day < date.max else datetime.max.replace(tzinfo=UTC)


def resolve(day: date, local_time: time, zone: ZoneInfo, edge: Edge) -> datetime | None:
    """Converts a local time of a day into an instant; None if a clock change skips that time.

    For a time that exists twice, `edge` decides: a start means the first, an end the second.
    """
    fold = 1 if edge == "end" else 0
    wall = datetime.combine(day, local_time.replace(fold=fold), zone)
    try:
        instant = wall.astimezone(UTC)
        back = instant.astimezone(zone)
    except OverflowError:
        return None
    if back.replace(tzinfo=None, fold=0) != wall.replace(tzinfo=None, fold=0):
        return None
    return instant
