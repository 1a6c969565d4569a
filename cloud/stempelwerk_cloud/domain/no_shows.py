"""Who had a duty and did not come (decision 17). A duty's times are local minutes since midnight, where it has any."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, day_end, day_start, resolve
from stempelwerk_cloud.domain.roster import Planned, span


@dataclass(frozen=True, slots=True)
class Rostered:
    """Somebody's duty of a day. An end at or before the start lies on the next day."""

    user_id: str
    start_minute: int | None
    end_minute: int | None

    @property
    def through_midnight(self) -> bool:
        return self.start_minute is not None and self.end_minute is not None and self.end_minute <= self.start_minute


class Came(NamedTuple):
    """A time entry: whose, the day that it is dated, and what is known of when it began and ended."""

    user_id: str
    date: date
    start: datetime | None
    end: datetime | None


def over_at(day: date, duties: Iterable[Rostered], zone: ZoneInfo) -> datetime:
    """When nobody can come any more to the duties of that day: at its end, or at that of the last night's duty."""
    ends = [day_end(day, zone)]
    for duty in duties:
        if duty.through_midnight and duty.end_minute is not None and day < date.max:
            at = resolve(day + DAY, time(duty.end_minute // 60, duty.end_minute % 60), zone, "end")
            ends.append(at or ends[0])
    return max(ends)


def days_to_look_at(day: date) -> list[date]:
    """The days whose entries can say that somebody came to a duty of that day."""
    return [day - DAY, day, day + DAY]


def came_to(duty: Planned, entry: Came, zone: ZoneInfo) -> bool:
    """Whether the person of the duty came by this entry of theirs, early or late as it may be.

    An entry of the day always says so; one of another day if it reaches into the duty's times, or, where these are not
    known, into the day. The end of the last night's work therefore excuses nobody from the next night.
    """
    if entry.date == duty.date:
        return True
    first, last = entry.start or entry.end, entry.end or entry.start
    if first is None or last is None:
        return False
    begins, ends = _reach(duty, zone)
    return first < ends and (last > begins or first >= begins)


def no_shows(day: date, duties: Iterable[Rostered], entries: Iterable[Came], zone: ZoneInfo) -> list[str]:
    """Who (id) of those on duty has no entry by which they came. The entries are those of `days_to_look_at`."""
    found: dict[str, list[Came]] = defaultdict(list)
    for one in entries:
        found[one.user_id].append(one)
    missing = []
    for duty in duties:
        planned = Planned(day, duty.start_minute, duty.end_minute)
        if not any(came_to(planned, one, zone) for one in found[duty.user_id]):
            missing.append(duty.user_id)
    return missing


def _reach(duty: Planned, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """From when to when somebody who comes to the duty is there."""
    start, end = span(duty, zone)
    if start is None:
        return day_start(duty.date, zone), day_end(duty.date, zone)
    return start, end or day_end(duty.date, zone)
