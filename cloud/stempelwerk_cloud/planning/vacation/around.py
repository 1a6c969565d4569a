"""The months of a person's leave, for its decision: their own plans, and the absent colleagues of the department."""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.days import PersonDay
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.employment import service as employments
from stempelwerk_cloud.planning.days import service as days

Own = Literal["vacation", "wish", "absent"]


class Around(NamedTuple):
    """A day. `free`: no workday of the person. `own`: leave that is approved or asked for, or an absence.

    `away`: by username, colleagues who are on approved leave, also for half of it, or ill or excused.
    """

    date: date
    holiday: str | None
    free: bool
    duty: bool
    own: Own | None
    away: Sequence[str]


def days_around(session: Session, company_id: str, user_id: str, span: LeaveSpan) -> list[Around]:
    """Returns the days from the first of its first month to the last of its last.

    Colleagues are those of the same department at its start; for a person without one, all others without one.
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
    names = directory.names_of(session, company_id, near)
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
