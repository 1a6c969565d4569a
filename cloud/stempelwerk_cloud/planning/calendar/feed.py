"""A person's duties as an iCalendar file (RFC 5545): the same bytes for the same duties. Pure."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vText

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned, span
from stempelwerk_cloud.planning.calendar.time_zones import describe

NAME = "Stempelwerk Dienste"
DUTY = "Dienst"
REFRESHED_EVERY = timedelta(hours=1)
WITHOUT_AN_END = timedelta(hours=1)
"""The length of a duty that has a start and no end."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A duty in the file. `zone`: the company's time zone on its day."""

    id: str
    duty: Planned
    zone: ZoneInfo
    changed_at: datetime


def feed(entries: Sequence[Entry], owner_text: str) -> bytes:
    """Returns the iCalendar file of these entries, in their order. `owner_text` names the owner of the duties."""
    calendar = Calendar()
    calendar.add("prodid", "-//Stempelwerk//Dienste//DE")
    calendar.add("version", "2.0")
    calendar.add("name", NAME)
    calendar.add("x-wr-calname", NAME)
    calendar.add("description", text(owner_text))
    calendar.add("x-wr-caldesc", vText(text(owner_text)))
    calendar.add("refresh-interval", REFRESHED_EVERY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for entry in entries:
        calendar.add_component(_event(entry))
    days = [entry.duty.date for entry in entries]
    zones = {entry.zone.key: entry.zone for entry in entries}
    for key in calendar.get_missing_tzids():
        calendar.add_component(describe(zones[key], min(days), max(days)))
    calendar.subcomponents.sort(key=lambda part: (part.name == "VEVENT", str(part.get("tzid"))))
    content: bytes = calendar.to_ical()
    return content


def text(value: str) -> str:
    """Returns the text with spaces for control characters, because the format does not allow them."""
    return "".join(" " if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} else sign for sign in value)


def _event(entry: Entry) -> Event:
    event = Event()
    event.add("uid", f"{entry.id}@stempelwerk")
    event.add("dtstamp", entry.changed_at.replace(microsecond=0))
    event.add("summary", DUTY)
    start, end = span(entry.duty, entry.zone)
    if start is None:
        event.add("dtstart", entry.duty.date)
        event.add("dtend", entry.duty.date + DAY)
        return event
    event.add("dtstart", _local_time(start, entry.zone))
    end = start + WITHOUT_AN_END if end is None else end
    if end > start:
        event.add("dtend", _local_time(end, entry.zone))
    return event


def _local_time(instant: datetime, zone: ZoneInfo) -> datetime:
    """Returns the local time of an instant; UTC for the second occurrence of a time that a clock change repeats.

    The format cannot express that one as a local time.
    """
    local = instant.astimezone(zone)
    return instant.astimezone(UTC) if local.fold else local
