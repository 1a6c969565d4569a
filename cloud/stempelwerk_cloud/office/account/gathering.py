"""What accounts are made of, from the days of people: for many by as many statements as for one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.account import Facts, Kept, account_begin
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.days import Booked
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.office.account import kept
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.service import KnownDays
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import WorkedDay


@dataclass(frozen=True, slots=True)
class Gathered:
    """One person's facts, and what an account of some months shows besides figures."""

    known: KnownDays
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
    """What an account of the months from `first` to `last`, of one year, needs, and what was before, as far as nothing
    is kept of it.

    `worked`: what was worked on these days, if it has been read already. The days reach to the end of the year, so that
    its vacation is known from them as well.
    """
    if worked is None:
        worked = entries.worked_days(session, company_id, user_id, first, last)
    read = vacation.days_of(session, company_id, [user_id], first.year, last.year)
    # Read after the days: a fact that came in between has let it fall, and then all days are read.
    carried = kept.of_people(session, company_id, [user_id], first).get(user_id)
    needed_from = carried.first if carried else read.days.employments[user_id].account_begins or date.min
    if not read.reach([user_id], needed_from):
        read = vacation.all_days_of(session, company_id, [user_id], last.year)
    known = read.days
    person, employment = known.people[user_id], known.employments[user_id]
    begins = employment.account_begins
    first_entry = entries.first_days(session, company_id, [user_id]).get(user_id) if begins is None else None
    if carried and begins and begins > carried.first:
        carried = None
    since = carried.first if carried else begins or date.min
    actual = {day: one.minutes for day, one in worked.items()}
    if since < first:
        before = entries.minutes_by_month(session, company_id, {user_id: since}, first - DAY, since)
        actual = before.get(user_id, {}) | actual
    begin = since if since > date.min else min(actual, default=last).replace(day=1)
    net = {day: actual.get(day, 0) for day in _credited_by_work(known, user_id, begin, last)}
    facts = _facts(known, user_id, actual, net, (first, last), first_entry, carried)
    shown = [one for one in person.booked if first <= one.date <= last and one.minutes and facts.counts(one.date)]
    return Gathered(read, employment, facts, first_entry, worked, known.holidays.names(first, last), shown)


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
    """By person, who has or had a weekly target (or of everybody): the facts dated up to `last`, month by month.

    Of whom something is kept, since then; if they are wanted from ever, only where nothing is left before it.
    `read`: their days, if they have been read for leave; where they reach back far enough they are taken.
    """
    month = (last.replace(day=1), last)
    carried = kept.of_people(session, company_id, user_ids, date.min if from_ever else month[0])
    others = [user_id for user_id in user_ids if user_id not in carried]
    found: dict[str, Facts] = {}
    for first, asked in (min([month[0], *(one.first for one in carried.values())]), list(carried)), (date.min, others):
        if not asked:
            continue
        if read is not None and read.reach(asked, first):
            known = read.days
        else:
            known = days.load(session, company_id, asked, first, last, vacation.FACTS)
        begun = {
            user_id: carried[user_id]
            for user_id in asked  # whose account may begin later than what is kept of it
            if user_id in carried and (known.employments[user_id].account_begins or date.min) <= carried[user_id].first
        }
        due = [user_id for user_id in sorted(asked) if everybody or known.people[user_id].terms.ever_due]
        if not due:  # and years of work need not be read for it
            continue
        since = {
            user_id: begun[user_id].first if user_id in begun else known.employments[user_id].account_begins
            for user_id in due
        }
        worked = entries.minutes_by_month(session, company_id, since, last, month[0])
        begins = {
            user_id: since[user_id] or min(worked.get(user_id, ()), default=last).replace(day=1) for user_id in due
        }
        needed = {user_id: _credited_by_work(known, user_id, begins[user_id], last) for user_id in due}
        earlier = [(user_id, day) for user_id, days_ in needed.items() for day in days_ if day < month[0]]
        alone = entries.minutes_on(session, company_id, earlier)
        # Whose first entry lies after the month has an account that has not begun by then.
        later = [user_id for user_id in due if since[user_id] is None and user_id not in worked] if everybody else []
        first_days = entries.first_days(session, company_id, later) if later else {}
        for user_id in due:
            actual, before = worked.get(user_id, {}), alone.get(user_id, {})
            net = {day: (before if day < month[0] else actual).get(day, 0) for day in needed[user_id]}
            first_entry = min(actual, default=first_days.get(user_id))
            found[user_id] = _facts(known, user_id, actual, net, month, first_entry, begun.get(user_id))
    return found


def of_month(
    session: Session, company_id: str, first: date, known: Days, worked: Mapping[str, Mapping[date, int]]
) -> dict[str, Facts]:
    """Returns the facts of this month alone, of all people in `known`: nothing is carried into it.

    `worked`: net minutes by person and day. An account that has not begun yet begins with this month, so that days off
    are paid.
    """
    last = month_of(first)[1]
    unsaid = [user_id for user_id, one in known.employments.items() if one.account_begins is None]
    first_days = entries.first_days(session, company_id, unsaid) if unsaid else {}
    found: dict[str, Facts] = {}
    for user_id, employment in known.employments.items():
        first_entry, actual = min(first_days.get(user_id, last), last), worked.get(user_id, {})
        begins = account_begin(employment.account_begins, first_entry)
        carried = Kept(first, 0) if begins is not None and begins < first else None
        net = {day: actual.get(day, 0) for day in _credited_by_work(known, user_id, first, last)}
        found[user_id] = _facts(known, user_id, actual, net, (first, last), first_entry, carried)
    return found


def _credited_by_work(known: Days, user_id: str, first: date, last: date) -> Collection[date]:
    """Returns the days whose credit depends on what was worked on them: excused absences, and some holidays."""
    found = set(known.people[user_id].excused_between(first, last))
    since = max(first, known.present_rules)
    if since <= last:
        found |= {day for day in known.holidays.off_between(since, last) if _pays_lost_time(known, user_id, day)}
    return found


def _pays_lost_time(known: Days, user_id: str, day: date) -> bool:
    """Whether a day is a holiday by law that credits lost time only: an hourly person's, since the present rules hold
    (§ 2 EFZG).
    """
    off = known.holidays.on(day) if day >= known.present_rules else None
    return off is not None and off.legal and known.employments[user_id].pay_type_on(day) == "hourly"


def _facts(
    known: Days,
    user_id: str,
    actual: Mapping[date, int],
    net: Mapping[date, int],
    shown: tuple[date, date],
    first_entry: date | None,
    carried: Kept | None,
) -> Facts:
    person, employment, (first, last) = known.people[user_id], known.employments[user_id], shown
    begins = carried.first if carried else account_begin(employment.account_begins, first_entry) or first
    excused = set(person.excused_between(min(net, default=last), last))
    return Facts(
        person.terms,
        employment.entry_date,
        first_entry,
        employment.opening_minutes,
        actual,
        {day: off.halves for day, off in known.holidays.off_between(min(first, begins), last).items()},
        {day: minutes for day, minutes in net.items() if day in excused},
        person.vacation_between(begins, last),
        tuple((one.date, one.minutes) for one in person.booked if one.date <= last),
        employment.account_from,
        carried,
        lost={day: minutes for day, minutes in net.items() if _pays_lost_time(known, user_id, day)},
    )
