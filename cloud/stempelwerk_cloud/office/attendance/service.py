"""A company's attendance on a day: the duties of the day compared with the entries of its shifts."""

from collections import defaultdict
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.attendance import Attending, Seen, attendance
from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.instants import DAY, day_start
from stempelwerk_cloud.people.directory.companies import today_of, zone_of
from stempelwerk_cloud.people.directory.people import usernames
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.times.reading import values
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue, of_company, shift_day

__all__ = ["Attendance", "Person", "attendance_between", "on"]


class Person(NamedTuple):
    """A person in the day's lists. `start` and `end`: of the work, else of the duty, in local minutes since
    midnight.
    """

    user_id: str
    username: str
    clocked_in: bool | None
    start: int | None
    end: int | None
    clock_name: str | None
    planned_end: int | None
    running: bool


class Attendance(NamedTuple):
    expected: list[Person]
    unexpected: list[Person]


def on(session: Session, company_id: str, day: date, now: datetime) -> Attendance:
    """Returns the expected and the unexpected people of the day, by username.

    The number of statements does not depend on the number of people.
    """
    return attendance_between(session, company_id, day, day, now)[day]


def attendance_between(
    session: Session, company_id: str, first: date, last: date, now: datetime
) -> dict[date, Attendance]:
    """Returns the attendance of each of these days. Deleted people are included on days before their deletion."""
    today = today_of(session, company_id, now)
    deleted_since = day_start(first, zone_of(session, company_id, now)) if last < today else None
    names = usernames(session, company_id, deleted_since)
    loaded_days = days.load(session, company_id, names, first, last, ("duties", "leave", "absences"))
    around = of_company(session, company_id, first - min(DAY, first - date.min), last + min(DAY, date.max - last), now)
    seen_by_day: dict[date, dict[str, Seen]] = defaultdict(dict)
    for user_id, person_entries in groupby(around, attrgetter("user_id")):
        worked: dict[date, list[EntryValue]] = defaultdict(list)
        for shift in values.shifts([*person_entries]):
            worked[shift_day(shift)] += shift
        for day, shifts in worked.items():
            seen_by_day[day][user_id] = _summarize_entries(shifts)
    attendance_by_day = {}
    for day in days_between(first, last):
        people = {user_id: loaded_days.people[user_id].on(day) for user_id in names}
        groups = attendance(people, seen_by_day[day], loaded_days.zone_on(day), now)
        attendance_by_day[day] = Attendance(
            *([_person(attendee, names[attendee.user_id]) for attendee in some] for some in groups)
        )
    return attendance_by_day


def _summarize_entries(day_entries: list[EntryValue]) -> Seen:
    return Seen(
        day_entries[0].start_minute, day_entries[-1].end_minute, day_entries[-1].running, day_entries[-1].clock_name
    )


def _person(attendee: Attending, username: str) -> Person:
    start, end = (attendee.duty.start_minute, attendee.duty.end_minute) if attendee.duty else (None, None)
    if attendee.seen is None:
        return Person(attendee.user_id, username, attendee.clocked_in, start, end, None, end, running=False)
    sighting = attendee.seen
    return Person(
        attendee.user_id,
        username,
        attendee.clocked_in,
        sighting.start_minute,
        sighting.end_minute,
        sighting.clock_name,
        end,
        sighting.running,
    )
