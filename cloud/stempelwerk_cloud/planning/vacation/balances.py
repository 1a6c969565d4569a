"""Whose day costs a vacation day, and the vacation accounts of people, from what the rooms below know of them.

Carrying begins with the year of the entry date, in which the opening days count as carried; without an entry date with
the year of the first time entry, and before there is one with the current year. Days outside of the employment, the
person's free days and public holidays cost nothing; days with a sick note inside approved vacation neither (§ 9 BUrlG).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.leave import AllowanceOn, Balance, Counts, LeaveSpan, YearFacts
from stempelwerk_cloud.people.employment import service as employments
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.bookings import service as bookings
from stempelwerk_cloud.planning.hours import service as hours
from stempelwerk_cloud.planning.vacation import policy, repository
from stempelwerk_cloud.planning.vacation.tables import VacationRequest
from stempelwerk_cloud.timekeeping.entries import service as entries

NOTHING: Mapping[int, int] = {}


def span_of(request: VacationRequest) -> LeaveSpan:
    return LeaveSpan(request.start_date, request.end_date, request.start_half, request.end_half)


@dataclass(frozen=True, slots=True)
class Workdays:
    """People's employments, and the public holidays of the days for which it was made."""

    people: Mapping[str, Employment]
    holidays: Mapping[date, str]

    def counts(self, user_id: str) -> Counts:
        """Whether a day of vacation costs the person anything."""
        return partial(_counts, self.people[user_id], self.holidays)

    def cost(self, request: VacationRequest) -> int:
        """What a request costs, in half days; a wish costs nothing."""
        if request.kind != "vacation":
            return 0
        return leave.cost(span_of(request), self.counts(request.user_id))


def workdays_of(session: Session, company_id: str, user_ids: Collection[str], spans: Iterable[LeaveSpan]) -> Workdays:
    """The workdays of these people, all of the company, for these days."""
    people = employments.people_of(session, company_id, user_ids)
    return Workdays(people, _holidays(session, company_id, list(spans)))


@dataclass(frozen=True, slots=True)
class VacationAccount:
    """What one person's vacation rests on, up to the year for which it was read; by year, in half days."""

    employment: Employment
    counts: Counts
    begins: int
    allowance_on: AllowanceOn
    sick: Collection[date] = ()
    booked: dict[int, int] = field(default_factory=dict)
    used: Mapping[int, int] = field(default_factory=dict)
    reserved: Mapping[int, int] = field(default_factory=dict)

    def cost_by_year(self, span: LeaveSpan) -> dict[int, int]:
        """What these days would use up if they were approved."""
        return leave.cost_by_year([span], self.counts, self.sick)

    def balance(self, year: int, more_used: Mapping[int, int] = NOTHING) -> Balance:
        """The year's balance; as it would be if `more_used` were used besides."""
        if year < self.begins:
            return leave.balances(0, [self._facts(year, more_used)])[0]
        years = [self._facts(one, more_used) for one in range(self.begins, year + 1)]
        return leave.balances(self.employment.opening_vacation_halves, years)[-1]

    def _facts(self, year: int, more_used: Mapping[int, int]) -> YearFacts:
        return YearFacts(
            leave.allowance_of(year, self.allowance_on, self.employment.entry_date, self.employment.exit_date),
            self.booked.get(year, 0),
            self.used.get(year, 0) + more_used.get(year, 0),
            self.reserved.get(year, 0),
        )


def accounts_of(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    year: int,
    today: date,
    about: LeaveSpan | None = None,
) -> dict[str, VacationAccount]:
    """The accounts of these people, all of the company, up to the end of a year, by few statements.

    `about`: days besides of which something is to be known that is not approved yet.
    """
    people = employments.people_of(session, company_id, user_ids)
    begins = _begins(session, company_id, people, today)
    first = date(min([year, *begins.values()]), 1, 1)
    last = date(year, 12, 31)
    found: dict[str, list[VacationRequest]] = {}
    for request in repository.between(session, company_id, user_ids, first, last, ("approved", "pending")):
        if request.kind == "vacation":
            found.setdefault(request.user_id, []).append(request)
    spans = [span_of(request) for requests in found.values() for request in requests]
    spans += [] if about is None else [about]
    workdays = Workdays(people, _holidays(session, company_id, spans))
    sick = _sick(session, company_id, user_ids, spans)
    policies = policy.policies_of(session, company_id, user_ids)
    booked = bookings.of_people(session, company_id, user_ids, last)
    accounts: dict[str, VacationAccount] = {}
    for user_id, employment in people.items():
        counts, ill = workdays.counts(user_id), sick.get(user_id, ())
        of_status = {
            status: [span_of(request) for request in found.get(user_id, ()) if request.status == status]
            for status in ("approved", "pending")
        }
        account = accounts[user_id] = VacationAccount(
            employment,
            counts,
            begins[user_id],
            partial(policies.allowance_on, user_id),
            ill,
            used=leave.cost_by_year(of_status["approved"], counts, ill),
            reserved=leave.cost_by_year(of_status["pending"], counts),
        )
        for booking in booked.get(user_id, ()):
            in_year = account.booked.get(booking.date.year, 0)
            account.booked[booking.date.year] = in_year + booking.vacation_halves
    return accounts


def _counts(employment: Employment, holidays: Mapping[date, str], day: date) -> bool:
    return employment.employed_on(day) and day not in holidays and day.weekday() in employment.workdays_on(day)


def _begins(session: Session, company_id: str, people: Mapping[str, Employment], today: date) -> dict[str, int]:
    """The year with which each one's carrying begins."""
    unknown = [user_id for user_id, employment in people.items() if employment.entry_date is None]
    firsts = entries.first_days(session, company_id, unknown) if unknown else {}
    return {
        user_id: (employment.entry_date or firsts.get(user_id, today)).year for user_id, employment in people.items()
    }


def _holidays(session: Session, company_id: str, spans: Collection[LeaveSpan]) -> Mapping[date, str]:
    """The public holidays from the first to the last of these days."""
    if not spans:
        return {}
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    return hours.holidays_between(session, company_id, first, last)


def _sick(
    session: Session, company_id: str, user_ids: Collection[str], spans: Collection[LeaveSpan]
) -> dict[str, set[date]]:
    """By person: the days with a sick note, as far as these days reach."""
    if not spans:
        return {}
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    found: dict[str, set[date]] = {}
    for day in absences.days_of(session, company_id, user_ids, first, last):
        if day.kind == "sick" and day.noted and day.status != "declined":
            found.setdefault(day.user_id, set()).add(day.date)
    return found
