"""A company's attendance on a day, from the facts of the day and the entries of its shifts."""

from collections import defaultdict
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.attendance import Attending, Seen, attendance
from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.instants import DAY, day_start
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.entries import service as entries

__all__ = ["Attendance", "Person", "between", "on"]


class Person(NamedTuple):
    """Somebody of the day's lists. `start` and `end`, local minutes: of what they worked, else of their duty."""

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
    """Who is expected on the day and who came, by username; by so many statements whatever the number of people."""
    return between(session, company_id, day, day, now)[day]


def between(session: Session, company_id: str, first: date, last: date, now: datetime) -> dict[date, Attendance]:
    """The same of each of these days. Who has been deleted was there on days that had passed by then."""
    today = directory.today_of(session, company_id, now)
    since = day_start(first, directory.zone_of(session, company_id, now)) if last < today else None
    names = directory.usernames(session, company_id, since)
    known = days.load(session, company_id, names, first, last, ("duties", "leave", "absences"))
    around = entries.of_company(
        session, company_id, first - min(DAY, first - date.min), last + min(DAY, date.max - last), now
    )
    seen: dict[date, dict[str, Seen]] = defaultdict(dict)
    for user_id, own in groupby(around, attrgetter("user_id")):
        worked: dict[date, list[entries.EntryValue]] = defaultdict(list)
        for shift in entries.shifts([*own]):
            worked[entries.shift_day(shift)] += shift
        for day, shifts in worked.items():
            seen[day][user_id] = _seen(shifts)
    found = {}
    for day in days_between(first, last):
        people = {user_id: known.people[user_id].on(day) for user_id in names}
        judged = attendance(people, seen[day], known.zone_on(day), now)
        found[day] = Attendance(*([_person(one, names[one.user_id]) for one in some] for some in judged))
    return found


def _seen(own: list[entries.EntryValue]) -> Seen:
    return Seen(own[0].start_minute, own[-1].end_minute, own[-1].running, own[-1].clock_name)


def _person(one: Attending, username: str) -> Person:
    start, end = (one.duty.start_minute, one.duty.end_minute) if one.duty else (None, None)
    if one.seen is None:
        return Person(one.user_id, username, one.clocked_in, start, end, None, end, running=False)
    seen = one.seen
    return Person(
        one.user_id, username, one.clocked_in, seen.start_minute, seen.end_minute, seen.clock_name, end, seen.running
    )
