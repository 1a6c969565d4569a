"""Availability of people for a duty, and the warnings about their plan.

Both depend on a person's duties and leave around the days concerned, with the planned changes. A caller that acts on
the answer holds the lock of the company's plan (`Lock.PLAN`).
"""

from collections.abc import Collection, Iterable
from datetime import date
from functools import cached_property
from typing import Literal

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import roster
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned, ZoneOn
from stempelwerk_cloud.domain.working_time_act import PlanCode
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.planning.days.reading import Fact
from stempelwerk_cloud.planning.days.service import load
from stempelwerk_cloud.planning.schedule import words

Code = (
    Literal["on_leave", "closure", "pending_leave", "ill", "into_leave", "seventh_day", "sunday", "short_rest"]
    | PlanCode
)
Found = tuple[str, date, Code]
"""A warning: the person's id, the day, and the code."""


class Plan:
    """A copy of the plan of these people around these days (at least one). `put` and `take_out` change only the
    copy.
    """

    def __init__(self, session: Session, company_id: str, user_ids: Iterable[str], days: Collection[date]) -> None:
        self._reach = roster.reach_of(days)
        person_ids = set(user_ids)
        self._people = {user.id: user for user in people_in(session, company_id) if user.id in person_ids}
        facts: tuple[Fact, ...] = ("duties", "leave", "absences", "closures")
        self._known = load(session, company_id, self._people.keys(), *self._reach, facts)
        self._closed = self._known.closed
        self._duties = {user_id: dict(person.duties) for user_id, person in self._known.people.items()}

    def put(self, user_id: str, duty: Planned) -> None:
        self._duties[user_id][duty.date] = duty

    def take_out(self, user_id: str, day: date) -> None:
        if user_id in self._duties:
            self._duties[user_id].pop(day, None)

    def why_not(self, user_id: str, duty: Planned, *, handed_over: bool = False) -> Problem | None:
        """Returns the reason why the person cannot take the duty; None if they can.

        `handed_over`: by a colleague. Then too short a rest, a locked account, illness and other absences prevent it as
        well, and entry and exit are not disclosed.
        """
        person = self._people.get(user_id)
        if person is None:
            return not_found()
        if person.role != USER:
            return words.no_employee()
        if handed_over and person.is_locked:
            return words.not_available()
        return self._not_employed(user_id, duty.date, handed_over) or self._busy(user_id, duty, handed_over)

    def warnings(self, user_ids: Iterable[str]) -> set[Found]:
        """Returns all warnings about the plan of these people."""
        all_warnings: set[Found] = set()
        for user_id in self._duties.keys() & set(user_ids):
            days, person = self._duties[user_id], self._known.people[user_id]
            off = [(person.on(day), duty) for day, duty in days.items() if _is_marked(person, day)]
            of_person: dict[Code, Collection[date]] = {
                "on_leave": [
                    duty.date for day, duty in off if day.on_leave("approved", duty) and duty.date not in self._closed
                ],
                "closure": days.keys() & self._closed,
                "pending_leave": [duty.date for day, duty in off if day.on_leave("pending", duty)],
                "ill": [duty.date for day, duty in off if day.ill],
                "into_leave": [duty.date for duty in days.values() if _runs_into_leave(person, duty)],
                "seventh_day": roster.days_in_a_row(days),
                "sunday": roster.without_substitute(days, self._holidays),
                "short_rest": self._short_rests(user_id, days.values()),
            }
            all_warnings |= {(user_id, day, code) for code, dates in of_person.items() for day in dates}
            limits = self._known.employments[user_id].dated_limits
            beyond = roster.beyond_limits(days.values(), self._zone_on, limits.on)
            all_warnings |= {(user_id, day, code) for day, code in beyond}
        return all_warnings

    def warnings_between(self, first: date, last: date) -> list[Found]:
        """Returns the warnings from `first` to `last`, both included, by day and person."""
        all_warnings = self.warnings(self._duties.keys())
        return in_order(warning for warning in all_warnings if first <= warning[1] <= last)

    def _not_employed(self, user_id: str, day: date, handed_over: bool) -> Problem | None:
        person = self._known.people[user_id]
        if person.employed_on(day):
            return None
        if handed_over:
            return words.not_available()
        return words.before_entry() if person.entry is not None and day < person.entry else words.after_exit()

    def _busy(self, user_id: str, duty: Planned, handed_over: bool) -> Problem | None:
        own_duties = self._duties[user_id]
        if duty.date in own_duties:
            return words.already_assigned()
        day = self._known.people[user_id].on(duty.date)
        if day.on_leave("approved", duty) or (handed_over and day.away):
            return words.not_available()
        if handed_over and self._short_rests(user_id, [*own_duties.values(), duty]) - self._short_rests(
            user_id, own_duties.values()
        ):
            return words.rest_too_short()
        return None

    def _short_rests(self, user_id: str, duties: Iterable[Planned]) -> set[date]:
        limits = self._known.employments[user_id].dated_limits
        return roster.short_rests(duties, self._zone_on, lambda day: limits.on(day).rest_minutes)

    @cached_property
    def _holidays(self) -> Collection[date]:
        return {day for day, off in self._known.holidays.off_between(*self._reach).items() if off.legal}

    @cached_property
    def _zone_on(self) -> ZoneOn:
        return self._known.zone_on


def _is_marked(person: PersonDays, day: date) -> bool:
    return day in person.leave or day in person.absences


def _runs_into_leave(person: PersonDays, duty: Planned) -> bool:
    """Whether the duty continues into the next day, while the person is on leave, ill or excused on that day."""
    if not roster.reaches_next_day(duty) or duty.date == date.max or not _is_marked(person, duty.date + DAY):
        return False
    next_day = person.on(duty.date + DAY)
    return next_day.away or roster.runs_into(duty, next_day.off("approved"))


def in_order(warnings: Iterable[Found]) -> list[Found]:
    """Sorts warnings by day, person and code."""
    return sorted(warnings, key=lambda warning: (warning[1], warning[0], warning[2]))
