"""Instants and local time: the few conversions between aware UTC datetimes and what a wall clock shows.

An instant is an aware `datetime` in UTC with milliseconds. This module never asks what time it is.
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
    """Whole minutes since 1970, truncated: the number that the minutes of entries are differences of."""
    return (instant - EPOCH) // MINUTE


def ms_of(instant: datetime) -> int:
    """Whole milliseconds since 1970."""
    return (instant - EPOCH) // MILLISECOND


def from_ms(ms: int) -> datetime:
    """The instant `ms` milliseconds after 1970; OverflowError beyond the years 1 to 9999."""
    return EPOCH + timedelta(milliseconds=ms)


def local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Returns the instant as the zone's wall clock shows it.

    A clock that lost its time may claim the first or the last hours of the calendar, whose local time would be out of
    range. For those the result is the UTC time, so that no single stamp stops a derivation.
    """
    try:
        return instant.astimezone(zone)
    except OverflowError:
        return instant


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    return local(instant, zone).date()


def local_hhmm(instant: datetime, zone: ZoneInfo) -> str:
    """`HH:MM` of the zone's wall clock, truncated to the minute."""
    return local(instant, zone).strftime("%H:%M")


def day_start(day: date, zone: ZoneInfo) -> datetime:
    """Returns the instant at which the local day begins; if a clock change skips 00:00, the first one that exists."""
    try:
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


def day_end(day: date, zone: ZoneInfo) -> datetime:
    """Returns the instant at which the next local day begins."""
    return day_start(day + DAY, zone) if day < date.max else datetime.max.replace(tzinfo=UTC)


def resolve(day: date, local_time: time, zone: ZoneInfo, edge: Edge) -> datetime | None:
    """The instant of a local time; None if that time does not exist on that day.

    A time that exists twice means the first for a start and the second for an end.
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
