"""A person's duties as an iCalendar file (RFC 5545). Pure."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vText

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned, span

NAME = "Stempelwerk Dienste"
DUTY = "Dienst"
REFRESHED_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Entry:
    """A duty; `zone` is the one of its day."""

    id: str
    duty: Planned
    zone: ZoneInfo


def feed(entries: Iterable[Entry], about: str, first: date, last: date, now: datetime) -> bytes:
    """The file, made `now`. `about` says whose duties they are. All lie between `first` and `last`."""
    calendar = Calendar()
    calendar.add("prodid", "-//Stempelwerk//Dienste//DE")
    calendar.add("version", "2.0")
    calendar.add("name", NAME)
    calendar.add("x-wr-calname", NAME)
    calendar.add("description", text(about))
    calendar.add("x-wr-caldesc", vText(text(about)))
    calendar.add("refresh-interval", REFRESHED_EVERY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for entry in entries:
        calendar.add_component(_event(entry, now))
    calendar.add_missing_timezones(first - 366 * DAY, last + 366 * DAY)
    content: bytes = calendar.to_ical()
    return content


def text(value: str) -> str:
    """What a text of the format can hold: no control characters."""
    return "".join(" " if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} else sign for sign in value)


def _event(entry: Entry, now: datetime) -> Event:
    event = Event()
    event.add("uid", f"{entry.id}@stempelwerk")
    event.add("dtstamp", now.replace(microsecond=0))
    event.add("summary", DUTY)
    start, end = span(entry.duty, entry.zone)
    if start is None:
        event.add("dtstart", entry.duty.date)
        event.add("dtend", entry.duty.date + DAY)
        return event
    event.add("dtstart", _shown(start, entry.zone))
    if end is not None and end > start:
        event.add("dtend", _shown(end, entry.zone))
    return event


def _shown(instant: datetime, zone: ZoneInfo) -> datetime:
    """The local time; the second one of those that a clock change repeats in UTC, for the format has no word for it."""
    local = instant.astimezone(zone)
    return instant.astimezone(UTC) if local.fold else local
