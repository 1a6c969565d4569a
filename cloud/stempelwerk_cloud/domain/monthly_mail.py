"""When a month's export is mailed by itself: on the 1st of the next month at 03:00 of the company's wall clock."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.months import months_after

AT = time(3)


def due_at(month: date, zone: ZoneInfo) -> datetime:
    """The instant for the month that begins with this day. Where 03:00 is skipped, as much later; of two, the first."""
    return datetime.combine(months_after(month, 1), AT, zone).astimezone(UTC)


def last_due(now: datetime, zone: ZoneInfo) -> date:
    """The first day of the last month whose mail is due."""
    before = months_after(local_day(now, zone).replace(day=1), -1)
    return before if due_at(before, zone) <= now else months_after(before, -1)


def due_since(planned: date, now: datetime, zone: ZoneInfo) -> list[date]:
    """The first days of the months that are due after the one that was planned last, oldest first."""
    last, found = last_due(now, zone), []
    while planned < last:
        planned = months_after(planned, 1)
        found.append(planned)
    return found
