"""Rules that find employees who did not come to their duty (decision 17). A duty's times, if any, are local minutes
since midnight.
"""

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
    """An employee's duty on a day. An end at or before the start lies on the next day."""

    user_id: str
    start_minute: int | None
    end_minute: int | None

    @property
    def through_midnight(self) -> bool:
        return self.start_minute is not None and self.end_minute is not None and self.end_minute <= self.start_minute


class Came(NamedTuple):
    """An employee's time entry: its date, and its start and end if they are known."""

    user_id: str
    date: date
    start: datetime | None
    end: datetime | None


def over_at(day: date, duties: Iterable[Rostered], zone: ZoneInfo) -> datetime:
    """Returns the instant after which no duty of the day can be attended any more: the end of the day, or of its last
    night duty.
    """
    duty_ends = [day_end(day, zone)]
    for duty in duties:
        if duty.through_midnight and duty.end_minute is not None and day < date.max:
            duty_end = resolve(day + DAY, time(duty.end_minute // 60, duty.end_minute % 60), zone, "end")
            duty_ends.append(duty_end or duty_ends[0])
    return max(duty_ends)


def days_to_look_at(day: date) -> list[date]:
    """Returns the days whose time entries can prove that an employee attended a duty of `day`."""
    return [day - DAY, day, day + DAY]


def came_to(duty: Planned, entry: Came, zone: ZoneInfo) -> bool:
    """Returns whether the employee's time entry proves that they attended the duty, however early or late.

    An entry of the same day always does. An entry of another day does if it overlaps the duty's times or, if these are
    unknown, the day. So the end of last night's work does not count as attendance of the next night duty.
    """
    if entry.date == duty.date:
        return True
    first, last = entry.start or entry.end, entry.end or entry.start
    if first is None or last is None:
        return False
    duty_start, duty_end = _reach(duty, zone)
    return first < duty_end and (last > duty_start or first >= duty_start)


def no_shows(day: date, duties: Iterable[Rostered], entries: Iterable[Came], zone: ZoneInfo) -> list[str]:
    """Returns the ids of employees with a duty on the day but no entry that proves attendance. `entries`: those of
    `days_to_look_at`.
    """
    entries_by_user: dict[str, list[Came]] = defaultdict(list)
    for entry in entries:
        entries_by_user[entry.user_id].append(entry)
    missing = []
    for duty in duties:
        planned = Planned(day, duty.start_minute, duty.end_minute)
        if not any(came_to(planned, entry, zone) for entry in entries_by_user[duty.user_id]):
            missing.append(duty.user_id)
    return missing


def _reach(duty: Planned, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Returns the start and end of the period when work counts as attendance of the duty."""
    start, end = span(duty, zone)
    if start is None:
        return day_start(duty.date, zone), day_end(duty.date, zone)
    return start, end or day_end(duty.date, zone)
