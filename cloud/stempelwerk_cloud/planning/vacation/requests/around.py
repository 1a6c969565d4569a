"""The months around a person's requested leave, for deciding it: their own plans, and the absent colleagues."""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.days import PersonDay
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.people.directory.people import names_of
from stempelwerk_cloud.people.employment import service as employments
from stempelwerk_cloud.planning.days import service as days

Own = Literal["vacation", "wish", "absent"]


class Around(NamedTuple):
    """A day around the leave. `free`: it is no workday of the person. `own`: approved or requested leave, or an
    absence.

    `away`: the usernames of colleagues who are ill, excused, or on approved leave (also for half the day).
    """

    date: date
    holiday: str | None
    free: bool
    duty: bool
    own: Own | None
    away: Sequence[str]


def days_around(session: Session, company_id: str, user_id: str, span: LeaveSpan) -> list[Around]:
    """Returns all days of the months from the first to the last day of the leave.

    Colleagues are those of the same department on its first day; for a person without one, all others without one.
    """
    first, last = month_of(span.start)[0], month_of(span.end)[1]
    known_employments = employments.people_of(session, company_id)
    departments = {
        person_id: employment.department_on(span.start) for person_id, employment in known_employments.items()
    }
    near = {person_id for person_id, department in departments.items() if department == departments.get(user_id)} | {
        user_id
    }
    people = days.load(session, company_id, near, first, last, ["duties", "leave", "absences"]).people
    names = names_of(session, company_id, near)
    away: dict[date, list[str]] = {}
    for person_id, person in people.items():
        for day in {*person.leave, *person.absences} if person_id != user_id else ():
            if any(person.on(day).off("approved")) or person.on(day).away:
                away.setdefault(day, []).append(names[person_id])
    own_days = [people[user_id].on(day) for day in days_between(first, last)]
    return [
        Around(
            day.date,
            day.holiday and day.holiday.name,
            not day.workday,
            day.duty is not None,
            _own_plan(day),
            sorted(away.get(day.date, ())),
        )
        for day in own_days
    ]


def _own_plan(day: PersonDay) -> Own | None:
    if day.absence is not None:
        return "absent"
    return day.leave[0].kind if day.leave else None
