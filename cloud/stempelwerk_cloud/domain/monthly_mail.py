"""The time of the monthly export mail: the 1st of the next month at 03:00 local time of the company."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.calendar import months_after
from stempelwerk_cloud.domain.instants import local_day

AT = time(3)


def due_at(month: date, zone: ZoneInfo) -> datetime:
    """Returns when the mail about the month that begins with `month` is due. If a clock change skips 03:00, it is due
    later; if 03:00 exists twice, the first one counts.
    """
    return datetime.combine(months_after(month, 1), AT, zone).astimezone(UTC)


def last_due(now: datetime, zone: ZoneInfo) -> date:
    """Returns the first day of the last month whose mail is already due."""
    previous_month = months_after(local_day(now, zone).replace(day=1), -1)
    return previous_month if due_at(previous_month, zone) <= now else months_after(previous_month, -1)


def due_since(planned: date, now: datetime, zone: ZoneInfo) -> list[date]:
    """Returns the first days of the months whose mails have become due since the month `planned`, oldest first."""
    last, due_months = last_due(now, zone), []
    while planned < last:
        planned = months_after(planned, 1)
        due_months.append(planned)
    return due_months
