"""People's days for every room that computes with them: all rooms read the same facts and get the same result.

One statement reads them, for any number of people and days (`reading`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.calendar import shifted
from stempelwerk_cloud.domain.days import (
    PARENTS_REASONS,
    UNPAID_REASONS,
    AbsentDay,
    Booked,
    Leave,
    Off,
    Owed,
    PersonDays,
)
from stempelwerk_cloud.domain.leave import LeaveSpan, Notice
from stempelwerk_cloud.domain.roster import Planned, ZoneOn
from stempelwerk_cloud.domain.surcharges import Surcharges, stretch, surcharges
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.companies import today_in, zones
from stempelwerk_cloud.people.employment.values import NAMES, Employment, employment_of
from stempelwerk_cloud.planning.days import reading
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.days.reading import ALL, Fact
from stempelwerk_cloud.planning.facts import hours
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.facts.leave import read_ranges, span_of
from stempelwerk_cloud.planning.facts.rules import rules_from
from stempelwerk_cloud.planning.facts.tables import Absence, VacationRequest
from stempelwerk_cloud.timekeeping.times.reading import values as reading_values
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue, of_company, of_person
from stempelwerk_cloud.timekeeping.times.reading.worked import minutes_on

_AWAY: Collection[Fact] = ("leave", "absences")


@dataclass(frozen=True, slots=True)
class Days:
    """The days of people: `company` and `values` are the dated settings as stored, `people` the computed days by user
    id.

    `present_rules`: the first day of the present rules of time accounts and leave. `closed`: the days of company
    holidays.
    """

    company: Sequence[Change]
    values: Mapping[str, Sequence[Change]]
    holidays: Holidays
    employments: Mapping[str, Employment]
    people: Mapping[str, PersonDays]
    present_rules: date
    closed: Collection[date] = ()

    def joined(self, other_people: "Days") -> "Days":
        """Returns these days together with those of other people of the same company."""
        return replace(
            self,
            values={**self.values, **other_people.values},
            employments={**self.employments, **other_people.employments},
            people={**self.people, **other_people.people},
        )

    def today(self, now: datetime) -> date:
        """Returns the company's local day at an instant."""
        return today_in(self.company, now)

    @property
    def zone_on(self) -> ZoneOn:
        """A function that returns the company's time zone on a local day."""
        return zones(self.company)


def load(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    first: date,
    last: date,
    facts: Collection[Fact] = ALL,
    names: Collection[str] = (),
    duties_from: date | None = None,
) -> Days:
    """Reads the days of these people from `first` to `last`, both included; `date.min`: from the beginning.

    Only these facts are read; the others are treated as empty. `names`: further values of people that the caller needs.
    `duties_from`: the first day of the duties, if not `first`.
    The caller has verified that the people belong to the company.
    """
    person_ids = sorted(set(user_ids))
    stored = reading.read(session, company_id, person_ids, first, last, facts, duties_from)
    company = [Change(*setting_row) for setting_row in sorted(stored.settings, key=itemgetter(1))]
    targets = hours.Targets(company)
    holidays = Holidays(
        company, {day: Off(name, 1 if half else 2, bool(legal)) for day, name, half, legal in stored.free}
    )
    present_rules = rules_from(company)
    value_names = {*NAMES, hours.WEEKLY_TARGET, *names}
    values: dict[str, list[Change]] = defaultdict(list)
    for user_id, name, valid_from, value in sorted(stored.values, key=itemgetter(2)):
        if name in value_names:
            values[user_id].append(Change(name, valid_from, value))
    employments = {user_id: employment_of(values.get(user_id, ())) for user_id in person_ids}
    stored = stored._replace(absences=filter_in_force(session, company_id, stored.absences, company))
    person_facts = _by_person(stored, first, last, present_rules)
    owed = Owed.from_holidays(holidays.on)
    people = {
        user_id: PersonDays(
            Terms(
                targets.for_person(values.get(user_id, ())),
                employed.workdays,
                employed.entry_date,
                employed.exit_date,
                [day for day, absence in person_facts.absences.get(user_id, {}).items() if absence.unpaid],
            ),
            holidays.on,
            employed.entry_date,
            employed.exit_date,
            employed.workdays,
            person_facts.leave.get(user_id, ()),
            person_facts.absences.get(user_id, {}),
            person_facts.duties.get(user_id, {}),
            person_facts.bookings.get(user_id, ()),
            employed.account_from,
            person_facts.notices.get(user_id, ()),
            owed,
        )
        for user_id, employed in employments.items()
    }
    closed = {day for start, end in stored.closures for day in days_between(max(start, first), min(end, last))}
    return Days(company, values, holidays, employments, people, present_rules, closed)


class _Facts(NamedTuple):
    """The facts that were read, by user id."""

    leave: dict[str, list[Leave]]
    absences: dict[str, dict[date, AbsentDay]]
    duties: dict[str, dict[date, Planned]]
    bookings: dict[str, list[Booked]]
    notices: dict[str, list[Notice]]


def _by_person(stored: reading.Written, first: date, last: date, present_rules: date) -> _Facts:
    facts = _Facts(
        _leave(stored.leave, first, last), defaultdict(dict), defaultdict(dict), defaultdict(list), defaultdict(list)
    )
    for absence in stored.absences:
        user_id, day, _, kind, status, noted, _, _, credited, reason = absence
        is_present = present_rules <= day
        facts.absences[user_id][day] = _absent(kind, status, noted, credited, reason, under_present_rules=is_present)
    for duty in stored.duties:
        facts.duties[duty.user_id][duty.date] = Planned(duty.date, duty.start_minute, duty.end_minute)
    for row in stored.bookings:
        booked = Booked(row.id, row.date, row.minutes or 0, row.vacation_halves or 0, row.reason)
        facts.bookings[row.user_id].append(booked)
    for notice in stored.notices:
        facts.notices[notice.user_id].append(Notice(notice.until, notice.sent_on, notice.halves))
    return facts


def worked_on_leave(session: Session, company_id: str, days: Collection[tuple[str, date]]) -> set[tuple[str, date]]:
    """Returns those of these (person, day) with entries that should have been free of work (`PersonDay`)."""
    if not days:
        return set()
    first, last = min(day for _, day in days), max(day for _, day in days)
    people = load(session, company_id, {user_id for user_id, _ in days}, first, last, _AWAY).people
    away = [(user_id, day) for user_id, day in days if people[user_id].away_between(day, day)]
    return _worked(people, away, minutes_on(session, company_id, away))


def worked_on_leave_between(
    session: Session,
    company_id: str,
    known_days: Days,
    first: date,
    last: date,
    read: Mapping[str, Mapping[date, int]],
) -> set[tuple[str, date]]:
    """Returns the (person, day) from `first` to `last` with work that should not have been done on that day.

    `known_days`: people's days with leave and absences, which include these days. `read`: the net minutes by person and
    day, for people whose minutes are known; those of other people are read.
    """
    away = [(user_id, day) for user_id, person in known_days.people.items() for day in person.away_between(first, last)]
    missing_minutes = minutes_on(session, company_id, [(user_id, day) for user_id, day in away if user_id not in read])
    return _worked(known_days.people, away, {**read, **missing_minutes})


def _worked(
    people: Mapping[str, PersonDays],
    away: Collection[tuple[str, date]],
    minutes: Mapping[str, Mapping[date, int]],
) -> set[tuple[str, date]]:
    return {
        (user_id, day)
        for user_id, day in away
        if user_id in minutes
        and day in minutes[user_id]
        and people[user_id].on(day).worked_on_leave(minutes[user_id][day])
    }


def entries_around(
    session: Session, company_id: str, first: date, last: date, now: datetime, only_users: Collection[str] | None = None
) -> Iterator[EntryValue]:
    """Yields the entries that the surcharges of these days depend on, by person and start; of all people or of
    `only_users`.

    A shift may have begun on the evening before, with an entry that is dated another day earlier.
    """
    earliest = shifted(first, -2)
    if only_users is None:
        yield from of_company(session, company_id, earliest, last, now)
    for user_id in sorted(only_users or ()):
        yield from of_person(session, company_id, user_id, earliest, last, now)


def surcharges_of(
    session: Session,
    company_id: str,
    known_days: Days,
    first: date,
    last: date,
    now: datetime,
    around: Iterable[EntryValue] | None = None,
    left_out: Collection[str] = (),
    only_of_region: bool = False,
) -> dict[str, dict[date, Surcharges]]:
    """Returns surcharges by person and date, of complete entries from `first` to `last`, both included; at most one
    statement.

    - `known_days`: any days of the company, for its time zone and its holidays.
    - `around`: the result of `entries_around`, if it has been read.
    - `left_out`: the ids of entries that do not count; their shifts stay unchanged.
    - `only_of_region`: only holidays of the Bundesland count, as in older releases.
    """
    if around is None:
        around = entries_around(session, company_id, first, last, now)
    reach = shifted(first, -3), shifted(last, 2)
    holidays = (
        known_days.holidays.public_between(*reach).keys()
        if only_of_region
        else known_days.holidays.paid_between(*reach)
    )
    by_person: dict[str, dict[date, Surcharges]] = {}
    for user_id, person_entries in groupby(around, attrgetter("user_id")):
        shifts = (
            [
                stretch(entry.date, entry.end, entry.raw_minutes, entry.break_minutes or 0)
                for entry in shift
                if entry.end is not None and entry.raw_minutes is not None and entry.id not in left_out
            ]
            for shift in reading_values.shifts(list(person_entries))
        )
        by_day = surcharges(shifts, known_days.zone_on, holidays.__contains__)
        by_person[user_id] = {day: figures for day, figures in by_day.items() if first <= day <= last}
    return by_person


def decided_on(session: Session, company_id: str, user_id: str, day: date) -> list[tuple[str, datetime | None]]:
    """Returns the decisions about a person's day off, as (`leave` or `absence`, time of the decision).

    Cancelled leave is included.
    """
    leave = select(VacationRequest).where(
        VacationRequest.company_id == company_id,
        VacationRequest.user_id == user_id,
        VacationRequest.start_date <= day,
        VacationRequest.end_date >= day,
    )
    absences = select(Absence.decided_at).where(
        Absence.company_id == company_id, Absence.user_id == user_id, Absence.date == day
    )
    decisions: list[tuple[str, datetime | None]] = [
        ("leave", request.decided_at) for request in session.scalars(leave) if any(span_of(request).halves_off(day))
    ]
    return decisions + [("absence", decided_at) for decided_at in session.scalars(absences)]


@lru_cache(maxsize=1000)  # the same for many days
def _absent(
    kind: str, status: str, noted: int, credited: int, reason: str | None, *, under_present_rules: bool
) -> AbsentDay:
    is_excused = kind == "special" and status == "excused"
    unpaid = is_excused and not credited and reason in UNPAID_REASONS and under_present_rules
    as_parent = kind == "special" and reason in PARENTS_REASONS
    return AbsentDay(kind, status, bool(noted), bool(credited), reason, unpaid, as_parent)


def _leave(leave_rows: Sequence[reading.Leave], first: date, last: date) -> dict[str, list[Leave]]:
    """Returns the leave by user id, cut to the requested days."""
    leave: dict[str, list[Leave]] = defaultdict(list)
    for user_id, start, request_id, end, start_half, end_half, kind, status, left_out, from_closure in leave_rows:
        span = LeaveSpan(start, end, bool(start_half), bool(end_half), read_ranges(left_out))
        leave[user_id].append(Leave(kind, status, span.within(first, last), request_id, bool(from_closure)))
    return leave
