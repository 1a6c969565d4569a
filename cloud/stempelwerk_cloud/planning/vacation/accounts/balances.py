"""The cost of vacation days and people's vacation accounts, computed from the stored facts.

- Carrying begins with the year of the account's begin (`accountFrom`, else the entry date); the opening days count as
  carried into it. Without either it begins with the year of the first time entry, and before the first entry with the
  current year.
- These days cost nothing: days outside the employment, days without work by the contract, public holidays, free days of
  the company, days with a sick note inside approved vacation (§ 9 BUrlG), and days before `accountFrom`, which are part
  of the opening days.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial, reduce

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import leave
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.leave import AllowanceOn, Balance, Carried, Counts, Lapse, LeaveSpan, YearFacts
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.reading import Fact
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.planning.facts.leave import span_of
from stempelwerk_cloud.planning.facts.rules import rules_from
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation.accounts import carrying, policy
from stempelwerk_cloud.planning.vacation.accounts.carrying import Start
from stempelwerk_cloud.timekeeping.times.reading.values import Recorded, first_days, recorded_of

NOTHING: Mapping[int, int] = {}
_END_OF_CARRYING = 3, 31
"""Month and day of the last day for taking carried days by law (§ 7 (3) BUrlG)."""
FACTS: tuple[Fact, ...] = ("leave", "absences", "bookings", "notices")
"""The kinds of facts that vacation accounts need."""


def cost_of(request: VacationRequest, person: PersonDays, counts: Counts | None = None) -> int:
    """Returns the cost of a request in half days; 0 for a wish. `counts`: the cost of a day, if it differs from the
    person's.
    """
    return leave.cost(span_of(request), counts or person.costs) if request.kind == "vacation" else 0


def returned_of(request: VacationRequest, person: PersonDays) -> int:
    """Returns how many half days of approved vacation the person got back because of a sick note."""
    if request.status != "approved":
        return 0
    back = person.returned
    return cost_of(request, person, lambda day: person.costs(day) if day in back else 0)


@dataclass(frozen=True, slots=True)
class VacationAccount:
    """One person's vacation account up to the last year that was read. Mappings are by year; days are half days."""

    employment: Employment
    person: PersonDays
    first_year: int
    allowance_on: AllowanceOn
    used: Mapping[int, int]
    reserved: Mapping[int, int]
    by_month: Callable[[int], bool]
    """Returns whether the allowance of a year is counted month by month."""
    start: Start | None = None
    """The days carried into the first year, if earlier years are not read; None: read from the beginning.

    Balances before that year are never requested.
    """
    lapses: Mapping[int, Lapse] = field(default_factory=dict)
    booked: dict[int, int] = field(default_factory=dict)

    def cost_by_year(self, *spans: LeaveSpan) -> dict[int, int]:
        """Returns the cost of these days in half days by year, if they were approved."""
        return leave.cost_by_year(spans, self._counts, self.person.returned)

    def lowest_remaining(self, first: int, last: int, more_used: Mapping[int, int] = NOTHING) -> int:
        """Returns the smallest number of half days that remains in any of these years; `more_used` as in `balance`."""
        return min(self.balance(year, more_used).remaining for year in range(first, last + 1))

    def exceeded(self, spans: Sequence[LeaveSpan], last: int) -> tuple[int, int] | None:
        """Returns (remaining half days, half days that these days take) of the first year that they exceed; None if
        enough remains.

        Years from that of the first span up to `last` are checked.
        """
        costs = self.cost_by_year(*spans)
        for year in range(spans[0].start.year, last + 1):
            remaining, remaining_after = self.balance(year).remaining, self.balance(year, costs).remaining
            if remaining_after < 0 and remaining_after < remaining:
                return remaining, remaining - remaining_after
        return None

    def enabled_on(self, day: date) -> bool:
        """Whether vacation is enabled on the day: there is an allowance, or there are carried days in a year without
        one.
        """
        balance = self.balance(day.year)
        return self.allowance_on(day) > 0 or (not balance.allowance and balance.remaining > 0)

    def _counts(self, day: date) -> int:
        return self.person.costs(day) if self.person.counts(day) else 0

    def balance(self, year: int, more_used: Mapping[int, int] = NOTHING) -> Balance:
        """Returns the year's balance, as if `more_used` (half days by year) were used in addition."""
        if year < self.first_year:
            return leave.balances(0, [self._facts(year, more_used)])[0]
        return self._years(year, more_used)[-1][0]

    def next_balances(self, year: int) -> tuple[Balance, Balance]:
        """Returns the balances of the year and of the one after it."""
        if year < self.first_year:
            return self.balance(year), self.balance(year + 1)
        *_, (balance, _), (next_balance, _) = self._years(year + 1)
        return balance, next_balance

    def starts_by_year(self, last: int) -> dict[int, Start]:
        """Returns the carried days at the start of each year, from the first known year to `last`."""
        known_start = self._start
        starts = {} if last < known_start.year else {known_start.year: known_start}
        ended = self._years(last - 1) if last > known_start.year else []
        for year, (_, carried) in enumerate(ended, known_start.year + 1):
            back = self.person.back_from_parental_leave(date(year - 1, 12, 31)) or known_start.parents_back
            starts[year] = Start(year, carried, back)
        return starts

    @property
    def _start(self) -> Start:
        return self.start or Start(self.first_year, Carried(self.employment.opening_vacation_halves))

    def _years(self, last: int, more_used: Mapping[int, int] = NOTHING) -> list[tuple[Balance, Carried]]:
        """Returns, for each year from the start to `last`, its balance and the days that the next year begins with."""
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


@dataclass(frozen=True, slots=True)
class KnownDays:
    """The days of people, as the basis for computing their vacation accounts.

    `year_starts`: where the account continues, for people whose earlier days are not read.
    """

    days: Days
    year_starts: Mapping[str, Start]

    def reach(self, user_ids: Collection[str], first: date) -> bool:
        """Whether the days of all these people were read from `first` on, or from earlier."""
        return all(
            self.year_starts[user_id].first <= first if user_id in self.year_starts else user_id in self.days.people
            for user_id in user_ids
        )


def days_of(session: Session, company_id: str, user_ids: Collection[str], year: int, last: int) -> KnownDays:
    """Reads the days for the years from `year` to `last`, with few statements for any number of people.

    Earlier days are read only for people without stored carried days.
    """
    load = partial(days.load, session, company_id, last=date(last, 12, 31), facts=FACTS, names=[policy.OWN])
    known_starts = carrying.starts_of(session, company_id, user_ids, year)
    earliest = min((start.first for start in known_starts.values()), default=date.min)
    loaded = [load(list(known_starts), earliest)] if known_starts or not user_ids else []
    if known_starts:
        # A fact and the drop of stored starts are committed together: a start that still exists belongs to these facts.
        standing = carrying.starts_of(session, company_id, known_starts, year)
        known_starts = {user_id: start for user_id, start in known_starts.items() if standing.get(user_id) == start}
    if unknown_ids := [user_id for user_id in user_ids if user_id not in known_starts]:
        loaded.append(load(unknown_ids, date.min))
    return KnownDays(reduce(Days.joined, loaded), known_starts)


def all_days_of(session: Session, company_id: str, user_ids: Collection[str], last: int) -> KnownDays:
    """Reads the days of these people from the beginning to the end of the year `last`."""
    loaded_days = days.load(session, company_id, user_ids, date.min, date(last, 12, 31), FACTS, [policy.OWN])
    return KnownDays(loaded_days, {})


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """Everything that a decision about one person's leave depends on: all their days, with the duties from a day on,
    and the bounds of their times.
    """

    user_id: str
    days: Days
    recorded: Recorded

    @property
    def person(self) -> PersonDays:
        return self.days.people[self.user_id]

    @property
    def employment(self) -> Employment:
        return self.days.employments[self.user_id]

    def last_year(self, span: LeaveSpan) -> int:
        """Returns the last year to check for leave: the last that it touches, or a later one with approved vacation."""
        approved = (
            request.span.end.year
            for request in self.person.leave_spans
            if request.kind == "vacation" and request.status == "approved"
        )
        return max([span.end.year, *approved])

    def account(self, today: date) -> VacationAccount:
        """Returns the person's vacation account, from its beginning."""
        first_day = self.recorded.first_day
        first_entries = {} if first_day is None else {self.user_id: first_day}
        return accounts_in(KnownDays(self.days, {}), first_entries, today)[self.user_id]


def facts_of(session: Session, company_id: str, user_id: str, duties_from: date) -> PersonFacts:
    """Reads the facts about one person of the company."""
    facts: tuple[Fact, ...] = (*FACTS, "duties")
    read = days.load(session, company_id, [user_id], date.min, date.max, facts, [policy.OWN], duties_from)
    return PersonFacts(user_id, read, recorded_of(session, company_id, user_id))


def accounts_of(
    session: Session, company_id: str, user_ids: Collection[str], today: date, known_days: KnownDays
) -> dict[str, VacationAccount]:
    """Returns the accounts of these people of the company up to the last year that was read, by user id.

    The accounts know no year before `known_days`.
    """
    employments = known_days.days.employments
    unknown = [user_id for user_id, employment in employments.items() if employment.account_begins is None]
    firsts = first_days(session, company_id, unknown) if unknown else {}
    return accounts_in(known_days, firsts, today)


def accounts_in(known_days: KnownDays, first_entries: Mapping[str, date], today: date) -> dict[str, VacationAccount]:
    """Returns the accounts computed from these days, by user id.

    `first_entries`: the day of the first time entry, for people without a stated begin of their account.
    """
    policies = policy.Policies(known_days.days.company, known_days.days.values)
    present_rules = rules_from(known_days.days.company)
    accounts: dict[str, VacationAccount] = {}
    for user_id, person in known_days.days.people.items():
        employment, start = known_days.days.employments[user_id], known_days.year_starts.get(user_id)
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
        for booking in filter(lambda candidate: person.counts(candidate.date), person.booked):
            in_year = account.booked.get(booking.date.year, 0)
            account.booked[booking.date.year] = in_year + booking.vacation_halves
    return accounts


def _by_month(policies: policy.Policies, user_id: str, employment: Employment, present_rules: date, year: int) -> bool:
    """Whether the months of a year may differ: something changes within the year, and it began under the
    present rules.
    """
    first, last = date(year, 1, 1), date(year, 12, 31)
    if first < present_rules:
        return False
    return policies.changes_within(user_id, first, last) or any(first < day <= last for day, _ in employment.workdays)


def _lapses(
    person: PersonDays, policies: policy.Policies, present_rules: date, today: date, start: Start | None
) -> dict[int, Lapse]:
    """Returns by year which days may have lapsed before `today` because of notices sent in time, from the year of
    `start` on.

    Days lapse on the day that the notice names or on that of the policy, whichever is later, and only under a policy
    that names one. The year before each such year is included, because it decides which days are retained.
    """
    lapses: dict[int, Lapse] = {}
    earliest = date.min if start is None else start.first
    back = None if start is None else start.parents_back
    for notice in sorted(
        filter(lambda candidate: earliest <= candidate.until < today and candidate.timely, person.notices)
    ):
        year = notice.until.year
        day = policies.carried_until(year, notice.until)
        if day is not None and (lapse_day := max(day, notice.until)) < today:
            named_halves = max(notice.halves, lapses[year].named if year in lapses else 0)
            able_from = max(notice.sent_on, date(year, 1, 1))
            lapses[year] = _lapse(person, named_halves, able_from, lapse_day, present_rules, today, back)
    for year in [year - 1 for year in lapses if year - 1 not in lapses and year > earliest.year]:
        carry_end = policies.carried_until(year, date(year, 12, 31)) or date(year, *_END_OF_CARRYING)
        lapses[year] = _lapse(person, 0, date(year, 1, 1), carry_end, present_rules, today, back)
    return lapses


def _lapse(
    person: PersonDays, named_halves: int, first: date, last: date, present_rules: date, today: date, back: date | None
) -> Lapse:
    """Returns the lapse of a year. `back`: when the person returned from Elternzeit or Mutterschutz, if before the read
    days.
    """
    able, as_parent = person.leave_possible(first, last)
    year_ends = date(last.year, 12, 31)
    returned = person.back_from_parental_leave(year_ends) or back
    over = returned is not None and returned.year < last.year and present_rules <= year_ends < today
    return Lapse(named_halves, person.taken_of_carried(last), able, as_parent, over)
