"""Who can take a duty, and what a plan is to be warned of.

Both are judged by what a person's plan is and would be around the days in question: their duties, their leave. Who
decides by the answer has the company's plan (`Lock.PLAN`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date
from functools import cached_property, lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import roster
from stempelwerk_cloud.domain.roster import Planned, ZoneOn
from stempelwerk_cloud.domain.working_time_act import DatedLimits
from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import TIME_ZONE, USER
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.planning.hours import service as hours
from stempelwerk_cloud.planning.schedule import problems, repository
from stempelwerk_cloud.planning.vacation import service as vacation

Code = Literal["pending_leave", "seventh_day", "sunday", "short_rest"]
STATUSES: tuple[vacation.Status, ...] = ("approved", "pending")
"""What of leave counts for a plan."""
Found = tuple[str, date, Code]
"""Of whom, on which day, what."""


def zone_on(session: Session, company_id: str) -> ZoneOn:
    """The company's time zone on a local day."""
    changes = directory.setting_changes(session, company_id)
    return lru_cache(lambda day: ZoneInfo(InForce(changes, day)[TIME_ZONE]))


class Plan:
    """The plan of these people around these days (at least one), as it stands; `put` and `take_out` make another of it.

    Nothing is written by it.
    """

    def __init__(self, session: Session, company_id: str, user_ids: Iterable[str], days: Collection[date]) -> None:
        self._session, self._company_id = session, company_id
        self._first, self._last = roster.reach_of(days)
        asked = set(user_ids)
        self._people = {user.id: user for user in directory.people_in(session, company_id) if user.id in asked}
        self._jobs = employment.people_of(session, company_id, self._people.keys())
        self._duties: dict[str, dict[str, Planned]] = defaultdict(dict)
        for duty in repository.between(session, company_id, self._first, self._last, asked):
            self.put(duty.user_id, duty.id, Planned(duty.date, duty.start_minute, duty.end_minute))
        self._leave: dict[str, list[vacation.Leave]] = defaultdict(list)
        for leave in vacation.leave_between(session, company_id, asked, min(days), max(days), STATUSES):
            self._leave[leave.user_id].append(leave)
        self._zone_on = zone_on(session, company_id)
        self._limits = employment.limits_of(session, company_id)

    def put(self, user_id: str, duty_id: str, duty: Planned) -> None:
        self._duties[user_id][duty_id] = duty

    def take_out(self, user_id: str, duty_id: str) -> None:
        self._duties[user_id].pop(duty_id, None)

    def why_not(self, user_id: str, duty: Planned, *, handed_over: bool = False) -> Problem | None:
        """What keeps the person from the duty; None if nothing does.

        `handed_over` by a colleague: too short a rest and a locked account keep them from it as well, and nothing is
        said of their entry or exit.
        """
        person = self._people.get(user_id)
        if person is None:
            return not_found()
        if person.role != USER:
            return problems.no_employee()
        if handed_over and person.is_locked:
            return problems.not_available()
        return self._not_employed(user_id, duty.date, handed_over) or self._busy(user_id, duty, handed_over)

    def warnings(self, user_ids: Iterable[str]) -> set[Found]:
        """All that these people's plan is to be warned of."""
        found: set[Found] = set()
        for user_id in user_ids:
            own = list(self._duties[user_id].values())
            days = {duty.date for duty in own}
            of_person: dict[Code, Collection[date]] = {
                "pending_leave": [day for day in days if self._on_leave(user_id, day, "pending")],
                "seventh_day": roster.days_in_a_row(days),
                "sunday": roster.without_substitute(days, self._holidays),
                "short_rest": self._short_rests(user_id, own),
            }
            found |= {(user_id, day, code) for code, dates in of_person.items() for day in dates}
        return found

    def _not_employed(self, user_id: str, day: date, handed_over: bool) -> Problem | None:
        job = self._jobs[user_id]
        if job.employed_on(day):
            return None
        if handed_over:
            return problems.not_available()
        return problems.before_entry() if job.entry_date is not None and day < job.entry_date else problems.after_exit()

    def _busy(self, user_id: str, duty: Planned, handed_over: bool) -> Problem | None:
        own = list(self._duties[user_id].values())
        if any(other.date == duty.date for other in own):
            return problems.already_assigned()
        if self._on_leave(user_id, duty.date, "approved"):
            return problems.not_available()
        if handed_over and self._short_rests(user_id, [*own, duty]) - self._short_rests(user_id, own):
            return problems.rest_too_short()
        return None

    def _on_leave(self, user_id: str, day: date, status: vacation.Status) -> bool:
        """Also on half a day: a duty is no half."""
        return any(leave.status == status and leave.start <= day <= leave.end for leave in self._leave[user_id])

    def _short_rests(self, user_id: str, duties: Iterable[Planned]) -> set[date]:
        limits = self._limits.get(user_id, DatedLimits())
        return roster.short_rests(duties, self._zone_on, lambda day: limits.on(day).rest_minutes)

    @cached_property
    def _holidays(self) -> Collection[date]:
        return hours.holidays_between(self._session, self._company_id, self._first, self._last).keys()
