"""The daily limit of a company's mails: how many are sent on a German day, and when the others are sent.

A mail counts on the day that it is planned for (`ExportMail.at`), and not again when it is retried. Callers hold the
lock on the company's settings (`repository.lock_settings`), so concurrent planners count each other's mails.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, day_end, day_start, local_day
from stempelwerk_cloud.office.monthly_mail import repository

MOST_A_DAY = 60
ZONE = ZoneInfo("Europe/Berlin")
"""One time zone for all companies, so that no company gets a second day by another zone."""


def left_on(session: Session, company_id: str, day: date) -> int:
    """Returns how many more mails of the company may be sent on the day."""
    count = repository.count_between(session, company_id, day_start(day, ZONE), day_end(day, ZONE))
    return max(0, MOST_A_DAY - count)


def instants(session: Session, company_id: str, now: datetime, count: int) -> list[datetime]:
    """Returns the planned time of each mail: now while the day has room, then the beginnings of the next days."""
    day, instant, planned = local_day(now, ZONE), now, list[datetime]()
    while len(planned) < count:
        planned += [instant] * min(left_on(session, company_id, day), count - len(planned))
        day += DAY
        instant = day_start(day, ZONE)
    return planned
