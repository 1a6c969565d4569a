"""Gathers the facts of time accounts from people's days. The number of statements does not depend on the number of
people.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.account import Facts, Kept, account_begin
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.days import Booked
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.office.time_account.cache import balance_cache
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.planning.vacation.accounts.balances import FACTS, KnownDays, all_days_of, days_of
from stempelwerk_cloud.timekeeping.times.reading import values
from stempelwerk_cloud.timekeeping.times.reading.worked import WorkedDay, minutes_by_month, minutes_on, worked_days


@dataclass(frozen=True, slots=True)
class Gathered:
    """One person's facts, and the days, holidays and bookings that the account of some months shows."""

    known_days: KnownDays
    employment: Employment
    facts: Facts
    first_entry: date | None
    worked: Mapping[date, WorkedDay]
    holidays: Mapping[date, str]
    bookings: Collection[Booked]


def of_person(
    session: Session,
    company_id: str,
    user_id: str,
    first: date,
    last: date,
    worked: Mapping[date, WorkedDay] | None = None,
) -> Gathered:
    """Returns the facts of an account of the months from `first` to `last` (of one year), and of those before without a
    stored balance.

    `worked`: the work of these days, if it has been read already. The days reach to the end of the year, because its
    vacation is computed from them as well.
    """
    if worked is None:
        worked = worked_days(session, company_id, user_id, first, last)
    read = days_of(session, company_id, [user_id], first.year, last.year)
    # Read after the days: a fact written in between has deleted the balance, and then all days are read.
    carried = balance_cache.of_people(session, company_id, [user_id], first).get(user_id)
    needed_from = carried.first if carried else read.days.employments[user_id].account_begins or date.min
    if not read.reach([user_id], needed_from):
        read = all_days_of(session, company_id, [user_id], last.year)
    loaded_days = read.days
    person, employment = loaded_days.people[user_id], loaded_days.employments[user_id]
    account_begins = employment.account_begins
    first_entry = values.first_days(session, company_id, [user_id]).get(user_id) if account_begins is None else None
    if carried and account_begins and account_begins > carried.first:
        carried = None
    counted_from = carried.first if carried else account_begins or date.min
    actual = {day: worked_day.minutes for day, worked_day in worked.items()}
    if counted_from < first:
        earlier_months = minutes_by_month(session, company_id, {user_id: counted_from}, first - DAY, counted_from)
        actual = earlier_months.get(user_id, {}) | actual
    begin = counted_from if counted_from > date.min else min(actual, default=last).replace(day=1)
    net = {day: actual.get(day, 0) for day in _credited_by_work(loaded_days, user_id, begin, last)}
    facts = _facts(loaded_days, user_id, actual, net, (first, last), first_entry, carried)
    bookings = [
        booking
        for booking in person.booked
        if first <= booking.date <= last and booking.minutes and facts.counts(booking.date)
    ]
    return Gathered(read, employment, facts, first_entry, worked, loaded_days.holidays.names(first, last), bookings)


def of_people(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    last: date,
    *,
    everybody: bool = False,
    from_ever: bool = False,
    read: KnownDays | None = None,
) -> dict[str, Facts]:
    """Returns by person the facts dated up to `last`, by month; only of people who have or had a weekly target.

    `everybody`: of all people. Facts begin at the stored balance, if the person has one. With `from_ever` only a final
    balance counts, because the times before it have been purged. `read`: the people's days, if they have been read for
    leave; they are used if they reach back far enough.
    """
    month = (last.replace(day=1), last)
    carried = balance_cache.of_people(session, company_id, user_ids, date.min if from_ever else month[0])
    without_balance = [user_id for user_id in user_ids if user_id not in carried]
    facts_by_person: dict[str, Facts] = {}
    for first, person_ids in (
        (min([month[0], *(balance.first for balance in carried.values())]), list(carried)),
        (date.min, without_balance),
    ):
        if not person_ids:
            continue
        if read is not None and read.reach(person_ids, first):
            loaded_days = read.days
        else:
            loaded_days = days.load(session, company_id, person_ids, first, last, FACTS)
        begun = {
            user_id: carried[user_id]
            for user_id in person_ids  # their account may begin later than the stored balance
            if user_id in carried
            and (loaded_days.employments[user_id].account_begins or date.min) <= carried[user_id].first
        }
        due = [user_id for user_id in sorted(person_ids) if everybody or loaded_days.people[user_id].terms.ever_due]
        if not due:  # saves reading years of work
            continue
        counted_from = {
            user_id: begun[user_id].first if user_id in begun else loaded_days.employments[user_id].account_begins
            for user_id in due
        }
        worked = minutes_by_month(session, company_id, counted_from, last, month[0])
        begin_days = {
            user_id: counted_from[user_id] or min(worked.get(user_id, ()), default=last).replace(day=1)
            for user_id in due
        }
        needed = {user_id: _credited_by_work(loaded_days, user_id, begin_days[user_id], last) for user_id in due}
        earlier = [(user_id, day) for user_id, days_ in needed.items() for day in days_ if day < month[0]]
        alone = minutes_on(session, company_id, earlier)
        # If the first entry lies after the month, the account has not begun yet.
        later = (
            [user_id for user_id in due if counted_from[user_id] is None and user_id not in worked] if everybody else []
        )
        first_days = values.first_days(session, company_id, later) if later else {}
        for user_id in due:
            actual, net_before = worked.get(user_id, {}), alone.get(user_id, {})
            net = {day: (net_before if day < month[0] else actual).get(day, 0) for day in needed[user_id]}
            first_entry = min(actual, default=first_days.get(user_id))
            facts_by_person[user_id] = _facts(loaded_days, user_id, actual, net, month, first_entry, begun.get(user_id))
    return facts_by_person


def of_month(
    session: Session, company_id: str, first: date, loaded_days: Days, worked: Mapping[str, Mapping[date, int]]
) -> dict[str, Facts]:
    """Returns the facts of this month without a carried balance, for all people in `loaded_days`.

    `worked`: net minutes by person and day. An account that has not begun yet begins with this month, so that its days
    off are paid.
    """
    last = month_of(first)[1]
    unsaid = [user_id for user_id, employment in loaded_days.employments.items() if employment.account_begins is None]
    first_days = values.first_days(session, company_id, unsaid) if unsaid else {}
    facts_by_person: dict[str, Facts] = {}
    for user_id, employment in loaded_days.employments.items():
        first_entry, actual = min(first_days.get(user_id, last), last), worked.get(user_id, {})
        account_begins = account_begin(employment.account_begins, first_entry)
        carried = Kept(first, 0) if account_begins is not None and account_begins < first else None
        net = {day: actual.get(day, 0) for day in _credited_by_work(loaded_days, user_id, first, last)}
        facts_by_person[user_id] = _facts(loaded_days, user_id, actual, net, (first, last), first_entry, carried)
    return facts_by_person


def _credited_by_work(loaded_days: Days, user_id: str, first: date, last: date) -> Collection[date]:
    """Returns the days whose credit depends on the work done on them: excused absences, and some holidays."""
    credited_days = set(loaded_days.people[user_id].excused_between(first, last))
    rules_from = max(first, loaded_days.present_rules)
    if rules_from <= last:
        credited_days |= {
            day
            for day in loaded_days.holidays.off_between(rules_from, last)
            if _pays_lost_time(loaded_days, user_id, day)
        }
    return credited_days


def _pays_lost_time(loaded_days: Days, user_id: str, day: date) -> bool:
    """Whether the day is a legal holiday that credits lost time only: for hourly people, under the present rules (§ 2
    EFZG).
    """
    off = loaded_days.holidays.on(day) if day >= loaded_days.present_rules else None
    return off is not None and off.legal and loaded_days.employments[user_id].pay_type_on(day) == "hourly"


def _facts(
    loaded_days: Days,
    user_id: str,
    actual: Mapping[date, int],
    net: Mapping[date, int],
    period: tuple[date, date],
    first_entry: date | None,
    carried: Kept | None,
) -> Facts:
    person, employment, (first, last) = loaded_days.people[user_id], loaded_days.employments[user_id], period
    account_begins = carried.first if carried else account_begin(employment.account_begins, first_entry) or first
    excused = set(person.excused_between(min(net, default=last), last))
    return Facts(
        person.terms,
        employment.entry_date,
        first_entry,
        employment.opening_minutes,
        actual,
        {day: off.halves for day, off in loaded_days.holidays.off_between(min(first, account_begins), last).items()},
        {day: minutes for day, minutes in net.items() if day in excused},
        person.vacation_between(account_begins, last),
        tuple((booking.date, booking.minutes) for booking in person.booked if booking.date <= last),
        employment.account_from,
        carried,
        lost={day: minutes for day, minutes in net.items() if _pays_lost_time(loaded_days, user_id, day)},
    )
