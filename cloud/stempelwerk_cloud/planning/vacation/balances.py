"""Whose day costs a vacation day, and the vacation accounts of people, from what the rooms below know of them.

Carrying begins with the year in which the account does (`accountFrom`, else the entry date), in which the opening days
count as carried; without one with the year of the first time entry, and before there is one with the current year. Days
outside of the employment, on which the person does not work, public holidays and free days of the company cost nothing;
neither do days with a sick note inside approved vacation (§ 9 BUrlG), nor days before `accountFrom`: those are part of
the opening days.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial, reduce

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.leave import AllowanceOn, Balance, Carried, Counts, Lapse, LeaveSpan, YearFacts
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.planning.facts.leave import span_of
from stempelwerk_cloud.planning.facts.rules import rules_from
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import carrying, policy, repository
from stempelwerk_cloud.planning.vacation.carrying import Start
from stempelwerk_cloud.timekeeping.entries import service as entries

NOTHING: Mapping[int, int] = {}
_END_OF_CARRYING = 3, 31
"""Month and day until which carried days can be taken by law (§ 7 (3) BUrlG)."""
_UNPAID: tuple[days.Fact, ...] = ("absences",)
FACTS: tuple[days.Fact, ...] = ("leave", "absences", "bookings", "notices")
"""What accounts of vacation are made of."""


def cost_of(request: VacationRequest, person: PersonDays, counts: Counts | None = None) -> int:
    """What a request costs, in half days; a wish costs nothing. `counts`: what a day costs, unless as theirs do."""
    return leave.cost(span_of(request), counts or person.costs) if request.kind == "vacation" else 0


def returned_of(request: VacationRequest, person: PersonDays) -> int:
    """What of approved vacation came back, in half days, since for it a sick note was handed in."""
    if request.status != "approved":
        return 0
    back = person.returned
    return cost_of(request, person, lambda day: person.costs(day) if day in back else 0)


def workdays_of(session: Session, company_id: str, user_ids: Collection[str]) -> Days:
    """The days of these people, all of the company, with their absences: leave costs nothing on unpaid days."""
    return days.load(session, company_id, user_ids, date.min, date.max, facts=_UNPAID)


@dataclass(frozen=True, slots=True)
class VacationAccount:
    """What one person's vacation rests on, up to the year for which it was read; by year, in half days."""

    employment: Employment
    person: PersonDays
    begins: int
    allowance_on: AllowanceOn
    used: Mapping[int, int]
    reserved: Mapping[int, int]
    by_month: Callable[[int], bool]
    """Whether a year's allowance is counted month by month."""
    start: Start | None = None
    """With what the account goes on, where years before are not read; no balance before its year is asked for."""
    lapses: Mapping[int, Lapse] = field(default_factory=dict)
    booked: dict[int, int] = field(default_factory=dict)

    def cost_by_year(self, *spans: LeaveSpan) -> dict[int, int]:
        """What these days would use up if they were approved."""
        return leave.cost_by_year(spans, self._counts, self.person.returned)

    def least(self, first: int, last: int, more_used: Mapping[int, int] = NOTHING) -> int:
        """The least that remains in any of these years, as `balance`."""
        return min(self.balance(year, more_used).remaining for year in range(first, last + 1))

    def exceeded(self, spans: Sequence[LeaveSpan], last: int) -> tuple[int, int] | None:
        """What remains, and what of it these days would take, in the first year up to `last` where that is more than
        remains.
        """
        costs = self.cost_by_year(*spans)
        for year in range(spans[0].start.year, last + 1):
            remaining, after = self.balance(year).remaining, self.balance(year, costs).remaining
            if after < 0 and after < remaining:
                return remaining, remaining - after
        return None

    def enabled_on(self, day: date) -> bool:
        """Whether vacation is switched on, or a year without any allowance has carried days to take."""
        balance = self.balance(day.year)
        return self.allowance_on(day) > 0 or (not balance.allowance and balance.remaining > 0)

    def _counts(self, day: date) -> int:
        return self.person.costs(day) if self.person.counts(day) else 0

    def balance(self, year: int, more_used: Mapping[int, int] = NOTHING) -> Balance:
        """The year's balance; as it would be if `more_used` were used besides."""
        if year < self.begins:
            return leave.balances(0, [self._facts(year, more_used)])[0]
        return self._years(year, more_used)[-1][0]

    def next_balances(self, year: int) -> tuple[Balance, Balance]:
        """Returns the balances of the year and of the one after it."""
        if year < self.begins:
            return self.balance(year), self.balance(year + 1)
        *_, (balance, _), (after, _) = self._years(year + 1)
        return balance, after

    def starts(self, last: int) -> dict[int, Start]:
        """Returns by year what it begins with, from the first one that is known to the last one."""
        known = self._start
        found = {} if last < known.year else {known.year: known}
        ended = self._years(last - 1) if last > known.year else []
        for year, (_, carried) in enumerate(ended, known.year + 1):
            back = self.person.back_from_parental_leave(date(year - 1, 12, 31)) or known.parents_back
            found[year] = Start(year, carried, back)
        return found

    @property
    def _start(self) -> Start:
        return self.start or Start(self.begins, Carried(self.employment.opening_vacation_halves))

    def _years(self, last: int, more_used: Mapping[int, int] = NOTHING) -> list[tuple[Balance, Carried]]:
        """Returns the years from the start to the last one, each with what the next one begins with."""
        first, carried, _ = self._start
        if last < first:
            raise ValueError(f"the years before {first} are not read")
        return list(leave.carry(carried, (self._facts(year, more_used) for year in range(first, last + 1))))

    def _facts(self, year: int, more_used: Mapping[int, int]) -> YearFacts:
        return YearFacts(
            leave.allowance_of(
                year,
                self.allowance_on,
                self.employment.entry_date,
                self.employment.exit_date,
                self.employment.workdays_on,
                by_month=self.by_month(year),
            ),
            self.booked.get(year, 0),
            self.used.get(year, 0) + more_used.get(year, 0),
            self.reserved.get(year, 0),
            self.lapses.get(year),
        )


def years_of(session: Session, company_id: str, user_id: str, span: LeaveSpan) -> tuple[int, int]:
    """The first and the last year by which leave is judged: those it touches, and later ones with approved leave."""
    last = repository.last_year_approved(session, company_id, user_id) or 0
    return span.start.year, max(span.end.year, last)


@dataclass(frozen=True, slots=True)
class KnownDays:
    """The days of people that accounts of vacation are made of: from ever, or from where the account goes on."""

    days: Days
    starts: Mapping[str, Start]

    def reach(self, user_ids: Collection[str], first: date) -> bool:
        """Tells whether the days of these people were read from `first` on, or earlier."""
        return all(
            self.starts[one].first <= first if one in self.starts else one in self.days.people for one in user_ids
        )


def days_of(session: Session, company_id: str, user_ids: Collection[str], year: int, last: int) -> KnownDays:
    """Returns the days for the years from `year` to `last`, with few statements for any number of people.

    Earlier days are read only for people without kept leave.
    """
    load = partial(days.load, session, company_id, last=date(last, 12, 31), facts=FACTS, names=[policy.OWN])
    starts = carrying.starts_of(session, company_id, user_ids, year)
    since = min((start.first for start in starts.values()), default=date.min)
    found = [load(list(starts), since)] if starts or not user_ids else []
    if starts:
        # A fact and the fall of what is kept are committed together: a start that still stands belongs to these facts.
        standing = carrying.starts_of(session, company_id, starts, year)
        starts = {user_id: start for user_id, start in starts.items() if standing.get(user_id) == start}
    if others := [user_id for user_id in user_ids if user_id not in starts]:
        found.append(load(others, date.min))
    return KnownDays(reduce(Days.joined, found), starts)


def all_days_of(session: Session, company_id: str, user_ids: Collection[str], last: int) -> KnownDays:
    """Returns the days of all years up to the last one."""
    found = days.load(session, company_id, user_ids, date.min, date(last, 12, 31), FACTS, [policy.OWN])
    return KnownDays(found, {})


def accounts_of(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    year: int,
    today: date,
    known: KnownDays | None = None,
) -> dict[str, VacationAccount]:
    """The accounts of these people, all of the company, up to the end of a year, by few statements.

    `known`: their days, if they have been read (`days_of`), so that the accounts know no year before those; else they
    are read from ever.
    """
    known = known or all_days_of(session, company_id, user_ids, year)
    employments = known.days.employments
    unknown = [user_id for user_id, employment in employments.items() if employment.account_begins is None]
    firsts = entries.first_days(session, company_id, unknown) if unknown else {}
    return accounts_in(known, firsts, today)


def accounts_in(known: KnownDays, first_entries: Mapping[str, date], today: date) -> dict[str, VacationAccount]:
    """The accounts that these days make.

    `first_entries`: the day of the first one of those of whom nothing says when their account begins.
    """
    policies = policy.Policies(known.days.company, known.days.values)
    present_rules = rules_from(known.days.company)
    accounts: dict[str, VacationAccount] = {}
    for user_id, person in known.days.people.items():
        employment, start = known.days.employments[user_id], known.starts.get(user_id)
        vacation = person.vacation_by_year()
        account = accounts[user_id] = VacationAccount(
            employment,
            person,
            (employment.account_begins or first_entries.get(user_id, today)).year,
            partial(policies.allowance_on, user_id, employment.workdays_on),
            used=vacation["approved"],
            reserved=vacation["pending"],
            by_month=partial(_by_month, policies, user_id, employment, present_rules),
            start=start,
            lapses=_lapses(person, policies, present_rules, today, start),
        )
        for booking in filter(lambda one: person.counts(one.date), person.booked):
            in_year = account.booked.get(booking.date.year, 0)
            account.booked[booking.date.year] = in_year + booking.vacation_halves
    return accounts


def _by_month(policies: policy.Policies, user_id: str, employment: Employment, present_rules: date, year: int) -> bool:
    """Whether months of a year may differ: something changes in it, and it began under the present rules."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    if first < present_rules:
        return False
    return policies.changes_within(user_id, first, last) or any(first < day <= last for day, _ in employment.workdays)


def _lapses(
    person: PersonDays, policies: policy.Policies, present_rules: date, today: date, start: Start | None
) -> dict[int, Lapse]:
    """Returns by year what may have lapsed before `today` through notices sent in time, from the year of `start` on.

    Days lapse on the day of the notice or of the policy, whichever is later, and only under a policy that names one.
    The year before each such year is included, because it decides what was kept back.
    """
    found: dict[int, Lapse] = {}
    since = date.min if start is None else start.first
    back = None if start is None else start.parents_back
    for notice in sorted(filter(lambda one: since <= one.until < today and one.timely, person.notices)):
        year = notice.until.year
        day = policies.carried_until(year, notice.until)
        if day is not None and (until := max(day, notice.until)) < today:
            named = max(notice.halves, found[year].named if year in found else 0)
            begins = max(notice.sent_on, date(year, 1, 1))
            found[year] = _lapse(person, named, begins, until, present_rules, today, back)
    for year in [year - 1 for year in found if year - 1 not in found and year > since.year]:
        ends = policies.carried_until(year, date(year, 12, 31)) or date(year, *_END_OF_CARRYING)
        found[year] = _lapse(person, 0, date(year, 1, 1), ends, present_rules, today, back)
    return found


def _lapse(
    person: PersonDays, named: int, first: date, last: date, present_rules: date, today: date, back: date | None
) -> Lapse:
    """`back`: when the person came back from Elternzeit or Mutterschutz, if that was before the days that were read."""
    able, as_parent = person.leave_possible(first, last)
    year_ends = date(last.year, 12, 31)
    returned = person.back_from_parental_leave(year_ends) or back
    over = returned is not None and returned.year < last.year and present_rules <= year_ends < today
    return Lapse(named, person.taken_of_carried(last), able, as_parent, over)
